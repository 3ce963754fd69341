/// A PNG (W3C PNG, third edition) of stripes. A seed determines their colors.
enum PNGPicture {
  static func bytes(width: Int, height: Int, seed: UInt64) -> [UInt8] {
    var out: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var header: [UInt8] = []
    header.append(bigEndian: width)
    header.append(bigEndian: height)
    header.append(contentsOf: [8, 3, 0, 0, 0])  // eight bits, a palette
    out.append(contentsOf: chunk("IHDR", header))
    out.append(contentsOf: chunk("PLTE", palette(seed)))
    out.append(contentsOf: chunk("IDAT", compressed(rows(width: width, height: height))))
    out.append(contentsOf: chunk("IEND", []))
    return out
  }

  /// Returns a palette of sixteen colors.
  private static func palette(_ seed: UInt64) -> [UInt8] {
    var random = SeededNumbers(seed: seed)
    return (0..<48).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) }
  }

  /// Returns the rows: a filter byte, then an index of the palette for each pixel.
  private static func rows(width: Int, height: Int) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity((width + 1) * height)
    let stripes = (0..<16).map { [0] + [UInt8](repeating: $0, count: width) }
    for row in 0..<height { out += stripes[row * 16 / height] }
    return out
  }

  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    out.append(contentsOf: Gzip.storedBlocks(bytes))
    out.append(bigEndian: Checksums.adler32(bytes))
    return out
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.append(bigEndian: data.count)
    out.append(ascii: type)
    out.append(contentsOf: data)
    out.append(bigEndian: Checksums.crc32(out[4...]))
    return out
  }
}

/// A random number generator with a seed (SplitMix64), so that each name always has the same image.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  /// Returns the seed of a name, its FNV-1a hash.
  static func seed(of name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
