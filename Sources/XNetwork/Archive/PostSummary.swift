import Basics
import ThreadModel

/// The data that determine a post's thread. The summaries of 100,000 posts take a few megabytes.
struct PostSummary: Sendable {
  var id: UInt64 = 0
  /// The id of the post that it answers; 0 if it is not a reply.
  var parent: UInt64 = 0
  /// The id of the account that it answers; 0 if it is not a reply.
  var parentAuthor: UInt64 = 0
  /// The ids of all versions of an edited post; empty if it was not edited.
  var versions: [UInt64] = []
  /// Seconds since 1970; `nil` if the post has no time.
  var createdAt: Int64?
  /// Whether the post repeats another account's post. This is judged by its text, because archives do not state it.
  var isRepost = false
  /// The ids of all posts to which it links. It may quote one of them.
  var linked: [UInt64] = []
  /// The possible file names in the archive of each media item, best first.
  var media: [[String]] = []

  var time: Timestamp? { createdAt.map { Timestamp(seconds: $0) } ?? XID.time(String(id)) }
}

extension PostSummary {
  /// Reads an element of a file of posts, with or without the wrapper `{"tweet": …}`. If the id or the text is missing, the id is 0, so
  /// that the element counts as unreadable.
  ///
  /// - Parameters:
  ///   - links: collects the targets of the wanted short links.
  ///   - needsText: whether an element without text is invalid. Posts that are left out need no text.
  init(
    reading reader: inout JSONReader, links: inout ShortLinks, needsText: Bool = true
  ) throws(JSONError) {
    var reading = Reading()
    try reading.readMembers(&reader, isWrapper: true)
    self = reading.summary
    for link in reading.links { linked += links.take(link.short, link.long) }
    if needsText, !reading.hasText { id = 0 }
    if let extended = reading.extendedMedia { media = extended }
  }

  /// A summary while its element is read. If a member has two forms, the string of digits is used, because numbers may have been rounded.
  private struct Reading {
    var summary = PostSummary()
    var hasText = false
    /// The media of `extended_entities`, which has all of them; `entities` has only the first.
    var extendedMedia: [[String]]?
    /// The links of the text according to `entities`.
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
          // Other members of the wrapper do not belong to the post.
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
          summary.createdAt =
            try reader.readStringIfPresent().flatMap(XVersion1Date.parse)?.seconds ?? summary.createdAt
        case "full_text", "text":
          guard reader.nextKind() == .string else {
            try reader.skipValue()
            continue
          }
          hasText = true
          let begins = try reader.readStringBytes { $0.starts(with: "RT @".utf8) }
          summary.isRepost = begins || summary.isRepost
        case "edit_info":
          let ids = Set(try reader.readVersions())
          if ids.count > 1 { summary.versions = ids.sorted() }
        case "quoted_status_id_str", "quoted_status_id":
          if let id = try reader.readID() { summary.linked.append(id) }
        case "entities": summary.media = try reader.readEntities { links.append(($0, $1)) }
        case "extended_entities":
          let media = try reader.readEntities { _, _ in }
          extendedMedia = media.isEmpty ? extendedMedia : media
        default: try reader.skipValue()
        }
      }
    }

    private mutating func readID(
      _ reader: inout JSONReader, _ isString: Bool, _ name: String,
      _ field: WritableKeyPath<PostSummary, UInt64>
    ) throws(JSONError) {
      guard let id = try reader.readID(), isString || !stringMembers.contains(name) else { return }
      summary[keyPath: field] = id
      if isString { stringMembers.insert(name) }
    }
  }
}

extension JSONReader {
  /// Reads an id: a string of digits, in older archives a number; `nil` for all other values, including null.
  fileprivate mutating func readID() throws(JSONError) -> UInt64? {
    switch nextKind() {
    case .string:
      return XID.number(try readString())
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

  /// Reads the ids in any `editTweetIds` of an `edit_info`, whose structure has varied.
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

  /// Reads the names of the files of `media` in a set of entities.
  ///
  /// - Parameter link: called with each short link and its target.
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

/// The targets of short links, as far as posts contain them. A profile has short links without their targets.
struct ShortLinks: Sendable {
  /// The short links whose targets are wanted.
  var wanted: Set<String> = []
  private(set) var targets: [String: String] = [:]

  /// Records a link of a post; returns the id of the post that is its target, if any.
  mutating func take(_ short: String, _ long: String) -> [UInt64] {
    if wanted.contains(short), targets[short] == nil, WebAddress.isSafe(long) { targets[short] = long }
    guard let post = XURL.post(long), !post.isMedia else { return [] }
    return UInt64(post.id).map { [$0] } ?? []
  }

  /// Returns the short links in a text.
  static func find(in text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).compactMap { word in
      guard let found = word.firstRange(of: "https://t.co/") else { return nil }
      let name = word[found.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      return name.isEmpty ? nil : String(word[found.lowerBound..<name.endIndex])
    }
  }
}
