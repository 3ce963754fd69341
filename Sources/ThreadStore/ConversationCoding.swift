package import Basics
package import ThreadModel

/// The store's file format: a conversation as JSON, described by `docs/conversation.schema.json`.
///
/// Keys are in snake_case and sorted, unknown and empty values are omitted, times are ISO 8601 in UTC. Reading is strict, because people
/// edit these files: an unknown key, a missing id or an invalid date is an error with its line, so that no data is lost silently.
/// Additional fields from a network that are not part of the format are under `extra`.
package enum ConversationCoding {
  /// Returns the contents of a conversation's file.
  package static func encode(_ conversation: Conversation) -> UTF8Buffer {
    encode(conversation, conversation.platform)
  }

  /// Returns the same contents without line breaks and indentation, for a temporary file.
  package static func encodeCompactly(_ conversation: Conversation) -> UTF8Buffer {
    encode(conversation, conversation.platform, .compact)
  }

  /// Reads a conversation's file; `file` is its name for errors.
  package static func decode(_ bytes: [UInt8], file: String) throws(ThreadStoreError) -> Conversation {
    try decodeRecord(bytes, file: file)
  }

  /// Returns the contents of a profile's file.
  package static func encode(_ profile: Profile) -> UTF8Buffer {
    encode(profile, profile.author.id.platform)
  }

  /// Reads a profile's file; `file` is its name for errors.
  package static func decodeProfile(_ bytes: [UInt8], file: String) throws(ThreadStoreError) -> Profile {
    try decodeRecord(bytes, file: file)
  }

  private static func encode(
    _ record: some StoredRecord, _ platform: Platform, _ layout: JSONWriter.Layout = .pretty
  ) -> UTF8Buffer {
    var writer = JSONWriter(layout)
    record.write(to: &writer, platform)
    return writer.finish()
  }

  private static func decodeRecord<Record: StoredRecord>(
    _ bytes: [UInt8], file: String
  ) throws(ThreadStoreError) -> Record {
    var scope = try scope(of: bytes, file: file)
    do {
      return try JSONReader.read(bytes) { reader throws(JSONError) in
        try Record(reading: &reader, in: &scope)
      }
    } catch {
      throw .damaged(file: file, error)
    }
  }

  /// Returns the values that are needed before a record can be read.
  private static func scope(of bytes: [UInt8], file: String) throws(ThreadStoreError) -> FileScope {
    let format: StoreFormat
    do {
      format = try JSONReader.readBeginning(of: bytes) { reader throws(JSONError) in
        try StoreFormat(reading: &reader)
      }
    } catch {
      throw .damaged(file: file, error)
    }
    guard format.number <= StoreFormat.current else { throw .newerFormat(file: file, found: format.number) }
    return FileScope(platform: format.platform)
  }

  /// Returns the id of a file's author, with the author's record if the file has one. Only the beginning of the file is read.
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
    var scope = try scope(of: bytes, file: file)
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
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "author_id": authorID = try AuthorID(reading: &reader, in: &scope)
      case "id": id = try PostID(reading: &reader, in: &scope)
      case "posts":
        posts = try reader.readArray { reader throws(JSONError) in
          var post: (id: PostID?, authorID: AuthorID?) = (nil, nil)
          try reader.beginObject()
          while let key = try reader.nextKey() {
            switch key {
            case "author_id": post.authorID = try AuthorID(reading: &reader, in: &scope)
            case "id": post.id = try PostID(reading: &reader, in: &scope)
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
      case "author_id": id = try AuthorID(reading: &reader, in: &scope)
      case "authors":
        authors = try [Author](reading: &reader, in: &scope)
      // Keys are sorted, so no author's record follows the posts.
      case "posts" where id != nil: break reading
      default: try reader.skipValue()
      }
    }
    guard let id else { throw reader.missing("author_id", in: "conversation", at: start) }
    return (id, authors?.first { $0.id == id })
  }
}
