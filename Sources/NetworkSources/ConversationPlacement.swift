package import ThreadModel

/// Finds the conversations that are the same, among those of many files and of the store, and merges them, on networks whose replies name
/// the post that they answer and the first post of the conversation.
///
/// A reply need not name both. Only all posts together determine the author of the first post. The result depends on the facts alone:
/// neither on their order nor on how many of them were already in the store.
package struct ConversationPlacement: Sendable {
  private let platform: Platform
  /// Whether an id is one of the network's, unlike that of a post that the owner leaves out.
  private let isPost: @Sendable (PostID) -> Bool
  /// Whether a tombstone states that posts must not be shown although a source has them.
  private let hides: @Sendable (Tombstone) -> Bool

  package init(
    on platform: Platform, isPost: @escaping @Sendable (PostID) -> Bool,
    hides: @escaping @Sendable (Tombstone) -> Bool
  ) {
    self.platform = platform
    self.isPost = isPost
    self.hides = hides
  }

  /// The facts about a conversation that determine which other conversations are the same.
  package struct Summary: Sendable {
    fileprivate struct PostSummary: Sendable {
      var id: PostID
      var parent: PostID?
      var conversation: PostID?

      init(_ post: Post) {
        (id, parent, conversation) = (post.id, post.inReplyTo, post.conversationID)
      }
    }

    fileprivate var id: PostID
    fileprivate var posts: [PostSummary]
    /// The posts that are only shown in the conversation, if they state their conversation.
    fileprivate var related: [PostSummary]
    /// Whether a post in the conversation states its id. Otherwise the id is that of a post whose conversation may be known elsewhere.
    fileprivate var isSaid: Bool
  }

  package func summary(of conversation: Conversation) -> Summary {
    func summaries(_ posts: [Post]) -> [Summary.PostSummary] {
      posts.filter { isPost($0.id) }.map(Summary.PostSummary.init)
    }
    return Summary(
      id: conversation.id, posts: summaries(conversation.posts),
      related: summaries(conversation.related.filter { $0.conversationID != nil }),
      isSaid: conversation.posts.contains { $0.conversationID == conversation.id })
  }

  /// Returns the groups of conversations that are the same, sorted by id.
  package func groups(_ summaries: [Summary]) -> [ConversationGroup] {
    var ids = ConversationIDs<PostID>(<)
    var parents: [PostID: PostID] = [:]
    for post in summaries.lazy.flatMap({ [$0.posts, $0.related].joined() }) {
      if let parent = post.parent { parents[post.id] = parents[post.id].map { max($0, parent) } ?? parent }
      if let said = post.conversation { ids.said[post.id] = ids.said[post.id].map { min($0, said) } ?? said }
    }
    ids.resolve(parents)
    var members: [PostID: [Int]] = [:]
    for (position, summary) in summaries.enumerated() {
      let first = summary.posts.lazy.map(\.id).min()
      let id = summary.isSaid ? summary.id : ids.conversation(first ?? summary.id)
      members[id, default: []].append(position)
    }
    return members.map { ConversationGroup(id: $0, members: $1) }.sorted { $0.id < $1.id }
  }

  /// Merges parts of one conversation, sorted by author. If a part belongs to the author who began the conversation, the result is that
  /// author's conversation with the posts of all authors. Otherwise the result is one conversation for each author of a part, with the
  /// author's posts, the posts above that these answer, and the other posts of the author's parts.
  ///
  /// - Parameter chosen: authors whose own conversation stays, even if another author began it.
  package func resolve(
    _ parts: [Conversation], as id: PostID, keeping chosen: Set<AuthorID> = []
  ) -> [Conversation] {
    let pool = Pool(parts, id, self)
    let all = Set(parts.map(\.authorID))
    let writers = all.filter(pool.hasPosts)
    // If all posts are hidden, the conversation remains, so that another source does not show them.
    let owners = writers.isEmpty ? all : writers
    if let starter = pool.posts[id]?.authorID, owners.contains(starter) {
      return chosen.intersection(owners).union([starter]).sorted().map {
        pool.view(of: $0, isWhole: $0 == starter)
      }
    }
    return owners.sorted().map { pool.view(of: $0, isWhole: false) }
  }

  /// The combined contents of the parts of one conversation.
  private struct Pool {
    let id: PostID
    let placement: ConversationPlacement
    private(set) var posts: [PostID: Post] = [:]
    /// The posts of the conversation itself.
    private var members: Set<PostID> = []
    private var membersByAuthor: [AuthorID: [PostID]] = [:]
    /// The posts of the parts, by the author of the part.
    private var postsOfParts: [AuthorID: Set<PostID>] = [:]
    private var authors: [AuthorID: Author] = [:]
    private var tombstones: [PostID: Tombstone] = [:]
    private let provenance: [Provenance]

    init(_ parts: [Conversation], _ id: PostID, _ placement: ConversationPlacement) {
      self.id = id
      self.placement = placement
      provenance = parts.flatMap(\.provenance)
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
        }
      }
      removeHidden()
      place()
    }

    private mutating func add(_ post: Post) { posts[post.id] = posts[post.id]?.merged(with: post) ?? post }

    /// Removes the posts that any source states as hidden. Few sources have a time, so that a later one cannot show a post again.
    private mutating func removeHidden() {
      for id in hidden {
        posts[id] = nil
        members.remove(id)
        for owner in postsOfParts.keys { postsOfParts[owner]?.remove(id) }
      }
    }

    private var hidden: [PostID] { tombstones.values.filter(placement.hides).map(\.id) }

    /// Sets this conversation for each post that is connected by replies to a post that names it.
    private mutating func place() {
      var ids = ConversationIDs<PostID>(<)
      var parents: [PostID: PostID] = [:]
      for id in members {
        guard let post = posts[id] else { continue }
        parents[id] = post.inReplyTo
        if post.conversationID != nil { ids.said[id] = self.id }
      }
      ids.resolve(parents)
      let nobody = AuthorID("", on: placement.platform)
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

    func hasPosts(by author: AuthorID) -> Bool { membersByAuthor[author] != nil }

    /// Returns an author's conversation, from the contents of all parts.
    ///
    /// - Parameter isWhole: whether it has all posts. Otherwise it has the author's posts, the posts that these answer, and the posts of the
    ///   author's parts.
    func view(of owner: AuthorID, isWhole: Bool) -> Conversation {
      var view = Conversation(id: id, authorID: owner)
      let shown = isWhole ? members : chains(of: owner).union(postsOfParts[owner] ?? [])
      view.posts = shown.compactMap { posts[$0] }
      view.related = ConversationReferences.quoted(by: view.posts) { posts[$0] }
      let all = view.posts + view.related
      var missing = Set(hidden)
      for post in all { missing.formUnion([post.inReplyTo, post.quotes].compactMap(\.self)) }
      view.tombstones = missing.filter { posts[$0] == nil }.compactMap { tombstones[$0] }
      view.authors = ConversationReferences.people(in: all, by: owner).compactMap { authors[$0] }
      view.provenance = provenance
      // Merging with an empty conversation sorts every list.
      return Conversation(id: id, authorID: owner).merged(with: view)
    }

    private func chains(of owner: AuthorID) -> Set<PostID> {
      ConversationReferences.above(membersByAuthor[owner] ?? []) { posts[$0]?.inReplyTo }
        .filter { posts[$0] != nil }
    }
  }
}
