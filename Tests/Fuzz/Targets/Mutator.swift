/// Changes inputs at random. A seed gives the same changes on every machine.
package struct Mutator {
  private var state: UInt64
  private let words: [[UInt8]]
  private let maximumLength: Int

  package init(seed: UInt64, for target: FuzzTarget) {
    state = seed
    words = target.dictionary.map { Array($0.utf8) } + Self.interesting
    maximumLength = target.maximumLength
  }

  /// Bytes that end strings, numbers and lines, break UTF-8, or encode the greatest lengths.
  private static let interesting: [[UInt8]] = [
    [0], [0xFF], [0x7F], [0x80], [0xC3], [0xED, 0xA0, 0x80], [0xE2, 0x80, 0xAE], [0xF0, 0x9F, 0x98, 0x80],
    [0xEF, 0xBB, 0xBF], [0xC2, 0x85], [0xCC, 0x81], [0x0D, 0x0A], [0xFF, 0xFF, 0xFF, 0xFF],
    [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0],
  ]

  /// Makes one to eight changes to `input`, some with pieces of `other`.
  package mutating func mutation(of input: [UInt8], with other: [UInt8]) -> [UInt8] {
    var bytes = input
    for _ in 0...number(below: 8) { change(&bytes, other) }
    if bytes.count > maximumLength { bytes.removeLast(bytes.count - maximumLength) }
    return bytes
  }

  /// An element of a non-empty list.
  package mutating func pick<Element>(_ list: [Element]) -> Element { list[number(below: list.count)] }

  private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
    let at = number(below: bytes.count + 1)
    switch number(below: 8) {
    case 0 where at < bytes.count: bytes[at] ^= 1 << UInt8(number(below: 8))
    case 1 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: next())
    case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: at)
    case 3, 4: bytes.insert(contentsOf: pick(words), at: at)
    case 5 where at < bytes.count:
      bytes.removeSubrange(at..<min(bytes.count, at + 1 + number(below: 32)))
    case 6 where at < bytes.count:
      // Repeats a piece: lengths, nesting, repeated keys.
      let piece = bytes[at..<min(bytes.count, at + 1 + number(below: 64))]
      bytes.insert(contentsOf: Array(piece), at: number(below: bytes.count + 1))
    default:
      guard !other.isEmpty else { return }
      let from = number(below: other.count)
      let piece = other[from..<min(other.count, from + 1 + number(below: 128))]
      bytes.replaceSubrange(at..<min(bytes.count, at + number(below: piece.count + 1)), with: piece)
    }
  }

  private mutating func number(below limit: Int) -> Int {
    limit <= 1 ? 0 : Int(next() % UInt64(limit))
  }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
