/// Numbers terms in the order in which they are first met: a hash table over one array of bytes.
///
/// A dictionary of strings would take several times as long, and every word of a site goes through here.
struct TermTable: Sendable {
  private var bytes: [UInt8] = []
  /// Where each term ends in `bytes`.
  private var ends: [Int] = []
  private var hashes: [UInt32] = []
  /// Term numbers plus one by hash, 0 for an empty place; a power of two long, at most half full.
  private var places = [UInt32](repeating: 0, count: 1024)

  var count: Int { ends.count }

  /// The bytes of a term.
  subscript(number: Int) -> ArraySlice<UInt8> { bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

  /// The number of a term, which is a new one where the term was not met before.
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

  /// Places that are worth keeping for other terms: to empty them takes less than a document does.
  private static let usualPlaces = 8192

  /// Forgets all terms, and keeps the room that they had, unless there were very many.
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

  /// FNV-1a, its halves folded together. Nobody gains by making terms collide but slowness of their own site.
  private static func hash(_ term: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in term { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}
