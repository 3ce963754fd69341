/// Documents for an index, as many as one worker takes: their terms as numbers, each term's bytes once.
///
/// About 1.5 KB of a thread of twelve posts. Workers share nothing; `SearchIndex` puts their collections together, and what comes of it does
/// not depend on who had which document.
package struct SearchCollector: Sendable {
  /// A document, and where its words are in `log`.
  struct Entry: Sendable {
    let url: String
    let record: [UInt8]
    let start: Int
    let end: Int
    let length: Int
    let titleLength: Int
  }

  private(set) var terms = TermTable()
  /// For each document its terms: number, in the title (1 bit), a label (1 bit); then as in `SearchTerms.log`.
  private(set) var log: [UInt8] = []
  private(set) var entries: [Entry] = []

  private var analyzer = SearchAnalyzer()

  /// - Parameter capacity: bytes that the words will need, if that is known.
  package init(capacity: Int = 0) { log.reserveCapacity(capacity) }

  /// Adds a document.
  package mutating func add(_ document: SearchDocument) { add(analyzer.terms(of: document)) }

  /// Adds what was kept of a document.
  package mutating func add(_ document: SearchTerms) {
    let start = log.count
    document.log.withUnsafeBufferPointer { bytes in
      var reader = VarintReader(bytes: bytes, offset: 0)
      while reader.offset < bytes.count {
        let count = min(reader.next(), bytes.count - reader.offset)
        let number = terms.number(
          of: UnsafeBufferPointer(rebasing: bytes[reader.offset..<reader.offset + count]))
        reader.offset += count
        log.append(varint: number << 2 | reader.next())
        let rest = reader.offset
        reader.skip(1)
        reader.skip(reader.next())
        log.append(contentsOf: bytes[rest..<min(reader.offset, bytes.count)])
      }
    }
    entries.append(
      Entry(
        url: document.url, record: document.record, start: start, end: log.count, length: document.length,
        titleLength: document.titleLength))
  }
}
