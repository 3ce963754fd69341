import ThreadModel

/// Which of some known posts X no longer shows.
struct XDepartures: Sendable {
  struct Cause: Sendable, Hashable {
    var reason: TombstoneReason
    var detail: String?
  }

  private(set) var causes: [String: Cause] = [:]
  /// Accounts that were closed, by X or by themselves, and how.
  private(set) var closedAccounts: [String: TombstoneReason] = [:]
  /// Posts that X neither showed nor spoke of.
  private var silent: Set<String> = []

  init(of conversations: [Conversation], in gathering: XGathering) {
    let posts = conversations.flatMap { $0.posts + $0.related }.filter { $0.id.platform == .x }
    let authors = Self.authorsGone(posts, gathering)
    closedAccounts = Self.closedAccounts(of: posts, gathering)
    for post in posts where gathering.answered.contains(post.id.value) {
      let id = post.id.value
      let isShown = gathering.seen.contains(id) || gathering.seen.contains(gathering.current(id))
      if gathering.protectedUsers.contains(post.authorID.value) {
        causes[id] = Cause(reason: .protected)
      } else if isShown {
        continue
      } else if closedAccounts[post.authorID.value] == .suspended {
        // Of its posts, X may say that they are protected.
        causes[id] = Cause(reason: .suspended)
      } else if let problem = gathering.missing[id], problem.meansGone {
        causes[id] = Cause(reason: problem.reason, detail: problem.detail)
      } else if let cause = authors[post.authorID.value] {
        causes[id] = cause
      } else {
        silent.insert(id)
      }
    }
  }

  /// Authors of whom X says that nobody, or not everybody, may read them any more.
  private static func authorsGone(_ posts: [Post], _ gathering: XGathering) -> [String: Cause] {
    var gone: [String: Cause] = [:]
    for post in PostOrder.sorted(posts) {
      let author = post.authorID.value
      let problems = [gathering.missingUsers[author], gathering.missing[post.id.value]].compactMap { $0 }
      for problem in problems where [.protected, .suspended].contains(problem.reason) && gone[author] == nil {
        gone[author] = Cause(reason: problem.reason, detail: problem.detail)
      }
    }
    return gone
  }

  /// Authors none of whose posts X shows any more: whether their accounts are closed is worth a question, as X may say of the posts alone that
  /// they are not there. Sorted.
  static func authorsUnseen(of conversations: [Conversation], in gathering: XGathering) -> [String] {
    let posts = conversations.flatMap { $0.posts + $0.related }.filter {
      $0.id.platform == .x && gathering.answered.contains($0.id.value)
    }
    var unseen = Set(posts.map(\.authorID.value)).subtracting(gathering.missingUsers.keys)
    for post in posts {
      let id = post.id.value
      if gathering.seen.contains(id) || gathering.seen.contains(gathering.current(id)) {
        unseen.remove(post.authorID.value)
      } else if gathering.missing[id] == nil {
        // Silence says nothing of the account.
        unseen.remove(post.authorID.value)
      }
    }
    return unseen.filter(XID.isValid).sorted(by: XID.precedes)
  }

  /// Authors of whom X says that there is no such account any more, and shows nothing.
  private static func closedAccounts(
    of posts: [Post], _ gathering: XGathering
  ) -> [String: TombstoneReason] {
    var closed: [String: TombstoneReason] = [:]
    for post in posts {
      let author = post.authorID.value
      switch gathering.missingUsers[author]?.reason {
      case .suspended: closed[author] = .suspended
      case .deleted, .notFound: closed[author] = .deleted
      default: if gathering.missing[post.id.value]?.reason == .suspended { closed[author] = .suspended }
      }
    }
    for post in posts where gathering.seen.contains(post.id.value) { closed[post.authorID.value] = nil }
    return closed
  }

  var notes: [String] {
    guard !silent.isEmpty else { return [] }
    let ids = silent.sorted(by: XID.precedes)
    let shown = ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? ", …" : "")
    return [
      "X neither showed \(ids.count == 1 ? "1 post" : "\(ids.count) posts") (\(shown)) nor said why. Left as before, "
        + "because that may be a fault of X's; the next check asks again."
    ]
  }

  // MARK: Applying

  /// What X showed of a conversation's posts, and of versions that came later.
  func selection(_ conversation: Conversation, in gathering: XGathering) -> XSelection {
    func shown(_ posts: [Post]) -> Set<String> {
      Set(posts.map(\.id.value).filter { causes[$0] == nil }.flatMap { [$0, gathering.current($0)] })
    }
    return XSelection(
      conversation: conversation.id.value, author: conversation.authorID.value,
      posts: shown(conversation.posts), related: shown(conversation.related))
  }

  func apply(
    to old: Conversation, fresh: Conversation, _ deletion: XDeletion, at now: Timestamp,
    in gathering: XGathering
  ) -> Conversation {
    var fresh = fresh
    fresh.id = old.id
    fresh.coverage = Coverage()
    var result: Conversation
    switch deletion {
    case .remove:
      result = forgettingAuthors(of: removing(from: old, at: now), at: now)
      // What came along all the same does not bring them back.
      let gone = Set(result.tombstones.filter { $0.removedAt == now }.map(\.id))
      fresh.posts.removeAll { gone.contains($0.id) }
      fresh.related.removeAll { gone.contains($0.id) }
      result = result.merged(with: fresh)
    case .keep: result = marking(old.merged(with: fresh), at: now)
    }
    if old.knownIDs.allSatisfy(gathering.answered.contains) { result.coverage.checkedAt = now }
    return result
  }

  private func marking(_ conversation: Conversation, at now: Timestamp) -> Conversation {
    func marked(_ post: Post) -> Post {
      guard let cause = causes[post.id.value], post.departure?.reason != cause.reason else { return post }
      var post = post
      post.departure = Departure(reason: cause.reason, observedAt: now)
      return post
    }
    var result = conversation
    result.posts = result.posts.map(marked)
    result.related = result.related.map(marked)
    return result
  }

  /// What an author said of themselves goes with their posts; their followers see to the rest.
  private func forgettingAuthors(of conversation: Conversation, at now: Timestamp) -> Conversation {
    guard !closedAccounts.isEmpty else { return conversation }
    let gone = Dictionary(
      closedAccounts.map { (AuthorID($0, on: .x), Departure(reason: $1, observedAt: now)) },
      uniquingKeysWith: { first, _ in first })
    return conversation.forgetting(gone)
  }

  private func removing(from conversation: Conversation, at now: Timestamp) -> Conversation {
    var gone: [PostID: Cause] = [:]
    for post in conversation.posts + conversation.related { gone[post.id] = causes[post.id.value] }
    guard !gone.isEmpty else { return conversation }
    addReplies(to: &gone, in: conversation)
    let handles = Dictionary(
      conversation.authors.map { ($0.id, $0.handle) }, uniquingKeysWith: { first, _ in first })
    var result = conversation
    for post in conversation.posts + conversation.related {
      guard let cause = gone[post.id] else { continue }
      var stone = Tombstone(id: post.id, reason: cause.reason, detail: cause.detail)
      stone.authorID = post.authorID
      stone.handle = handles[post.authorID] ?? nil
      stone.observedAt = now
      stone.removedAt = now
      result.tombstones.append(stone)
    }
    result.posts.removeAll { gone[$0.id] != nil }
    result.related.removeAll { gone[$0.id] != nil }
    // A post beside the conversation that nothing shows any more is missed by nobody.
    let beside = Set(conversation.related.map(\.id)).subtracting(conversation.posts.map(\.id))
    let shown = Set((result.posts + result.related).flatMap { [$0.quotes, $0.inReplyTo].compactMap { $0 } })
    result.tombstones.removeAll { beside.contains($0.id) && !shown.contains($0.id) }
    return result
  }

  /// What others answered to a post that is gone goes with it; the thread's author goes on.
  private func addReplies(to gone: inout [PostID: Cause], in conversation: Conversation) {
    // A reply mostly stands behind what it answers; where not, another round finds it.
    var count = -1
    while count != gone.count {
      count = gone.count
      for post in conversation.posts where post.authorID != conversation.authorID && gone[post.id] == nil {
        guard let parent = post.inReplyTo, gone[parent] != nil else { continue }
        gone[post.id] = Cause(reason: .unknown, detail: "It answered a post that is gone.")
      }
    }
  }
}

extension XProblem {
  /// Whether it says that a post is not to be seen, and not just that something went wrong on the way.
  fileprivate var meansGone: Bool {
    reason != .unknown || ["resource-unavailable", "disallowed-resource"].contains(kind)
  }
}
