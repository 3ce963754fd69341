/// What is known of one author's thread and of what it touches: facts, in no particular order.
///
/// A value of this type is what a source gives, what the store keeps, and all that unrolling sees. Posts refer to each
/// other by id; what an id leads to is in `posts`, in `related` or, where it is missing, in `tombstones`.
package struct Conversation: Hashable, Sendable {
  /// The id of the conversation's first post, whoever wrote it.
  package var id: PostID
  /// Whose thread this is: the first post's author, or somebody whose own chain stands in another's conversation.
  package var authorID: AuthorID
  /// The posts of the conversation, by its author and by others.
  package var posts: [Post]
  /// Posts from elsewhere that these refer to: quoted ones, and the one that the first post answers.
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

  /// The author of the thread, where their profile is known.
  package var author: Author? { authors.first { $0.id == authorID } }
}

extension Conversation {
  /// The same with an account under another id, wherever it is named.
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
    // A merge with nothing joins what is there twice now, and sorts.
    return Conversation(id: result.id, authorID: result.authorID).merged(with: result)
  }
}

extension Post {
  fileprivate mutating func rename(_ named: (AuthorID) -> AuthorID) {
    authorID = named(authorID)
    inReplyToAuthor = inReplyToAuthor.map(named)
  }
}

extension Conversation {
  /// Whether posts of the author's were removed after their network did so.
  package var hasRemovedPosts: Bool {
    tombstones.contains { $0.removedAt != nil && $0.authorID == authorID }
  }

  /// The conversation without what is known of people whose accounts were closed.
  package func forgetting(_ gone: [AuthorID: Departure]) -> Conversation {
    var result = self
    result.authors = authors.map { author in
      guard let departure = gone[author.id], !author.isGone else { return author }
      return author.departed(departure)
    }
    return result
  }
}
