/// A minimal file in the MP4 format (ISO/IEC 14496-12): `ftyp`, `moov` with its header, and data from a seed.
/// It cannot be played.
enum MP4Video {
  static func bytes(milliseconds: Int, seed: UInt64, size: Int = 20_000) -> [UInt8] {
    var random = SeededNumbers(seed: seed)
    var data: [UInt8] = []
    for _ in 0..<size / 8 { data.append(bigEndian: UInt32(truncatingIfNeeded: random.next())) }
    var brands = Array("isom".utf8)
    brands.append(bigEndian: 512)
    brands.append(ascii: "isomiso2mp41")
    return box("ftyp", brands) + box("moov", box("mvhd", movieHeader(milliseconds))) + box("mdat", data)
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.append(bigEndian: content.count + 8)
    out.append(ascii: type)
    return out + content
  }

  private static func movieHeader(_ milliseconds: Int) -> [UInt8] {
    var out: [UInt8] = []
    // Version and flags, creation time, modification time, ticks per second, duration, rate 1.0, volume 1.0 and reserved.
    for value in [0, 0, 0, 1000, milliseconds, 0x0001_0000, 0x0100_0000, 0, 0] {
      out.append(bigEndian: value)
    }
    for value in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] { out.append(bigEndian: value) }
    for value in [0, 0, 0, 0, 0, 0, 2] { out.append(bigEndian: value) }
    return out
  }
}
