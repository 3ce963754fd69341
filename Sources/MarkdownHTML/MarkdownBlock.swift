import CCmark

/// A block of a document as a value, for output other than HTML, such as the documentation in a terminal.
///
/// libcmark parses the blocks. It does not support tables (they belong to GitHub's dialect) and parses a table as a paragraph. The contents
/// of its cells are then also parsed by libcmark.
package indirect enum MarkdownBlock: Sendable, Equatable {
  case heading(level: Int, [MarkdownInline])
  case paragraph([MarkdownInline])
  case code(String)
  case quote([MarkdownBlock])
  /// - start: the first number of a numbered list; `nil` for other lists.
  case list(start: Int?, isTight: Bool, items: [[MarkdownBlock]])
  case table(header: [[MarkdownInline]], rows: [[[MarkdownInline]]])
  case rule

  /// Returns the blocks of a document. Raw HTML is left out.
  package static func read(_ markdown: String) throws(MarkdownHTMLError) -> [MarkdownBlock] {
    // Lines end as in libcmark.
    let lines = markdown.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }.map(
      String.init)
    return try withDocument(markdown) { (document) throws(MarkdownHTMLError) in
      try MarkdownBlockReader(lines: lines).blocks(of: document.root)
    }
  }

  /// Parses the contents of a single line, such as a table's cell, whatever its first characters.
  fileprivate static func readInlines(_ markdown: String) throws(MarkdownHTMLError) -> [MarkdownInline] {
    // After a full stop, no text begins a list, a heading or a quote.
    let inlines = try withDocument("." + markdown) { (document) throws(MarkdownHTMLError) in
      document.root.firstChild.map { MarkdownBlockReader.inlines(of: $0) } ?? []
    }
    guard case .text(let text)? = inlines.first, text.hasPrefix(".") else { return inlines }
    let rest = String(text.dropFirst())
    return (rest.isEmpty ? [] : [.text(rest)]) + inlines.dropFirst()
  }

  private static func withDocument<Result>(
    _ markdown: String, _ work: (borrowing CmarkDocument) throws(MarkdownHTMLError) -> Result
  ) throws(MarkdownHTMLError) -> Result {
    try Array(markdown.utf8).withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      return try work(try CmarkDocument(parsing: bytes))
    }
  }
}

/// An inline element of a `MarkdownBlock`.
package indirect enum MarkdownInline: Sendable, Equatable {
  case text(String)
  case code(String)
  case emphasis([MarkdownInline])
  case strong([MarkdownInline])
  case link(address: String, [MarkdownInline])
  /// - description: the alt text.
  case image(address: String, description: String)
  case lineBreak

  /// Returns only the words.
  package static func words(of inlines: [MarkdownInline]) -> String {
    inlines.map { inline in
      switch inline {
      case .text(let text), .code(let text), .image(_, let text): text
      case .emphasis(let parts), .strong(let parts), .link(_, let parts): words(of: parts)
      case .lineBreak: " "
      }
    }.joined()
  }
}

/// Converts libcmark's tree.
private struct MarkdownBlockReader {
  /// The lines of the whole document.
  let lines: [String]

  func blocks(of parent: CmarkNode) throws(MarkdownHTMLError) -> [MarkdownBlock] {
    var blocks: [MarkdownBlock] = []
    var child = parent.firstChild
    while let node = child {
      if let block = try block(node) { blocks.append(block) }
      child = node.next
    }
    return blocks
  }

  private func block(_ node: CmarkNode) throws(MarkdownHTMLError) -> MarkdownBlock? {
    switch node.type {
    case CMARK_NODE_HEADING: return .heading(level: node.headingLevel, Self.inlines(of: node))
    case CMARK_NODE_PARAGRAPH: return try table(node) ?? .paragraph(Self.inlines(of: node))
    case CMARK_NODE_CODE_BLOCK: return .code(Self.string(node.literal))
    case CMARK_NODE_BLOCK_QUOTE: return .quote(try blocks(of: node))
    case CMARK_NODE_THEMATIC_BREAK: return .rule
    case CMARK_NODE_LIST:
      var items: [[MarkdownBlock]] = []
      var item = node.firstChild
      while let current = item {
        items.append(try blocks(of: current))
        item = current.next
      }
      return .list(start: node.isOrderedList ? node.listStart : nil, isTight: node.isTightList, items: items)
    default: return nil
    }
  }

  /// Returns the table in a paragraph's lines, if any: a row of headings, and a row of hyphens below it
  /// (https://github.github.com/gfm/#tables-extension-).
  private func table(_ node: CmarkNode) throws(MarkdownHTMLError) -> MarkdownBlock? {
    let (first, last) = (node.line - 1, node.lastLine - 1)
    guard first >= 0, last > first, last < lines.count else { return nil }
    let rows = lines[first...last].map { Self.cells(of: $0) }
    guard let header = rows[0], let rule = rows[1], header.count == rule.count,
      rule.allSatisfy({ $0.contains("-") && $0.allSatisfy { "-:".contains($0) } })
    else { return nil }
    var heads: [[MarkdownInline]] = []
    for cell in header { heads.append(try MarkdownBlock.readInlines(cell)) }
    var body: [[[MarkdownInline]]] = []
    for row in rows.dropFirst(2) {
      guard let row else { return nil }
      var cells: [[MarkdownInline]] = []
      for cell in row.prefix(heads.count) { cells.append(try MarkdownBlock.readInlines(cell)) }
      body.append(cells + Array(repeating: [], count: heads.count - cells.count))
    }
    return .table(header: heads, rows: body)
  }

  /// Returns a row's cells, as Markdown; `nil` if the line is not a row of a table.
  private static func cells(of line: String) -> [String]? {
    let line = line.trimming { $0 == " " || $0 == "\t" }
    guard line.hasPrefix("|"), line.count > 1 else { return nil }
    var cells = [""]
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|", !isEscaped {
        cells.append("")
      } else {
        // The backslash before a pipe belongs to the table and is removed. Backslashes before other characters stay.
        if character == "|" { cells[cells.count - 1].removeLast() }
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    if line.hasSuffix("|"), cells.last == "" { cells.removeLast() }
    return cells.map { $0.trimming { $0 == " " || $0 == "\t" } }
  }

  static func inlines(of parent: CmarkNode) -> [MarkdownInline] {
    var inlines: [MarkdownInline] = []
    func add(_ text: String) {
      // libcmark ends a text node at every character that might have a meaning.
      if case .text(let before)? = inlines.last {
        inlines[inlines.count - 1] = .text(before + text)
      } else {
        inlines.append(.text(text))
      }
    }
    var child = parent.firstChild
    while let node = child {
      switch node.type {
      case CMARK_NODE_TEXT: add(string(node.literal))
      case CMARK_NODE_SOFTBREAK: add(" ")
      case CMARK_NODE_LINEBREAK: inlines.append(.lineBreak)
      case CMARK_NODE_CODE: inlines.append(.code(string(node.literal)))
      case CMARK_NODE_EMPH: inlines.append(.emphasis(Self.inlines(of: node)))
      case CMARK_NODE_STRONG: inlines.append(.strong(Self.inlines(of: node)))
      case CMARK_NODE_LINK: inlines.append(.link(address: string(node.url), Self.inlines(of: node)))
      case CMARK_NODE_IMAGE:
        inlines.append(
          .image(
            address: string(node.url), description: MarkdownInline.words(of: Self.inlines(of: node))))
      default: break
      }
      child = node.next
    }
    return inlines
  }

  private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// Returns the string without the matching characters at both ends.
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    var part = self[...]
    while let first = part.first, isTrimmed(first) { part.removeFirst() }
    while let last = part.last, isTrimmed(last) { part.removeLast() }
    return String(part)
  }
}
