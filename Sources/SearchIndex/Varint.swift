/// Integers in as few bytes as possible: seven bits per byte, lowest first. The high bit is set on all bytes but the last (LEB128, DWARF 5,
/// 7.6).
extension [UInt8] {
  mutating func append(varint value: Int) {
    var rest = UInt(bitPattern: value)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

/// Reads numbers that `append(varint:)` wrote. The bytes always come from this program.
struct VarintReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var offset: Int

  mutating func next() -> Int {
    var value = 0
    var shift = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return value
  }

  mutating func skip(_ count: Int) {
    for _ in 0..<count {
      while offset < bytes.count, bytes[offset] >= 0x80 { offset += 1 }
      offset += 1
    }
  }
}
