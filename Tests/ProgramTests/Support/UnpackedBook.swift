import CArchive
import CXML2
import Foundation
import TestSupport
import Testing

/// A book read by independent programs: libarchive unpacks it, and Foundation parses it.
struct UnpackedBook {
  /// In the order of the file.
  private(set) var names: [String] = []
  private(set) var files: [String: [UInt8]] = [:]

  init(_ bytes: Data) throws {
    let archive = try #require(archive_read_new())
    defer { archive_read_free(archive) }
    archive_read_support_format_zip(archive)
    let all = [UInt8](bytes)
    try all.withUnsafeBytes { buffer in
      try #require(archive_read_open_memory(archive, buffer.baseAddress, buffer.count) == ARCHIVE_OK)
      var entry: OpaquePointer?
      while archive_read_next_header(archive, &entry) == ARCHIVE_OK {
        let name = String(cString: archive_entry_pathname(entry))
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = archive_read_data(archive, &piece, piece.count)
          try #require(count >= 0, "\(name) cannot be unpacked")
          if count == 0 { break }
          content += piece[..<count]
        }
        names.append(name)
        try #require(files.updateValue(content, forKey: name) == nil, "\(name) occurs twice")
      }
    }
  }

  func text(_ name: String) throws -> String {
    String(decoding: try #require(files[name], "\(name) is missing"), as: UTF8.self)
  }

  func xml(_ name: String) throws -> XMLTree {
    try checkWellFormed(name)
    do {
      return try XMLTree.parse(try #require(files[name], "\(name) is missing"))
    } catch let error as XMLTree.Malformed {
      throw XMLTree.Malformed(description: "\(name): \(error)")
    }
  }

  /// Uses libxml2 without recovery, because Foundation's parser on Linux silently repairs documents that are
  /// not well-formed.
  private func checkWellFormed(_ name: String) throws {
    let content = try #require(files[name], "\(name) is missing")
    let parser = try #require(xmlNewParserCtxt())
    defer { xmlFreeParserCtxt(parser) }
    let document = content.withUnsafeBytes {
      cxml2_read_xml(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
    }
    defer { if let document { xmlFreeDoc(document) } }
    if document == nil {
      throw XMLTree.Malformed(description: "\(name):\(cxml2_error_line(parser)): not well-formed")
    }
  }

  /// The documents of the threads, in reading order.
  var threads: [String] { names.filter { $0.hasPrefix("EPUB/text/t") && $0 != "EPUB/text/title.xhtml" } }

  /// Checks every book: each document is XML, the manifest lists exactly the files, and every link and image
  /// refers to a file in the book or to the web.
  func checkAll() throws {
    #expect(names.first == "mimetype")
    #expect(try text("mimetype") == "application/epub+zip")
    let package = try xml("EPUB/content.opf")
    let items = try #require(package["manifest"].first)["item"]
    let paths = items.compactMap { $0.attributes["href"] }
    let listed = Set(paths.map { "EPUB/" + $0 })
    #expect(listed.count == paths.count)
    #expect(
      listed == Set(names).subtracting(["mimetype", "META-INF/container.xml", "EPUB/content.opf"]))
    let ids = Set(items.compactMap { $0.attributes["id"] })
    #expect(ids.count == items.count)
    for reference in try #require(package["spine"].first)["itemref"] {
      #expect(ids.contains(reference.attributes["idref"] ?? ""))
    }
    var anchors: [String: Set<String>] = [:]
    var trees: [String: XMLTree] = [:]
    for name in names where name.hasSuffix(".xhtml") {
      let tree = try xml(name)
      trees[name] = tree
      tree.forEach { if let id = $0.attributes["id"] { anchors[name, default: []].insert(id) } }
    }
    for (name, tree) in trees {
      let folder = (name as NSString).deletingLastPathComponent
      tree.forEach { element in
        for key in ["href", "src"] {
          guard let address = element.attributes[key] else { continue }
          let isOfWeb = address.contains(/^(https?|mailto):/.ignoresCase())
          if isOfWeb {
            #expect(element.name == "a", "\(name): <\(element.name)> loads \(address)")
            continue
          }
          let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
          let path =
            parts[0].isEmpty
            ? name : ("/\(folder)/\(parts[0])" as NSString).standardizingPath.drop { $0 == "/" }.description
          #expect(files[path] != nil, "\(name): \(address) has no target")
          if parts.count > 1 {
            #expect(anchors[path]?.contains(String(parts[1])) == true, "\(name): \(address) has no target")
          }
        }
      }
    }
  }
}

extension XMLTree {
  /// Calls `body` with this element and all its descendants.
  func forEach(_ body: (XMLTree) -> Void) {
    body(self)
    for child in children { child.forEach(body) }
  }

  /// All character data.
  var allText: String { text + children.map(\.allText).joined() }
}
