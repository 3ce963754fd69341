package import Basics
import Dispatch
import Synchronization

/// Puts together what workers collected, and gives the files of the index as they are finished, so that neither they nor the words of a large site are
/// ever in memory all at once.
package struct SearchIndexWriter: Sendable {
  /// Documents in the index.
  package var documents: Int { collected.places.count }
  /// Terms in it.
  package var termCount: Int { terms.count }

  private let collected: CollectedDocuments
  private let terms: SortedTerms
  private let encoder: PostingEncoder
  /// Names of the folders of records.
  private let folders: [String]

  /// Ranks whose terms are still to be written.
  private var parts: ArraySlice<Range<Int>>
  private var inverted: InvertedIndex?
  /// The next term of `inverted`.
  private var rank = 0
  private var shards = ShardWriter()
  /// The next document whose record is to be written.
  private var record = 0
  private var step = Step.terms

  private enum Step { case terms, records, manifest, end }

  /// Bytes of words that are sorted at a time.
  private static let partSize = 16 * 1024 * 1024
  /// Terms that are encoded before any of them is written, and those that one core takes at once.
  private static let termsAtATime = 4096
  private static let termsAtOnce = 64
  /// Documents whose records are written at a time; whole folders.
  private static let recordsAtATime = 16 * SearchRecord.perFolder

  /// - Parameter order: The documents' URLs, by their positions. Of results that fit as well, the last one comes first: where the newest are last, a new one
  ///   changes no other's number.
  package init(_ collectors: [SearchCollector], order: [String]) {
    collected = CollectedDocuments(collectors, count: order.count)
    terms = SortedTerms(collectors)
    encoder = PostingEncoder(collected.places)
    let places = collected.places
    folders = stride(from: 0, to: places.count, by: SearchRecord.perFolder).map { start in
      let urls = places[start..<min(start + SearchRecord.perFolder, places.count)].map {
        order[$0.entry.position]
      }
      return "r-" + SearchIndex.name(of: Array(urls.joined(separator: "\n").utf8))
    }
    parts = terms.parts(of: Self.partSize)[...]
  }

  /// The next files, the top of the index last of all; `nil` when there are no more.
  package mutating func next() throws(FileError) -> [SearchIndex.File]? {
    switch step {
    case .terms:
      if let files = try nextTerms() { return files }
      step = .records
      return shards.finish()
    case .records:
      let end = min(record + Self.recordsAtATime, documents)
      defer { record = end }
      if end == documents { step = .manifest }
      return try recordFiles(of: record..<end)
    case .manifest:
      step = .end
      let manifest = SearchIndex.manifest(folders: folders, documents: documents, shards: shards.shards)
      return [SearchIndex.File(path: SearchIndex.manifestPath, bytes: manifest)]
    case .end:
      return nil
    }
  }

  /// Some terms at a time, which are encoded on all cores and written in their order.
  private mutating func nextTerms() throws(FileError) -> [SearchIndex.File]? {
    if inverted.map({ rank >= $0.ranks.upperBound }) ?? true {
      // Before the next one is made.
      inverted = nil
      guard let part = parts.popFirst() else { return nil }
      inverted = try InvertedIndex(part, of: terms, in: collected)
      rank = part.lowerBound
    }
    guard let inverted else { return nil }
    let start = rank
    let count = min(Self.termsAtATime, inverted.ranks.upperBound - start)
    let encoded = Mutex([PostingEncoder.Encoded?](repeating: nil, count: count))
    let encoder = encoder
    DispatchQueue.concurrentPerform(iterations: (count + Self.termsAtOnce - 1) / Self.termsAtOnce) { part in
      let range = part * Self.termsAtOnce..<min((part + 1) * Self.termsAtOnce, count)
      let found = range.map { encoder.encode(inverted.postings(of: start + $0)) }
      encoded.withLock { for (index, one) in zip(range, found) { $0[index] = one } }
    }
    for (index, encoded) in encoded.withLock({ $0 }).enumerated() {
      if let encoded { shards.add(terms[start + index], encoded) }
    }
    rank = start + count
    return shards.takeFiles()
  }

  /// What results show of the documents.
  private func recordFiles(of range: Range<Int>) throws(FileError) -> [SearchIndex.File] {
    var files: [SearchIndex.File] = []
    var list: [UInt8] = []
    try collected.forEach(in: range) { document, _, record, _, bytes in
      list.append(UInt8(ascii: list.isEmpty ? "[" : ","))
      list += bytes[record]
      guard (document + 1) % SearchRecord.perFile == 0 || document + 1 == documents else { return }
      list.append(UInt8(ascii: "]"))
      let folder = folders[document / SearchRecord.perFolder]
      files.append(SearchIndex.File(path: "\(folder)/\(document / SearchRecord.perFile).json", bytes: list))
      list = []
    }
    return files
  }
}
