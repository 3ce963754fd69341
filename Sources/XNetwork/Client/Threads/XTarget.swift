import ThreadModel

/// A thread to find: a conversation, and the author whose chain is wanted.
struct XTarget: Sendable {
  /// The id of the conversation's first post.
  var conversation: String
  var author: String
  /// The post by which the thread was requested.
  var given: String? = nil
  var replies: Bool
  var known: Conversation? = nil
}

extension XFetchIndex {
  /// The kind of post before the first post of an author's chain.
  enum Top: Hashable {
    /// None: the post begins the conversation, or the post that it answers is unknown.
    case opens
    /// A post by the same author that was not seen.
    case follows(String)
    /// A post by another author.
    case answers(String)
  }

  /// Whether the thread's author began the conversation; `true` if it is unknown who began it.
  func isOwn(_ target: XTarget) -> Bool {
    beginner(ofConversation: target.conversation).map { $0 == target.author } ?? true
  }

  /// The author of the conversation's first post, according to the post or, if it is missing, to a direct reply to it.
  private func beginner(ofConversation id: String) -> String? {
    if let author = self[id]?.authorID { return author }
    let first = current(id)
    let answers = posts(ofConversation: id).filter {
      $0.inReplyTo.map(current) == first && $0.inReplyToUser != nil
    }
    return answers.min { XID.precedes($0.id, $1.id) }?.inReplyToUser
  }

  /// The first post of a chain, and the kind of post before it.
  struct Chain: Hashable {
    var first: String
    var top: Top
  }

  /// Returns the chain of each of the author's posts in the conversation. Replies are followed upwards as long as the posts are by the
  /// author.
  func chains(of target: XTarget) -> [String: Chain] {
    var chains: [String: Chain] = [:]
    for post in posts(ofConversation: target.conversation) where post.authorID == target.author {
      var path: [String] = []
      var visited: Set<String> = []
      var first = post.id
      var chain: Chain?
      while chain == nil {
        chain = chains[first]
        guard chain == nil else { break }
        path.append(first)
        let top = visited.insert(first).inserted ? step(from: &first, by: target.author) : .opens
        chain = top.map { Chain(first: first, top: $0) }
      }
      for id in path { chains[id] = chain }
    }
    return chains
  }

  /// Returns the post by the same author that a post answers. Otherwise returns the kind of post before it.
  private func step(from id: inout String, by author: String) -> Top? {
    guard let post = facts[id], let parent = post.inReplyTo else { return .opens }
    guard let before = self[parent], let writer = before.authorID else {
      let isOwn = post.inReplyToUser.map { $0 == author } ?? true
      return isOwn ? .follows(current(parent)) : .answers(current(parent))
    }
    guard writer == author else { return .answers(before.id) }
    id = before.id
    return nil
  }

  /// Returns the posts of the thread: the author's chain, the posts that it answers and, if wanted, replies by others.
  func members(of target: XTarget) -> Set<String> {
    let chains = chains(of: target)
    var kept = chain(of: target, among: chains)
    for id in kept {
      if case .answers(let parent)? = chains[id]?.top, facts[parent] != nil { kept.insert(parent) }
    }
    if let first = self[target.conversation] { kept.insert(first.id) }
    guard target.replies else { return kept }
    let all = posts(ofConversation: target.conversation)
    let lost =
      removed.isEmpty ? [] : answers(among: all, below: { removed.contains($0) && !seen.contains($0) })
    let below = isOwn(target) ? nil : answers(among: all, below: kept.contains)
    for post in all where !lost.contains(post.id) && below?.contains(post.id) ?? true { kept.insert(post.id) }
    return kept
  }

  /// The author's posts in the thread.
  func chain(of target: XTarget) -> Set<String> { chain(of: target, among: chains(of: target)) }

  private func chain(of target: XTarget, among chains: [String: Chain]) -> Set<String> {
    let given = target.given.flatMap { chains[current($0)]?.first }
    let isOwn = isOwn(target)
    return Set(
      chains.filter { _, chain in
        guard case .answers = chain.top else { return true }
        // Without a requested post, all of the author's chains in another author's conversation are wanted.
        return chain.first == given || (given == nil && !isOwn)
      }.keys)
  }

  /// Returns the posts that answer a marked post, directly or through other posts.
  ///
  /// The result for every post on the way upwards is stored, so that the total time is linear.
  func answers(among posts: [XPost], below isMarked: (String) -> Bool) -> Set<String> {
    var isBelow: [String: Bool] = [:]
    for post in posts where isBelow[post.id] == nil {
      var path = [post.id]
      var visited: Set<String> = [post.id]
      var found = false
      var next = post.inReplyTo.map(current)
      while let id = next {
        guard visited.insert(id).inserted else {
          // The replies form a circle, of which only the first post was not visited on the way.
          found = id == post.id && isMarked(id)
          break
        }
        found = isMarked(id)
        if found { break }
        if let known = isBelow[id] {
          found = known
          break
        }
        path.append(id)
        next = facts[id]?.inReplyTo.map(current)
      }
      for id in path { isBelow[id] = found }
    }
    return Set(isBelow.lazy.filter(\.value).map(\.key))
  }

  // MARK: Missing posts

  /// The ids of posts that a page of the thread shows and that are missing or incomplete: posts in the middle of the thread, answered
  /// posts, and quoted posts to two levels, as in the assembly of conversations.
  func wanted(by target: XTarget) -> Set<String> {
    let members = members(of: target)
    var wanted = members.union([current(target.conversation)])
    for id in members {
      guard let post = facts[id] else { continue }
      let isAuthors = post.authorID == target.author
      if isAuthors || target.replies, let parent = post.inReplyTo { wanted.insert(current(parent)) }
      // An edit after the version that was seen.
      if let last = post.versions.last { wanted.insert(last) }
      guard isAuthors, let quoted = post.quoted else { continue }
      wanted.insert(current(quoted))
      if let inner = self[quoted]?.quoted { wanted.insert(current(inner)) }
    }
    return wanted.filter { !isSettled($0) }
  }
}

/// The point from which a thread is searched for: its first post, or its newest known post if the thread was complete when last seen.
struct XStart: Sendable {
  /// Recent search covers seven days. One hour is subtracted for clock differences and the duration of a run.
  private static let recentMilliseconds: Int64 = (7 * 24 - 1) * 3_600_000
  /// The day of the first post on X. X refuses searches that begin earlier.
  static let dawn = "2006-03-21T00:00:00Z"

  /// The post after which posts are new; `nil` if all posts are new.
  var newestKnown: String?
  /// The time of the first post that may be found, in whole seconds; `nil` for ids from before November 2010.
  var time: Timestamp?
  /// Whether recent search covers the whole time since then.
  var isRecent: Bool

  init(_ target: XTarget, in fetchIndex: XFetchIndex, now: Timestamp) {
    if let known = target.known, known.isWhole, !target.replies || known.hasItsReplies {
      newestKnown =
        known.posts.filter { target.replies || $0.authorID == known.authorID }.map(\.id.value)
        .max(by: XID.precedes)
    }
    let oldest = fetchIndex.versions(target.conversation).first ?? target.conversation
    time = XID.time(newestKnown ?? oldest)
    isRecent = Self.isRecent(time, at: now)
  }

  /// Whether recent search covers the whole time since then; `false` for an unknown time.
  static func isRecent(_ time: Timestamp?, at now: Timestamp) -> Bool {
    time.map { now.milliseconds - $0.milliseconds < recentMilliseconds } ?? false
  }

  var timeText: String { time?.iso8601 ?? Self.dawn }
}

extension Conversation {
  /// Whether a search found the complete thread.
  fileprivate var isWhole: Bool {
    [.fullSearch, .recentSearch, .timeline].contains(coverage.foundBy) && coverage.limits.isEmpty
  }

  /// Whether replies by others were fetched before or do not exist: some are stored, or the author's posts have no more replies than those
  /// by the author.
  fileprivate var hasItsReplies: Bool {
    let own = posts.filter { $0.authorID == authorID }
    let answered = Set(own.compactMap(\.inReplyTo) + [id])
    if posts.contains(where: { $0.authorID != authorID && !answered.contains($0.id) }) { return true }
    let counted = own.reduce(0) { $0 + min($1.metrics.replies ?? 1_000_000, 1_000_000) }
    return counted <= own.count { $0.inReplyTo != nil }
  }
}

extension XTarget {
  /// The query for the thread in X's search operators.
  func query(in fetchIndex: XFetchIndex) -> String {
    let ids = fetchIndex.versions(conversation).map { "conversation_id:\($0)" }
    let whole = ids.count == 1 ? ids[0] : "(" + ids.joined(separator: " OR ") + ")"
    let name = fetchIndex.searchName(of: author)
    guard replies else { return "\(whole) from:\(name) to:\(name)" }
    return fetchIndex.isOwn(self) ? whole : "\(whole) to:\(name)"
  }
}

extension XFetchIndex {
  /// Returns a user's name for a search: the handle, or the id if the handle is unknown or looks like an id.
  func searchName(of user: String) -> String {
    guard let handle = handles[user], handle.contains(where: { !$0.isNumber }) else { return user }
    return handle
  }
}
