import Basics

/// A text in the format of the API: escaped, with entities whose offsets count Unicode scalars of the escaped text.
struct RenderedText {
  var text = ""
  var urls: [JSONValue] = []
  var mentions: [JSONValue] = []
  var hashtags: [JSONValue] = []
  var cashtags: [JSONValue] = []

  var length: Int { text.unicodeScalars.count }

  /// Appends `shown` and returns its offsets in Unicode scalars, from 0, the end exclusive.
  mutating func append(_ shown: String) -> [String: JSONValue] {
    let start = length
    text += shown
    return ["start": .integer(Int64(start)), "end": .integer(Int64(length))]
  }

  /// The entities by kind; `nil` if the text has no entities, because X then omits the key.
  var entities: JSONValue? {
    var members: [String: JSONValue] = [:]
    for (key, list) in [
      ("urls", urls), ("mentions", mentions), ("hashtags", hashtags), ("cashtags", cashtags),
    ] where !list.isEmpty {
      members[key] = .array(list)
    }
    return members.isEmpty ? nil : .object(members)
  }
}

/// The renderer of texts in the format of the API.
struct TextRendering {
  var world: StubWorld
  var baseURL: String
  /// Whether links have the title, description and images of their page.

  func render(_ text: StubText, escaping: Bool, into result: inout RenderedText) {
    for piece in text.pieces {
      switch piece {
      case .plain(let plain): result.text += escaping ? Self.escaped(plain) : plain
      case .mention(let name):
        var entity = result.append("@" + name)
        entity["username"] = .string(name)
        if let id = world.user(named: name)?.id { entity["id"] = .string(id.description) }
        result.mentions.append(.object(entity))
      case .hashtag(let tag):
        result.hashtags.append(.object(result.append("#" + tag).adding("tag", .string(tag))))
      case .cashtag(let tag):
        result.cashtags.append(.object(result.append("$" + tag).adding("tag", .string(tag))))
      case .link(let link): append(link, to: &result)
      }
    }
  }

  /// Returns the text with `&`, `<` and `>` escaped, as in `text` of the API.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private func append(_ link: StubLink, to result: inout RenderedText) {
    let short = link.short ?? "https://t.co/0000000000"
    var entity = result.append(short)
    entity["url"] = .string(short)
    entity["expanded_url"] = .string(link.expanded)
    entity["display_url"] = .string(link.display)
    if let title = link.title {
      entity["title"] = .string(title)
      entity["status"] = 200
      entity["unwound_url"] = .string(link.expanded)
    }
    if let description = link.description { entity["description"] = .string(description) }
    if !link.images.isEmpty {
      entity["images"] = .array(
        link.images.map { image in
          [
            "url": .string(baseURL + image.path), "width": .integer(Int64(image.width)),
            "height": .integer(Int64(image.height)),
          ]
        })
    }
    result.urls.append(.object(entity))
  }
}

extension [String: JSONValue] {
  func adding(_ key: String, _ value: JSONValue) -> [String: JSONValue] {
    var copy = self
    copy[key] = value
    return copy
  }
}
