package import Basics

extension TextEntity: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var fields = EntityFields()
    try reader.beginObject()
    let start = reader.lastStart
    var count = 0
    while let key = try reader.nextKey() {
      count += 1
      switch key {
      case "end": fields.end = try reader.readInt()
      case "handle": fields.handle = try reader.readString()
      case "id": fields.id = try reader.readString()
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
    guard fields.count == count else {
      throw reader.error("a text entity with a repeated key: keep one of its values", at: start)
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

  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.object { writer in
      writer.member("end", range.upperBound)
      switch kind {
      case .link(let url, let short):
        writer.member("short_url", short)
        writer.member("type", "link")
        writer.member("url", url)
      case .mention(let handle, let url, let id):
        writer.member("handle", handle)
        writer.member("id", id)
        writer.member("type", "mention")
        writer.member("url", url)
      case .hashtag(let tag, let url):
        writer.member("tag", tag)
        writer.member("type", "hashtag")
        writer.member("url", url)
      case .cashtag(let symbol, let url):
        writer.member("symbol", symbol)
        writer.member("type", "cashtag")
        writer.member("url", url)
      case .emoji(let shortcode, let url):
        writer.member("shortcode", shortcode)
        writer.member("type", "emoji")
        writer.member("url", url)
      }
      writer.member("start", range.lowerBound)
    }
  }
}

/// All members that an entity can have. Its type, which may come last, decides which of them are needed.
private struct EntityFields {
  var start: Int?
  var end: Int?
  var type: String?
  var url: String?
  var short: String?
  var handle: String?
  var id: String?
  var shortcode: String?
  var symbol: String?
  var tag: String?

  /// The number of members that have been read.
  var count: Int {
    let numbers = (start == nil ? 0 : 1) + (end == nil ? 0 : 1)
    let texts = (type == nil ? 0 : 1) + (url == nil ? 0 : 1) + (short == nil ? 0 : 1) + (id == nil ? 0 : 1)
    return numbers + texts + names
  }

  /// The number of members that only one type of entity has.
  private var names: Int {
    (handle == nil ? 0 : 1) + (shortcode == nil ? 0 : 1) + (symbol == nil ? 0 : 1) + (tag == nil ? 0 : 1)
  }

  /// `nil` for an unknown type, a missing member, or a member that belongs to another type.
  var kind: TextEntity.Kind? {
    guard short == nil || type == "link", id == nil || type == "mention", names == (type == "link" ? 0 : 1)
    else { return nil }
    switch type {
    case "link": return url.map { .link(url: $0, short: short) }
    case "mention": return handle.map { .mention(handle: $0, url: url, id: id) }
    case "hashtag": return tag.map { .hashtag(tag: $0, url: url) }
    case "cashtag": return symbol.map { .cashtag(symbol: $0, url: url) }
    case "emoji":
      guard let shortcode, let url else { return nil }
      return .emoji(shortcode: shortcode, url: url)
    default: return nil
    }
  }
}

extension JSONWriter {
  /// Writes a member unless its value is `nil`.
  fileprivate mutating func member(_ key: String, _ value: String?) {
    if let value { member(key) { $0.string(value) } }
  }
}
