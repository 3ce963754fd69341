import Basics

/// Some of a site's terms, with the documents that contain them and the uses of the term in each document.
///
/// A pair of a term and a document takes four bytes and the bytes of the use. All terms share the same arrays.
struct InvertedIndex: Sendable {
  /// The ranks of the terms in this index.
  let ranks: Range<Int>
  private let documents: [UInt32]
  private let uses: [UInt8]
  /// The start of each term's documents and uses in the arrays, with one more element for the end.
  private let starts: [(document: Int, use: Int)]

  /// A term's documents, in ascending order, and its uses in them.
  struct Postings: Sendable {
    let documents: ArraySlice<UInt32>
    /// The uses one after the other, encoded as in `SearchCollector`.
    let uses: ArraySlice<UInt8>
  }

  func postings(of rank: Int) -> Postings {
    let start = starts[rank - ranks.lowerBound]
    let end = starts[rank - ranks.lowerBound + 1]
    return Postings(
      documents: documents[start.document..<end.document], uses: uses[start.use..<end.use])
  }

  /// Builds the index. Reads all documents once.
  init(
    _ ranks: Range<Int>, of terms: SortedTerms, in collected: CollectedDocuments
  ) throws(FileError) {
    var starts: [(document: Int, use: Int)] = [(0, 0)]
    starts.reserveCapacity(ranks.count + 1)
    for rank in ranks {
      let volume = terms.volume(rank)
      let start = starts[starts.count - 1]
      starts.append((start.document + volume.documents, start.use + volume.bytes))
    }
    var next = starts
    var documents = [UInt32](repeating: 0, count: starts[ranks.count].document)
    var uses = [UInt8](repeating: 0, count: starts[ranks.count].use)
    try collected.forEach(in: collected.places.indices) { document, collector, _, words, bytes in
      terms.ranks[collector].withUnsafeBufferPointer { rankOf in
        var reader = VarintReader(bytes: bytes, offset: words.lowerBound)
        while reader.offset < words.upperBound {
          let rank = Int(rankOf[reader.next()])
          let count = reader.next()
          let use = reader.offset
          reader.offset = use + count
          guard ranks.contains(rank) else { continue }
          let place = next[rank - ranks.lowerBound]
          documents[place.document] = UInt32(truncatingIfNeeded: document)
          uses.withUnsafeMutableBufferPointer { uses in
            for index in 0..<count { uses[place.use + index] = bytes[use + index] }
          }
          next[rank - ranks.lowerBound] = (place.document + 1, place.use + count)
        }
      }
    }
    self.ranks = ranks
    self.starts = starts
    self.documents = documents
    self.uses = uses
  }
}
