import JSONText
import ThreadModel

extension Conversation {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var id: PostID?
    var authorID: AuthorID?
    var read = Conversation(id: PostID("", on: scope.platform), authorID: AuthorID("", on: scope.platform))
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "author_id": authorID = try reader.readID(on: scope.platform)
      case "authors":
        read.authors = try reader.readItems { item throws(JSONError) in try Author(reading: &item, in: &scope)
        }
      case "coverage": read.coverage = try Coverage(reading: &reader)
      case "format", "platform": try reader.skipValue()  // what `scope` is made of
      case "id": id = try reader.readID(on: scope.platform)
      case "posts":
        read.posts = try reader.readItems { item throws(JSONError) in try Post(reading: &item, in: &scope) }
      case "provenance":
        read.provenance = try reader.readItems { item throws(JSONError) in try Provenance(reading: &item) }
      case "related":
        read.related = try reader.readItems { item throws(JSONError) in try Post(reading: &item, in: &scope) }
      case "tombstones":
        read.tombstones = try reader.readItems { item throws(JSONError) in
          try Tombstone(reading: &item, in: &scope)
        }
      default: throw reader.unknown(key, in: "conversation")
      }
    }
    guard let id else { throw reader.missing("id", in: "conversation", at: start) }
    guard let authorID else { throw reader.missing("author_id", in: "conversation", at: start) }
    read.id = id
    read.authorID = authorID
    self = read
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("author_id", ifKnown: authorID, platform)
      writer.member("authors", unlessEmpty: authors) { $0.write(to: &$1, platform) }
      if !coverage.isEmpty { writer.member("coverage") { coverage.write(to: &$0) } }
      writer.member("format", ConversationCoding.format)
      writer.member("id", id.text)
      writer.member("platform", platform.rawValue)
      writer.member("posts", unlessEmpty: posts) { $0.write(to: &$1, platform) }
      writer.member("provenance", unlessEmpty: provenance) { $0.write(to: &$1) }
      writer.member("related", unlessEmpty: related) { $0.write(to: &$1, platform) }
      writer.member("tombstones", unlessEmpty: tombstones) { $0.write(to: &$1, platform) }
    }
  }
}

extension Coverage {
  init(reading reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "checked_at": checkedAt = try reader.readTimestamp()
      case "expected_posts": expectedPosts = try reader.readInt()
      case "found_by": foundBy = try reader.readWord()
      case "limits":
        limits = try reader.readItems { item throws(JSONError) in try CoverageLimit(reading: &item) }
      default: throw reader.unknown(key, in: "coverage")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("checked_at", ifKnown: checkedAt)
      writer.member("expected_posts", ifKnown: expectedPosts)
      writer.member("found_by", ifKnown: foundBy?.rawValue)
      writer.member("limits", unlessEmpty: limits) { $0.write(to: &$1) }
    }
  }
}

extension Provenance {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var source: SourceKind?
    var fetchedAt: Timestamp?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "fetched_at": fetchedAt = try reader.readTimestamp()
      case "source": source = try reader.readWord()
      default: throw reader.unknown(key, in: "provenance")
      }
    }
    guard let source else { throw reader.missing("source", in: "provenance", at: start) }
    self.init(source: source, fetchedAt: fetchedAt)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("fetched_at", ifKnown: fetchedAt)
      writer.member("source", source.rawValue)
    }
  }
}

extension Tombstone {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var id: PostID?
    var reason: TombstoneReason?
    var read = Tombstone(id: PostID("", on: scope.platform), reason: .unknown)
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "author_id": read.authorID = try reader.readID(on: scope.platform)
      case "detail": read.detail = try reader.readString()
      case "handle": read.handle = try reader.readString()
      case "id": id = try reader.readID(on: scope.platform)
      case "observed_at": read.observedAt = try reader.readTimestamp()
      case "reason": reason = try reader.readWord()
      case "removed_at": read.removedAt = try reader.readTimestamp()
      default: throw reader.unknown(key, in: "tombstone")
      }
    }
    guard let id else { throw reader.missing("id", in: "tombstone", at: start) }
    guard let reason else { throw reader.missing("reason", in: "tombstone", at: start) }
    read.id = id
    read.reason = reason
    self = read
  }

  func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.object { writer in
      writer.member("author_id", ifKnown: authorID, platform)
      writer.member("detail", ifKnown: detail)
      writer.member("handle", ifKnown: handle)
      writer.member("id", ifKnown: id, platform)
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("reason", reason.rawValue)
      writer.member("removed_at", ifKnown: removedAt)
    }
  }
}
