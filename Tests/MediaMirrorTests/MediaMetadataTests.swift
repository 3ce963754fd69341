import Basics
import Foundation
import MediaMirror
import TestSupport
import Testing
import ThreadStore

/// Metadata do not enter the store, and the image data stay unchanged.
///
/// The files in `Fixtures/metadata` were made with Pillow and exiftool. Each states its place (59.8586,
/// 17.6389; Uppsala) and its author (Somebody) in every way that its format supports.
@Suite struct MediaMetadataTests {
  private static let names = [
    "turned.jpg", "turned.png", "turned.webp", "film.gif", "placed.mp4", "turned.avif",
  ]
  let folder: TemporaryFolder
  let mediaStore: MediaStore

  init() throws {
    folder = try TemporaryFolder()
    mediaStore = try MediaStore(store: ThreadStore(folder: folder.path))
  }

  private func fixture(_ name: String) throws -> [UInt8] {
    let path = ProjectFolders.fixtures(of: "MediaMirrorTests").appending(path: "metadata/\(name)")
    return Array(try Data(contentsOf: path))
  }

  private func stored(_ media: StoredMedia) throws -> [UInt8] {
    Array(try #require(try folder.tree("media")[media.name]))
  }

  @Test(arguments: names)
  func removesMetadata(_ name: String) throws {
    let raw = try fixture(name)
    let kept = try mediaStore.keep(raw)
    let clean = try stored(kept)
    for word in [
      "Somebody", "Uppsala", "GPS", "a comment", "adobe.com", "17.6389", "+59.8586", "behind the end",
    ] {
      #expect(clean.firstRange(of: Array(word.utf8)) == nil, "\(word)")
    }
    #expect(kept.shape == MediaDimensions(kept.type, of: raw), "the orientation is kept")
    // A clean file is kept unchanged.
    let again = try mediaStore.keep(clean)
    #expect(again.name == kept.name && !again.isNew)
  }

  /// The image data, byte for byte, from the first marker to the last.
  @Test(arguments: [
    ("turned.jpg", [0xFF, 0xC2] as [UInt8], [0xFF, 0xD9] as [UInt8]),
    ("turned.png", Array("IDAT".utf8), Array("IEND".utf8)),
    ("turned.jpg", Array("ICC_PROFILE".utf8), [0xFF, 0xC2]),
    ("turned.png", Array("iCCP".utf8), Array("IDAT".utf8)),
    ("turned.webp", Array("ICCP".utf8), Array("EXIF".utf8)), ("film.gif", [0x2C, 0, 0, 0, 0], [0x21, 0xF9]),
  ])
  func keepsTheImageData(_ name: String, _ start: [UInt8], _ end: [UInt8]) throws {
    let raw = try fixture(name)
    let first = try #require(raw.firstRange(of: start)).lowerBound
    let last = try #require(raw[first...].firstRange(of: end)).lowerBound
    // Only metadata chunks in between are removed; the first chunk is complete.
    let piece = raw[first..<min(last, first + 200)]
    #expect(try stored(mediaStore.keep(raw)).firstRange(of: piece) != nil)
  }

  /// An AVIF file keeps its length, and its image data keep their position.
  @Test func avifKeepsItsOffsets() throws {
    let raw = try fixture("turned.avif")
    let clean = try stored(mediaStore.keep(raw))
    #expect(clean.count == raw.count)
    let meta = try #require(raw.firstRange(of: Array("iloc".utf8))).lowerBound
    #expect(raw[..<meta] == clean[..<meta])
    // The Exif data (with up to ten bytes before it that contain its offset) and the XMP data are one piece
    // each, and nothing else differs.
    let exif = try #require(
      raw.firstRange(of: Array("II*\0".utf8)) ?? raw.firstRange(of: Array("MM\0*".utf8)))
    let text = try #require(
      raw.firstRange(of: Array("<x:xmpmeta".utf8)) ?? raw.firstRange(of: Array("<?xpacket".utf8)))
    let differing = raw.indices.filter { raw[$0] != clean[$0] }
    #expect(!differing.isEmpty && differing.allSatisfy { $0 >= min(exif.lowerBound - 10, text.lowerBound) })
  }

  @Test func videoKeepsItsOffsets() throws {
    let raw = try fixture("placed.mp4")
    let clean = try stored(mediaStore.keep(raw))
    #expect(clean.count == raw.count)
    for box in ["mdat", "stco", "moov", "stbl"] {
      #expect(raw.firstRange(of: Array(box.utf8)) == clean.firstRange(of: Array(box.utf8)), "\(box)")
    }
    let data = try #require(raw.firstRange(of: Array("mdat".utf8))).lowerBound
    let length = raw[data - 4..<data].reduce(0) { $0 << 8 | Int($1) }
    #expect(raw[data..<data + length - 4] == clean[data..<data + length - 4])
  }

  /// Truncated or changed anywhere, the result has never more bytes than the file, and can be stored again.
  @Test(arguments: names)
  func survivesDamagedFiles(_ name: String) throws {
    let raw = try fixture(name)
    for length in stride(from: 0, to: raw.count, by: max(1, raw.count / TestDepth.cases(fast: 13, deep: 97)))
    {
      guard let kept = try? mediaStore.keep(Array(raw[..<length])) else { continue }
      #expect(kept.bytes <= length + 64)
      #expect(try mediaStore.keep(try stored(kept)).name == kept.name)
    }
    var random = SeededRandom()
    for _ in 0..<TestDepth.cases(fast: 20, deep: 400) {
      var bytes = raw
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let kept = try? mediaStore.keep(bytes) else { continue }
      #expect(try mediaStore.keep(try stored(kept)).name == kept.name)
    }
  }

  /// Old cameras store the owner's name in a segment of the same kind as JFIF, and other programs a picture before it was cropped.
  @Test func removesOtherSegmentsThanThoseOfJFIFAndAdobe() throws {
    func segment(_ marker: UInt8, _ content: String) -> [UInt8] {
      [0xFF, marker] + Samples.big(content.utf8.count + 2, 2) + Array(content.utf8)
    }
    let plain = Samples.jpeg(width: 40, height: 30)
    let (start, rest) = (Array(plain[..<2]), Array(plain[2...]))
    let kept = segment(0xE0, "JFIF\0\u{1}\u{2}") + segment(0xEE, "Adobe\0d")
    let removed =
      segment(0xE0, "II*\0\0\0\0HEAPJPGMSomebody") + segment(0xE0, "JFXX\0") + segment(0xEE, "Somebody")
    let clean = start + kept + rest
    #expect(try stored(mediaStore.keep(start + kept + removed + rest)) == clean)
  }

  /// Otherwise a million segments could refer to one long directory.
  @Test func exifEndsWithItsChunk() throws {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      Samples.big(content.count, 4) + Array(type.utf8) + content + Samples.big(0, 4)
    }
    // The chunk has 8 bytes of content; its checksum and the header of the next chunk have 12.
    let exif = chunk("eXIf", Array("MM".utf8) + Samples.big(42, 2) + Samples.big(20, 4))
    let next = chunk("prIv", Samples.directory(orientation: 6))
    let raw = Samples.png(width: 40, height: 30) + exif + next + chunk("IEND", [])
    #expect(try stored(mediaStore.keep(raw)).firstRange(of: Array("eXIf".utf8)) == nil)
  }

  /// Ranges without offsets and lengths take no bytes of the file, so its size does not limit their number.
  @Test func keepsAvifWithTooManyRangesUnchanged() throws {
    func avif(ranges: Int) -> [UInt8] {
      let items = (1...2).flatMap { Samples.big($0, 2) + Samples.big(0, 2) + Samples.big(ranges, 2) }
      let places = Samples.box("iloc", Samples.big(0, 4) + Samples.big(0, 2) + Samples.big(2, 2) + items)
      let kinds = Samples.box("iinf", Samples.big(0, 4) + Samples.big(0, 2))
      return Samples.avif(width: 40, height: 30, tables: kinds + places)
        + Samples.box("udta", Array("Somebody".utf8))
    }
    let plausible = try stored(mediaStore.keep(avif(ranges: 1)))
    #expect(plausible.firstRange(of: Array("Somebody".utf8)) == nil)
    #expect(try stored(mediaStore.keep(avif(ranges: 65_535))) == avif(ranges: 65_535))
  }

  private static let exiftool: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(
    separator: ":"
  )
  .map { "\($0)/exiftool" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// An independent check by exiftool.
  @Test(.enabled(if: exiftool != nil, "exiftool is not installed (libimage-exiftool-perl)"), arguments: names)
  func exiftoolFindsNoMetadata(_ name: String) throws {
    let raw = try fixture(name)
    let kept = try mediaStore.keep(raw)
    let after = try tags("\(folder.path)/media/\(kept.name)")
    for (tag, value) in after {
      #expect(!tag.contains("GPS") && !tag.hasPrefix("XMP") && !tag.hasPrefix("IPTC"), "\(tag): \(value)")
      #expect(
        !["Comment", "Author", "Creator", "City", "Make", "Warning", "Error"].contains {
          tag.hasSuffix(":" + $0)
        }, "\(tag): \(value)")
    }
    if name == "turned.avif" {
      // In this format, the rotation is not Exif data.
      #expect(after["QuickTime:Rotation"] as? Int == 270)
    } else if name.hasPrefix("turned") {
      #expect(after["IFD0:Orientation"] as? String == "Rotate 90 CW")
      #expect(after.keys.contains { $0.hasPrefix("ICC") })
    }
  }

  private func tags(_ path: String) throws -> [String: Any] {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.exiftool))
    process.arguments = ["-json", "-a", "-G1", path]
    let pipe = ProcessLauncher.makePipe()
    process.standardOutput = pipe
    try ProcessLauncher.start(process)
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try #require((try JSONSerialization.jsonObject(with: data) as? [[String: Any]])?.first)
  }
}
