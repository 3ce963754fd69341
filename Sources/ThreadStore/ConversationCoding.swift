import JSONText
package import ThreadModel
package import UTF8Text

/// The store's file format: a conversation as JSON, described by `docs/conversation.schema.json`.
///
/// Keys are snake_case and sorted, what is unknown or empty is left out, times are ISO 8601 in UTC. Reading is
/// strict, because people edit these files: an unknown key, a missing id or a date that is none is an error with its line,
/// never silently lost. What a network sent beyond the format stands under `extra`.
package enum ConversationCoding {
  /// The format that is written, and the newest that is read.
  package static let format = 1

  /// The conversation as the bytes of its file.
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
}

extension ConversationCoding {
  /// Whose thread a file holds, with their record where it has one: the beginning of the file says it.
  package static func decodeAuthor(
    _ bytes: [UInt8], file: String
  ) throws(ThreadStoreError) -> (id: AuthorID, record: Author?) {
    try decodePart(of: bytes, file: file, readAuthor)
  }

  /// The conversation that a file holds, whose it is, and which of its posts they wrote: nothing else of the posts is looked at.
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
      // Keys are sorted: there is no record behind the posts.
      case "posts" where id != nil: break reading
      default: try reader.skipValue()
      }
    }
    guard let id else { throw reader.missing("author_id", in: "conversation", at: start) }
    return (id, authors?.first { $0.id == id })
  }
}

/// What has to be known before a conversation can be read: the format, and the platform that plain ids are of. And what
/// was read last, for the values that posts have in common.
struct FileScope {
  var format: Int
  var platform: Platform

  var authorID = Remembered<AuthorID>()
  var conversationID = Remembered<PostID>()
  /// The id of the post before: what the next one mostly answers.
  var previousPostID = Remembered<PostID>()
  var observedAt = Remembered<Timestamp>()
  var extra = Remembered<JSONObject>()

  /// Reads as far as these two members, and passes over others without looking at what they mean.
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
