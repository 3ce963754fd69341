import Basics
import ThreadModel

/// The pictures, videos and sounds of an event: URLs in its text, which `imeta` tags may describe (NIP-92, NIP-94).
enum NostrMedia {
  /// The maximum number of attachments of a post.
  static let most = 100
  private static let longestURL = 4096
  /// In pixels.
  private static let longestSide = 100_000

  /// Returns the kind of a file by the end of its URL's path; `nil` for other pages.
  static func kind(ofURL url: String) -> MediaKind? {
    guard url.utf8.count <= longestURL else { return nil }
    let page = url.prefix(upToBytes: "?#")
    let name = PathText.name(of: page)
    // `https://a.example` has no path.
    guard page.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 2,
      let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
    else { return nil }
    switch name[name.utf8.index(after: dot)...].lowercased() {
    case "jpg", "jpeg", "png", "gif", "webp", "avif", "apng": return .photo
    case "mp4", "webm", "mov", "m4v": return .video
    case "mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "aac": return .audio
    default: return nil
    }
  }

  /// The facts of an `imeta` tag: entries such as `dim 3024x4032`.
  struct Description {
    let url: String
    private var fields: [String: String] = [:]

    /// - Returns: `nil` if the tag has no http or https URL.
    init?(_ tag: ArraySlice<String>) {
      for entry in tag.prefix(100) {
        guard let space = entry.utf8.firstIndex(of: 0x20) else { continue }
        let name = String(entry[..<space])
        if fields[name] == nil { fields[name] = String(entry[entry.utf8.index(after: space)...]) }
      }
      guard let url = fields["url"], NostrMedia.isFile(url) else { return nil }
      self.url = url
    }

    var type: String? { fields["m"]?.lowercased() }

    /// The kind, if the type or the URL states it.
    var kind: MediaKind? {
      guard let family = type?.split(separator: "/").first else { return NostrMedia.kind(ofURL: url) }
      switch family {
      case "image": return type?.hasBytePrefix("image/svg") == true ? nil : .photo
      case "video": return .video
      case "audio": return .audio
      default: return nil
      }
    }

    var altText: String? { fields["alt"].flatMap { $0.isEmpty ? nil : $0 } }

    /// In pixels.
    var size: (width: Int, height: Int)? {
      let sides = fields["dim"]?.split(separator: "x").map { Int($0) ?? 0 } ?? []
      guard sides.count == 2, sides.allSatisfy({ (1...NostrMedia.longestSide).contains($0) }) else {
        return nil
      }
      return (sides[0], sides[1])
    }

    /// The preview of a video.
    var poster: String? {
      [fields["image"], fields["thumb"]].compactMap(\.self).first(where: NostrMedia.isFile)
    }

    var durationMilliseconds: Int? {
      fields["duration"].flatMap(Double.init).flatMap { (0...1e7).contains($0) ? Int($0 * 1000) : nil }
    }
  }

  /// Returns whether a text is an http or https URL that may be a file's.
  static func isFile(_ url: String) -> Bool {
    url.utf8.count <= longestURL && WebAddress.host(of: url) != nil
  }

  /// Returns the descriptions of files in an event, by URL.
  static func descriptions(in event: NostrEvent) -> [(url: String, description: Description)] {
    var known: Set<String> = []
    return event.values("imeta").prefix(most).compactMap { tag in
      guard let description = Description(tag), description.kind != nil,
        known.insert(description.url).inserted
      else { return nil }
      return (description.url, description)
    }
  }

  /// Returns the attachment at a URL.
  ///
  /// - Parameters:
  ///   - altText: the text that describes it if its `imeta` tag does not.
  ///   - isPicture: whether a file of unknown kind is a picture.
  static func attachment(
    _ url: String, _ description: Description?, altText: String?, isPicture: Bool
  ) -> Media? {
    guard isFile(url), let kind = description?.kind ?? kind(ofURL: url) ?? (isPicture ? .photo : nil) else {
      return nil
    }
    var media = Media(id: ContentHash.of(url.utf8), kind: kind)
    media.altText = description?.altText ?? altText
    (media.width, media.height) = (description?.size?.width, description?.size?.height)
    guard kind == .video else {
      media.url = url
      return media
    }
    media.posterURL = description?.poster
    media.durationMilliseconds = description?.durationMilliseconds
    media.variants = [MediaVariant(url: url, contentType: type(of: url, description))]
    return media
  }

  /// Returns the MIME type of a video; `nil` if it is unknown.
  private static func type(of url: String, _ description: Description?) -> String? {
    if let type = description?.type, type.utf8.count <= 100 { return type }
    let path = url.prefix(upToBytes: "?#").lowercased()
    return path.hasByteSuffix(".mp4") ? "video/mp4" : path.hasByteSuffix(".webm") ? "video/webm" : nil
  }
}
