import CCmark

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
