import Basics

/// The documents of all collectors, numbered in the order of the index, from 0.
struct CollectedDocuments: Sendable {
  /// The collector and the entry of a document.
  struct Place: Sendable {
    let collector: Int
    let entry: SearchCollector.Entry
  }

  let collectors: [SearchCollector]
  /// The places by the documents' numbers.
  let places: [Place]

  /// - Parameter count: the number of positions. A document at a different position is left out.
  init(_ collectors: [SearchCollector], count: Int) {
    var places = [Place?](repeating: nil, count: count)
    for (number, collector) in collectors.enumerated() {
      for entry in collector.entries where places.indices.contains(entry.position) {
        places[entry.position] = Place(collector: number, entry: entry)
      }
    }
    self.collectors = collectors
    self.places = places.compactMap(\.self)
  }

  /// Calls `body` for each document of a range, in order, with the ranges of its record and its words within `bytes`.
  func forEach(
    in range: Range<Int>,
    _ body: (
      _ document: Int, _ collector: Int, _ record: Range<Int>, _ words: Range<Int>,
      _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Void
  ) throws(FileError) {
    // Documents that are neighbors in a collector are also neighbors here, so one cached block of each collector is enough.
    var blocks = [(number: Int, bytes: [UInt8])](repeating: (-1, []), count: collectors.count)
    for document in range {
      let place = places[document]
      if blocks[place.collector].number != place.entry.block {
        blocks[place.collector].bytes = []
        blocks[place.collector] = (
          place.entry.block, try collectors[place.collector].bytes(ofBlock: place.entry.block)
        )
      }
      blocks[place.collector].bytes.withUnsafeBufferPointer { bytes in
        var reader = VarintReader(bytes: bytes, offset: place.entry.range.lowerBound)
        let count = reader.next()
        let words = min(reader.offset + count, place.entry.range.upperBound)
        body(document, place.collector, reader.offset..<words, words..<place.entry.range.upperBound, bytes)
      }
    }
  }
}
