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
