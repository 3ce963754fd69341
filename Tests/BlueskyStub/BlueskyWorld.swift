package import Basics

/// The accounts and posts of the stub of Bluesky, in the format of records.
package struct BlueskyWorld: Sendable {
  package struct Account: Sendable {
    package var did: String
    package var handle: String
    package var name: String
    /// The names of the account's labels.
    package var labels: [String] = []
    /// The error of `getProfile`, for accounts that no longer exist.
    package var refusal: (error: String, message: String)?

    package init(_ did: String, _ handle: String, _ name: String) {
      self.did = did
      self.handle = handle
      self.name = name
    }
  }

  package struct Post: Sendable {
    package var did: String
    package var key: String
    package var record: JSONValue
    package var labels: [String] = []
    /// Whether the post is deleted: the post and its replies are then not in a tree of replies.
    package var isDeleted = false
    /// Whether the post is hidden in the tree of replies, as by a threadgate. It can still be requested by
    /// its URI.
    package var isHiddenInTree = false

    package var uri: String { "at://\(did)/app.bsky.feed.post/\(key)" }
    package var parent: String? { record["reply"]?["parent"]?["uri"]?.string }
    package var root: String { record["reply"]?["root"]?["uri"]?.string ?? uri }
  }

  package var accounts: [Account] = []
  package var posts: [Post] = []

  package init() {}

  package func account(_ name: String) -> Account? {
    accounts.first { $0.did == name || $0.handle == name.lowercased() }
  }

  package func post(_ uri: String) -> Post? { posts.first { $0.uri == uri } }

  /// Adds a post.
  ///
  /// - Parameters:
  /// - second: the time of the post, in seconds since 2026-03-01; its key sorts by this time.
  /// - parent: the URI of the post that it answers.
  /// - more: further members of the record.
  @discardableResult
  package mutating func add(
    _ text: String, by did: String, at second: Int, answering parent: String? = nil,
    _ more: [String: JSONValue] = [:]
  ) -> String {
    var record: [String: JSONValue] = [
      "$type": "app.bsky.feed.post", "text": .string(text), "createdAt": .string(Self.date(second)),
      "langs": ["en"],
    ]
    if let parent {
      let root = post(parent)?.root ?? parent
      record["reply"] = ["root": Self.reference(root), "parent": Self.reference(parent)]
    }
    record.merge(more) { $1 }
    let post = Post(did: did, key: Self.key(second), record: .object(record))
    posts.append(post)
    return post.uri
  }

  package static func reference(_ uri: String) -> JSONValue {
    ["uri": .string(uri), "cid": .string(cid(uri))]
  }

  /// Returns 2026-03-01 plus a number of seconds, below one day, as a date in ISO 8601.
  package static func date(_ second: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2026-03-01T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).000Z"
  }

  /// Returns a TID: microseconds since 1970 and ten more bits, in a base 32 whose digits sort as numbers do.
  static func key(_ second: Int) -> String {
    let digits = Array("234567abcdefghijklmnopqrstuvwxyz")
    var number = UInt64(1_772_323_200 + second) * 1_000_000 << 10
    var text = ""
    for _ in 0..<13 {
      text = String(digits[Int(number & 31)]) + text
      number >>= 5
    }
    return text
  }

  /// Returns a text that looks like a CID; equal things give equal texts.
  package static func cid(_ thing: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in thing.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "bafyrei" + String(hash, radix: 32)
  }
}
