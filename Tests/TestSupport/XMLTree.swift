package import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an XML document as parsed by Foundation, an independent check of the XML that threadsite writes.
package final class XMLTree: NSObject {
  package private(set) var name = ""
  package private(set) var attributes: [String: String] = [:]
  package private(set) var children: [XMLTree] = []
  /// The character data directly in the element.
  package private(set) var text = ""

  package struct Malformed: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// Parses a document and returns its root.
  package static func parse(_ bytes: [UInt8]) throws -> XMLTree {
    let parser = XMLParser(data: Data(bytes))
    let reader = Reader()
    parser.delegate = reader
    guard parser.parse(), let root = reader.root else {
      throw Malformed(
        description: "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "no document")")
    }
    return root
  }

  package subscript(name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// Returns the text of the first child with a name.
  package func text(_ name: String) -> String? { self[name].first?.text }

  private final class Reader: NSObject, XMLParserDelegate {
    var root: XMLTree?
    private var open: [XMLTree] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      let element = XMLTree()
      element.name = name
      element.attributes = attributes
      open.last?.children.append(element)
      if root == nil { root = element }
      open.append(element)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { open.last?.text += string }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      open.last?.text += String(decoding: block, as: UTF8.self)
    }
  }
}
