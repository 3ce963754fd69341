package import ThreadModel

/// Finds the conversations that are the same, among those of many files and of the store, and merges them, on networks whose replies name
/// the post that they answer and the first post of the conversation.
///
/// A reply need not name both. Only all posts together determine the author of the first post. The result depends on the facts alone:
/// neither on their order nor on how many of them were already in the store.
package struct ConversationPlacement: Sendable {
  /// Whether an id is one of the network's, unlike that of a post that the owner leaves out.
  private let isPost: @Sendable (PostID) -> Bool
  /// Whether a tombstone states that posts must not be shown although a source has them.
  private let hides: @Sendable (Tombstone) -> Bool

  package init(
    isPost: @escaping @Sendable (PostID) -> Bool, hides: @escaping @Sendable (Tombstone) -> Bool
  ) {
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
  /// - Parameters:
  ///   - authors: the authors of the parts; `nil` for those that the parts name. One part without an author can so stand for a part per
  ///     author, each of which would have all its posts.
  ///   - chosen: authors whose own conversation stays, even if another author began it.
  package func resolve(
    _ parts: [Conversation], as id: PostID, by authors: Set<AuthorID>? = nil,
    keeping chosen: Set<AuthorID> = []
  ) -> [Conversation] {
    var pool = ConversationPool(parts, as: id)
    // The posts that any source states as hidden. Few sources have a time, so that a later one cannot show a post again.
    let hidden = pool.tombstones.values.filter(hides)
    pool.remove(hidden.map(\.id))
    pool.place()
    let all = authors ?? Set(parts.map(\.authorID))
    let writers = all.filter { pool.hasPosts(by: $0) }
    // If all posts are hidden, the conversation remains, so that another source does not show them.
    let owners = writers.isEmpty ? all : writers
    let starter = pool.posts[id].flatMap { owners.contains($0.authorID) ? $0.authorID : nil }
    let shown = starter.map { chosen.intersection(owners).union([$0]) } ?? owners
    // The tombstone of each hidden post is in one conversation. If it were in all, the number of tombstones would grow with the square of their
    // number. A chosen conversation also keeps those of its posts, because it may be fetched again.
    let hiddenIDs = Set(hidden.map(\.id))
    let keeper = starter ?? owners.min()
    let kept = Dictionary(grouping: hidden) { stone in
      stone.authorID.flatMap { shown.contains($0) ? $0 : nil } ?? keeper
    }
    let sources = Self.joined(parts.flatMap(\.provenance), id)
    return shown.sorted().map { owner in
      let isWhole = owner == starter
      var gone = isWhole ? hiddenIDs : Set((kept[owner] ?? []).map(\.id))
      if !isWhole, chosen.contains(owner) {
        gone.formUnion(hiddenIDs.intersection(pool.known(toPartsOf: owner)))
      }
      var view = pool.view(of: owner, isWhole: isWhole, tombstonesOf: gone)
      // Without its author's conversation, the first post stays in each other one, even if the posts between are unknown.
      if starter == nil, pool.members.contains(id), let first = pool.posts[id],
        !view.posts.contains(where: { $0.id == id })
      {
        view.posts.append(first)
      }
      view.provenance = sources
      // Merging with an empty conversation sorts every list.
      return Conversation(id: id, authorID: owner).merged(with: view)
    }
  }

  /// Returns the first and the last time of each source, as in each conversation. So their number does not grow with the parts.
  private static func joined(_ provenance: [Provenance], _ id: PostID) -> [Provenance] {
    let empty = Conversation(id: id, authorID: AuthorID("", on: id.platform))
    var all = empty
    all.provenance = provenance
    return empty.merged(with: all).provenance
  }
}
