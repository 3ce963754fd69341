import JSONText
import ThreadModel

/// A text and its entities, which stand in the file as two members in either order.
struct ReadText {
  var text: String?
  private var entities: [TextEntity] = []
  private var entitiesStart = 0

  mutating func readEntities(_ reader: inout JSONReader) throws(JSONError) {
    _ = reader.nextKind()  // up to the value, whose place an error names
    entities = try reader.readItems { item throws(JSONError) in try TextEntity(reading: &item) }
    entitiesStart = reader.lastStart
  }

  /// The text with its entities; `nil` where there is no text. Entities that do not fit the text are an error.
  func finish(_ reader: borrowing JSONReader) throws(JSONError) -> InlineText? {
    guard let text else {
      guard entities.isEmpty else { throw reader.error("entities without a text", at: entitiesStart) }
      return nil
    }
    let inline = InlineText(text, entities: entities)
    guard inline.entities.count == entities.count else {
      throw reader.error(
        "entities that overlap, are empty or reach beyond the text's \(text.unicodeScalars.count) Unicode scalars",
        at: entitiesStart)
    }
    return inline
  }
}

extension TextEntity {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var fields = EntityFields()
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "end": fields.end = try reader.readInt()
      case "handle": fields.handle = try reader.readString()
      case "short_url": fields.short = try reader.readString()
      case "shortcode": fields.shortcode = try reader.readString()
      case "start": fields.start = try reader.readInt()
      case "symbol": fields.symbol = try reader.readString()
      case "tag": fields.tag = try reader.readString()
      case "type": fields.type = try reader.readString()
      case "url": fields.url = try reader.readString()
      default: throw reader.unknown(key, in: "text entity")
      }
    }
    guard let lower = fields.start, let upper = fields.end, lower >= 0, lower < upper else {
      throw reader.error("a text entity needs \"start\" and \"end\", 0 ≤ start < end", at: start)
    }
    guard let kind = fields.kind else {
      throw reader.error(
        "a text entity is a link with url, a mention with handle, a hashtag with tag, a cashtag with symbol, or an "
          + "emoji with shortcode and url", at: start)
    }
    self.init(lower..<upper, kind)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("end", range.upperBound)
      switch kind {
      case .link(let url, let short):
        writer.member("short_url", ifKnown: short)
        writer.member("type", "link")
        writer.member("url", url)
      case .mention(let handle, let url):
        writer.member("handle", handle)
        writer.member("type", "mention")
        writer.member("url", ifKnown: url)
      case .hashtag(let tag, let url):
        writer.member("tag", tag)
        writer.member("type", "hashtag")
        writer.member("url", ifKnown: url)
      case .cashtag(let symbol, let url):
        writer.member("symbol", symbol)
        writer.member("type", "cashtag")
        writer.member("url", ifKnown: url)
      case .emoji(let shortcode, let url):
        writer.member("shortcode", shortcode)
        writer.member("type", "emoji")
        writer.member("url", url)
      }
      writer.member("start", range.lowerBound)
    }
  }
}

/// The members of an entity, before it is known which of them its type needs.
private struct EntityFields {
  var start: Int?
  var end: Int?
  var type: String?
  var url: String?
  var short: String?
  var handle: String?
  var shortcode: String?
  var symbol: String?
  var tag: String?

  /// `nil` for an unknown type, a missing member, or one that the type does not have.
  var kind: TextEntity.Kind? {
    let names =
      (handle == nil ? 0 : 1) + (shortcode == nil ? 0 : 1) + (symbol == nil ? 0 : 1) + (tag == nil ? 0 : 1)
    guard short == nil || type == "link", names == (type == "link" ? 0 : 1) else { return nil }
    switch type {
    case "link": return url.map { .link(url: $0, short: short) }
    case "mention": return handle.map { .mention(handle: $0, url: url) }
    case "hashtag": return tag.map { .hashtag(tag: $0, url: url) }
    case "cashtag": return symbol.map { .cashtag(symbol: $0, url: url) }
    case "emoji":
      guard let shortcode, let url else { return nil }
      return .emoji(shortcode: shortcode, url: url)
    default: return nil
    }
  }
}
