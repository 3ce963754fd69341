import Basics
import ThreadModel

extension Media {
  /// Converts a media object. `key` is the key by which the post refers to it. If the response does not include the object, the first
  /// digits of the key still determine its type.
  init(x fields: XFields?, key: String) {
    let type = fields?.text("type") ?? Self.typeOfKey(key)
    self.init(
      id: key, kind: type == "animated_gif" ? .gif : MediaKind(rawValue: type), url: fields?.text("url"))
    guard let fields else { return }
    posterURL = fields.text("preview_image_url")
    altText = fields.text("alt_text")
    width = fields.count("width")
    height = fields.count("height")
    durationMilliseconds = fields.count("duration_ms")
    variants = fields.list("variants").compactMap { variant in
      variant.text("url").map {
        MediaVariant(url: $0, contentType: variant.text("content_type"), bitrate: variant.count("bit_rate"))
      }
    }
    extra = fields.extra(without: [
      "media_key", "type", "url", "preview_image_url", "alt_text", "width", "height", "duration_ms",
      "variants",
      "non_public_metrics", "organic_metrics", "promoted_metrics",
    ])
  }

  private static func typeOfKey(_ key: String) -> String {
    switch key.prefix(while: { $0 != "_" }) {
    case "3": "photo"
    case "7", "13": "video"
    case "16": "animated_gif"
    default: "unknown"
    }
  }
}

extension Poll {
  /// Converts a poll object. Its options come in any order and state their position.
  init(x fields: XFields) {
    let options = fields.list("options").enumerated().map { index, option in
      (place: option.int("position") ?? index + 1, index: index, option: option)
    }
    let ordered = options.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.option)
    self.init(
      options: ordered.map { PollOption($0.string("label") ?? "", votes: $0.count("votes")) },
      status: fields.text("voting_status").map(PollStatus.init(rawValue:)) ?? .unknown,
      endsAt: fields.time("end_datetime"))
    id = fields.text("id")
    extra = fields.extra(without: ["id", "options", "voting_status", "end_datetime"])
  }
}

extension LinkCard {
  /// Creates the preview of a long article from its beginning and its picture, because the API does not return the article's text. The
  /// headline is the post's own.
  ///
  /// - Parameter links: the links of the post, one of which leads to the article.
  init?(article: XFields, links: [XFields], cover: XFields?) {
    let addresses = links.map(XLink.init).compactMap(\.address)
    guard let preview = article.text("preview_text"),
      let url = addresses.first(where: { $0.contains("/article/") })
    else { return nil }
    self.init(url: url, summary: preview)
    imageURL = cover?.text("url")
    imageWidth = cover?.count("width")
    imageHeight = cover?.count("height")
  }

  /// Creates the card of the last link with a card, which is the card that X shows. A link has no usable card if its page asked X's crawler
  /// to log in.
  init?(x urls: [XFields]) {
    let fields = urls.last {
      $0.text("title") != nil && $0.text("media_key") == nil && !XLink($0).isDiverted
    }
    guard let fields else { return nil }
    let link = XLink(fields)
    guard let url = link.unwound ?? link.expanded else { return nil }
    self.init(url: url, title: fields.text("title"), summary: fields.text("description"))
    let largest = fields.list("images").max { ($0.count("width") ?? 0) < ($1.count("width") ?? 0) }
    imageURL = largest?.text("url")
    imageWidth = largest?.count("width")
    imageHeight = largest?.count("height")
  }
}
