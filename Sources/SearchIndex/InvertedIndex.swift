/// All terms of a site, sorted, each with the places in the collectors' logs where its documents stand.
///
/// Eight bytes for each pair of a term and a document, in arrays for all terms together.
struct InvertedIndex: Sendable {
  struct Term: Sendable {
    let bytes: [UInt8]
    /// The part of `documents` and `offsets` that is the term's.
    let range: Range<Int>
  }

  /// In the order of their UTF-16 units, in which scripts compare strings.
  private(set) var terms: [Term] = []
  private var documents: [UInt32] = []
  /// Where the term's flags stand in the log of the document's collector.
  private var offsets: [UInt32] = []

  /// A term's documents, in order.
  struct Postings: Sendable {
    let documents: ArraySlice<UInt32>
    let offsets: ArraySlice<UInt32>
  }

  func postings(of term: Term) -> Postings {
    Postings(documents: documents[term.range], offsets: offsets[term.range])
  }

  init(_ collectors: [SearchCollector], _ places: [SearchIndex.Place]) {
    // Two million threads of twelve posts.
    precondition(
      collectors.allSatisfy { $0.log.count <= UInt32.max }, "one worker's words have to fit into 4 GiB")
    var all = TermTable()
    // For each collector the numbers of its terms among all.
    let numbers = collectors.map { collector in
      (0..<collector.terms.count).map { number in
        collector.terms[number].withUnsafeBufferPointer { all.number(of: $0) }
      }
    }
    var counts = [Int](repeating: 0, count: all.count)
    Self.walk(collectors, places) { _, collector, term, _ in counts[numbers[collector][term]] += 1 }
    let sorted = counts.indices.filter { counts[$0] > 0 }.sorted {
      Self.precedesInUTF16(all[$0], all[$1])
    }
    var next = [Int](repeating: 0, count: all.count)
    var end = 0
    for number in sorted {
      next[number] = end
      terms.append(Term(bytes: Array(all[number]), range: end..<end + counts[number]))
      end += counts[number]
    }
    var documents = [UInt32](repeating: 0, count: end)
    var offsets = [UInt32](repeating: 0, count: end)
    Self.walk(collectors, places) { document, collector, term, offset in
      let place = next[numbers[collector][term]]
      documents[place] = UInt32(truncatingIfNeeded: document)
      offsets[place] = UInt32(truncatingIfNeeded: offset)
      next[numbers[collector][term]] = place + 1
    }
    self.documents = documents
    self.offsets = offsets
  }

  /// The order of UTF-16 units, for UTF-8: that of the bytes, but that scalars beyond U+FFFF (lead bytes from F0), whose
  /// surrogates begin at D800, come before those from U+E000 (lead bytes EE and EF).
  static func precedesInUTF16(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    for (left, right) in zip(left, right) where left != right {
      return left >= 0xEE && right >= 0xEE && (left >= 0xF0) != (right >= 0xF0) ? left > right : left < right
    }
    return left.count < right.count
  }

  /// Calls `body` with every term of every document, documents in order.
  private static func walk(
    _ collectors: [SearchCollector], _ places: [SearchIndex.Place],
    _ body: (_ document: Int, _ collector: Int, _ term: Int, _ offset: Int) -> Void
  ) {
    for (document, place) in places.enumerated() {
      collectors[place.collector].log.withUnsafeBufferPointer { log in
        var reader = VarintReader(bytes: log, offset: place.entry.start)
        while reader.offset < place.entry.end {
          let offset = reader.offset
          body(document, place.collector, reader.next() >> 2, offset)
          reader.skip(1)
          reader.skip(reader.next())
        }
      }
    }
  }
}
