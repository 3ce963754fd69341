/// The type of a media file, detected from its first bytes, never from its name or a server's header.
///
/// Only types that every current browser shows or plays are supported. SVG and HTML are not supported, because both can contain scripts.
/// Playlists of streams are not supported either, because they refer to other files.
package enum MediaType: String, Sendable, Hashable, CaseIterable {
  case jpeg, png, gif, webp, avif
  case mp4
  /// Sounds; `ogg` contains Vorbis, Opus or FLAC.
  case mp3, ogg, wav, flac, m4a
  /// WebVTT: the captions of a video.
  case vtt

  /// The possible uses of a file.
  package enum Family: Sendable, Hashable { case image, video, audio, captions }

  package var family: Family {
    switch self {
    case .jpeg, .png, .gif, .webp, .avif: .image
    case .mp4: .video
    case .mp3, .ogg, .wav, .flac, .m4a: .audio
    case .vtt: .captions
    }
  }

  /// The name of the format, for messages.
  var displayName: String {
    switch self {
    case .webp: "WebP"
    case .ogg: "Ogg"
    case .vtt: "WebVTT"
    default: rawValue.uppercased()
    }
  }

  /// Without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// Returns whether a file's name has an extension of this type.
  func isNamed(by name: String) -> Bool {
    name.hasSuffix("." + fileExtension) || self == .jpeg && name.hasSuffix(".jpeg")
      || self == .ogg && [".oga", ".opus"].contains(where: name.hasSuffix)
  }

  package var mimeType: String {
    switch self {
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    default:
      switch family {
      case .image: "image/\(rawValue)"
      case .video: "video/\(rawValue)"
      case .audio: "audio/\(rawValue)"
      case .captions: "text/\(rawValue)"
      }
    }
  }

  /// The number of bytes that are enough to detect the type.
  package static let headLength = 256

  /// - Parameter head: the first `headLength` bytes of a file, or all bytes of a shorter file.
  package init?(head: [UInt8]) {
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: Array("GIF87a".utf8)) || head.starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WAVE".utf8)) {
      self = .wav
    } else if head.starts(with: Array("fLaC".utf8)) {
      self = .flac
    } else if head.starts(with: Array("OggS".utf8)), Self.isSoundInOgg(head) {
      self = .ogg
    } else if head.starts(with: Array("ID3".utf8)) || Self.isFrameOfMP3(head) {
      self = .mp3
    } else if Self.isCaptions(head) {
      self = .vtt
    } else if let type = Self.type(ofBrands: Self.brands(head)) {
      self = type
    } else {
      return nil
    }
  }

  /// Returns whether the first line is WebVTT's, with or without a byte order mark (https://www.w3.org/TR/webvtt1/, 4.1).
  private static func isCaptions(_ head: [UInt8]) -> Bool {
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    let rest = text.dropFirst(6)
    return text.starts(with: Array("WEBVTT".utf8))
      && (rest.first.map { [0x09, 0x0A, 0x0D, 0x20].contains($0) } ?? true)
  }

  /// Returns whether the first packet belongs to a sound. Ogg files may also contain videos.
  private static func isSoundInOgg(_ head: [UInt8]) -> Bool {
    guard head.count > 26 else { return false }
    let packet = head.dropFirst(27 + Int(head[26]))
    return ["OpusHead", "\u{1}vorbis", "\u{7F}FLAC"].contains { packet.starts(with: Array($0.utf8)) }
  }

  /// Returns whether the bytes begin with a frame header of MP3: eleven set bits, a version, and layer III. `MediaDimensions` also checks the second
  /// frame.
  private static func isFrameOfMP3(_ head: [UInt8]) -> Bool {
    head.count > 2 && head[0] == 0xFF && head[1] & 0xE6 == 0xE2 && head[1] & 0x18 != 0x08
      && head[2] & 0xF0 != 0xF0 && head[2] & 0xF0 != 0 && head[2] & 0x0C != 0x0C
  }

  /// The maximum size of an `ftyp` box in bytes.
  private static let longestBrands = 4096

  /// Returns the brands of a file that begins with an `ftyp` box, the major brand first (ISO/IEC 14496-12, 4.3); otherwise an empty array.
  private static func brands(_ head: [UInt8]) -> [String] {
    guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return [] }
    let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    // The box is a list of four-byte names. If the bytes of the box's size are text such as `<svg`, the size is about a billion bytes.
    guard length <= longestBrands else { return [] }
    let end = min(length, head.count)
    guard end >= 16 else { return [] }
    // A version is between the major brand and the compatible brands.
    return ([8] + Array(stride(from: 16, through: end - 4, by: 4))).map {
      String(decoding: head[$0..<$0 + 4], as: UTF8.self)
    }
  }

  /// Returns the type for a list of brands. AVIF has an AVIF brand anywhere in the list. HEIC has the same container, but only one browser
  /// shows it.
  private static func type(ofBrands brands: [String]) -> MediaType? {
    guard let major = brands.first else { return nil }
    if brands.contains("avif") || brands.contains("avis") { return .avif }
    if ["heic", "heix", "hevc", "mif1", "msf1"].contains(major) { return nil }
    if ["M4A ", "M4B "].contains(major) { return .m4a }
    return brands.contains(where: videoBrands.contains) ? .mp4 : nil
  }

  /// The brands of ISO/IEC 14496-12 and -14, of DASH and of players that write `.mp4`.
  private static let videoBrands: Set<String> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "avc1", "dash",
    "M4V ", "M4VH", "M4VP", "MSNV", "mmp4", "f4v ",
  ]

  /// Describes a file of an unsupported type for a message.
  static func describe(head: [UInt8]) -> String {
    if head.isEmpty { return "an empty file" }
    let text = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    if text.first == UInt8(ascii: "<") { return "a markup file, such as HTML or SVG" }
    if text.starts(with: Array("#EXTM3U".utf8)) { return "a streaming playlist" }
    if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") { return "a JSON file" }
    return "no JPEG, PNG, GIF, WebP, AVIF, MP4, MP3, Ogg, WAV, FLAC, M4A or WebVTT"
  }
}
