import Foundation
import TestSupport

/// Small handmade files that consist of a header.
enum Samples {
  static func png(width: Int, height: Int, salt: String = "") -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + Array("IHDR".utf8) + big(width, 4)
      + big(height, 4) + [8, 2, 0, 0, 0, 0, 0, 0, 0] + Array(salt.utf8)
  }

  static func gif(width: Int, height: Int) -> [UInt8] {
    Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0, 0, 0, 0x3B]
  }

  /// - Parameter orientation: the EXIF orientation, in its own segment before the frame.
  static func jpeg(
    width: Int, height: Int, orientation: Int? = nil, isLittle: Bool = true, salt: String = ""
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    if let orientation {
      let number = isLittle ? little : big
      let tiff =
        Array(isLittle ? "II".utf8 : "MM".utf8) + number(42, 2) + number(8, 4)
        + directory(orientation: orientation, isLittle: isLittle)
      let segment = Array("Exif\0\0".utf8) + tiff
      bytes += [0xFF, 0xE1] + big(segment.count + 2, 2) + segment
    }
    bytes += [0xFF, 0xDB] + big(salt.utf8.count + 2, 2) + Array(salt.utf8)
    // Any number of fill bytes may precede a marker.
    bytes += [0xFF, 0xFF, 0xC2] + big(11, 2) + [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
    return bytes + [0xFF, 0xD9]
  }

  /// A directory of TIFF with only the orientation.
  static func directory(orientation: Int, isLittle: Bool = false) -> [UInt8] {
    let number = isLittle ? little : big
    return number(1, 2) + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2)
      + number(0, 2)
  }

  enum WebP { case lossy, lossless, extended }

  static func webp(_ kind: WebP, width: Int, height: Int) -> [UInt8] {
    let chunk: [UInt8] =
      switch kind {
      case .lossy:
        Array("VP8 ".utf8) + little(10, 4) + [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2)
          + little(height, 2)
      case .lossless:
        Array("VP8L".utf8) + little(5, 4) + [0x2F] + little(width - 1 | (height - 1) << 14, 4)
      case .extended:
        Array("VP8X".utf8) + little(10, 4) + [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
      }
    return Array("RIFF".utf8) + little(chunk.count + 4, 4) + Array("WEBP".utf8) + chunk
  }

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(type.utf8) + content
  }

  struct Film {
    var width = 640
    var height = 360
    var isTurned = false
    var brand = "mp42"
    var handler = "vide"
    var isMovieFirst = true
    var usesLargeNumbers = false
    var milliseconds = 2500
    var salt = ""
  }

  static func mp4(_ film: Film = Film()) -> [UInt8] {
    let long = film.usesLargeNumbers
    let version: [UInt8] = [long ? 1 : 0, 0, 0, 0]
    let times = [UInt8](repeating: 0, count: long ? 16 : 8)
    let mvhd = box("mvhd", version + times + big(600, 4) + big(film.milliseconds * 600 / 1000, long ? 8 : 4))
    let matrix =
      film.isTurned
      ? [0, 0x10000, 0, 0xFFFF_0000, 0, 0, 0, 0, 0x4000_0000]
      : [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
    let tkhd = box(
      "tkhd",
      version + times + big(1, 4) + big(0, 4) + big(0, long ? 8 : 4) + big(0, 8) + big(0, 8)
        + matrix.flatMap { big($0, 4) } + big(film.width << 16, 4) + big(film.height << 16, 4))
    let sound = box("trak", box("mdia", box("hdlr", big(0, 8) + Array("soun".utf8))))
    let track = box("trak", tkhd + box("mdia", box("hdlr", big(0, 8) + Array(film.handler.utf8))))
    let movie = box("moov", mvhd + sound + track)
    let data = box("mdat", [UInt8](repeating: 7, count: 40_000) + Array(film.salt.utf8))
    return box("ftyp", Array(film.brand.utf8) + big(0, 4) + Array("isom".utf8))
      + (film.isMovieFirst ? movie + data : data + movie)
  }

  /// - Parameters:
  /// - thumbnail: the side of a second, square image in the file, listed first.
  /// - others: the sides of further squares.
  /// - tables: more boxes about the items.
  static func avif(
    width: Int, height: Int, isTurned: Bool = false, thumbnail: Int = 16, others: [Int] = [],
    tables: [UInt8] = []
  ) -> [UInt8] {
    func ispe(_ width: Int, _ height: Int) -> [UInt8] {
      box("ispe", big(0, 4) + big(width, 4) + big(height, 4))
    }
    let properties = box(
      "ipco",
      ispe(thumbnail, thumbnail) + ispe(width, height) + box("irot", [1]) + others.flatMap { ispe($0, $0) })
    let own: [UInt8] = isTurned ? [2, 0x82, 0x03] : [1, 0x82]
    let associations = box("ipma", big(0, 4) + big(2, 4) + big(1, 2) + [1, 0x81] + big(2, 2) + own)
    let meta = box(
      "meta",
      big(0, 4) + box("pitm", big(0, 4) + big(2, 2)) + box("iprp", properties + associations) + tables)
    return box("ftyp", Array("avif".utf8) + big(0, 4) + Array("mif1miaf".utf8)) + meta
  }

  static func big(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func little(_ value: Int, _ length: Int) -> [UInt8] { big(value, length).reversed() }

  /// A file of the repository's sample store, all of them invented.
  static func stored(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: ProjectFolders.repository.appending(path: "threads/media/" + name)))
  }

  /// One of each type.
  static let all: [[UInt8]] = [
    png(width: 640, height: 480), gif(width: 640, height: 480),
    jpeg(width: 640, height: 480, orientation: 6), webp(.lossy, width: 640, height: 480),
    webp(.lossless, width: 640, height: 480), webp(.extended, width: 640, height: 480),
    avif(width: 640, height: 480), mp4(), mp4(Film(isMovieFirst: false)),
  ]
}
