import CCmark

extension MarkdownHTML {
  /// The words of the first paragraph of `markdown` that has some, without their markup: what a preview of it shows.
  /// Empty where there is none.
  package static func firstParagraph(of markdown: [UInt8]) throws(MarkdownHTMLError) -> String {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      return try firstParagraph(of: CmarkDocument(parsing: bytes))
    }
  }

  /// The words of a document without their markup, each block on a line of its own: what a search finds of it.
  package static func words(of markdown: [UInt8]) throws(MarkdownHTMLError) -> String {
    try forDocument(markdown) { (document) throws(MarkdownHTMLError) in
      var text: [UInt8] = []
      var iterator = try CmarkIterator(over: document.root)
      while let (node, isEntering) = iterator.next() {
        switch node.type {
        case CMARK_NODE_TEXT, CMARK_NODE_CODE: text += node.literal
        case CMARK_NODE_CODE_BLOCK:
          text += node.literal
          text.append(UInt8(ascii: "\n"))
        case CMARK_NODE_LINEBREAK, CMARK_NODE_SOFTBREAK: text.append(UInt8(ascii: " "))
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: if !isEntering { text.append(UInt8(ascii: "\n")) }
        default: break
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Where a document leads, and what it shows.
  package struct Destination: Sendable, Hashable {
    /// After its escapes.
    package let url: String
    package let isImage: Bool
    /// Of the block that it stands in, from 1.
    package let line: Int
  }

  /// The destinations of all links and images, in their order.
  package static func destinations(of markdown: [UInt8]) throws(MarkdownHTMLError) -> [Destination] {
    try forDocument(markdown) { (document) throws(MarkdownHTMLError) in
      var found: [Destination] = []
      var line = 1
      var iterator = try CmarkIterator(over: document.root)
      while let (node, isEntering) = iterator.next() {
        guard isEntering else { continue }
        switch node.type {
        case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
          found.append(
            Destination(
              url: String(decoding: node.url, as: UTF8.self), isImage: node.type == CMARK_NODE_IMAGE,
              line: max(line, node.line)))
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: line = node.line
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: line += 1
        default: break
        }
      }
      return found
    }
  }

  /// The heading of the first level that a document begins with, and the lines that it stands in, from 1; `nil` where it begins with anything else.
  package static func title(
    of markdown: [UInt8]
  ) throws(MarkdownHTMLError) -> (text: String, lines: ClosedRange<Int>)? {
    try forDocument(markdown) { (document) throws(MarkdownHTMLError) in
      guard let first = document.root.firstChild, first.type == CMARK_NODE_HEADING, first.headingLevel == 1
      else { return nil }
      return (
        String(decoding: try words(of: first), as: UTF8.self), first.line...max(first.line, first.lastLine)
      )
    }
  }

  private static func forDocument<Result>(
    _ markdown: [UInt8], _ body: (borrowing CmarkDocument) throws(MarkdownHTMLError) -> Result
  ) throws(MarkdownHTMLError) -> Result {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      return try body(CmarkDocument(parsing: bytes))
    }
  }

  private static func firstParagraph(of document: borrowing CmarkDocument) throws(MarkdownHTMLError) -> String
  {
    var block = document.root.firstChild
    while let node = block {
      let text = node.type == CMARK_NODE_PARAGRAPH ? try words(of: node) : []
      if !text.isEmpty { return String(decoding: text, as: UTF8.self) }
      block = node.next
    }
    return ""
  }

  /// The words of a block; nothing where there is no memory left.
  static func text(of block: CmarkNode) -> String {
    // Without an iterator nothing is written at all.
    String(decoding: (try? words(of: block)) ?? [], as: UTF8.self)
  }

  /// Text and code, and a space for every line break.
  private static func words(of paragraph: CmarkNode) throws(MarkdownHTMLError) -> [UInt8] {
    var text: [UInt8] = []
    var iterator = try CmarkIterator(over: paragraph)
    while let (node, isEntering) = iterator.next() {
      guard isEntering else { continue }
      switch node.type {
      case CMARK_NODE_TEXT, CMARK_NODE_CODE: text += node.literal
      case CMARK_NODE_LINEBREAK, CMARK_NODE_SOFTBREAK: text.append(UInt8(ascii: " "))
      default: break
      }
    }
    return text
  }
}
