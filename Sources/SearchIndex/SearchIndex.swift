import Dispatch
import Synchronization
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

  /// The top of the index first.
  package let files: [File]
  /// Documents in it.
  package let documents: Int
  /// Terms in it, those of `from:` and `tag:` among them.
  package let terms: Int

  /// The number of the format, which script and index have to agree on.
  package static let version = 3

  /// The file that a browser fetches first. The others are named by their content, so that what a browser kept of an older index is never mixed
  /// with a newer one, and what has not changed stays as it is.
  package static let manifestPath = "index.json"

  /// Puts together what workers collected, in memory.
  ///
  /// - Parameter order: The documents' URLs, the first of equal ones first among results; what is not in it is left out.
  package init(_ collectors: [SearchCollector], order: [String]) {
    var files: [File] = []
    let (documents, terms) = Self.write(collectors, order: order) { files += $0 }
    self.files = files.suffix(1) + files.dropLast()
    self.documents = documents
    self.terms = terms
  }

  /// Puts together what workers collected, and hands over the files as they are finished, so that never all of them are in memory.
  ///
  /// - Parameters:
  ///   - order: The documents' URLs, the first of equal ones first among results; what is not in it is left out.
  ///   - body: Takes files; the top of the index is the last one.
  package static func write<Failure>(
    _ collectors: [SearchCollector], order: [String], to body: ([File]) throws(Failure) -> Void
  ) throws(Failure) -> (documents: Int, terms: Int) {
    let documents = sorted(collectors, by: order)
    let folder = "r-" + name(of: Array(documents.map(\.entry.url).joined(separator: "\n").utf8))
    let inverted = InvertedIndex(collectors, documents)
    let shards = try withLogs(of: collectors[...]) { logs throws(Failure) in
      try writeShards(of: inverted, by: PostingEncoder(documents), logs, to: body)
    }
    try body(recordFiles(documents, in: folder))
    let manifest = manifest(recordsFolder: folder, documents: documents.count, shards: shards)
    try body([File(path: manifestPath, bytes: manifest)])
    return (documents.count, inverted.terms.count)
  }

  /// Terms that are encoded before any of them is written, and those that one core takes at once.
  private static let termsAtATime = 4096
  private static let termsAtOnce = 64

  /// Some terms at a time, which are encoded on all cores and written in their order.
  private static func writeShards<Failure>(
    of inverted: InvertedIndex, by encoder: PostingEncoder, _ logs: [UnsafeBufferPointer<UInt8>],
    to body: ([File]) throws(Failure) -> Void
  ) throws(Failure) -> [ShardWriter.Shard] {
    var shards = ShardWriter()
    // Unsafe, as buffers are not `Sendable`: nobody writes to these, and they outlive the work, as `concurrentPerform` waits for all of it.
    nonisolated(unsafe) let logs = logs
    for start in stride(from: 0, to: inverted.terms.count, by: termsAtATime) {
      let terms = inverted.terms[start..<min(start + termsAtATime, inverted.terms.count)]
      let encoded = Mutex([PostingEncoder.Encoded?](repeating: nil, count: terms.count))
      DispatchQueue.concurrentPerform(iterations: (terms.count + termsAtOnce - 1) / termsAtOnce) { part in
        let range = part * termsAtOnce..<min((part + 1) * termsAtOnce, terms.count)
        let found = range.map { encoder.encode(inverted.postings(of: terms[start + $0]), logs) }
        encoded.withLock { for (index, one) in zip(range, found) { $0[index] = one } }
      }
      for (term, encoded) in zip(terms, encoded.withLock({ $0 })) {
        if let encoded { shards.add(term.bytes, encoded) }
      }
      try body(shards.takeFiles())
    }
    try body(shards.finish())
    return shards.shards
  }

  /// Calls `body` with the logs of all collectors, which it reads at hundreds of thousands of places.
  private static func withLogs<Result, Failure>(
    of collectors: ArraySlice<SearchCollector>, before: [UnsafeBufferPointer<UInt8>] = [],
    _ body: ([UnsafeBufferPointer<UInt8>]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let first = collectors.first else { return try body(before) }
    return try first.log.withUnsafeBufferPointer { log throws(Failure) in
      try withLogs(of: collectors.dropFirst(), before: before + [log], body)
    }
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

  /// What results show of the documents. Its folder is named by their order: in another one the same number would mean another document.
  private static func recordFiles(_ documents: [Place], in folder: String) -> [File] {
    stride(from: 0, to: documents.count, by: SearchRecord.perFile).map { start in
      var bytes = [UInt8(ascii: "[")]
      for index in start..<min(start + SearchRecord.perFile, documents.count) {
        if index > start { bytes.append(UInt8(ascii: ",")) }
        bytes += documents[index].entry.record
      }
      bytes.append(UInt8(ascii: "]"))
      return File(path: "\(folder)/\(start / SearchRecord.perFile).json", bytes: bytes)
    }
  }

  /// A name for content: ten hexadecimal digits.
  static func name(of bytes: [UInt8], _ other: String = "") -> String {
    let hash = ContentHash.value(other.utf8, seed: ContentHash.value([UInt8(version)]))
    return String(ContentHash.of([], seed: ContentHash.value(ofMany: bytes, seed: hash)).prefix(10))
  }
}
