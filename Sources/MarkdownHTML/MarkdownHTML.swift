import Basics
import CCmark

/// Converts Markdown to the body of a page: libcmark parses it, and a walk over its tree writes the HTML.
///
/// Pairs of comment markers become sections, images and videos get their known facts, external links get their `rel`, all other raw HTML is
/// dropped, and everything else is written as in cmark's safe mode. The differences are: a hard line break is `<br>` without a newline
/// after it, since text is shown with its white space, and a destination whose scheme is not on the list is not written as a link.
///
/// cmark's renderer is not used on a changed tree: a class on a list item, a `<br>` or the `rel` of a link would require custom nodes for
/// most of the tree.
package enum MarkdownHTML {
  /// The maximum length of a document in bytes. cmark counts in 32 bits, and threads are much shorter.
  package static let maximumLength = 16 << 20

  /// Returns the HTML of `markdown`.
  package static func render(
    _ markdown: UnsafeBufferPointer<UInt8>, options: HTMLOptions = HTMLOptions()
  ) throws(MarkdownHTMLError) -> DocumentHTML {
    try MarkdownLimits.check(markdown)
    let document = try CmarkDocument(parsing: markdown)
    let lines = options.readsTables ? PipeTable.lines(of: markdown) : []
    var renderer = HTMLRenderer(options, capacity: markdown.count * 2, lines: lines)
    try renderer.write(document)
    return renderer.finish()
  }

  /// Does the same as `render` for an array.
  package static func render(
    _ markdown: [UInt8], options: HTMLOptions = HTMLOptions()
  ) throws(MarkdownHTMLError) -> DocumentHTML {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try render(bytes, options: options)
    }
  }

  /// Does the same as `render` for a part of an array, such as a document after its front matter.
  package static func render(
    _ markdown: ArraySlice<UInt8>, options: HTMLOptions = HTMLOptions()
  ) throws(MarkdownHTMLError) -> DocumentHTML {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try render(bytes, options: options)
    }
  }

  /// Returns the words of the first non-empty paragraph of `markdown`, without markup, for previews. Empty if there is no such paragraph.
  ///
  /// - Parameter readsTables: whether a table is not a paragraph.
  package static func firstParagraph(
    of markdown: [UInt8], readsTables: Bool = false
  ) throws(MarkdownHTMLError) -> String {
    try forDocument(markdown, readsTables) { (document, lines) throws(MarkdownHTMLError) in
      try firstParagraph(of: document, lines)
    }
  }

  /// Returns the words of a document without markup, each block on a separate line, for searching.
  ///
  /// - Parameter readsTables: whether cells of tables are blocks.
  package static func words(
    of markdown: [UInt8], readsTables: Bool = false
  ) throws(MarkdownHTMLError) -> String {
    var text: [UInt8] = []
    try forEachNode(of: markdown, readsTables) { node, isEntering, _ in
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

  /// The destination of a link or an image in a document.
  package struct Destination: Sendable, Hashable {
    /// Unescaped.
    package let url: String
    package let isImage: Bool
    /// The line of the block that contains it, from 1.
    package let line: Int
  }

  /// Returns the destinations of all links and images, in order.
  ///
  /// - Parameter readsTables: whether tables are read, so that their cells are parsed one by one.
  package static func destinations(
    of markdown: [UInt8], readsTables: Bool = false
  ) throws(MarkdownHTMLError) -> [Destination] {
    var found: [Destination] = []
    var line = 1
    try forEachNode(of: markdown, readsTables) { node, isEntering, row in
      guard isEntering else { return }
      switch node.type {
      case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
        found.append(
          Destination(
            url: String(decoding: node.url, as: UTF8.self), isImage: node.type == CMARK_NODE_IMAGE,
            line: row ?? max(line, node.line)))
      case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: line = node.line
      case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: line += 1
      default: break
      }
    }
    return found
  }

  /// Returns the line, from 1, of the first raw HTML that `render` leaves out unless it keeps HTML; `nil` for a document without such HTML.
  /// Comments are not content and do not count.
  package static func firstDroppedHTML(in markdown: [UInt8]) throws(MarkdownHTMLError) -> Int? {
    var found: Int?
    var line = 1
    try forEachNode(of: markdown, true) { node, isEntering, row in
      guard isEntering, found == nil else { return }
      switch node.type {
      case CMARK_NODE_HTML_BLOCK, CMARK_NODE_HTML_INLINE:
        let text = String(decoding: node.literal, as: UTF8.self)
        if !text.trimmed.hasBytePrefix("<!--") { found = row ?? max(line, node.line) }
      case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: line = node.line
      case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: line += 1
      default: break
      }
    }
    return found
  }

  /// Returns the level-1 heading at the beginning of a document, and its lines, from 1; `nil` if the document begins with a different block.
  package static func title(
    of markdown: [UInt8]
  ) throws(MarkdownHTMLError) -> (text: String, lines: ClosedRange<Int>)? {
    try forDocument(markdown) { (document, _) throws(MarkdownHTMLError) in
      guard let first = document.root.firstChild, first.type == CMARK_NODE_HEADING, first.headingLevel == 1
      else { return nil }
      return (
        String(decoding: try words(of: first), as: UTF8.self), first.line...max(first.line, first.lastLine)
      )
    }
  }

  /// A paragraph that consists of a URL.
  package struct SoleURL: Sendable, Hashable {
    package let url: String
    /// From 1.
    package let line: Int
  }

  /// Returns the paragraphs outside of lists and quotes that consist of a URL alone, with or without angle brackets, in order.
  package static func soleURLs(of markdown: [UInt8]) throws(MarkdownHTMLError) -> [SoleURL] {
    // Most texts contain no URL at the beginning of a line, and need no second parse.
    let urls = markdown.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(soleURL)
    guard urls.contains(where: { $0 != nil }) else { return [] }
    return try forDocument(markdown) { (document, _) throws(MarkdownHTMLError) in
      var found: [SoleURL] = []
      var block = document.root.firstChild
      while let node = block {
        if node.type == CMARK_NODE_PARAGRAPH, node.line == node.lastLine,
          urls.indices.contains(node.line - 1),
          let url = urls[node.line - 1]
        {
          found.append(SoleURL(url: url, line: node.line))
        }
        block = node.next
      }
      return found
    }
  }

  /// Returns the URL of a line without any other words.
  private static func soleURL(_ line: ArraySlice<UInt8>) -> String? {
    // The line may end with CR LF.
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    var text = String(decoding: line, as: UTF8.self).trimmed[...]
    if let inner = text.without(bytePrefix: "<"), inner.utf8.last == UInt8(ascii: ">") {
      text = inner.dropLast()
    }
    guard text.hasBytePrefix("https://") || text.hasBytePrefix("http://"), text.utf8.count <= 2000,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"<>\"`\\".utf8.contains($0) })
    else { return nil }
    return String(text)
  }

  /// Calls `body` with a document and, if tables are read, its lines.
  private static func forDocument<Result>(
    _ markdown: [UInt8], _ readsTables: Bool = false,
    _ body: (borrowing CmarkDocument, [String]) throws(MarkdownHTMLError) -> Result
  ) throws(MarkdownHTMLError) -> Result {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      return try body(CmarkDocument(parsing: bytes), readsTables ? PipeTable.lines(of: bytes) : [])
    }
  }

  /// Visits a document as `CmarkIterator` does. A table is visited cell by cell, each as a paragraph with the line of its row.
  private static func forEachNode(
    of markdown: [UInt8], _ readsTables: Bool, _ visit: (CmarkNode, _ isEntering: Bool, _ row: Int?) -> Void
  ) throws(MarkdownHTMLError) {
    try forDocument(markdown, readsTables) { (document, lines) throws(MarkdownHTMLError) in
      var skipped: CmarkNode?
      var iterator = try CmarkIterator(over: document.root)
      while let (node, isEntering) = iterator.next() {
        if let table = skipped {
          if table == node { skipped = nil }
        } else if readsTables, isEntering, node.type == CMARK_NODE_PARAGRAPH,
          let table = PipeTable(node, in: lines)
        {
          skipped = node
          for row in table.allRows {
            for cell in row.cells {
              try CmarkDocument.withLine(cell) { (line) throws(MarkdownHTMLError) in
                var cells = try CmarkIterator(over: line)
                while let (node, isEntering) = cells.next() { visit(node, isEntering, row.line) }
              }
            }
          }
        } else {
          visit(node, isEntering, nil)
        }
      }
    }
  }

  private static func firstParagraph(
    of document: borrowing CmarkDocument, _ lines: [String]
  ) throws(MarkdownHTMLError) -> String {
    var block = document.root.firstChild
    while let node = block {
      let isParagraph =
        node.type == CMARK_NODE_PARAGRAPH && (lines.isEmpty || PipeTable(node, in: lines) == nil)
      let text = isParagraph ? try words(of: node) : []
      if !text.isEmpty { return String(decoding: text, as: UTF8.self) }
      block = node.next
    }
    return ""
  }

  /// Returns the words of a block; empty if memory is exhausted.
  static func text(of block: CmarkNode) -> String {
    // The HTML renderer itself fails without an iterator.
    String(decoding: (try? words(of: block)) ?? [], as: UTF8.self)
  }

  /// Returns text and code, and a space for every line break.
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

/// An error of converting a document to HTML. The cause is always the components' templates (or a document that exceeds the limits),
/// because a post's text cannot contain a marker.
package struct MarkdownHTMLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// 1-based, counted from the first line of the given Markdown; `nil` if the error concerns the whole document.
  package var line: Int?
  /// A full sentence with the problem and its solution.
  package var message: String

  /// Whether the document exceeds the maximum length, which is not caused by a template.
  package var isTooLong: Bool

  package init(line: Int?, message: String, isTooLong: Bool = false) {
    self.line = line
    self.message = message
    self.isTooLong = isTooLong
  }

  package var description: String {
    line.map { "line \($0) of the Markdown: \(message)" } ?? message
  }
}
