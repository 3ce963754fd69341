import CXML2

/// The parsed tree of a piece of HTML. This value owns the tree and frees it.
///
/// libxml2's parser repairs invalid HTML, as browsers do. It stops at elements nested more than 256 deep.
package struct HTMLDocument: ~Copyable {
  /// An event of a walk over the tree.
  package enum Event {
    case enter(HTMLElement)
    case leave(HTMLElement)
    case text(String)
  }

  /// The maximum length of a text in bytes. Mastodon's posts have a few thousand, and those of the most generous servers a few tens of
  /// thousands.
  package static let maximumBytes = 1 << 20
  /// The maximum length of a page in bytes.
  private static let maximumPageBytes = 64 << 20

  private let document: htmlDocPtr
  /// Whether the parser stopped before the end.
  package let isCut: Bool

  private static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Parses a piece of HTML.
  ///
  /// - Returns: `nil` if the text is too long, or memory is insufficient.
  package init?(_ html: String) {
    // The text is put into an element, so that the parser does not add one. NUL characters would end the text.
    var bytes = Array("<div>".utf8)
    bytes += html.utf8.lazy.filter { $0 != 0 }
    guard bytes.count <= Self.maximumBytes else { return nil }
    self.init(bytes)
  }

  /// Parses a whole page.
  ///
  /// - Returns: `nil` if the page is too long, or memory is insufficient.
  package init?(page bytes: [UInt8]) {
    guard bytes.count <= Self.maximumPageBytes else { return nil }
    self.init(bytes)
  }

  private init?(_ bytes: [UInt8]) {
    guard Self.isReady, let parser = cxml2_new_html_parser() else { return nil }
    defer { htmlFreeParserCtxt(parser) }
    let parsed = bytes.withUnsafeBytes { bytes in
      cxml2_read_html(parser, bytes.assumingMemoryBound(to: CChar.self).baseAddress, CInt(bytes.count))
    }
    guard let parsed else { return nil }
    document = parsed
    isCut = cxml2_was_stopped(parser) != 0
  }

  deinit { xmlFreeDoc(document) }

  /// Walks the tree in document order, without recursion.
  ///
  /// - Parameter visit: returns for `enter` whether to visit the element's content; if not, there is no `leave` for the element.
  package borrowing func walk(_ visit: (Event) -> Bool) {
    let root = UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self)
    var next = document.pointee.children
    while let node = next {
      next = Self.descend(node, visit) ?? Self.advance(from: node, below: root, visit)
    }
  }

  /// Visits a node, and returns its first child; `nil` if it has no children or they must not be visited.
  private static func descend(_ node: xmlNodePtr, _ visit: (Event) -> Bool) -> xmlNodePtr? {
    switch node.pointee.type {
    case XML_ELEMENT_NODE:
      let element = HTMLElement(node: node)
      guard visit(.enter(element)) else { return nil }
      if let child = node.pointee.children { return child }
      _ = visit(.leave(element))
    case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
      if let content = node.pointee.content { _ = visit(.text(String(cString: content))) }
    default: break
    }
    return nil
  }

  /// Returns the node after a node and its descendants, and visits the ends of the elements between.
  private static func advance(
    from node: xmlNodePtr, below root: xmlNodePtr, _ visit: (Event) -> Bool
  ) -> xmlNodePtr? {
    var node = node
    while true {
      if let sibling = node.pointee.next { return sibling }
      guard let parent = node.pointee.parent, parent != root else { return nil }
      _ = visit(.leave(HTMLElement(node: parent)))
      node = parent
    }
  }
}

/// An element of a document; it must not be used after the document is freed.
package struct HTMLElement {
  let node: xmlNodePtr

  /// The name in lower case.
  package var name: String { node.pointee.name.map { String(cString: $0) } ?? "" }

  /// The value of an attribute, with character references resolved; `nil` if it is missing.
  package subscript(attribute: String) -> String? {
    var next = node.pointee.properties
    while let property = next {
      if property.pointee.name.map({ String(cString: $0) }) == attribute {
        var value = ""
        var piece = property.pointee.children
        while let text = piece {
          if let content = text.pointee.content { value += String(cString: content) }
          piece = text.pointee.next
        }
        return value
      }
      next = property.pointee.next
    }
    return nil
  }

  /// Returns the words of an attribute such as `class`.
  package func words(of attribute: String) -> [Substring] {
    self[attribute]?.split(whereSeparator: \.isWhitespace) ?? []
  }
}
