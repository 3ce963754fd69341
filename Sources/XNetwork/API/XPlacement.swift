package import NetworkSources
package import ThreadModel

/// Finds the conversations that are the same, among those of many responses and of the store.
///
/// Each response is converted separately into conversations (`XImporter`). Only all responses together determine which conversations are
/// the same and who their author is: a later response may contain the topmost post of a chain, a newer version of the first post, or the
/// thread to which other authors' replies belong. The result depends on the facts alone: neither on their order nor on how many of them
/// were already in the store.
package struct XPlacement: Sendable {
  /// The facts about a post that determine its conversation.
  package struct PostSummary: Sendable {
    var id: String
    var author: AuthorID
    var parent: String?
    var conversation: String?
    var earlierVersions: [String]

    init(_ post: Post) {
      id = post.id.value
      author = post.authorID
      parent = post.inReplyTo?.value
      conversation = post.conversationID?.value
      earlierVersions = post.earlierVersions.map(\.value)
    }
  }

  /// The facts about a conversation that determine which other conversations are the same.
  package struct ConversationSummary: Sendable {
    var id: String
    var posts: [PostSummary]

    package init(_ conversation: Conversation) {
      id = conversation.id.value
      posts = conversation.posts.map(PostSummary.init)
    }

    /// Whether the conversation is empty or a post in it states this id. Otherwise the id only stands for an unknown conversation.
    fileprivate var isSaid: Bool { posts.isEmpty || posts.contains { $0.conversation == id } }
  }

  /// Sorted by id.
  package private(set) var groups: [ConversationGroup] = []
  private var conversationIDs = XConversationIDs()
  private var versions = XVersions()

  /// Joins conversations.
  package init(_ summaries: [ConversationSummary]) {
    for summary in summaries { versions.add(summary.posts) }
    versions.finish()
    var parents: [String: String] = [:]
    for post in summaries.lazy.flatMap(\.posts) {
      let id = versions.current(post.id)
      if let parent = post.parent.map({ versions.current($0) }) {
        parents[id] = parents[id].map { max($0, parent, by: XID.precedes) } ?? parent
      }
      if let said = post.conversation.map(versions.current) {
        conversationIDs.said[id] = conversationIDs.said[id].map { min($0, said, by: XID.precedes) } ?? said
      }
    }
    conversationIDs.resolve(parents)
    var members: [String: [Int]] = [:]
    for (position, summary) in summaries.enumerated() {
      let first = summary.posts.map(\.id).min(by: XID.precedes)
      let id =
        summary.isSaid
        ? versions.current(summary.id)
        : first.map { conversationIDs.conversation(versions.current($0)) } ?? summary.id
      members[id, default: []].append(position)
    }
    groups = members.map { ConversationGroup(id: PostID($0, on: .x), members: $1) }.sorted { $0.id < $1.id }
  }

  /// Returns whether any post states the conversation of this post.
  func isPlaced(_ id: String) -> Bool { conversationIDs.known(versions.current(id)) != nil }
}

/// Return the smaller and the larger of two values in an order.
private func min<Value>(_ one: Value, _ other: Value, by precedes: (Value, Value) -> Bool) -> Value {
  precedes(other, one) ? other : one
}

private func max<Value>(_ one: Value, _ other: Value, by precedes: (Value, Value) -> Bool) -> Value {
  precedes(one, other) ? other : one
}

/// The newest id of each post, based on many conversations together.
struct XVersions: Sendable {
  private var versions = PostVersions<String>(XID.precedes)
  private var authors: [String: AuthorID] = [:]
  private var claims: [XPlacement.PostSummary] = []

  mutating func add(_ posts: [XPlacement.PostSummary]) {
    for post in posts {
      authors[post.id] = post.author
      if !post.earlierVersions.isEmpty { claims.append(post) }
    }
  }

  /// Links the versions. Must be called after all posts are added, because versions are matched by author.
  mutating func finish() {
    for post in claims {
      versions.add(post.earlierVersions, replacedBy: post.id) {
        authors[$0].map { $0 == post.author } ?? true
      }
    }
    versions.resolve()
  }

  func current(_ id: String) -> String { versions.latest(id) }

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
    private var authors: [AuthorID: Author] = [:]
    private var tombstones: [PostID: Tombstone] = [:]

    init(_ parts: [Conversation], _ id: PostID) {
      self.id = id
      for conversation in parts {
        for post in conversation.posts {
          add(post)
          members.insert(post.id)
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
      var versions = XVersions()
      versions.add(posts.values.filter { !$0.earlierVersions.isEmpty }.map(PostSummary.init))
      versions.finish()
      guard !versions.isEmpty else { return }
      func current(_ id: PostID) -> PostID { PostID(versions.current(id.value), on: .x) }
      var replaced: [PostID: [Post]] = [:]
      for (id, post) in posts where current(id) != id {
        guard let newest = posts[current(id)], newest.authorID == post.authorID else { continue }
        replaced[current(id), default: []].append(post)
      }
      for (newest, earlier) in replaced {
        for post in earlier {
          posts[post.id] = nil
          if members.remove(post.id) != nil { members.insert(newest) }
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
      var ids = XConversationIDs()
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
        // The conversation is derived from all posts, so it has no time of observation.
        if posts[id]?.older["conversation_id"] != nil { posts[id]?.older["conversation_id"] = nil }
      }
    }

    /// The author of the first post; if that post is missing, the author whom a direct reply to it names.
    var starter: AuthorID? {
      posts[id]?.authorID ?? XReferences.author(of: id, answeredBy: members.compactMap { posts[$0] })
    }

    /// Returns an author's conversation, from the contents of all parts.
    ///
    /// - Parameter isWhole: whether it has all posts. Otherwise it has the author's posts and the posts that these answer.
    func view(of owner: AuthorID, isWhole: Bool) -> Conversation {
      var view = Conversation(id: id, authorID: owner)
      view.posts = (isWhole ? members : chains(of: owner)).compactMap { posts[$0] }
      view.related = XReferences.quoted(by: view.posts) { posts[$0] }
      let shown = view.posts + view.related
      let known = Set(shown.map(\.id))
      var missing: Set<PostID> = [id]
      for post in shown {
        for reference in [post.inReplyTo, post.quotes] { if let reference { missing.insert(reference) } }
      }
      view.tombstones = missing.subtracting(known).compactMap { tombstones[$0] }
      view.authors = XReferences.people(in: shown, by: owner).compactMap { authors[$0] }
      return view
    }

    private func chains(of owner: AuthorID) -> Set<PostID> {
      XReferences.above(membersByAuthor[owner] ?? []) { posts[$0]?.inReplyTo }.filter { posts[$0] != nil }
    }
  }
}

extension Post {
  /// Adds the ids of earlier versions. Sets the time of writing to that of the first version, which the version's id encodes.
  fileprivate mutating func take(versions earlier: [Post]) {
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
