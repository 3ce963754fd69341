import BlueskyNetwork
import ThreadModel

extension FuzzTarget {
  /// Repositories of Bluesky accounts: the file, and separately the encoding of its blocks, because mutations
  /// of the file fail at the digests.
  static let repository = FuzzTarget(
    "repository",
    dictionary: [
      "roots", "version", "data", "prev", "app.bsky.feed.post/", "app.bsky.actor.profile/self", "$type",
      "text", "reply",
      "parent", "facets", "byteStart", "embed", "\u{1}q\u{12} ", "at://did:plc:",
    ], maximumLength: 16 << 10, openers: [[0x81], [0xA1, 0x61, 0x61]], testRuns: 600
  ) { bytes in
    try require(BlueskyRepositoryFile.parts(of: bytes) <= bytes.count, "more values than bytes")
    for conversation in BlueskyRepositoryFile.conversations(in: bytes) ?? [] {
      try require(
        conversation.posts.allSatisfy { $0.authorID == conversation.authorID }, "a post of somebody else")
      try StoredForm.check(conversation)
    }
  }
}
