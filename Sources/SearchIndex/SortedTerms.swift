/// All terms of a site in the order of their UTF-16 units, in which scripts compare strings. The index of a term in this order is its rank.
struct SortedTerms: Sendable {
  private let table: TermTable
  /// The numbers of the terms in the table, by rank.
  private let numbers: [UInt32]
  /// The volumes of the terms, by rank.
  private let volumes: [SearchCollector.Volume]
  /// For each collector, the ranks of its terms by their numbers.
  let ranks: [[UInt32]]

  init(_ collectors: [SearchCollector]) {
    var table = TermTable()
    var volumes: [SearchCollector.Volume] = []
    let numbers = collectors.map { collector in
      collector.volumes.indices.map { own in
        let number = collector.terms[own].withUnsafeBufferPointer { table.number(of: $0) }
        if number == volumes.count { volumes.append(SearchCollector.Volume()) }
        volumes[number].documents += collector.volumes[own].documents
        volumes[number].bytes += collector.volumes[own].bytes
        return UInt32(truncatingIfNeeded: number)
      }
    }
    let sorted = (0..<UInt32(truncatingIfNeeded: table.count)).sorted {
      Self.precedesInUTF16(table[Int($0)], table[Int($1)])
    }
    var ranks = [UInt32](repeating: 0, count: sorted.count)
    for (rank, number) in sorted.enumerated() { ranks[Int(number)] = UInt32(truncatingIfNeeded: rank) }
    self.ranks = numbers.map { $0.map { ranks[Int($0)] } }
    self.table = table
    self.volumes = sorted.map { volumes[Int($0)] }
    self.numbers = sorted
  }

  /// Returns the bytes of the term with a rank.
  subscript(rank: Int) -> [UInt8] { Array(table[Int(numbers[rank])]) }

  /// Returns the volume of the term with a rank.
  func volume(_ rank: Int) -> SearchCollector.Volume { volumes[rank] }

  /// Splits the ranks into ranges, so that the uses of each range's terms take at most `bytes` bytes, or the range has only one term.
  func parts(of bytes: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    var sum = 0
    for (rank, volume) in volumes.enumerated() {
      let size = volume.bytes + volume.documents * MemoryLayout<UInt32>.stride
      if sum > 0, sum + size > bytes {
        parts.append(start..<rank)
        start = rank
        sum = 0
      }
      sum += size
    }
    if start < volumes.count { parts.append(start..<volumes.count) }
    return parts
  }

  /// Compares UTF-8 in the order of UTF-16 units. This is the order of the bytes, except that scalars beyond U+FFFF (lead bytes from F0),
  /// whose surrogates begin at D800, come before scalars from U+E000 (lead bytes EE and EF).
  static func precedesInUTF16(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    for (left, right) in zip(left, right) where left != right {
      return left >= 0xEE && right >= 0xEE && (left >= 0xF0) != (right >= 0xF0) ? left > right : left < right
    }
    return left.count < right.count
  }
}
