package import Basics
import Dispatch
import Synchronization

/// Combines the documents of all collectors, and returns the files of the index one after another, so that neither the files nor the words
/// of a large site are in memory all at once.
package struct SearchIndexWriter: Sendable {
  /// The number of documents in the index.
  var documents: Int { collected.places.count }
  /// The facts about the index for a ``SearchIndexPatch``; complete when all files have been returned.
  package var state: SearchIndexState { SearchIndexState(totals: totals, uses: shards.uses) }

  private let collected: CollectedDocuments
  private let terms: SortedTerms
  private let encoder: PostingEncoder
  private let totals: IndexTotals
  /// The names of the folders for records.
  private let folders: [String]

  /// The ranges of ranks whose terms have not been written.
  private var parts: ArraySlice<Range<Int>>
  private var inverted: InvertedIndex?
  /// The rank of the next term of `inverted`.
  private var rank = 0
  private var shards = ShardWriter()
  /// The number of the next document whose record must be written.
  private var record = 0
  private var step = Step.terms

  private enum Step { case terms, records, manifest, end }

  /// The number of bytes of words that are sorted at once.
  private static let partSize = 16 * 1024 * 1024
  /// The number of terms that are encoded before any of them is written, and the number that one core encodes at once.
  private static let termsAtATime = 4096
  private static let termsAtOnce = 64
  /// The number of documents whose records are written at once, a multiple of a folder's documents.
  private static let recordsAtATime = 16 * SearchRecord.perFolder

  /// - Parameter order: the documents' URLs, by their positions. Among results with equal scores, the last document is shown first. If the
  ///   newest documents are last, a new document does not change the numbers of the others.
  package init(_ collectors: [SearchCollector], order: [String]) {
    collected = CollectedDocuments(collectors, count: order.count)
    terms = SortedTerms(collectors)
    let places = collected.places
    var totals = IndexTotals(documents: places.count)
    for place in places {
      totals.length += place.entry.length
      totals.titleLength += place.entry.titleLength
    }
    self.totals = totals
    encoder = PostingEncoder(places, totals)
    folders = SearchRecord.folders(of: places.map { order[$0.entry.position] })
    parts = terms.parts(of: Self.partSize)[...]
  }

  /// Returns the next files, with the manifest at the very end; `nil` after all files.
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

  /// Encodes the next terms on all cores, and returns the finished files in the order of the terms; `nil` after the last term.
  private mutating func nextTerms() throws(FileError) -> [SearchIndex.File]? {
    if inverted.map({ rank >= $0.ranks.upperBound }) ?? true {
      // Freed before the next part is built.
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

  /// Returns the files with the documents' records for search results.
  private func recordFiles(of range: Range<Int>) throws(FileError) -> [SearchIndex.File] {
    var files: [SearchIndex.File] = []
    var list: [UInt8] = []
    try collected.forEach(in: range) { document, _, record, _, bytes in
      list.append(UInt8(ascii: list.isEmpty ? "[" : ","))
      list += bytes[record]
      guard (document + 1) % SearchRecord.perFile == 0 || document + 1 == documents else { return }
      list.append(UInt8(ascii: "]"))
      files.append(SearchIndex.File(path: SearchRecord.path(of: document, in: folders), bytes: list))
      list = []
    }
    return files
  }
}
