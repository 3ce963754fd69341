/// A baseline JPEG (ITU-T T.81) of flat blocks, valid for all decoders. A seed determines the brightness of the blocks.
enum JPEGPicture {
  /// - Parameter padding: The number of bytes of a comment, so that a file is as large as that of a photo.
  static func bytes(width: Int, height: Int, seed: UInt64, padding: Int = 0) -> [UInt8] {
    var out: [UInt8] = [0xFF, 0xD8]
    out.append(contentsOf: segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]))
    var rest = padding
    while rest > 0 {
      out.append(contentsOf: segment(0xFE, [UInt8](repeating: 0x20, count: min(rest, 65_000))))
      rest -= 65_000
    }
    out.append(contentsOf: segment(0xDB, [0] + [UInt8](repeating: 8, count: 64)))
    let size = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
    out.append(contentsOf: segment(0xC0, [8] + size + [1, 1, 0x11, 0]))
    out.append(contentsOf: segment(0xC4, [0x00] + brightnessCodes + [0x10] + endOfBlockCode))
    out.append(contentsOf: segment(0xDA, [1, 1, 0, 0, 63, 0]))
    out.append(contentsOf: scan(width: width, height: height, seed: seed))
    return out + [0xFF, 0xD9]
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  /// The table of section K.3 for the first coefficient of each block: the number of codes of each length, then the symbols.
  private static let brightnessCodes: [UInt8] =
    [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0] + Array(0...11)
  /// The codes of this table and their lengths in bits, by symbol.
  private static let codes: [(code: UInt32, length: Int)] = [
    (0b00, 2), (0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b1110, 4), (0b11110, 5),
    (0b111110, 6),
  ]
  /// A table with one code, the bit `0`, for the end of a block.
  private static let endOfBlockCode: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]

  private static func scan(width: Int, height: Int, seed: UInt64) -> [UInt8] {
    var random = SeededNumbers(seed: seed)
    var writer = EntropyWriter()
    let columns = (width + 7) / 8
    let rows = (height + 7) / 8
    let shades = (0..<64).map { _ in Int(random.next() % 200) - 100 }
    var previous = 0
    for row in 0..<rows {
      for column in 0..<columns {
        let shade = shades[row * 8 / rows * 8 + column * 8 / columns]
        let difference = shade - previous
        let magnitude = Int.bitWidth - abs(difference).leadingZeroBitCount
        writer.append(codes[magnitude].code, count: codes[magnitude].length)
        let bits = difference < 0 ? difference + (1 << magnitude) - 1 : difference
        writer.append(UInt32(bits), count: magnitude)
        writer.append(0, count: 1)
        previous = shade
      }
    }
    return writer.finish()
  }
}

/// A writer of bits, the highest bit of each byte first; a byte of ones is followed by a zero byte.
private struct EntropyWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var count = 0

  mutating func append(_ value: UInt32, count bits: Int) {
    pending = pending << UInt32(bits) | value
    count += bits
    while count >= 8 {
      let byte = UInt8(pending >> UInt32(count - 8) & 0xFF)
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
      count -= 8
    }
  }

  mutating func finish() -> [UInt8] {
    if count > 0 { append(0x7F >> UInt32(count - 1), count: 8 - count) }
    return bytes
  }
}
