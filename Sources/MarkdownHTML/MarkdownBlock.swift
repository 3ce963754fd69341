import CCmark

/// A block of a document as a value, for output other than HTML, such as the documentation in a terminal.
///
/// libcmark parses the blocks, and `PipeTable` finds the tables.
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
    try Array(markdown.utf8).withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      let document = try CmarkDocument(parsing: bytes)
      return try MarkdownBlockReader(lines: PipeTable.lines(of: bytes)).blocks(of: document.root)
    }
  }

  /// Parses the contents of a single line, such as a table's cell.
  fileprivate static func readInlines(_ markdown: String) throws(MarkdownHTMLError) -> [MarkdownInline] {
    try CmarkDocument.withLine(markdown) { (line) throws(MarkdownHTMLError) in
      MarkdownBlockReader.inlines(of: line)
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

  /// Returns the table in a paragraph's lines, if any.
  private func table(_ node: CmarkNode) throws(MarkdownHTMLError) -> MarkdownBlock? {
    guard let table = PipeTable(node, in: lines) else { return nil }
    var rows: [[[MarkdownInline]]] = []
    for row in table.allRows {
      var cells: [[MarkdownInline]] = []
      for cell in row.cells { cells.append(try MarkdownBlock.readInlines(cell)) }
      rows.append(cells + Array(repeating: [], count: table.alignments.count - cells.count))
    }
    return .table(header: rows.removeFirst(), rows: rows)
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
