/// A short hash of content: FNV-1a (Fowler, Noll, Vo), which distinguishes versions but is not secure.
package enum ContentHash {
  /// Returns the hash as 16 lower-case hexadecimal digits (64 bits).
  package static func of(_ bytes: [UInt8]) -> String { of(bytes[...]) }

  /// Returns the hash as 16 lower-case hexadecimal digits (64 bits). For whole files there is `of(_: [UInt8])`: this generic function takes a call per
  /// byte if another module calls it.
  package static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> String {
    let digits = String(value(bytes, seed: seed), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns a UUID of version 8 (RFC 9562, 5.8) as a URN. Equal texts have equal UUIDs, and different texts almost certainly have
  /// different ones.
  package static func uuid(of text: String) -> String {
    let digits = of(text.utf8) + of(text.utf8, seed: 0x9ae1_6a3b_2f90_404f)
    func part(_ range: Range<Int>) -> Substring { digits.dropFirst(range.lowerBound).prefix(range.count) }
    return "urn:uuid:\(part(0..<8))-\(part(8..<12))-8\(part(13..<16))-8\(part(17..<20))-\(part(20..<32))"
  }

  /// Returns the hash as a number.
  package static func value(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    var hash = seed
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  /// Returns a hash that is faster for megabytes, because it reads eight bytes at a time. Its value differs from that of `value(_:seed:)`.
  package static func value(ofMany bytes: [UInt8], seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      var hash = seed
      let whole = bytes.count & ~7
      for offset in stride(from: 0, to: whole, by: 8) {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        hash = (hash ^ word) &* 0x100_0000_01b3
        // Multiplication only carries to higher bits, so the high bits are mixed into the low bits.
        hash ^= hash >> 32
      }
      return value(bytes[whole...], seed: hash)
    }
  }
}

/// A hash of a sequence of values that also depends on the boundaries between the values.
package struct ContentDigest: Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x100_0000_01b3
    value ^= value >> 32
  }

  package mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

  package mutating func add(bytes: [UInt8]) {
    add(bytes.count)
    value = ContentHash.value(ofMany: bytes, seed: value)
  }

  package mutating func add(_ text: String) {
    add(text.utf8.count)
    value = ContentHash.value(text.utf8, seed: value)
  }

  package mutating func add(_ text: String?) {
    add(text == nil ? 0 : 1)
    if let text { add(text) }
  }
}
