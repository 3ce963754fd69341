import Foundation

/// Small handmade images that consist of a header.
enum SampleMedia {
  static func png(width: UInt8 = 20, height: UInt8 = 15) -> Data {
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
      + Data([0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]) + Data(repeating: 7, count: 300)
  }

  /// A JPEG file up to its frame header, which is all that is read.
  static func jpeg(width: UInt16 = 20, height: UInt16 = 15) -> Data {
    let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return Data([0xFF, 0xD8, 0xFF, 0xC2, 0, 11, 8] + size + [1, 1, 0x11, 0, 0xFF, 0xD9])
  }

  /// An image of the type of the name's extension.
  static func named(_ name: String) -> Data { name.hasSuffix(".png") ? png() : jpeg() }
}
