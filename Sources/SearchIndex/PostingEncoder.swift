/// Encodes a term's documents for browsers: which documents contain the term, its score in each of them, and its positions.
struct PostingEncoder: Sendable {
  /// The encoded data of one term.
  struct Encoded: Sendable {
    /// The number of documents that contain the term, and of documents that contain it in their title or a label.
    var documents = 0
    var titled = 0
    var postings: [UInt8] = []
    var positions: [UInt8] = []
  }

  private let scores: TermScores
  private let documents: [TermScores.Document]

  init(_ places: [CollectedDocuments.Place], _ totals: IndexTotals) {
    let scores = TermScores(totals)
    self.scores = scores
    documents = places.map {
      scores.document(length: $0.entry.length, titleLength: $0.entry.titleLength)
    }
  }

  func encode(_ postings: InvertedIndex.Postings) -> Encoded {
    var encoded = Encoded()
    encoded.documents = postings.documents.count
    var uses: [(use: TermUse, document: Int)] = []
    uses.reserveCapacity(encoded.documents)
    postings.uses.withUnsafeBufferPointer { bytes in
      var reader = VarintReader(bytes: bytes, offset: 0)
      for id in postings.documents {
        let use = TermUse(flags: reader.next(), weight: reader.next())
        if use.isTitled { encoded.titled += 1 }
        uses.append((use, Int(id)))
        let start = reader.offset
        reader.skip(reader.next())
        encoded.positions.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<reader.offset]))
      }
    }
    let share = scores.textShare(documents: encoded.documents, titled: encoded.titled)
    encoded.postings = PostingList.encode(
      postings.documents.map { Int($0) },
      uses.map { scores.level($0.use, in: documents[$0.document], textShare: share) }, of: documents.count)
    return encoded
  }
}
