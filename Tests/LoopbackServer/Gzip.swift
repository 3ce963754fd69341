/// Generated gzip streams (RFC 1951, RFC 1952), so that tests need no compression library.
package enum Gzip {
  /// Returns a stream with the uncompressed bytes.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream = head
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(0xFFFF)
      rest = rest.dropFirst(part.count)
      let length = UInt16(part.count)
      stream += [rest.isEmpty ? 1 : 0] + little(length) + little(~length) + part
    } while !rest.isEmpty
    return stream + little(checksum(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Returns a decompression bomb: about `count` zero bytes in less than a hundredth of that size.
  package static func bomb(ofZeros count: Int) -> [UInt8] {
    var bits = BitWriter()
    // A final block with the fixed codes: a zero byte, then copies of it, 258 at a time.
    bits.add(0b011, count: 3)
    bits.add(reversed: 0x30, count: 8)
    let copies = count / 258
    for _ in 0..<copies {
      bits.add(reversed: 0b1100_0101, count: 8)
      bits.add(0, count: 5)
    }
    bits.add(0, count: 7)
    let zeros = [UInt8](repeating: 0, count: copies * 258 + 1)
    return head + bits.bytes + little(checksum(zeros)) + little(UInt32(truncatingIfNeeded: zeros.count))
  }

  private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// Returns the CRC-32 of ISO 3309.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      checksumTable[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
    }
  }

  private static let checksumTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }

  private struct BitWriter {
    private var done: [UInt8] = []
    private var last: UInt8 = 0
    private var used = 0

    var bytes: [UInt8] { used == 0 ? done : done + [last] }

    /// Adds a number's bits, the lowest first.
    mutating func add(_ value: Int, count: Int) {
      for place in 0..<count {
        last |= UInt8(value >> place & 1) << used
        used += 1
        if used == 8 {
          done.append(last)
          (last, used) = (0, 0)
        }
      }
    }

    /// Adds a code's bits, the highest first, as the format requires for codes.
    mutating func add(reversed value: Int, count: Int) {
      for place in (0..<count).reversed() { add(value >> place & 1, count: 1) }
    }
  }
}
