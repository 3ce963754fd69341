import CCmark
import UTF8Text

/// One document on its way to HTML: what has been written and what is open.
struct HTMLWalk: ~Copyable {
  var output: UTF8Buffer
  let options: HTMLOptions
  /// Host and port of the site itself.
  let ownAuthority: [UInt8]
  /// Where this document begins in the output.
  let start: Int

  /// The sections whose markers are open, the innermost last.
  var sections: [OpenSection] = []
  /// How many of them are polls.
  var openPolls = 0
  /// Whether the words for a choice's share are open.
  var isInShare = false
  /// The id of the post that the header begins.
  var headerID: [UInt8]?
  /// Ids of headings, with the last number that was put behind each.
  var headingNames: [String: Int] = [:]
  /// Whether a post's picture has been written.
  var hasPictures = false
  /// How many pictures can be opened large.
  var enlargedPictures = 0
  /// The paragraph that is a control's words.
  var controlParagraph: CmarkNode?
  /// Bytes of HTML that about fill a window.
  static let firstWindow = 3000
  /// The image whose alt text is being written: until it is left, only text is.
  var altOf: CmarkNode?
  /// That image is written as its alt text alone, because its URL is not safe.
  var altIsAll = false
  /// Everything up to the end of this node has been written already.
  var skipped: CmarkNode?
  /// The paragraph that is written as figures.
  var figureParagraph: CmarkNode?
  /// The link that is open in the HTML. cmark lets an address in angle brackets stand within another link, HTML does not, so that
  /// of links within each other the outermost safe one is one, and the others are their text.
  var openLink: CmarkNode?

  init(output: UTF8Buffer, options: HTMLOptions) {
    start = output.count
    self.output = output
    self.options = options
    ownAuthority = LinkTarget.authority(of: options.baseURL)
  }

  mutating func write(_ document: borrowing CmarkDocument) throws(MarkdownHTMLError) {
    var iterator = try CmarkIterator(over: document.root)
    while let (node, isEntering) = iterator.next() {
      if let skipped {
        if skipped == node { self.skipped = nil }
      } else if let image = altOf {
        if image == node { endImage(image) } else if isEntering { output.appendPlainText(of: node) }
      } else if isEntering {
        try enter(node)
      } else {
        try leave(node)
      }
    }
  }

  private mutating func enter(_ node: CmarkNode) throws(MarkdownHTMLError) {
    switch node.type {
    case CMARK_NODE_TEXT: output.appendEscapedText(node.literal)
    case CMARK_NODE_LINEBREAK:
      write("<br")
      endVoidElement()
    case CMARK_NODE_SOFTBREAK: if figureParagraph == nil { write("\n") }
    case CMARK_NODE_PARAGRAPH: beginParagraph(node)
    case CMARK_NODE_LINK: try beginLink(node)
    case CMARK_NODE_IMAGE: beginImage(node)
    case CMARK_NODE_CODE: writeCode(node)
    case CMARK_NODE_EMPH: write("<em>")
    case CMARK_NODE_STRONG: write("<strong>")
    case CMARK_NODE_HTML_BLOCK: try writeHTMLBlock(node)
    case CMARK_NODE_HTML_INLINE: try writeHTMLInline(node)
    case CMARK_NODE_LIST: beginList(node)
    case CMARK_NODE_ITEM: try beginItem(node)
    case CMARK_NODE_BLOCK_QUOTE: beginBlockQuote(node)
    case CMARK_NODE_HEADING: beginHeading(node)
    case CMARK_NODE_CODE_BLOCK: writeCodeBlock(node)
    case CMARK_NODE_THEMATIC_BREAK:
      writeBlock("<hr")
      endVoidElement()
      write("\n")
    default: break
    }
  }

  private mutating func leave(_ node: CmarkNode) throws(MarkdownHTMLError) {
    switch node.type {
    case CMARK_NODE_PARAGRAPH: endParagraph(node)
    case CMARK_NODE_LINK: endLink(node)
    case CMARK_NODE_EMPH: write("</em>")
    case CMARK_NODE_STRONG: write("</strong>")
    case CMARK_NODE_LIST: write(node.isOrderedList ? "</ol>\n" : "</ul>\n")
    case CMARK_NODE_ITEM:
      try checkSectionsClosed(in: node)
      endShare()
      write("</li>\n")
    case CMARK_NODE_BLOCK_QUOTE:
      try checkSectionsClosed(in: node)
      writeBlock("</blockquote>\n")
    case CMARK_NODE_HEADING: endHeading(node)
    case CMARK_NODE_DOCUMENT: try checkSectionsClosed(in: node)
    default: break
    }
  }

  // MARK: - Writing

  mutating func write(_ text: StaticString) {
    output.append(text)
  }

  /// Begins a line unless it is begun, as cmark does before every block.
  mutating func beginLine() {
    if output.count > start, output.bytes.last != UInt8(ascii: "\n") { output.append(UInt8(ascii: "\n")) }
  }

  mutating func writeBlock(_ tag: StaticString) {
    beginLine()
    write(tag)
  }

  /// Ends the tag of an element that holds nothing.
  mutating func endVoidElement() {
    write(options.syntax == .xml ? "/>" : ">")
  }

  /// Writes an attribute whose presence is its value: XML knows none without one.
  mutating func writeFlag(_ name: StaticString) {
    write(" ")
    write(name)
    guard options.syntax == .xml else { return }
    write("=\"")
    write(name)
    write("\"")
  }

  /// Writes ` name="value"`.
  mutating func writeAttribute(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) {
    write(" ")
    write(name)
    write("=\"")
    output.appendEscapedText(value)
    write("\"")
  }

  mutating func writeAttribute(_ name: StaticString, _ value: String) {
    var value = value
    value.withUTF8 { writeAttribute(name, $0) }
  }

  mutating func writeAttribute(_ name: StaticString, _ value: Int) {
    write(" ")
    write(name)
    write("=\"")
    output.append(integer: value)
    write("\"")
  }
}
