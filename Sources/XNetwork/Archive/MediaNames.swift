import JSONText
import ThreadModel
import UTF8Text

/// The names under which an archive keeps media: `<post id>-<last part of the address>`.
enum MediaNames {
  /// For a media object of version 1.1, best first: a photo's picture; a video's files by their bitrates, then nothing, as its
  /// picture is no film.
  static func names(of media: JSONObject) -> [String] {
    let variants = media["video_info"]?["variants"]?.array ?? []
    if !variants.isEmpty {
      let films = variants.compactMap { variant -> MediaVariant? in
        guard let url = variant["url"]?.string else { return nil }
        let bitrate = variant["bitrate"].flatMap { $0.int ?? $0.string.flatMap { Int($0) } }
        return MediaVariant(url: url, contentType: variant["content_type"]?.string, bitrate: bitrate)
      }
      return names(of: films)
    }
    let url = media["media_url_https"]?.string ?? media["media_url"]?.string
    return url.flatMap(name).map { [$0] } ?? []
  }

  /// For a media of the model.
  static func names(of media: Media) -> [String] {
    media.variants.isEmpty ? media.url.flatMap(name).map { [$0] } ?? [] : names(of: media.variants)
  }

  private static func names(of variants: [MediaVariant]) -> [String] {
    variants.filter { $0.contentType != "application/x-mpegURL" }
      .sorted { ($0.bitrate ?? -1, $0.url) > ($1.bitrate ?? -1, $1.url) }
      .compactMap { name($0.url) }
  }

  /// The last part of an address, without its query.
  static func name(_ url: String) -> String? {
    let path = url.prefix(upToBytes: "?#")
    guard let name = path.split(atBytes: "/").last, !name.isEmpty else { return nil }
    return String(name)
  }
}
