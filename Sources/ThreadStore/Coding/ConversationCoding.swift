package import Basics
package import ThreadModel

/// The store's file format: a conversation as JSON, described by `docs/conversation.schema.json`.
///
/// Keys are in snake_case and sorted, unknown and empty values are omitted, times are ISO 8601 in UTC. Reading is strict, because people edit these
/// files: an unknown key, a missing id or an invalid date is an error with its line, so that no data is lost silently. Fields that a network sent
/// beyond the format are under `extra`.
package enum ConversationCoding {
  /// The format that is written, and the newest one that can be read.
  package static let format = 1

  /// Returns the contents of a conversation's file.
  package static func encode(_ conversation: Conversation) -> UTF8Buffer {
    var writer = JSONWriter(.pretty)
    conversation.write(to: &writer)
    return writer.finish()
  }

  /// Reads a conversation's file; `file` is its name for errors.
  package static func decode(_ bytes: [UInt8], file: String) throws(ThreadStoreError) -> Conversation {
    var scope: FileScope
    do {
      scope = try JSONReader.readBeginning(of: bytes) { reader throws(JSONError) in
        try FileScope(reading: &reader)
      }
    } catch {
      throw .damaged(file: file, error)
    }
    guard scope.format <= format else { throw .newerFormat(file: file, found: scope.format) }
    do {
      return try JSONReader.read(bytes) { reader throws(JSONError) in
        try Conversation(reading: &reader, in: &scope)
      }
    } catch {
      throw .damaged(file: file, error)
    }
  }

  /// Returns the id of a file's author, with their record if the file has one. Only the beginning of the file is read.
  package static func decodeAuthor(
    _ bytes: [UInt8], file: String
  ) throws(ThreadStoreError) -> (id: AuthorID, record: Author?) {
    try decodePart(of: bytes, file: file, readAuthor)
  }

  /// Returns the id of a file's conversation, its author, and the ids of the author's posts in it. Other fields of the posts are skipped.
  package static func decodeOwnPosts(
    _ bytes: [UInt8], file: String
  ) throws(ThreadStoreError) -> (conversation: PostID, authorID: AuthorID, posts: [PostID]) {
    try decodePart(of: bytes, file: file, readOwnPosts)
  }

  private static func decodePart<Part>(
    of bytes: [UInt8], file: String,
    _ read: (inout JSONReader, inout FileScope) throws(JSONError) -> Part
  ) throws(ThreadStoreError) -> Part {
    var scope: FileScope
    do {
      scope = try JSONReader.readBeginning(of: bytes) { reader throws(JSONError) in
        try FileScope(reading: &reader)
      }
    } catch {
      throw .damaged(file: file, error)
    }
    guard scope.format <= format else { throw .newerFormat(file: file, found: scope.format) }
    do {
      return try JSONReader.readBeginning(of: bytes) { reader throws(JSONError) in
        try read(&reader, &scope)
      }
    } catch {
      throw .damaged(file: file, error)
    }
  }

  private static func readOwnPosts(
    _ reader: inout JSONReader, in scope: inout FileScope
  ) throws(JSONError) -> (conversation: PostID, authorID: AuthorID, posts: [PostID]) {
    var id: PostID?
    var authorID: AuthorID?
    var posts: [(id: PostID?, authorID: AuthorID?)] = []
    let platform = scope.platform
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "author_id": authorID = try reader.readID(on: platform)
      case "id": id = try reader.readID(on: platform)
      case "posts":
        posts = try reader.readItems { reader throws(JSONError) in
          var post: (id: PostID?, authorID: AuthorID?) = (nil, nil)
          try reader.beginObject()
          while let key = try reader.nextKey() {
            switch key {
            case "author_id": post.authorID = try reader.readID(on: platform)
            case "id": post.id = try reader.readID(on: platform)
            default: try reader.skipValue()
            }
          }
          return post
        }
      default: try reader.skipValue()
      }
    }
    guard let id else { throw reader.missing("id", in: "conversation", at: start) }
    guard let authorID else { throw reader.missing("author_id", in: "conversation", at: start) }
    return (id, authorID, posts.filter { $0.authorID == authorID }.compactMap(\.id))
  }

  private static func readAuthor(
    _ reader: inout JSONReader, in scope: inout FileScope
  ) throws(JSONError) -> (id: AuthorID, record: Author?) {
    var id: AuthorID?
    var authors: [Author]?
    try reader.beginObject()
    let start = reader.lastStart
    reading: while id == nil || authors == nil, let key = try reader.nextKey() {
      switch key {
      case "author_id": id = try reader.readID(on: scope.platform)
      case "authors":
        authors = try reader.readItems { item throws(JSONError) in try Author(reading: &item, in: &scope) }
      // Keys are sorted: no author's record follows the posts.
      case "posts" where id != nil: break reading
      default: try reader.skipValue()
      }
    }
    guard let id else { throw reader.missing("author_id", in: "conversation", at: start) }
    return (id, authors?.first { $0.id == id })
  }

  /// Returns the contents of a profile's file.
  package static func encode(_ profile: Profile) -> UTF8Buffer {
    var writer = JSONWriter(.pretty)
    profile.write(to: &writer)
    return writer.finish()
  }

  /// Reads a profile's file; `file` is its name for errors.
  package static func decodeProfile(_ bytes: [UInt8], file: String) throws(ThreadStoreError) -> Profile {
    var scope: FileScope
    do {
      scope = try JSONReader.readBeginning(of: bytes) { reader throws(JSONError) in
        try FileScope(reading: &reader)
      }
    } catch {
      throw .damaged(file: file, error)
    }
    guard scope.format <= format else { throw .newerFormat(file: file, found: scope.format) }
    do {
      return try JSONReader.read(bytes) { reader throws(JSONError) in
        try Profile(reading: &reader, in: &scope)
      }
    } catch {
      throw .damaged(file: file, error)
    }
  }
}

/// The values needed before a conversation can be read: the format, and the platform of ids without one. It also remembers the values read last,
/// which posts often have in common.
struct FileScope {
  var format: Int
  var platform: Platform

  var authorID = LastValue<AuthorID>()
  var conversationID = LastValue<PostID>()
  /// The id of the post before, which the next post usually answers.
  var previousPostID = LastValue<PostID>()
  var observedAt = LastValue<Timestamp>()
  var extra = LastValue<JSONObject>()

  /// Reads up to these two members, and skips others without interpreting them.
  init(reading reader: inout JSONReader) throws(JSONError) {
    var format: Int?
    var platform: String?
    try reader.beginObject()
    let start = reader.lastStart
    while format == nil || platform == nil, let key = try reader.nextKey() {
      switch key {
      case "format":
        let number = try reader.readInt()
        guard number >= 1 else { throw reader.error("a format is 1 or more", at: reader.lastStart) }
        format = number
      case "platform": platform = try reader.readNonEmptyString()
      default: try reader.skipValue()
      }
    }
    guard let format else { throw reader.missing("format", in: "conversation", at: start) }
    guard let platform else { throw reader.missing("platform", in: "conversation", at: start) }
    self.format = format
    self.platform = Platform(rawValue: platform)
  }
}

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

extension Profile {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var author: Author?
    var followers: [Author] = []
    var observedAt: Timestamp?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "author": author = try Author(reading: &reader, in: &scope)
      case "followers":
        followers = try reader.readItems { item throws(JSONError) in try Author(reading: &item, in: &scope) }
      case "format", "platform": try reader.skipValue()  // what `scope` is made of
      case "observed_at": observedAt = try reader.readTimestamp()
      default: throw reader.unknown(key, in: "profile")
      }
    }
    guard let author else { throw reader.missing("author", in: "profile", at: start) }
    self.init(author: author, followers: followers, observedAt: observedAt)
  }

  func write(to writer: inout JSONWriter) {
    let platform = author.id.platform
    writer.object { writer in
      writer.member("author") { author.write(to: &$0, platform) }
      writer.member("followers", unlessEmpty: followers) { $0.write(to: &$1, platform) }
      writer.member("format", ConversationCoding.format)
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("platform", platform.rawValue)
    }
  }
}

/// A limit is stored as a string with its kind, such as `"recent_search"`, or, if it has a day, as an object such as `{"day": "2024-01-01", "limit":
/// "timeline_until"}`.
extension CoverageLimit {
  init(reading reader: inout JSONReader) throws(JSONError) {
    guard reader.nextKind() == .object else {
      let text = try reader.readString()
      self.init(Self.oldSentences[text] ?? Kind(rawValue: text))
      return
    }
    var kind: Kind?
    var day: String?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "day": day = try reader.readDay()
      case "limit": kind = try reader.readWord()
      default: throw reader.unknown(key, in: "limit")
      }
    }
    guard let kind else { throw reader.missing("limit", in: "limit", at: start) }
    guard let day else { throw reader.missing("day", in: "limit", at: start) }
    self.init(kind, day: day)
  }

  func write(to writer: inout JSONWriter) {
    guard let day else { return writer.string(kind.rawValue) }
    writer.object { writer in
      writer.member("day", day)
      writer.member("limit", kind.rawValue)
    }
  }

  /// The sentences that older files have in place of kinds, as far as they contain no date. Any other sentence is read as an unknown kind and kept
  /// unchanged.
  private static let oldSentences: [String: Kind] = [
    "recent search sees seven days only": .recentSearch,
    "recent search is not open to the account that fetched this": .recentSearchRefused,
    "recent search did not come to an end": .recentSearchCut,
    "recent search failed": .recentSearchFailed,
    "full-archive search is not open to the account that fetched this": .fullSearchRefused,
    "full-archive search did not come to an end": .fullSearchCut,
    "full-archive search failed": .fullSearchFailed,
    "posts written and more than seven days before the last fetch were not looked for": .growthUnseen,
    "replies of others are found by searching only": .repliesUnsearched,
    "replies of others are found by searching only, which was not possible": .repliesUnreachable,
    "the author's timeline could not be read": .timelineUnread,
    "the author's timeline did not come to an end": .timelineCut,
    "the author's timeline failed": .timelineFailed,
    "X gives the newest 3200 posts of a timeline only": .timelineReach,
    "climbing from a post sees only what came before it": .climbing,
    "some posts that these refer to could not be looked up": .lookupFailed,
    "fetching ended before all of the thread was read": .fetchEnded,
  ]
}

extension JSONReader {
  /// Reads a date such as `2024-01-01`, unchanged.
  fileprivate mutating func readDay() throws(JSONError) -> String {
    let day = try readString()
    // The day is completed to a time and checked by the parser of times.
    guard day.utf8.count == 10, Timestamp(iso8601: day + "T00:00:00Z") != nil else {
      throw error("expected a date such as 2024-01-01, but found \"\(day)\"", at: lastStart)
    }
    return day
  }
}
