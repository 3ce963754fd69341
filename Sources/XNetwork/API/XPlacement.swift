package import NetworkSources
package import ThreadModel

/// Finds the conversations that are the same, among those of many responses and of the store.
///
/// Each response is converted separately into conversations (`XImporter`). Only all responses together determine which conversations are
/// the same and who their author is: a later response may contain the topmost post of a chain, a newer version of the first post, or the
/// thread to which other authors' replies belong. The result depends on the facts alone: neither on their order nor on how many of them
/// were already in the store.
package struct XPlacement: Sendable {
  /// The facts about a post that determine its conversation. Ids are numbers, because an import keeps one summary for each post.
  package struct PostSummary: Sendable {
    /// The number in place of a missing id.
    fileprivate static let none: UInt64 = 0

    var id: UInt64
    fileprivate var author: UInt64
    fileprivate var parent: UInt64
    fileprivate var conversation: UInt64
    fileprivate var earlierVersions: [UInt64]

    /// - Returns: `nil` for a post without an id of X, such as a post that the owner leaves out.
    init?(_ post: Post) {
      guard let id = XID.number(post.id.value) else { return nil }
      self.id = id
      author = XID.number(post.authorID.value) ?? Self.none
      parent = post.inReplyTo.flatMap { XID.number($0.value) } ?? Self.none
      conversation = post.conversationID.flatMap { XID.number($0.value) } ?? Self.none
      earlierVersions = post.earlierVersions.compactMap { XID.number($0.value) }
    }
  }

  /// The facts about a conversation that determine which other conversations are the same.
  package struct ConversationSummary: Sendable {
    /// `nil` if the conversation's id is not one of X.
    fileprivate var id: UInt64?
    fileprivate var posts: [PostSummary]
    /// The posts that are only shown in the conversation, such as quotes. A quoted post may be in the same conversation, and the merged
    /// conversation then contains it. So what these posts state counts as well.
    fileprivate var related: [PostSummary]
    /// Whether the conversation is empty or a post in it states its id. Otherwise the id only stands for an unknown conversation.
    fileprivate var isSaid: Bool

    package init(_ conversation: Conversation) {
      id = XID.number(conversation.id.value)
      posts = conversation.posts.compactMap(PostSummary.init)
      related = conversation.related.compactMap(PostSummary.init)
      isSaid =
        conversation.posts.isEmpty || conversation.posts.contains { $0.conversationID == conversation.id }
    }

    /// The posts that the conversation contains or shows.
    var shown: some Sequence<UInt64> { [posts, related].joined().lazy.map(\.id) }

    /// The posts whose statements determine conversations.
    fileprivate var stating: some Sequence<PostSummary> {
      [posts, related.filter { $0.conversation != PostSummary.none }].joined()
    }
  }

  /// Sorted by id.
  package private(set) var groups: [ConversationGroup] = []
  private var conversationIDs = ConversationIDs<UInt64>(<)
  private var versions = XVersions()

  /// Joins conversations.
  package init(_ summaries: [ConversationSummary]) {
    versions = XVersions(summaries.lazy.flatMap(\.stating))
    var parents: [UInt64: UInt64] = [:]
    for post in summaries.lazy.flatMap(\.stating) {
      let id = versions.current(post.id)
      if post.parent != PostSummary.none {
        parents[id] = max(parents[id] ?? 0, versions.current(post.parent))
      }
      if post.conversation != PostSummary.none {
        conversationIDs.said[id] = min(
          conversationIDs.said[id] ?? .max, versions.current(post.conversation))
      }
    }
    conversationIDs.resolve(parents)
    var members: [UInt64: [Int]] = [:]
    for (position, summary) in summaries.enumerated() {
      let first = summary.posts.lazy.map(\.id).min()
      let id =
        summary.isSaid
        ? summary.id.map(versions.current)
        : first.map { conversationIDs.conversation(versions.current($0)) } ?? summary.id
      // A conversation without an id of X is not the same as any other.
      if let id { members[id, default: []].append(position) }
    }
    groups = members.map { ConversationGroup(id: PostID(String($0), on: .x), members: $1) }
      .sorted { $0.id < $1.id }
  }

  /// Returns whether any post states the conversation of this post.
  func isPlaced(_ id: String) -> Bool {
    XID.number(id).map { conversationIDs.known(versions.current($0)) != nil } ?? false
  }
}

/// The newest id of each post, based on many conversations together.
struct XVersions: Sendable {
  private var versions = PostVersions<UInt64>(<)

  init() {}

  /// Links the versions. An earlier version must be by the same author, if it is among the posts.
  init(_ posts: some Sequence<XPlacement.PostSummary>) {
    let claims = posts.filter { !$0.earlierVersions.isEmpty }
    guard !claims.isEmpty else { return }
    let claimed = Set(claims.lazy.flatMap(\.earlierVersions))
    var authors: [UInt64: UInt64] = [:]
    for post in posts where claimed.contains(post.id) { authors[post.id] = post.author }
    for post in claims {
      versions.add(post.earlierVersions, replacedBy: post.id) {
        authors[$0].map { $0 == post.author } ?? true
      }
    }
    versions.resolve()
  }

  func current(_ id: UInt64) -> UInt64 { versions.latest(id) }

  var isEmpty: Bool { versions.isEmpty }
}

// MARK: Merging

extension Conversation {
  /// Whether the user requested this author's thread, by fetching it or by importing the author's archive. It then stays a thread, even if
  /// another author began the conversation.
  var isChosen: Bool {
    coverage.foundBy != nil || coverage.checkedAt != nil || provenance.contains { $0.source == .xArchive }
  }
}

extension XPlacement {
  /// Merges parts of one conversation, sorted by author. If a part belongs to the author who began the conversation, the result is that
  /// author's conversation with the posts of all authors, and one conversation for each other author with a chosen part (`isChosen`).
  /// Otherwise the result is one conversation for each author of a part. The conversations of authors who did not begin it contain their
  /// posts and the posts above that these answer.
  package static func resolve(_ parts: [Conversation], as id: PostID) -> [Conversation] {
    var pool = Pool(parts, id)
    pool.replaceVersions()
    pool.place()
    let owners = Set(parts.map(\.authorID))
    let starter = pool.starter.flatMap { owners.contains($0) ? $0 : nil }
    let chosen = Dictionary(
      parts.filter(\.isChosen).map { ($0.authorID, $0) },
      uniquingKeysWith: { $0.merged(with: $1) })
    let own = Dictionary(grouping: parts, by: \.authorID)
    var result: [Conversation] = []
    for owner in starter == nil
      ? owners.sorted() : owners.filter({ $0 == starter || chosen[$0] != nil }).sorted()
    {
      let isWhole = owner == starter
      // A part that was merged into the thread of the conversation's starter passes its sources on to that thread.
      let sources =
        isWhole
        ? parts.filter { $0.authorID == owner || chosen[$0.authorID] == nil }
        : own[owner] ?? []
      var view = pool.view(of: owner, isWhole: isWhole)
      view.provenance = sources.flatMap(\.provenance)
      var settled = Conversation(id: id, authorID: owner)
      if var known = chosen[owner] {
        known.id = id
        known.posts = known.posts.compactMap { pool.posts[$0.id] }
        known.related = known.related.compactMap { pool.posts[$0.id] }
        settled = known
      }
      result.append(settled.merged(with: view))
    }
    return result
  }

  /// The combined contents of the parts of one conversation.
  private struct Pool {
    let id: PostID
    var posts: [PostID: Post] = [:]
    /// The posts of the conversation itself.
    private var members: Set<PostID> = []
    /// The same, by author.
    private var membersByAuthor: [AuthorID: [PostID]] = [:]
    /// The posts of the parts, by the author of the part.
    private var postsOfParts: [AuthorID: Set<PostID>] = [:]
    private var authors: [AuthorID: Author] = [:]
    private var tombstones: [PostID: Tombstone] = [:]

    init(_ parts: [Conversation], _ id: PostID) {
      self.id = id
      for conversation in parts {
        for post in conversation.posts {
          add(post)
          members.insert(post.id)
          postsOfParts[conversation.authorID, default: []].insert(post.id)
        }
        for post in conversation.related {
          add(post)
          if let said = post.conversationID, said == id || said == conversation.id { members.insert(post.id) }
        }
        for author in conversation.authors {
          authors[author.id] = authors[author.id]?.merged(with: author) ?? author
        }
        for stone in conversation.tombstones {
          tombstones[stone.id] = tombstones[stone.id]?.merged(with: stone) ?? stone
        }
      }
    }

    private mutating func add(_ post: Post) { posts[post.id] = posts[post.id]?.merged(with: post) ?? post }

    /// Keeps only the newest version of an edited post, with the ids of its earlier versions, and points replies and quotes at that version.
    mutating func replaceVersions() {
      guard posts.values.contains(where: { !$0.earlierVersions.isEmpty }) else { return }
      let versions = XVersions(posts.values.compactMap(PostSummary.init))
      guard !versions.isEmpty else { return }
      func current(_ id: PostID) -> PostID {
        guard let number = XID.number(id.value) else { return id }
        let newest = versions.current(number)
        return newest == number ? id : PostID(String(newest), on: .x)
      }
      var replaced: [PostID: [Post]] = [:]
      for (id, post) in posts where current(id) != id {
        guard let newest = posts[current(id)], newest.authorID == post.authorID else { continue }
        replaced[current(id), default: []].append(post)
      }
      for (newest, earlier) in replaced {
        for post in earlier {
          posts[post.id] = nil
          if members.remove(post.id) != nil { members.insert(newest) }
          for owner in postsOfParts.keys where postsOfParts[owner]?.remove(post.id) != nil {
            postsOfParts[owner]?.insert(newest)
          }
        }
        posts[newest]?.take(versions: earlier)
      }
      for (id, post) in posts {
        let (answered, quoted) = (post.inReplyTo.map(current), post.quotes.map(current))
        if answered != post.inReplyTo { posts[id]?.inReplyTo = answered }
        if quoted != post.quotes { posts[id]?.quotes = quoted }
      }
    }

    /// Sets this conversation for each post that is connected by replies to a post that names it.
    mutating func place() {
      var ids = ConversationIDs<String>(XID.precedes)
      var parents: [String: String] = [:]
      for id in members {
        guard let post = posts[id] else { continue }
        parents[id.value] = post.inReplyTo?.value
        if post.conversationID != nil { ids.said[id.value] = self.id.value }
      }
      ids.resolve(parents)
      membersByAuthor = Dictionary(grouping: members) { posts[$0]?.authorID ?? AuthorID("", on: .x) }
      for id in members {
        let conversation = ids.known(id.value) == nil ? nil : self.id
        if posts[id]?.conversationID != conversation { posts[id]?.conversationID = conversation }
      }
      // The conversation is derived from all posts, so it has no time of observation.
      for (id, post) in posts where post.older["conversation_id"] != nil {
        posts[id]?.older["conversation_id"] = nil
      }
    }

    /// The author of the first post; if that post is missing, the author whom a direct reply to it names. If no post states the
    /// conversation, the missing post may not be its first.
    var starter: AuthorID? {
      if let first = posts[id] { return first.authorID }
      let known = members.compactMap { posts[$0] }
      return known.contains { $0.conversationID == id }
        ? ConversationReferences.author(of: id, answeredBy: known) : nil
    }

    /// Returns an author's conversation, from the contents of all parts.
    ///
    /// - Parameter isWhole: whether it has all posts. Otherwise it has the author's posts, the posts that these answer, and the posts of the
    ///   author's parts.
    func view(of owner: AuthorID, isWhole: Bool) -> Conversation {
      var view = Conversation(id: id, authorID: owner)
      view.posts = (isWhole ? members : chains(of: owner).union(postsOfParts[owner] ?? [])).compactMap {
        posts[$0]
      }
      view.related = ConversationReferences.quoted(by: view.posts) { posts[$0] }
      let shown = view.posts + view.related
      let known = Set(shown.map(\.id))
      var missing: Set<PostID> = [id]
      for post in shown {
        for reference in [post.inReplyTo, post.quotes] { if let reference { missing.insert(reference) } }
      }
      // A response contains the post if any part contains it.
      view.tombstones = missing.subtracting(known).filter { posts[$0] == nil }.compactMap { tombstones[$0] }
      view.authors = ConversationReferences.people(in: shown, by: owner).compactMap { authors[$0] }
      return view
    }

    private func chains(of owner: AuthorID) -> Set<PostID> {
      ConversationReferences.above(membersByAuthor[owner] ?? []) { posts[$0]?.inReplyTo }.filter {
        posts[$0] != nil
      }
    }
  }
}

extension Post {
  /// Adds the ids of earlier versions, and their place in the conversation if this version does not state it. Sets the time of writing to
  /// that of the first version, which the version's id encodes.
  fileprivate mutating func take(versions earlier: [Post]) {
    if inReplyTo == nil, let reply = earlier.filter({ $0.inReplyTo != nil }).max(by: { $0.id < $1.id }) {
      (inReplyTo, inReplyToAuthor) = (reply.inReplyTo, inReplyToAuthor ?? reply.inReplyToAuthor)
    }
    conversationID = conversationID ?? earlier.compactMap(\.conversationID).min()
    let ids = Set(earlierVersions + earlier.flatMap { $0.earlierVersions + [$0.id] })
    if editedAt == nil { editedAt = createdAt }
    for post in earlier {
      guard let time = post.createdAt else { continue }
      createdAt = createdAt.map { min($0, time) } ?? time
    }
    take(versions: ids)
  }

  mutating func take(versions ids: Set<PostID>) {
    earlierVersions = ids.sorted { XID.precedes($0.value, $1.value) }
    guard let first = earlierVersions.first, let time = XID.time(first.value) else { return }
    if editedAt == nil { editedAt = createdAt }
    createdAt = createdAt.map { min($0, time) } ?? time
  }
}
