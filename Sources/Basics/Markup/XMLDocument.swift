import CXML2

/// The parsed tree of an XML document, such as a feed: its one owner, freed with it.
///
/// Nothing that a document names is loaded, and no entity of its own is replaced.
package struct XMLDocument: ~Copyable {
  /// Why a document is none.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1; `nil` where nobody says.
    package let line: Int?
    package let message: String

    package var description: String { (line.map { "line \($0): " } ?? "") + message }
  }

  /// Bytes of the longest document that is read.
  private static let maximumBytes = 256 << 20

  private let document: xmlDocPtr

  /// - Throws: ``Problem`` for what is not well formed.
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
      var message = cxml2_error_message(parser).map { String(cString: $0) } ?? "it is no XML"
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

  /// What follows a node and all within it.
  private static func follower(of node: xmlNodePtr) -> xmlNodePtr? {
    var node = node
    while true {
      if let sibling = node.pointee.next { return sibling }
      guard let parent = node.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE else { return nil }
      node = parent
    }
  }
}

/// An element of a document that lives longer.
package struct XMLElement {
  fileprivate let node: xmlNodePtr

  /// Without a prefix.
  package var name: String { node.pointee.name.map { String(cString: $0) } ?? "" }

  /// The value of an attribute, references resolved.
  package subscript(attribute: String) -> String? { HTMLElement(node: node)[attribute] }

  /// The text within it.
  package var text: String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { cxml2_free(content) }
    return String(cString: content)
  }
}
