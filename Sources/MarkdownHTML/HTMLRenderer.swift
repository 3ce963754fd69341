import Basics
import CCmark

/// The walk over a document's tree: it passes each node to the renderer of its kind, and interprets the markers.
///
///     # A *title*                      <h1>A <em>title</em></h1>
///                             →
///     Some text                        <p>Some text</p>
struct HTMLRenderer: ~Copyable {
  private var writer: HTMLWriter
  private var sections = SectionRenderer()
  private var blocks = BlockRenderer()
  private var figures = FigureRenderer()
  private var images = ImageRenderer()
  private var links = LinkRenderer()
  private var polls = PollRenderer()
  /// The lines with markers, ascending.
  private var markerLines: [Int] = []
  /// The node up to whose end everything has already been written.
  private var skipped: CmarkNode?
  /// The lines of the document if it can contain tables.
  private let lines: [String]

  /// - Parameters:
  ///   - capacity: the expected length of the HTML in bytes.
  ///   - lines: the lines of the document if tables are read; otherwise empty.
  init(_ options: HTMLOptions, capacity: Int, lines: [String] = []) {
    writer = HTMLWriter(options, capacity: capacity)
    self.lines = lines
  }

  consuming func finish() -> DocumentHTML {
    var html = writer.finish()
    html.markerLines = markerLines
    return html
  }

  mutating func write(_ document: borrowing CmarkDocument) throws(MarkdownHTMLError) {
    var iterator = try CmarkIterator(over: document.root)
    while let (node, isEntering) = iterator.next() { try visit(node, isEntering) }
  }

  private mutating func visit(_ node: CmarkNode, _ isEntering: Bool) throws(MarkdownHTMLError) {
    if let skipped {
      if skipped == node { self.skipped = nil }
    } else if let image = images.altOf {
      if image == node { endImage(image) } else if isEntering { writer.writePlainText(of: node) }
    } else if isEntering {
      try enter(node)
    } else {
      try leave(node)
    }
  }

  private mutating func enter(_ node: CmarkNode) throws(MarkdownHTMLError) {
    switch node.type {
    case CMARK_NODE_TEXT: writer.write(text: node.literal)
    case CMARK_NODE_LINEBREAK:
      writer.write("<br")
      writer.endVoidElement()
    case CMARK_NODE_SOFTBREAK: if !figures.isOpen { writer.write("\n") }
    case CMARK_NODE_PARAGRAPH:
      if let html = writer.options.replacements[node.line], node.parent?.type == CMARK_NODE_DOCUMENT {
        writer.beginLine()
        writer.write(html: html)
        skipped = node
      } else if !lines.isEmpty, let table = PipeTable(node, in: lines) {
        try write(table)
        skipped = node
      } else {
        beginParagraph(node)
      }
    case CMARK_NODE_LINK: try beginLink(node)
    case CMARK_NODE_IMAGE: beginImage(node)
    case CMARK_NODE_CODE:
      writer.write("<code>")
      writer.write(text: node.literal)
      writer.write("</code>")
    case CMARK_NODE_EMPH: writer.write("<em>")
    case CMARK_NODE_STRONG: writer.write("<strong>")
    case CMARK_NODE_HTML_BLOCK: try writeHTMLBlock(node)
    case CMARK_NODE_HTML_INLINE: try writeHTMLInline(node)
    case CMARK_NODE_LIST: blocks.beginList(node, to: &writer)
    case CMARK_NODE_ITEM:
      writer.writeBlock("<li")
      if writer.sections.isInPoll { try polls.writeClasses(of: node, to: &writer) }
      writer.write(">")
    case CMARK_NODE_BLOCK_QUOTE: blocks.beginBlockQuote(node, to: &writer)
    case CMARK_NODE_HEADING: try blocks.beginHeading(node, to: &writer)
    case CMARK_NODE_CODE_BLOCK: blocks.writeCode(node, to: &writer)
    case CMARK_NODE_THEMATIC_BREAK:
      writer.writeBlock("<hr")
      writer.endVoidElement()
      writer.write("\n")
    default: break
    }
  }

  private mutating func leave(_ node: CmarkNode) throws(MarkdownHTMLError) {
    switch node.type {
    case CMARK_NODE_PARAGRAPH: endParagraph(node)
    case CMARK_NODE_LINK:
      links.end(node, to: &writer)
      if figures.contains(node) { figures.end(link: node, to: &writer) }
    case CMARK_NODE_EMPH: writer.write("</em>")
    case CMARK_NODE_STRONG: writer.write("</strong>")
    case CMARK_NODE_LIST: writer.write(node.isOrderedList ? "</ol>\n" : "</ul>\n")
    case CMARK_NODE_ITEM:
      try writer.sections.checkClosed(in: node)
      polls.endShare(to: &writer)
      writer.write("</li>\n")
    case CMARK_NODE_BLOCK_QUOTE:
      try writer.sections.checkClosed(in: node)
      writer.writeBlock("</blockquote>\n")
    case CMARK_NODE_HEADING: blocks.endHeading(node, to: &writer)
    case CMARK_NODE_DOCUMENT: try writer.sections.checkClosed(in: node)
    default: break
    }
  }

  /// Begins a paragraph: in a tight list it has no element, and a paragraph of images becomes figures.
  private mutating func beginParagraph(_ node: CmarkNode) {
    if isOfTightList(node) || sections.beginControl(node, to: &writer) || figures.begin(node, to: &writer) {
      return
    }
    writer.writeBlock("<p")
    writer.writeWordsLanguage()
    writer.write(">")
  }

  private mutating func endParagraph(_ node: CmarkNode) {
    polls.endShare(to: &writer)
    if sections.endControl(node, to: &writer) || figures.end(node) || isOfTightList(node) { return }
    writer.write("</p>\n")
  }

  private func isOfTightList(_ paragraph: CmarkNode) -> Bool {
    guard let item = paragraph.parent, item.type == CMARK_NODE_ITEM else { return false }
    return item.parent?.isTightList == true
  }

  private mutating func beginLink(_ node: CmarkNode) throws(MarkdownHTMLError) {
    if figures.contains(node), try figures.begin(link: node, to: &writer) {
      skipped = node
    } else {
      links.begin(node, to: &writer)
    }
  }

  private mutating func beginImage(_ node: CmarkNode) {
    let isFigure = figures.contains(node)
    if isFigure { figures.begin(image: node, to: &writer) }
    images.begin(node, isFigure: isFigure, to: &writer)
  }

  private mutating func endImage(_ node: CmarkNode) {
    let isFigure = figures.contains(node)
    images.end(node, isFigure: isFigure, to: &writer)
    if isFigure { figures.endFigure(to: &writer) }
  }

  // MARK: - Tables

  /// Writes a table in a box, which scrolls in a window that is narrower than the table.
  ///
  /// Missing cells at the end of a row are one cell, so that the HTML grows with the Markdown and not with rows times columns.
  private mutating func write(_ table: PipeTable) throws(MarkdownHTMLError) {
    writer.writeBlock("<div class=\"table\"")
    writer.write(writer.options.focusesBoxes ? " tabindex=\"0\">" : ">")
    writer.write("\n<table>\n<thead>\n")
    try write(table.header, of: table, isHeader: true)
    writer.write("</thead>\n")
    if !table.rows.isEmpty {
      writer.write("<tbody>\n")
      for row in table.rows { try write(row, of: table, isHeader: false) }
      writer.write("</tbody>\n")
    }
    writer.write("</table>\n</div>\n")
  }

  private mutating func write(
    _ row: PipeTable.Row, of table: PipeTable, isHeader: Bool
  ) throws(MarkdownHTMLError) {
    writer.write("<tr>")
    for (cell, alignment) in zip(row.cells, table.alignments) {
      writer.write(isHeader ? "<th scope=\"col\"" : "<td")
      switch alignment {
      case .left: writer.write(" class=\"left\"")
      case .center: writer.write(" class=\"center\"")
      case .right: writer.write(" class=\"right\"")
      case nil: break
      }
      writer.write(">")
      do {
        try CmarkDocument.withLine(cell) { (line) throws(MarkdownHTMLError) in
          var iterator = try CmarkIterator(over: line)
          while let (node, isEntering) = iterator.next() {
            if node != line { try visit(node, isEntering) }
          }
        }
      } catch {
        throw MarkdownHTMLError(line: row.line, message: error.message, isTooLong: error.isTooLong)
      }
      writer.write(isHeader ? "</th>" : "</td>")
    }
    let missing = table.alignments.count - row.cells.count
    if missing > 0 {
      writer.write("<td")
      if missing > 1 { writer.writeAttribute("colspan", missing) }
      writer.write("></td>")
    }
    writer.write("</tr>\n")
  }

  // MARK: - Markers

  /// Reads the marker in raw HTML, and records its line.
  private mutating func marker(_ node: CmarkNode) throws(MarkdownHTMLError) -> Marker? {
    guard let marker = try Marker(node.literal, line: node.line) else { return nil }
    if markerLines.last != node.line { markerLines.append(node.line) }
    return marker
  }

  /// Writes a block of raw HTML: a marker is interpreted, other HTML is dropped.
  private mutating func writeHTMLBlock(_ node: CmarkNode) throws(MarkdownHTMLError) {
    if writer.options.keepsHTML {
      writer.beginLine()
      return writer.write(html: node.literal)
    }
    switch try marker(node) {
    case .open(let kind, let arguments): try sections.open(kind, arguments, at: node, to: &writer)
    case .close(let kind): try sections.close(kind, at: node, to: &writer)
    case .meter(let share) where writer.sections.isInPoll: polls.writeMeter(share, to: &writer)
    case .meter, .winner, .dash, .votes, .number, .endOfNumber, nil: break
    }
  }

  /// Writes raw HTML within text: the marker of a poll or of a heading's number is interpreted, other HTML is dropped. Sections cannot begin or end within text.
  private mutating func writeHTMLInline(_ node: CmarkNode) throws(MarkdownHTMLError) {
    if writer.options.keepsHTML { return writer.write(html: node.literal) }
    let isInPoll = writer.sections.isInPoll
    switch try marker(node) {
    case .open(let kind, _), .close(let kind):
      throw MarkdownHTMLError(
        line: node.line, message: "A marker \(kind) stands within text; it must stand alone on its line.")
    case .meter(let share) where isInPoll:
      polls.endShare(to: &writer)
      polls.writeMeter(share, to: &writer)
    case .dash where isInPoll && !links.isOpen: polls.beginShare("dash", to: &writer)
    case .votes where isInPoll && !links.isOpen: polls.beginShare("votes", to: &writer)
    case .number where !links.isOpen: blocks.beginNumber(to: &writer)
    case .endOfNumber where !links.isOpen: blocks.endNumber(to: &writer)
    case .meter, .winner, .dash, .votes, .number, .endOfNumber, nil: break
    }
  }
}
