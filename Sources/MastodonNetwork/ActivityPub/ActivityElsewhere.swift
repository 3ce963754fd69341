import ThreadModel

/// Posts and accounts of other servers, by the names that they have among those of the server where a thread is read.
struct ActivityElsewhere: Sendable {
  var posts: [String: PostID] = [:]
  var authors: [String: AuthorID] = [:]

  var isEmpty: Bool { posts.isEmpty && authors.isEmpty }

  func id(_ id: PostID) -> PostID { posts[id.value] ?? id }
  func id(_ id: AuthorID) -> AuthorID { authors[id.value] ?? id }

  /// A conversation with the ids that posts and accounts have on their own servers.
  func named(_ conversation: Conversation) -> Conversation {
    guard !isEmpty else { return conversation }
    func named(_ post: Post) -> Post {
      var facts = post.facts
      facts.id = id(facts.id)
      facts.authorID = id(facts.authorID)
      facts.inReplyTo = facts.inReplyTo.map(id)
      facts.inReplyToAuthor = facts.inReplyToAuthor.map(id)
      facts.quotes = facts.quotes.map(id)
      return Post(facts)
    }
    var result = conversation
    result.posts = result.posts.map(named)
    result.related = result.related.map(named)
    for index in result.authors.indices { result.authors[index].id = id(result.authors[index].id) }
    for index in result.tombstones.indices {
      result.tombstones[index].id = id(result.tombstones[index].id)
      result.tombstones[index].authorID = result.tombstones[index].authorID.map(id)
    }
    // A merge with nothing sorts every list.
    return Conversation(id: result.id, authorID: result.authorID).merged(with: result)
  }
}
