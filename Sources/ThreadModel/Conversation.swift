/// The facts known about one author's thread and the posts that it refers to, in no particular order.
///
/// Sources produce conversations, the store keeps them, and unrolling reads only them. Posts refer to each other by id; the post for an id is in
/// `posts` or in `related`, or, if it is missing, in `tombstones`.
package struct Conversation: Hashable, Sendable {
  /// The id of the conversation's first post, by any author.
  package var id: PostID
  /// The author of the thread: the first post's author, or a person whose own chain is part of another author's conversation.
  package var authorID: AuthorID
  /// The posts of the conversation, by its author and by others.
  package var posts: [Post]
  /// Other posts that `posts` refer to: quoted posts, and the post that the first post answers.
  package var related: [Post]
  package var authors: [Author]
  package var tombstones: [Tombstone]
  package var provenance: [Provenance]
  package var coverage: Coverage

  package init(id: PostID, authorID: AuthorID) {
    self.id = id
    self.authorID = authorID
    self.posts = []
    self.related = []
    self.authors = []
    self.tombstones = []
    self.provenance = []
    self.coverage = Coverage()
  }

  package var platform: Platform { id.platform }

  /// The author of the thread, if their profile is known.
  package var author: Author? { authors.first { $0.id == authorID } }
}

extension Conversation {
  /// Returns the conversation with one account's id replaced by another id everywhere.
  package func renaming(_ old: AuthorID, to new: AuthorID) -> Conversation {
    func named(_ id: AuthorID) -> AuthorID { id == old ? new : id }
    var result = self
    result.authorID = named(authorID)
    for index in result.posts.indices { result.posts[index].rename(named) }
    for index in result.related.indices { result.related[index].rename(named) }
    for index in result.authors.indices { result.authors[index].id = named(result.authors[index].id) }
    for index in result.tombstones.indices {
      result.tombstones[index].authorID = result.tombstones[index].authorID.map(named)
    }
    // Merging into an empty conversation joins duplicate entries and sorts all of them.
    return Conversation(id: result.id, authorID: result.authorID).merged(with: result)
  }
}

extension Conversation {
  /// Returns the same posts as a part of the conversation with another id.
  package func moved(to id: PostID) -> Conversation {
    var moved = self
    moved.id = id
    for index in moved.posts.indices { moved.posts[index].conversationID = id }
    return moved
  }
}

extension Post {
  fileprivate mutating func rename(_ named: (AuthorID) -> AuthorID) {
    change { facts in
      facts.authorID = named(facts.authorID)
      facts.inReplyToAuthor = facts.inReplyToAuthor.map(named)
    }
  }
}

extension Conversation {
  /// Whether posts of the author were removed here after the network removed them.
  package var hasRemovedPosts: Bool {
    tombstones.contains { $0.removedAt != nil && $0.authorID == authorID }
  }

  /// Returns the conversation without the profiles of people whose accounts were closed.
  package func forgetting(_ gone: [AuthorID: Removal]) -> Conversation {
    var result = self
    result.authors = authors.map { author in
      guard let removal = gone[author.id], !author.isGone else { return author }
      return author.removed(removal)
    }
    return result
  }
}

extension Conversation: StoredRecord {
  package static let noun = "conversation"
  package static func blank(on platform: Platform) -> Self {
    Self(id: PostID("", on: platform), authorID: AuthorID("", on: platform))
  }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("author_id", \.authorID, .required)
    try visitor.field("authors", \.authors)
    try visitor.field("coverage", \.coverage)
    try visitor.field("format", \.formatMember)
    try visitor.field("id", \.id, .required)
    try visitor.field("platform", \.platformMember)
    try visitor.field("posts", \.posts)
    try visitor.field("provenance", \.provenance)
    try visitor.field("related", \.related)
    try visitor.field("tombstones", \.tombstones)
  }
}
