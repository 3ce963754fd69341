import UTF8Text

/// The finished index of a site: files that a browser reads piece by piece (docs/search.md has the format).
///
/// The same documents in the same order give the same bytes, however they were spread over collectors.
package struct SearchIndex: Sendable {
  /// A file of the index, by its path from the folder of the search page.
  package struct File: Sendable {
    package let path: String
    package let bytes: [UInt8]
  }

  package let files: [File]
  /// Documents in it.
  package let documents: Int
  /// Terms in it, those of `from:` and `tag:` among them.
  package let terms: Int

  /// The number of the format, which script and index have to agree on.
  package static let version = 2

  /// The file that a browser fetches first. All others are in a folder named by their content, so that what a browser kept
  /// of an older index is never mixed with a newer one.
  package static let manifestPath = "index.json"

  /// Puts together what workers collected.
  ///
  /// - Parameter order: The documents' URLs, the first of equal ones first among results; what is not in it is left out.
  package init(_ collectors: [SearchCollector], order: [String]) {
    let documents = Self.sorted(collectors, by: order)
    let inverted = InvertedIndex(collectors, documents)
    let encoder = PostingEncoder(collectors, documents)
    var shards = ShardWriter()
    for term in inverted.terms {
      shards.add(term.bytes, encoder.encode(inverted.postings(of: term)))
    }
    var files = shards.finish()
    files += Self.recordFiles(collectors, documents)
    let folder = "data-" + Self.hash(of: files)
    let manifest = Self.manifest(folder: folder, documents: documents.count, firstTerms: shards.firstTerms)
    self.files =
      [File(path: Self.manifestPath, bytes: manifest)]
      + files.map { File(path: folder + "/" + $0.path, bytes: $0.bytes) }
    self.documents = documents.count
    terms = inverted.terms.count
  }

  /// Where a document's words are.
  struct Place: Sendable {
    let collector: Int
    let entry: SearchCollector.Entry
  }

  private static func sorted(_ collectors: [SearchCollector], by order: [String]) -> [Place] {
    var places: [String: Place] = [:]
    for (number, collector) in collectors.enumerated() {
      for entry in collector.entries { places[entry.url] = Place(collector: number, entry: entry) }
    }
    return order.compactMap { places.removeValue(forKey: $0) }
  }

  private static func recordFiles(_ collectors: [SearchCollector], _ documents: [Place]) -> [File] {
    stride(from: 0, to: documents.count, by: SearchRecord.perFile).map { start in
      var bytes = [UInt8(ascii: "[")]
      for index in start..<min(start + SearchRecord.perFile, documents.count) {
        if index > start { bytes.append(UInt8(ascii: ",")) }
        bytes += documents[index].entry.record
      }
      bytes.append(UInt8(ascii: "]"))
      return File(path: "r/\(start / SearchRecord.perFile).json", bytes: bytes)
    }
  }

  private static func hash(of files: [File]) -> String {
    var hash = ContentHash.value([UInt8(version)])
    for file in files {
      hash = ContentHash.value(file.path.utf8, seed: hash)
      hash = ContentHash.value(ofMany: file.bytes, seed: hash)
    }
    return String(ContentHash.of([], seed: hash).prefix(10))
  }
}
