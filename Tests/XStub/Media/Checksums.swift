/// The checksums of PNG, zlib and gzip.
enum Checksums {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  /// Returns the CRC-32 of ISO 3309, as in PNG and gzip (RFC 1952).
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
  }

  /// Returns the Adler-32, as in zlib (RFC 1950).
  static func adler32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: UInt32) {
    append(contentsOf: [
      UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF),
    ])
  }

  mutating func append(littleEndian value: UInt32) {
    append(contentsOf: [
      UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value >> 16 & 0xFF), UInt8(value >> 24),
    ])
  }

  mutating func append(bigEndian value: Int) { append(bigEndian: UInt32(truncatingIfNeeded: value)) }
  mutating func append(ascii text: String) { append(contentsOf: text.utf8) }
}
