import CCmark

/// The parsed tree of one document: its one owner, freed with it. Nodes and their bytes are borrowed from it.
struct CmarkDocument: ~Copyable {
  let root: CmarkNode

  /// Never `CMARK_OPT_UNSAFE`; malformed UTF-8 becomes U+FFFD, so that what is written is always UTF-8.
  init(parsing markdown: UnsafeBufferPointer<UInt8>) throws(MarkdownHTMLError) {
    let parsed = markdown.withMemoryRebound(to: CChar.self) { text in
      text.baseAddress.map { cmark_parse_document($0, text.count, CMARK_OPT_VALIDATE_UTF8) }
        ?? cmark_parse_document("", 0, CMARK_OPT_DEFAULT)
    }
    guard let parsed else { throw MarkdownHTMLError(line: nil, message: "libcmark returned no document.") }
    root = CmarkNode(pointer: parsed)
  }

  deinit {
    cmark_node_free(root.pointer)
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
