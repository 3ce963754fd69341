/// Assigns numbers to terms in the order of their first occurrence, with a hash table over one array of bytes.
///
/// A dictionary of strings would take several times as long, and every word of a site is looked up here.
struct TermTable: Sendable {
  private var bytes: [UInt8] = []
  /// The end of each term in `bytes`.
  private var ends: [Int] = []
  private var hashes: [UInt32] = []
  /// The hash table: term numbers plus one, 0 for an empty place. Its length is a power of two, and it is at most half full.
  private var places = [UInt32](repeating: 0, count: 1024)

  var count: Int { ends.count }

  /// Returns the bytes of a term.
  subscript(number: Int) -> ArraySlice<UInt8> { bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

  /// Returns the number of a term. A new term gets a new number.
  mutating func number(of term: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = Self.hash(term)
    var place = Int(hash) & (places.count - 1)
    while places[place] != 0 {
      let number = Int(places[place]) - 1
      if hashes[number] == hash, isTerm(number, term) { return number }
      place = (place + 1) & (places.count - 1)
    }
    bytes.append(contentsOf: term)
    ends.append(bytes.count)
    hashes.append(hash)
    places[place] = UInt32(ends.count)
    if ends.count * 2 > places.count { grow() }
    return ends.count - 1
  }

  /// The maximum number of places that are kept for the next document. Clearing them takes less time than reading a document.
  private static let usualPlaces = 8192

  /// Removes all terms, and keeps the memory unless the table is very large.
  mutating func removeAll() {
    guard places.count <= Self.usualPlaces else {
      self = TermTable()
      return
    }
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    places.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
  }

  private func isTerm(_ number: Int, _ term: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == term.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<term.count where bytes[start + index] != term[index] { return false }
      return true
    }
  }

  private mutating func grow() {
    places = [UInt32](repeating: 0, count: places.count * 2)
    for (number, hash) in hashes.enumerated() {
      var place = Int(hash) & (places.count - 1)
      while places[place] != 0 { place = (place + 1) & (places.count - 1) }
      places[place] = UInt32(number + 1)
    }
  }

  /// Returns the FNV-1a hash with its halves combined. It does not resist attacks: colliding terms would only slow down a build.
  static func hash(_ term: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in term { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
