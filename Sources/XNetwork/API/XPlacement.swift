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
    var pool = ConversationPool(parts, as: id)
    pool.replaceVersions()
    pool.place()
    let owners = Set(parts.map(\.authorID))
    let starter = pool.starter(of: id).flatMap { owners.contains($0) ? $0 : nil }
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
      var view = pool.view(of: owner, isWhole: isWhole, tombstonesOf: [id])
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
}

extension ConversationPool {
  /// Keeps only the newest version of an edited post, with the ids of its earlier versions, and points replies and quotes at that version.
  fileprivate mutating func replaceVersions() {
    guard posts.values.contains(where: { !$0.earlierVersions.isEmpty }) else { return }
    let versions = XVersions(posts.values.compactMap(XPlacement.PostSummary.init))
    guard !versions.isEmpty else { return }
    func current(_ id: PostID) -> PostID {
      guard let number = XID.number(id.value) else { return id }
      let newest = versions.current(number)
      return newest == number ? id : PostID(String(newest), on: .x)
    }
    var replaced: [PostID: [Post]] = [:]
    var replacements: [PostID: PostID] = [:]
    for (id, post) in posts {
      let last = current(id)
      guard last != id, let newest = posts[last], newest.authorID == post.authorID else { continue }
      replaced[last, default: []].append(post)
      replacements[id] = last
    }
    replace(replacements)
    for (newest, earlier) in replaced { posts[newest]?.take(versions: earlier) }
    for (id, post) in posts {
      let (answered, quoted) = (post.inReplyTo.map(current), post.quotes.map(current))
      if answered != post.inReplyTo { posts[id]?.inReplyTo = answered }
      if quoted != post.quotes { posts[id]?.quotes = quoted }
    }
  }

  /// Returns the author of the conversation's first post; if that post is missing, the author whom a direct reply to it names. If no post states
  /// the conversation, the missing post may not be its first.
  fileprivate func starter(of id: PostID) -> AuthorID? {
    if let first = posts[id] { return first.authorID }
    let known = members.compactMap { posts[$0] }
    return known.contains { $0.conversationID == id }
      ? ConversationReferences.author(of: id, answeredBy: known) : nil
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
