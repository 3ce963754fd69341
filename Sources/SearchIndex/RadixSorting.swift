/// Sorts numbers by their upper bits, one byte at a time from the lowest. Numbers with equal upper bits keep their order. The few hundred
/// words of a document are sorted for every thread, and sorting by comparisons takes several times as long.
struct RadixSorting: Sendable {
  private var sorted: [UInt64] = []
  private var places = [Int](repeating: 0, count: 256)

  /// - Parameter shift: the number of low bits that are ignored.
  mutating func sort(_ numbers: inout [UInt64], by shift: Int) {
    let highest = numbers.max() ?? 0
    var shift = shift
    while shift < 64, highest &>> UInt64(shift) > 0 {
      pass(&numbers, shift)
      swap(&numbers, &sorted)
      shift += 8
    }
  }

  /// Writes the numbers to `sorted`, sorted by eight of their bits.
  private mutating func pass(_ numbers: inout [UInt64], _ shift: Int) {
    let shift = UInt64(shift)
    for index in places.indices { places[index] = 0 }
    for number in numbers { places[Int(number &>> shift & 0xFF)] += 1 }
    var start = 0
    for index in places.indices {
      let count = places[index]
      places[index] = start
      start += count
    }
    sorted.removeAll(keepingCapacity: true)
    sorted.append(contentsOf: repeatElement(0, count: numbers.count))
    for number in numbers {
      let byte = Int(number &>> shift & 0xFF)
      sorted[places[byte]] = number
      places[byte] += 1
    }
  }
}
