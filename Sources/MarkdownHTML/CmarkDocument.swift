import CCmark
import CCmarkArena

/// The parsed tree of one document: its one owner, freed with it. Nodes and their bytes are borrowed from it.
///
/// It lives and ends on the thread that parsed it, whose arena holds all of it.
struct CmarkDocument: ~Copyable {
  let root: CmarkNode
  private let arena: CmarkArena

  /// Never `CMARK_OPT_UNSAFE`; malformed UTF-8 becomes U+FFFD, so that what is written is always UTF-8.
  init(parsing markdown: UnsafeBufferPointer<UInt8>) throws(MarkdownHTMLError) {
    let arena = try CmarkArena()
    root = try Self.parse(markdown)
    self.arena = arena
  }

  /// The tree, in the arena that has begun.
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

/// The memory of one document: given back as a whole, so that no node has to be freed by itself.
private struct CmarkArena: ~Copyable {
  private let pointer: OpaquePointer

  init() throws(MarkdownHTMLError) {
    guard let arena = ccmark_arena_begin() else {
      throw MarkdownHTMLError(line: nil, message: "There is no memory left to parse a document.")
    }
    pointer = arena
  }

  deinit {
    ccmark_arena_end(pointer)
  }
}

/// A walk over a subtree in document order, every container met twice. The tree must outlive it.
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

  /// The next node, and whether it is entered or left (a node without children is only entered); `nil` at the end.
  mutating func next() -> (node: CmarkNode, isEntering: Bool)? {
    let event = cmark_iter_next(pointer)
    guard event != CMARK_EVENT_DONE, event != CMARK_EVENT_NONE, let node = cmark_iter_get_node(pointer) else {
      return nil
    }
    return (CmarkNode(pointer: node), event == CMARK_EVENT_ENTER)
  }
}

/// One node of a `CmarkDocument`, valid as long as the document is. Its bytes are the tree's own, not copies.
struct CmarkNode: Equatable {
  let pointer: OpaquePointer

  var type: cmark_node_type { cmark_node_get_type(pointer) }
  var parent: CmarkNode? { cmark_node_parent(pointer).map { CmarkNode(pointer: $0) } }
  var next: CmarkNode? { cmark_node_next(pointer).map { CmarkNode(pointer: $0) } }
  var firstChild: CmarkNode? { cmark_node_first_child(pointer).map { CmarkNode(pointer: $0) } }

  /// 1-based line of the document.
  var line: Int { Int(cmark_node_get_start_line(pointer)) }

  /// 1-based line of the document, of a block's end.
  var lastLine: Int { Int(cmark_node_get_end_line(pointer)) }

  /// The text of a text, code or HTML node.
  var literal: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_literal(pointer)) }
  /// The destination of a link or an image, its escapes and references decoded.
  var url: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_url(pointer)) }
  var title: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_title(pointer)) }
  var fenceInfo: UnsafeBufferPointer<UInt8> { bytes(cmark_node_get_fence_info(pointer)) }

  var headingLevel: Int { Int(cmark_node_get_heading_level(pointer)) }
  var listStart: Int { Int(cmark_node_get_list_start(pointer)) }
  var isOrderedList: Bool { cmark_node_get_list_type(pointer) == CMARK_ORDERED_LIST }
  var isTightList: Bool { type == CMARK_NODE_LIST && cmark_node_get_list_tight(pointer) != 0 }

  /// cmark's strings end with a NUL and hold none: it replaces NULs while it reads.
  private func bytes(_ string: UnsafePointer<CChar>?) -> UnsafeBufferPointer<UInt8> {
    guard let string else { return UnsafeBufferPointer(start: nil, count: 0) }
    let count = strlen(string)
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(string).assumingMemoryBound(to: UInt8.self), count: count)
  }
}
