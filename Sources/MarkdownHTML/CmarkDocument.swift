import CCmark
import CCmarkArena

/// The parsed tree of one document, which is its only owner and frees it. Nodes and their bytes are borrowed from it.
///
/// It must be used and destroyed on the thread that parsed it, because that thread's arena contains its memory.
struct CmarkDocument: ~Copyable {
  let root: CmarkNode
  private let arena: CmarkArena

  /// Never uses `CMARK_OPT_UNSAFE`. Malformed UTF-8 becomes U+FFFD, so that the output is always UTF-8.
  init(parsing markdown: UnsafeBufferPointer<UInt8>) throws(MarkdownHTMLError) {
    let arena = try CmarkArena()
    root = try Self.parse(markdown)
    self.arena = arena
  }

  /// Returns the tree, allocated in the current arena.
  private static func parse(_ markdown: UnsafeBufferPointer<UInt8>) throws(MarkdownHTMLError) -> CmarkNode {
    guard let parser = cmark_parser_new_with_mem(CMARK_OPT_VALIDATE_UTF8, ccmark_arena_allocator()) else {
      throw MarkdownHTMLError(line: nil, message: "libcmark returned no parser.")
    }
    markdown.withMemoryRebound(to: CChar.self) { text in
      if let start = text.baseAddress { cmark_parser_feed(parser, start, text.count) }
    }
    let parsed = cmark_parser_finish(parser)
    cmark_parser_free(parser)
    guard let parsed else { throw MarkdownHTMLError(line: nil, message: "libcmark returned no document.") }
    return CmarkNode(pointer: parsed)
  }
}

extension CmarkDocument {
  /// Parses the text of a single line, such as a table's cell, as inline content, whatever its first characters. The node whose children are
  /// the content is valid during the call.
  static func withLine<Result>(
    _ text: String, _ work: (CmarkNode) throws(MarkdownHTMLError) -> Result
  ) throws(MarkdownHTMLError) -> Result {
    // After a full stop, no text begins a list, a heading or a quote.
    try Array(("." + text).utf8).withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try MarkdownLimits.check(bytes)
      let document = try CmarkDocument(parsing: bytes)
      guard let paragraph = document.root.firstChild, let first = paragraph.firstChild,
        first.type == CMARK_NODE_TEXT
      else {
        throw MarkdownHTMLError(line: nil, message: "libcmark returned no text for a line.")
      }
      first.removeFirstByte()
      return try work(paragraph)
    }
  }
}

/// The memory of one document, freed as a whole, so that nodes need not be freed separately.
private struct CmarkArena: ~Copyable {
  private let pointer: OpaquePointer

  init() throws(MarkdownHTMLError) {
    guard let arena = ccmark_arena_begin() else {
      throw MarkdownHTMLError(line: nil, message: "There is not enough memory to parse a document.")
    }
    pointer = arena
  }

  deinit {
    ccmark_arena_end(pointer)
  }
}

/// An iterator over a subtree in document order that visits every container twice. The tree must outlive it.
struct CmarkIterator: ~Copyable {
  private let pointer: OpaquePointer

  init(over node: CmarkNode) throws(MarkdownHTMLError) {
    guard let iterator = cmark_iter_new(node.pointer) else {
      throw MarkdownHTMLError(line: nil, message: "libcmark returned no iterator.")
    }
    pointer = iterator
  }

  deinit {
    cmark_iter_free(pointer)
  }

  /// Returns the next node, and whether it is entered or left (a node without children is only entered); `nil` at the end.
  mutating func next() -> (node: CmarkNode, isEntering: Bool)? {
    let event = cmark_iter_next(pointer)
    guard event != CMARK_EVENT_DONE, event != CMARK_EVENT_NONE, let node = cmark_iter_get_node(pointer) else {
      return nil
    }
    return (CmarkNode(pointer: node), event == CMARK_EVENT_ENTER)
  }
}

/// A node of a `CmarkDocument`, valid as long as the document. Its bytes are not copied from the tree.
struct CmarkNode: Equatable {
  let pointer: OpaquePointer

  var type: cmark_node_type { cmark_node_get_type(pointer) }
  var parent: CmarkNode? { cmark_node_parent(pointer).map { CmarkNode(pointer: $0) } }
  var next: CmarkNode? { cmark_node_next(pointer).map { CmarkNode(pointer: $0) } }
  var firstChild: CmarkNode? { cmark_node_first_child(pointer).map { CmarkNode(pointer: $0) } }

  /// 1-based line of the document.
  var line: Int { Int(cmark_node_get_start_line(pointer)) }

  /// 1-based column, in bytes, in which a block begins.
  var column: Int { Int(cmark_node_get_start_column(pointer)) }

  /// 1-based line of the document in which a block ends.
  var lastLine: Int { Int(cmark_node_get_end_line(pointer)) }

  /// The text of a text, code or HTML node.
  var literal: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_literal(pointer)) }
  /// The destination of a link or an image, with escapes and references decoded.
  var url: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_url(pointer)) }
  var title: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_title(pointer)) }
  var fenceInfo: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_fence_info(pointer)) }

  /// Removes the first byte of a text node, which must be an ASCII character. libcmark copies the rest within the document's arena.
  func removeFirstByte() {
    guard let text = cmark_node_get_literal(pointer), text.pointee != 0 else { return }
    _ = cmark_node_set_literal(pointer, text + 1)
  }

  var headingLevel: Int { Int(cmark_node_get_heading_level(pointer)) }
  var listStart: Int { Int(cmark_node_get_list_start(pointer)) }
  var isOrderedList: Bool { cmark_node_get_list_type(pointer) == CMARK_ORDERED_LIST }
  var isTightList: Bool { type == CMARK_NODE_LIST && cmark_node_get_list_tight(pointer) != 0 }

  /// cmark's strings are NUL-terminated and contain no NUL: cmark replaces NULs while parsing.
  private func bytes(_ string: UnsafePointer<CChar>?) -> UnsafeBufferPointer<UInt8> {
    guard let string else { return UnsafeBufferPointer(start: nil, count: 0) }
    let count = strlen(string)
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(string).assumingMemoryBound(to: UInt8.self), count: count)
  }
}
