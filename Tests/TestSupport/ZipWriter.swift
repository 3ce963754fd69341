import Foundation

/// Writes zip files, also with wrong sizes, flags and checksums (APPNOTE.TXT 6.3.10, sections 4.3 and 4.4).
package struct ZipWriter {
  package struct Entry {
    package var name: [UInt8]
    package var data: [UInt8]
    /// The size in the headers; the size of the data if `nil`.
    package var declaredSize: Int?
    /// Bit 0: encrypted; bit 11: the name is UTF-8.
    package var flags: UInt16 = 0x800
    /// The file type and mode of Unix: a regular file.
    package var mode: UInt16 = 0o100644
    /// Whether the checksum is right.
    package var isChecked = true

    package init(_ name: String, _ data: String) { self.init(name, Array(data.utf8)) }

    package init(_ name: String, _ data: [UInt8]) {
      self.name = Array(name.utf8)
      self.data = data
    }
  }

  package static func zip(_ entries: [Entry]) -> [UInt8] {
    var out: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let size = UInt32(entry.declaredSize ?? entry.data.count)
      var common = bytes(UInt16(20)) + bytes(entry.flags) + bytes(UInt16(0)) + bytes(UInt32(0))
      common += bytes(entry.isChecked ? crc(entry.data) : 7) + bytes(size) + bytes(size)
      common += bytes(UInt16(entry.name.count)) + bytes(UInt16(0))
      directory += [0x50, 0x4B, 1, 2] + bytes(UInt16(0x031E)) + common
      directory += bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt16(0))
      directory += bytes(UInt32(entry.mode) << 16) + bytes(UInt32(out.count)) + entry.name
      out += [0x50, 0x4B, 3, 4] + common + entry.name + entry.data
    }
    let start = UInt32(out.count)
    out += directory + [0x50, 0x4B, 5, 6] + bytes(UInt16(0)) + bytes(UInt16(0))
    out += bytes(UInt16(entries.count)) + bytes(UInt16(entries.count))
    return out + bytes(UInt32(directory.count)) + bytes(start) + bytes(UInt16(0))
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
  }

  private static func crc(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~0) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
  }
}
