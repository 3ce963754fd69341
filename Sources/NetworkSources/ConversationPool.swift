package import ThreadModel

/// The combined contents of the parts of one conversation.
package struct ConversationPool {
  private let id: PostID
  package var posts: [PostID: Post] = [:]
  /// The posts of the conversation itself.
  package private(set) var members: Set<PostID> = []
  /// The same, by author.
  private var membersByAuthor: [AuthorID: [PostID]] = [:]
  /// The posts of the parts, by the author of the part.
  private var postsOfParts: [AuthorID: Set<PostID>] = [:]
  /// The posts of the tombstones of the parts, by the author of the part.
  private var tombstonesOfParts: [AuthorID: Set<PostID>] = [:]
  private var authors: [AuthorID: Author] = [:]
  package private(set) var tombstones: [PostID: Tombstone] = [:]

  package init(_ parts: [Conversation], as id: PostID) {
    self.id = id
    for part in parts {
      for post in part.posts {
        add(post)
        members.insert(post.id)
        postsOfParts[part.authorID, default: []].insert(post.id)
      }
      for post in part.related {
        add(post)
        if let said = post.conversationID, said == id || said == part.id { members.insert(post.id) }
      }
      for author in part.authors { authors[author.id] = authors[author.id]?.merged(with: author) ?? author }
      for stone in part.tombstones {
        tombstones[stone.id] = tombstones[stone.id]?.merged(with: stone) ?? stone
        tombstonesOfParts[part.authorID, default: []].insert(stone.id)
      }
    }
  }

  private mutating func add(_ post: Post) { posts[post.id] = posts[post.id]?.merged(with: post) ?? post }

  /// Removes posts from the conversation and from all its parts.
  package mutating func remove(_ hidden: some Sequence<PostID>) {
    for id in hidden {
      posts[id] = nil
      members.remove(id)
    }
  }

  /// Replaces posts, in the conversation and in all its parts, by other known posts.
  package mutating func replace(_ replacements: [PostID: PostID]) {
    func current(_ id: PostID) -> PostID { replacements[id] ?? id }
    for id in replacements.keys { posts[id] = nil }
    members = Set(members.map(current))
    postsOfParts = postsOfParts.mapValues { Set($0.map(current)) }
  }

  /// Sets this conversation for each post that is connected by replies to a post that names it.
  package mutating func place() {
    var ids = ConversationIDs<PostID>(<)
    var parents: [PostID: PostID] = [:]
    for member in members {
      guard let post = posts[member] else { continue }
      parents[member] = post.inReplyTo
      if post.conversationID != nil { ids.said[member] = id }
    }
    ids.resolve(parents)
    let nobody = AuthorID("", on: id.platform)
    membersByAuthor = Dictionary(grouping: members) { posts[$0]?.authorID ?? nobody }
    for member in members {
      let conversation = ids.known(member) == nil ? nil : id
      if posts[member]?.conversationID != conversation { posts[member]?.conversationID = conversation }
    }
    // The conversation is derived from all posts, so it has no time of observation.
    for (id, post) in posts where post.older["conversation_id"] != nil {
      posts[id]?.older["conversation_id"] = nil
    }
  }

  /// Returns the posts that an author's parts had, or had tombstones of, before any were removed.
  package func known(toPartsOf author: AuthorID) -> Set<PostID> {
    (postsOfParts[author] ?? []).union(tombstonesOfParts[author] ?? [])
  }

  package func hasPosts(by author: AuthorID) -> Bool { membersByAuthor[author] != nil }

  /// Returns an author's conversation without its sources, from the contents of all parts. Its lists are not sorted.
  ///
  /// - Parameters:
  ///   - isWhole: whether it has all posts. Otherwise it has the author's posts, the posts that these answer, and the posts of the author's
  ///     parts.
  ///   - gone: posts whose tombstones it has even if none of its posts refers to them.
  package func view(of owner: AuthorID, isWhole: Bool, tombstonesOf gone: Set<PostID>) -> Conversation {
    var view = Conversation(id: id, authorID: owner)
    view.posts = (isWhole ? members : chains(of: owner).union(postsOfParts[owner] ?? [])).compactMap {
      posts[$0]
    }
    view.related = ConversationReferences.quoted(by: view.posts) { posts[$0] }
    let shown = view.posts + view.related
    var missing = gone
    for post in shown {
      for reference in [post.inReplyTo, post.quotes] { if let reference { missing.insert(reference) } }
    }
    // A source has the post if any part has it.
    view.tombstones = missing.filter { posts[$0] == nil }.compactMap { tombstones[$0] }
    view.authors = ConversationReferences.people(in: shown, by: owner).compactMap { authors[$0] }
    return view
  }

  private func chains(of owner: AuthorID) -> Set<PostID> {
    ConversationReferences.above(membersByAuthor[owner] ?? []) { posts[$0]?.inReplyTo }
  }
}
