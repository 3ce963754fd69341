import Basics
import ThreadModel

/// The facts of a post that are needed to find threads.
struct XPostFacts: Sendable, Hashable {
  var id: String
  var author: String?
  /// The id of the conversation's first post.
  var conversation: String?
  var parent: String?
  var parentAuthor: String?
  var quoted: String?
  var mediaKeys: Set<String> = []
  var pollIDs: Set<String> = []
  /// The ids of all versions, oldest first; empty if the post was never edited.
  var versions: [String] = []
  var isRepost = false

  init(_ post: XPost) {
    id = post.id
    author = post.authorID
    // A post that is not a reply begins a conversation.
    conversation = post.conversationID ?? (post.isReply ? nil : post.id)
    parent = post.inReplyTo
    parentAuthor = post.inReplyToUser
    quoted = post.quoted
    mediaKeys = Set(post.mediaKeys)
    pollIDs = Set(post.pollIDs)
    versions = post.versions
    isRepost = post.isRepost
  }

  /// Creates the facts of a known post.
  init(_ post: Post, in conversation: String?) {
    id = post.id.value
    author = post.authorID.value
    self.conversation = post.conversationID?.value ?? conversation
    parent = post.inReplyTo?.value
    parentAuthor = post.inReplyToAuthor?.value
    quoted = post.quotes?.value
    versions = post.earlierVersions.isEmpty ? [] : post.earlierVersions.map(\.value) + [id]
  }

  /// Adds the facts of another observation.
  func merged(with other: XPostFacts) -> XPostFacts {
    var result = other
    result.author = other.author ?? author
    result.conversation = other.conversation ?? conversation
    result.parent = other.parent ?? parent
    result.parentAuthor = other.parentAuthor ?? parentAuthor
    result.quoted = other.quoted ?? quoted
    result.mediaKeys.formUnion(mediaKeys)
    result.pollIDs.formUnion(pollIDs)
    if other.versions.count < versions.count { result.versions = versions }
    result.isRepost = other.isRepost || isRepost
    return result
  }
}

extension Post {
  /// Whether the response contained everything that the post shows: its author, its media, its poll.
  func isWhole(in conversation: Conversation) -> Bool {
    guard conversation.authors.contains(where: { $0.id == authorID && $0.handle != nil }) else {
      return false
    }
    return !lacksPoll
      && media.allSatisfy { $0.url != nil || $0.posterURL != nil || $0.file != nil || !$0.variants.isEmpty }
  }

  /// Whether its text or its poll may have changed since the post was seen.
  ///
  /// Posts can be edited until `edit_controls.editable_until` (30 minutes), polls get votes until they end. Counts of likes
  /// change all the time and are no reason for a request.
  func mayHaveChanged(by now: Timestamp) -> Bool {
    guard let seen = observedAt else { return false }
    if let until = editableUntil, seen < until { return true }
    guard let poll, poll.status != .closed else { return false }
    return poll.endsAt.map { seen < $0 } ?? true
  }

  private var editableUntil: Timestamp? {
    extra["edit_controls"]?["editable_until"]?.string.flatMap { Timestamp(iso8601: $0) }
  }
}
