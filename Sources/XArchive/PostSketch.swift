import JSONText
import ThreadModel
import XAPI

/// The little of a post that tells where it belongs: an archive of 100,000 posts is known as a whole in a few megabytes.
struct PostSketch: Sendable {
  var id: UInt64 = 0
  /// The post that it answers; 0 for none.
  var parent: UInt64 = 0
  /// Whom it answers; 0 for nobody.
  var parentAuthor: UInt64 = 0
  /// Ids of all versions, where the post was edited; empty where it was not.
  var versions: [UInt64] = []
  /// Seconds since 1970; `nil` where the post does not say.
  var createdAt: Int64?
  /// A post of somebody else's, repeated: by its text alone, as archives do not say.
  var isRepost = false
  /// For each of its media the names under which the archive may have it, best first.
  var media: [[String]] = []

  var time: Timestamp? { createdAt.map { Timestamp(seconds: $0) } ?? XID.time(String(id)) }
}

extension PostSketch {
  /// Reads an element of a file of posts, in its wrapper `{"tweet": …}` or without; the id is 0 where there is none, or no text, so
  /// that what is no post counts as unreadable.
  init(reading reader: inout JSONReader) throws(JSONError) {
    var reading = Reading()
    try reading.readMembers(&reader, isWrapper: true)
    self = reading.sketch
    if !reading.hasText { id = 0 }
    if let extended = reading.extendedMedia { media = extended }
  }

  /// A sketch while its element is read. Of a member that stands in two forms, that in digits of a string counts, as numbers may
  /// have been rounded.
  private struct Reading {
    var sketch = PostSketch()
    var hasText = false
    /// Media of `extended_entities`, which has all where `entities` has the first.
    var extendedMedia: [[String]]?
    private var stringMembers: Set<String> = []

    mutating func readMembers(_ reader: inout JSONReader, isWrapper: Bool) throws(JSONError) {
      var isWrapped = false
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "tweet", "communityTweet", "community_tweet", "noteTweet":
          guard isWrapper, reader.nextKind() == .object else {
            try reader.skipValue()
            continue
          }
          // What stands beside the post is not of it.
          self = Reading()
          isWrapped = true
          try readMembers(&reader, isWrapper: false)
        case _ where isWrapped: try reader.skipValue()
        case "id_str", "id": try readID(&reader, key == "id_str", "id", \.id)
        case "in_reply_to_status_id_str", "in_reply_to_status_id":
          try readID(&reader, key == "in_reply_to_status_id_str", "parent", \.parent)
        case "in_reply_to_user_id_str", "in_reply_to_user_id":
          try readID(&reader, key == "in_reply_to_user_id_str", "author", \.parentAuthor)
        case "created_at":
          sketch.createdAt =
            try reader.readStringIfPresent().flatMap(XVersion1Date.parse)?.seconds ?? sketch.createdAt
        case "full_text", "text":
          guard reader.nextKind() == .string else {
            try reader.skipValue()
            continue
          }
          hasText = true
          let begins = try reader.readStringBytes { $0.starts(with: "RT @".utf8) }
          sketch.isRepost = begins || sketch.isRepost
        case "edit_info":
          let ids = Set(try reader.readVersions())
          if ids.count > 1 { sketch.versions = ids.sorted() }
        case "entities": sketch.media = try reader.readMediaNames()
        case "extended_entities":
          let media = try reader.readMediaNames()
          extendedMedia = media.isEmpty ? extendedMedia : media
        default: try reader.skipValue()
        }
      }
    }

    private mutating func readID(
      _ reader: inout JSONReader, _ isString: Bool, _ name: String,
      _ field: WritableKeyPath<PostSketch, UInt64>
    ) throws(JSONError) {
      guard let id = try reader.readID(), isString || !stringMembers.contains(name) else { return }
      sketch[keyPath: field] = id
      if isString { stringMembers.insert(name) }
    }
  }
}

extension JSONReader {
  /// An id: a string of digits, in older archives a number; `nil` for all else, null among it.
  fileprivate mutating func readID() throws(JSONError) -> UInt64? {
    switch nextKind() {
    case .string:
      let text = try readString()
      return XID.isValid(text) && !text.hasPrefix("0") ? UInt64(text) : nil
    case .number:
      guard case .integer(let number) = try readValue(), number > 0 else { return nil }
      return UInt64(number)
    default:
      try skipValue()
      return nil
    }
  }

  fileprivate mutating func readStringIfPresent() throws(JSONError) -> String? {
    guard nextKind() == .string else {
      try skipValue()
      return nil
    }
    return try readString()
  }

  /// The ids in any `editTweetIds` of an `edit_info`, whose shape has varied.
  fileprivate mutating func readVersions() throws(JSONError) -> [UInt64] {
    guard nextKind() == .object else {
      try skipValue()
      return []
    }
    var ids: [UInt64] = []
    try beginObject()
    while let key = try nextKey() {
      if key == "editTweetIds", nextKind() == .array {
        ids += try readArray { item throws(JSONError) in try item.readID() }.compactMap { $0 }
      } else {
        ids += try readVersions()
      }
    }
    return ids
  }

  /// The names of the files of `media` in a set of entities.
  fileprivate mutating func readMediaNames() throws(JSONError) -> [[String]] {
    guard nextKind() == .object else {
      try skipValue()
      return []
    }
    var names: [[String]] = []
    try beginObject()
    while let key = try nextKey() {
      if key == "media", nextKind() == .array {
        try beginArray()
        while try nextElement() {
          if nextKind() == .object { names.append(try readNames()) } else { try skipValue() }
        }
      } else {
        try skipValue()
      }
    }
    return names
  }

  private mutating func readNames() throws(JSONError) -> [String] {
    guard case .object(let members) = try readValue() else { return [] }
    return MediaNames.names(of: members)
  }
}
