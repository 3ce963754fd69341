import Basics
import CCmark

/// Writes the blocks of CommonMark that contain other blocks or text: headings, lists, block quotes and code.
///
///     ## Two *words*          →        <h3 id="two-words">Two <em>words</em></h3>
///     ## <!-- number -->3.<!-- /number --> Bread
///                            →        <h2><span class="number">3.</span> Bread</h2>
///     3. third                →        <ol start="3">
///                                      <li>third</li>
///                                      </ol>
struct BlockRenderer {
  /// The ids of headings, with the last number that was appended to each.
  private var headingNames: [String: Int] = [:]
  /// Whether the open heading contains a link to itself.
  private var isInHeadingLink = false
  private var isInHeading = false
  /// Whether the element for the number of the open heading is open.
  private var isInNumber = false

  mutating func beginHeading(_ node: CmarkNode, to writer: inout HTMLWriter) throws(MarkdownHTMLError) {
    isInHeading = true
    writer.writeBlock("<h")
    writer.write(level(of: node, in: writer))
    var id: String?
    if writer.options.namesHeadings {
      let name = writer.options.idPrefix + name(of: node)
      writer.writeAttribute("id", name)
      id = name
    }
    if let languages = writer.options.languages, writer.sections.innermost?.kind == .header {
      writer.writeAttribute("lang", languages.texts)
    } else {
      writer.writeWordsLanguage()
    }
    writer.write(">")
    if let id, writer.options.linksHeadings, try canBeLink(node, keepsHTML: writer.options.keepsHTML) {
      writer.write("<a class=\"anchor\"")
      writer.writeAttribute("href", "#" + id)
      writer.write(">")
      isInHeadingLink = true
    }
  }

  /// Returns whether a heading contains no link, because a link cannot contain another. Raw HTML may be a link.
  private func canBeLink(_ heading: CmarkNode, keepsHTML: Bool) throws(MarkdownHTMLError) -> Bool {
    var iterator = try CmarkIterator(over: heading)
    while let (node, _) = iterator.next() {
      if node.type == CMARK_NODE_LINK || (keepsHTML && node.type == CMARK_NODE_HTML_INLINE) { return false }
    }
    return heading.firstChild != nil
  }

  mutating func endHeading(_ node: CmarkNode, to writer: inout HTMLWriter) {
    endNumber(to: &writer)
    isInHeading = false
    if isInHeadingLink { writer.write("</a>") }
    isInHeadingLink = false
    writer.write("</h")
    writer.write(level(of: node, in: writer))
    writer.write(">\n")
  }

  /// Begins the number of the open heading, so that a style sheet can set it apart.
  mutating func beginNumber(to writer: inout HTMLWriter) {
    guard isInHeading, !isInNumber else { return }
    writer.write("<span class=\"number\">")
    isInNumber = true
  }

  /// Ends the number, if it is open, at the latest at the end of its heading.
  mutating func endNumber(to writer: inout HTMLWriter) {
    guard isInNumber else { return }
    writer.write("</span>")
    isInNumber = false
  }

  private func level(of heading: CmarkNode, in writer: borrowing HTMLWriter) -> Int {
    let offset = writer.options.headingOffset + (writer.sections.isInOwnersText ? 1 : 0)
    return min(6, max(writer.options.highestHeading, heading.headingLevel + offset))
  }

  /// Returns a heading's words in lower case with hyphens between them, a common form of heading ids. Repeated ids get a number.
  private mutating func name(of heading: CmarkNode) -> String {
    var name = String.UnicodeScalarView()
    for scalar in MarkdownHTML.text(of: heading).lowercased().unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        || scalar.properties.isGraphemeExtend || scalar == "_"
      {
        name.append(scalar)
      } else if scalar == " " || scalar == "-" {
        name.append("-")
      }
    }
    let text = name.isEmpty ? "section" : String(name)
    // A numbered id may equal another heading's id without a number.
    var number = headingNames[text] ?? 0
    var free = text
    while headingNames[free] != nil {
      number += 1
      free = "\(text)-\(number)"
    }
    headingNames[text] = number
    if free != text { headingNames[free] = 0 }
    return free
  }

  func beginList(_ node: CmarkNode, to writer: inout HTMLWriter) {
    writer.beginLine()
    guard node.isOrderedList else { return writer.write("<ul>\n") }
    writer.write("<ol")
    if node.listStart != 1 { writer.writeAttribute("start", node.listStart) }
    writer.write(">\n")
  }

  func beginBlockQuote(_ node: CmarkNode, to writer: inout HTMLWriter) {
    let isQuote = writer.sections.innermost.map { $0.kind == .embed && $0.container == node.parent } ?? false
    writer.writeBlock(isQuote ? "<blockquote class=\"quote\">\n" : "<blockquote>\n")
  }

  /// Writes a block of code, whose language is the first word of the fence's info string.
  func writeCode(_ node: CmarkNode, to writer: inout HTMLWriter) {
    writer.beginLine()
    let language = node.fenceInfo.prefix { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    writer.write(writer.options.focusesBoxes ? "<pre tabindex=\"0\"><code" : "<pre><code")
    if !language.isEmpty {
      writer.write(" class=\"language-")
      writer.write(text: UnsafeBufferPointer(rebasing: language))
      writer.write("\"")
    }
    writer.write(">")
    writer.write(text: node.literal)
    writer.write("</code></pre>\n")
  }
}
