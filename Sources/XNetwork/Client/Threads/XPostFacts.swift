import ThreadModel

/// The few facts of a post that finding threads goes by.
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
  /// Ids of all versions, oldest first; empty where it was never edited.
  var versions: [String] = []
  var isRepost = false

  init(_ post: XPost) {
    id = post.id
    author = post.authorID
    // A post that answers nothing begins a conversation.
    conversation = post.conversationID ?? (post.isReply ? nil : post.id)
    parent = post.inReplyTo
    parentAuthor = post.inReplyToUser
    quoted = post.quoted
    mediaKeys = Set(post.mediaKeys)
    pollIDs = Set(post.pollIDs)
    versions = post.versions
    isRepost = post.isRepost
  }

  /// A post that was known before.
  init(_ post: Post, in conversation: String?) {
    id = post.id.value
    author = post.authorID.value
    self.conversation = post.conversationID?.value ?? conversation
    parent = post.inReplyTo?.value
    parentAuthor = post.inReplyToAuthor?.value
    quoted = post.quotes?.value
    versions = post.earlierVersions.isEmpty ? [] : post.earlierVersions.map(\.value) + [id]
  }

  /// With what another sighting adds.
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
