import CXML2

/// The parsed tree of an XML document, such as a feed. This value owns the tree and frees it.
///
/// External resources are not loaded, and entities that the document declares are not replaced.
package struct XMLDocument: ~Copyable {
  /// The reason why a document is not well-formed XML.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1; `nil` if it is unknown.
    package let line: Int?
    package let message: String

    package var description: String { (line.map { "line \($0): " } ?? "") + message }
  }

  /// The maximum length of a document in bytes.
  private static let maximumBytes = 256 << 20

  private let document: xmlDocPtr

  /// - Throws: ``Problem`` if the document is too large or not well formed.
  package init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= Self.maximumBytes, let parser = xmlNewParserCtxt() else {
      throw Problem(line: nil, message: "it is too large to be read")
    }
    defer { xmlFreeParserCtxt(parser) }
    let parsed = bytes.withUnsafeBytes { bytes in
      cxml2_read_xml(parser, bytes.assumingMemoryBound(to: CChar.self).baseAddress, CInt(bytes.count))
    }
    guard let parsed else {
      let line = Int(cxml2_error_line(parser))
      var message = cxml2_error_message(parser).map { String(cString: $0) } ?? "it is not valid XML"
      while message.last?.isNewline == true { message.removeLast() }
      throw Problem(line: line > 0 ? line : nil, message: message)
    }
    document = parsed
  }

  deinit { xmlFreeDoc(document) }

  /// Calls `body` with every element, in document order, without recursion.
  package borrowing func forEachElement(_ body: (XMLElement) -> Void) {
    var next = xmlDocGetRootElement(document)
    while let node = next {
      if node.pointee.type == XML_ELEMENT_NODE { body(XMLElement(node: node)) }
      if node.pointee.type == XML_ELEMENT_NODE, let child = node.pointee.children {
        next = child
        continue
      }
      next = Self.follower(of: node)
    }
  }

  /// Returns the node after a node and its descendants.
  private static func follower(of node: xmlNodePtr) -> xmlNodePtr? {
    var node = node
    while true {
      if let sibling = node.pointee.next { return sibling }
      guard let parent = node.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE else { return nil }
      node = parent
    }
  }
}

/// An element of a document; it must not be used after the document is freed.
package struct XMLElement {
  fileprivate let node: xmlNodePtr

  /// The name without a prefix.
  package var name: String { node.pointee.name.map { String(cString: $0) } ?? "" }

  /// The value of an attribute, with character references resolved; `nil` if it is missing.
  package subscript(attribute: String) -> String? { HTMLElement(node: node)[attribute] }

  /// The text of the element and its descendants.
  package var text: String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { cxml2_free(content) }
    return String(cString: content)
  }
}
