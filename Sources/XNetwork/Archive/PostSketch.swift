import Basics
import ThreadModel

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
  /// Ids of the posts that its links lead to, in any place: one of them may be quoted.
  var linked: [UInt64] = []
  /// For each of its media the names under which the archive may have it, best first.
  var media: [[String]] = []

  var time: Timestamp? { createdAt.map { Timestamp(seconds: $0) } ?? XID.time(String(id)) }
}

extension PostSketch {
  /// Reads an element of a file of posts, in its wrapper `{"tweet": …}` or without; the id is 0 where there is none, or no text, so
  /// that what is no post counts as unreadable.
  ///
  /// - Parameters:
  ///   - links: takes what the post says of short links that somebody wants to know.
  ///   - needsText: whether what has no text is no post; a post that is to be left out is one all the same.
  init(
    reading reader: inout JSONReader, links: inout ShortLinks, needsText: Bool = true
  ) throws(JSONError) {
    var reading = Reading()
    try reading.readMembers(&reader, isWrapper: true)
    self = reading.sketch
    for link in reading.links { linked += links.take(link.short, link.long) }
    if needsText, !reading.hasText { id = 0 }
    if let extended = reading.extendedMedia { media = extended }
  }

  /// A sketch while its element is read. Of a member that stands in two forms, that in digits of a string counts, as numbers may
  /// have been rounded.
  private struct Reading {
    var sketch = PostSketch()
    var hasText = false
    /// Media of `extended_entities`, which has all where `entities` has the first.
    var extendedMedia: [[String]]?
    /// Links of the text, as `entities` has them.
    var links: [(short: String, long: String)] = []
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
        case "quoted_status_id_str", "quoted_status_id":
          if let id = try reader.readID() { sketch.linked.append(id) }
        case "entities": sketch.media = try reader.readEntities { links.append(($0, $1)) }
        case "extended_entities":
          let media = try reader.readEntities { _, _ in }
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
  ///
  /// - Parameter link: called with each of its links, the short one and what it stands for.
  fileprivate mutating func readEntities(
    _ link: (_ short: String, _ long: String) -> Void
  ) throws(JSONError) -> [[String]] {
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
      } else if key == "urls", nextKind() == .array {
        try beginArray()
        while try nextElement() {
          if nextKind() == .object { try readLink(link) } else { try skipValue() }
        }
      } else {
        try skipValue()
      }
    }
    return names
  }

  private mutating func readLink(_ body: (String, String) -> Void) throws(JSONError) {
    var short: String?
    var long: String?
    try beginObject()
    while let key = try nextKey() {
      switch key {
      case "url": short = try readStringIfPresent()
      case "expanded_url": long = try readStringIfPresent()
      default: try skipValue()
      }
    }
    if let short, let long { body(short, long) }
  }

  private mutating func readNames() throws(JSONError) -> [String] {
    guard case .object(let members) = try readValue() else { return [] }
    return MediaNames.names(of: members)
  }
}

/// What short links stand for, as far as posts say: a profile has its own without their targets.
struct ShortLinks: Sendable {
  /// The short links that are looked for.
  var wanted: Set<String> = []
  private(set) var targets: [String: String] = [:]

  /// Takes a link of a post; gives the id of the post that it leads to, if it leads to one.
  mutating func take(_ short: String, _ long: String) -> [UInt64] {
    if wanted.contains(short), targets[short] == nil, WebAddress.isSafe(long) { targets[short] = long }
    guard let post = XURL.post(long), !post.isMedia else { return [] }
    return UInt64(post.id).map { [$0] } ?? []
  }

  /// The short links in a text.
  static func find(in text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).compactMap { word in
      guard let found = word.firstRange(of: "https://t.co/") else { return nil }
      let name = word[found.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      return name.isEmpty ? nil : String(word[found.lowerBound..<name.endIndex])
    }
  }
}
