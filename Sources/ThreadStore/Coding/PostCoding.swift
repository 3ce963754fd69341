import Basics
import ThreadModel

extension Post {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var id: PostID?
    // The conversation's id is the default for the first post.
    var ownID = scope.conversationID
    var parentID = scope.previousPostID
    var authorID: AuthorID?
    var text = ReadText()
    var read = Post.Facts(id: PostID("", on: scope.platform), authorID: AuthorID("", on: scope.platform))
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "archive": read.archive = try ArchiveObservation(reading: &reader)
      case "author_id": authorID = try reader.readID(on: scope.platform, like: &scope.authorID)
      case "card": read.card = try LinkCard(reading: &reader)
      case "content_warning": read.contentWarning = try reader.readString()
      case "conversation_id":
        read.conversationID = try reader.readID(on: scope.platform, like: &scope.conversationID)
      case "created_at": read.createdAt = try reader.readTimestamp()
      case "earlier_versions":
        read.earlierVersions = try reader.readItems { item throws(JSONError) in
          try item.readID(on: scope.platform)
        }
      case "edited_at": read.editedAt = try reader.readTimestamp()
      case "emoji":
        read.emoji = try reader.readItems { item throws(JSONError) in try CustomEmoji(reading: &item) }
      case "entities": try text.readEntities(&reader)
      case "extra": read.extra = try reader.readExtra(like: &scope.extra)
      case "id": id = try reader.readID(on: scope.platform, like: &ownID)
      case "in_reply_to": read.inReplyTo = try reader.readID(on: scope.platform, like: &parentID)
      case "in_reply_to_author":
        read.inReplyToAuthor = try reader.readID(on: scope.platform, like: &scope.authorID)
      case "language": read.language = try reader.readString()
      case "media":
        read.media = try reader.readItems { item throws(JSONError) in try Media(reading: &item) }
      case "metrics": read.metrics = try Metrics(reading: &reader)
      case "observed_at": read.observedAt = try reader.readTimestamp(like: &scope.observedAt)
      case "older": read.older = try reader.readObservationTimes()
      case "poll": read.poll = try Poll(reading: &reader)
      case "quotes": read.quotes = try reader.readID(on: scope.platform)
      case "removal": read.removal = try Removal(reading: &reader)
      case "sensitive": read.isSensitive = try reader.readBool()
      case "text": text.text = try reader.readString()
      case "title": read.title = try reader.readString()
      case "url": read.url = try reader.readString()
      case "warnings":
        read.warnings = try reader.readItems { item throws(JSONError) in try item.readWord() }
      case "withheld": read.withheld = try Withholding(reading: &reader)
      default: throw reader.unknown(key, in: "post")
      }
    }
    guard let id else { throw reader.missing("id", in: "post", at: start) }
    guard let authorID else { throw reader.missing("author_id", in: "post", at: start) }
    guard let inline = try text.finish(reader) else { throw reader.missing("text", in: "post", at: start) }
    scope.previousPostID = ownID
    read.id = id
    read.authorID = authorID
    read.text = inline
    self.init(read)
  }

  func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.object { writer in
      if let archive { writer.member("archive") { archive.write(to: &$0) } }
      writer.member("author_id", ifKnown: authorID, platform)
      if let card { writer.member("card") { card.write(to: &$0) } }
      writer.member("content_warning", ifKnown: contentWarning)
      writer.member("conversation_id", ifKnown: conversationID, platform)
      writer.member("created_at", ifKnown: createdAt)
      writer.member("earlier_versions", unlessEmpty: earlierVersions) { $1.id($0, platform) }
      writer.member("edited_at", ifKnown: editedAt)
      writer.member("emoji", unlessEmpty: emoji) { $0.write(to: &$1) }
      writer.member("entities", unlessEmpty: text.entities) { $0.write(to: &$1) }
      writer.member("extra", unlessEmpty: extra)
      writer.member("id", ifKnown: id, platform)
      writer.member("in_reply_to", ifKnown: inReplyTo, platform)
      writer.member("in_reply_to_author", ifKnown: inReplyToAuthor, platform)
      writer.member("language", ifKnown: language)
      writer.member("media", unlessEmpty: media) { $0.write(to: &$1) }
      if !metrics.isEmpty { writer.member("metrics") { metrics.write(to: &$0) } }
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("older", unlessEmpty: older)
      if let poll { writer.member("poll") { poll.write(to: &$0) } }
      writer.member("quotes", ifKnown: quotes, platform)
      if let removal { writer.member("removal") { removal.write(to: &$0) } }
      if isSensitive { writer.member("sensitive", true) }
      writer.member("text", text.text)
      writer.member("title", ifKnown: title)
      writer.member("url", ifKnown: url)
      writer.member("warnings", unlessEmpty: warnings) { $1.string($0.rawValue) }
      if let withheld { writer.member("withheld") { withheld.write(to: &$0) } }
    }
  }
}

extension Metrics {
  init(reading reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "bookmarks": bookmarks = try reader.readInt()
      case "likes": likes = try reader.readInt()
      case "quotes": quotes = try reader.readInt()
      case "replies": replies = try reader.readInt()
      case "reposts": reposts = try reader.readInt()
      case "views": views = try reader.readInt()
      default: throw reader.unknown(key, in: "set of metrics")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("bookmarks", ifKnown: bookmarks)
      writer.member("likes", ifKnown: likes)
      writer.member("quotes", ifKnown: quotes)
      writer.member("replies", ifKnown: replies)
      writer.member("reposts", ifKnown: reposts)
      writer.member("views", ifKnown: views)
    }
  }
}

extension Withholding {
  init(reading reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "copyright": isForCopyright = try reader.readBool()
      case "countries": countries = try reader.readItems { item throws(JSONError) in try item.readString() }
      case "notice": notice = try reader.readString()
      case "worldwide": isWorldwide = try reader.readBool()
      default: throw reader.unknown(key, in: "withholding")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if isForCopyright { writer.member("copyright", true) }
      writer.member("countries", unlessEmpty: countries)
      writer.member("notice", ifKnown: notice)
      if isWorldwide { writer.member("worldwide", true) }
    }
  }
}

extension Removal {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var reason: TombstoneReason?
    var observedAt: Timestamp?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "observed_at": observedAt = try reader.readTimestamp()
      case "reason": reason = try reader.readWord()
      default: throw reader.unknown(key, in: "removal")
      }
    }
    guard let reason else { throw reader.missing("reason", in: "removal", at: start) }
    self.init(reason: reason, observedAt: observedAt)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("reason", reason.rawValue)
    }
  }
}

/// A text and its entities, which are two members of the file in either order.
struct ReadText {
  var text: String?
  private var entities: [TextEntity] = []
  private var entitiesStart = 0

  mutating func readEntities(_ reader: inout JSONReader) throws(JSONError) {
    _ = reader.nextKind()  // up to the value, whose place an error names
    entities = try reader.readItems { item throws(JSONError) in try TextEntity(reading: &item) }
    entitiesStart = reader.lastStart
  }

  /// Returns the text with its entities; `nil` if there is no text.
  ///
  /// - Throws: if the entities do not fit the text.
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
      case .mention(let handle, let url, let id):
        writer.member("handle", handle)
        writer.member("id", ifKnown: id)
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

/// The members of an entity, read before it is known which of them its type needs.
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

  /// `nil` for an unknown type, a missing member, or a member that the type does not have.
  var kind: TextEntity.Kind? {
    let names =
      (handle == nil ? 0 : 1) + (shortcode == nil ? 0 : 1) + (symbol == nil ? 0 : 1) + (tag == nil ? 0 : 1)
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

extension ArchiveObservation {
  init(reading reader: inout JSONReader) throws(JSONError) {
    self.init(date: nil, isOnlySource: false)
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "date": date = try reader.readTimestamp()
      case "only_source": isOnlySource = try reader.readBool()
      default: throw reader.unknown(key, in: "archive observation")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("date", ifKnown: date)
      if isOnlySource { writer.member("only_source", true) }
    }
  }
}

/// The time of a field is stored as a time or as `"unknown"`; for an archive, with `archive` before it: `"archive 2022-01-01T00:00:00Z"`,
/// `"archive"`.
extension ObservationTime {
  private static let archive = "archive"
  private static let unknown = "unknown"

  fileprivate init?(stored text: String) {
    let isFromArchive = text.hasPrefix(Self.archive)
    let rest = isFromArchive ? text.dropFirst(Self.archive.count) : text[...]
    self.init(isFromArchive: isFromArchive, time: nil)
    if isFromArchive ? rest.isEmpty : rest == Self.unknown { return }
    guard !isFromArchive || rest.first == " ",
      let time = Timestamp(iso8601: String(isFromArchive ? rest.dropFirst() : rest))
    else { return nil }
    self.time = time
  }

  fileprivate var stored: String {
    let time = time?.iso8601
    return isFromArchive
      ? [Self.archive, time].compactMap { $0 }.joined(separator: " ") : time ?? Self.unknown
  }
}

extension JSONReader {
  /// Reads the times of the fields that were seen before the rest, by field name.
  mutating func readObservationTimes() throws(JSONError) -> [String: ObservationTime] {
    var times: [String: ObservationTime] = [:]
    try beginObject()
    while let key = try nextKey() {
      let name = key.string
      let text = try readString()
      guard let time = ObservationTime(stored: text) else {
        throw error(
          "expected a time such as 2021-01-06T18:40:40Z, archive with or without one, or unknown, but found \"\(text)\"",
          at: lastStart)
      }
      times[name] = time
    }
    return times
  }
}

extension JSONWriter {
  mutating func member(_ name: String, unlessEmpty times: [String: ObservationTime]) {
    guard !times.isEmpty else { return }
    member(name, unlessEmpty: times.mapValues { .string($0.stored) })
  }
}

extension Author {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var id: AuthorID?
    var read = Author(id: AuthorID("", on: scope.platform))
    var bio = ReadText()
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "archive": read.archive = try ArchiveObservation(reading: &reader)
      case "avatar_file": read.avatarFile = try reader.readString()
      case "avatar_url": read.avatarURL = try reader.readString()
      case "bio": bio.text = try reader.readString()
      case "bio_entities": try bio.readEntities(&reader)
      case "emoji":
        read.emoji = try reader.readItems { item throws(JSONError) in try CustomEmoji(reading: &item) }
      case "extra": read.extra = try reader.readExtra()
      case "followers": read.followers = try reader.readInt()
      case "following": read.following = try reader.readInt()
      case "handle": read.handle = try reader.readString()
      case "id": id = try reader.readID(on: scope.platform)
      case "joined_at": read.joinedAt = try reader.readTimestamp()
      case "location": read.location = try reader.readString()
      case "name": read.name = try reader.readString()
      case "observed_at": read.observedAt = try reader.readTimestamp(like: &scope.observedAt)
      case "older": read.older = try reader.readObservationTimes()
      case "posts": read.posts = try reader.readInt()
      case "protected": read.isProtected = try reader.readBool()
      case "removal": read.removal = try Removal(reading: &reader)
      case "url": read.url = try reader.readString()
      case "verified": read.isVerified = try reader.readBool()
      case "website": read.website = try reader.readString()
      default: throw reader.unknown(key, in: "author")
      }
    }
    guard let id else { throw reader.missing("id", in: "author", at: start) }
    read.id = id
    read.bio = try bio.finish(reader)
    self = read
  }

  func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.object { writer in
      if let archive { writer.member("archive") { archive.write(to: &$0) } }
      writer.member("avatar_file", ifKnown: avatarFile)
      writer.member("avatar_url", ifKnown: avatarURL)
      if let bio {
        writer.member("bio", bio.text)
        writer.member("bio_entities", unlessEmpty: bio.entities) { $0.write(to: &$1) }
      }
      writer.member("emoji", unlessEmpty: emoji) { $0.write(to: &$1) }
      writer.member("extra", unlessEmpty: extra)
      writer.member("followers", ifKnown: followers)
      writer.member("following", ifKnown: following)
      writer.member("handle", ifKnown: handle)
      writer.member("id", ifKnown: id, platform)
      writer.member("joined_at", ifKnown: joinedAt)
      writer.member("location", ifKnown: location)
      writer.member("name", ifKnown: name)
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("older", unlessEmpty: older)
      writer.member("posts", ifKnown: posts)
      writer.member("protected", ifKnown: isProtected)
      if let removal { writer.member("removal") { removal.write(to: &$0) } }
      writer.member("url", ifKnown: url)
      writer.member("verified", ifKnown: isVerified)
      writer.member("website", ifKnown: website)
    }
  }
}
