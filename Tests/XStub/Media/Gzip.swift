/// gzip (RFC 1952) without a compressor, for responses to `Accept-Encoding: gzip` and for decompression bombs.
enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Returns `bytes` in stored blocks (RFC 1951 section 3.2.4): valid gzip without compression.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out = header
    out.append(contentsOf: storedBlocks(bytes))
    out.append(littleEndian: Checksums.crc32(bytes))
    out.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
    return out
  }

  /// Returns deflate blocks with the uncompressed `bytes`.
  static func storedBlocks(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let length = UInt16(end - start)
      out.append(end == bytes.count ? 1 : 0)
      for half in [length, ~length] { out.append(contentsOf: [UInt8(half & 0xFF), UInt8(half >> 8)]) }
      out.append(contentsOf: bytes[start..<end])
      start = end
    } while start < bytes.count
    return out
  }

  /// Returns a stream of about `size` spaces in a 158th of this size: one block of fixed codes (RFC 1951 section 3.2.6) that repeatedly
  /// copies the previous byte 258 times. Its checksum is zero, because clients should not read to its end.
  static func bomb(size: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.append(0b1, count: 1)  // the last block
    bits.append(0b01, count: 2)  // fixed codes
    bits.appendCode(0x30 + 0x20, count: 8)  // a space
    // Length 258 is symbol 285, distance 1 symbol 0.
    for _ in 0..<size / 258 {
      bits.appendCode(0b1100_0101, count: 8)
      bits.appendCode(0, count: 5)
    }
    bits.appendCode(0, count: 7)  // the end of the block
    return header + bits.finish() + [UInt8](repeating: 0, count: 8)
  }
}

/// A writer of bits, the lowest bit of each byte first, as in deflate.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var count = 0

  mutating func append(_ value: UInt32, count bits: Int) {
    pending |= value << UInt32(count)
    count += bits
    while count >= 8 {
      bytes.append(UInt8(pending & 0xFF))
      pending >>= 8
      count -= 8
    }
  }

  /// Appends a Huffman code, the highest bit first.
  mutating func appendCode(_ code: UInt32, count bits: Int) {
    for bit in stride(from: bits - 1, through: 0, by: -1) { append(code >> UInt32(bit) & 1, count: 1) }
  }

  mutating func finish() -> [UInt8] {
    if count > 0 { bytes.append(UInt8(pending & 0xFF)) }
    return bytes
  }
}
