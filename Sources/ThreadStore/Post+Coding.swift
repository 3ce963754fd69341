import JSONText
import ThreadModel

extension Post {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var id: PostID?
    // The first post's id is the conversation's.
    var ownID = scope.conversationID
    var parentID = scope.previousPostID
    var authorID: AuthorID?
    var text = ReadText()
    var read = Post.Facts(id: PostID("", on: scope.platform), authorID: AuthorID("", on: scope.platform))
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "archive": read.archive = try ArchiveSighting(reading: &reader)
      case "author_id": authorID = try reader.readID(on: scope.platform, like: &scope.authorID)
      case "card": read.card = try LinkCard(reading: &reader)
      case "content_warning": read.contentWarning = try reader.readString()
      case "conversation_id":
        read.conversationID = try reader.readID(on: scope.platform, like: &scope.conversationID)
      case "created_at": read.createdAt = try reader.readTimestamp()
      case "departure": read.departure = try Departure(reading: &reader)
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
      case "older": read.older = try reader.readSightingTimes()
      case "poll": read.poll = try Poll(reading: &reader)
      case "quotes": read.quotes = try reader.readID(on: scope.platform)
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
      if let departure { writer.member("departure") { departure.write(to: &$0) } }
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

extension Departure {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var reason: TombstoneReason?
    var observedAt: Timestamp?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "observed_at": observedAt = try reader.readTimestamp()
      case "reason": reason = try reader.readWord()
      default: throw reader.unknown(key, in: "departure")
      }
    }
    guard let reason else { throw reader.missing("reason", in: "departure", at: start) }
    self.init(reason: reason, observedAt: observedAt)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("reason", reason.rawValue)
    }
  }
}
