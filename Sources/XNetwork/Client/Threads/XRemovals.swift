import NetworkSources
import ThreadModel

/// The known posts that X no longer shows.
struct XRemovals: Sendable {
  typealias Cause = Removals.Cause

  private(set) var causes: [String: Cause] = [:]
  /// The accounts that were closed, by X or by their owners, and the reason.
  private(set) var closedAccounts: [String: TombstoneReason] = [:]
  /// The posts that X neither showed nor reported as missing.
  private var silent: Set<String> = []

  init(of conversations: [Conversation], in fetchIndex: XFetchIndex) {
    let posts = conversations.flatMap { $0.posts + $0.related }.filter { $0.id.platform == .x }
    let authors = Self.authorsGone(posts, fetchIndex)
    closedAccounts = Self.closedAccounts(of: posts, fetchIndex)
    for post in posts where fetchIndex.answered.contains(post.id.value) {
      let id = post.id.value
      let isShown = fetchIndex.seen.contains(id) || fetchIndex.seen.contains(fetchIndex.current(id))
      if fetchIndex.protectedUsers.contains(post.authorID.value) {
        causes[id] = Cause(.protected)
      } else if isShown {
        continue
      } else if closedAccounts[post.authorID.value] == .suspended {
        // X may report that the account's posts are protected.
        causes[id] = Cause(.suspended)
      } else if let problem = fetchIndex.missing[id], problem.meansGone {
        causes[id] = Cause(problem.reason, detail: problem.detail)
      } else if let cause = authors[post.authorID.value] {
        causes[id] = cause
      } else {
        silent.insert(id)
      }
    }
  }

  /// The authors whose accounts X reports as closed or protected.
  private static func authorsGone(_ posts: [Post], _ fetchIndex: XFetchIndex) -> [String: Cause] {
    var gone: [String: Cause] = [:]
    for post in PostOrder.sorted(posts) {
      let author = post.authorID.value
      let problems = [fetchIndex.missingUsers[author], fetchIndex.missing[post.id.value]].compactMap { $0 }
      for problem in problems where [.protected, .suspended].contains(problem.reason) && gone[author] == nil {
        gone[author] = Cause(problem.reason, detail: problem.detail)
      }
    }
    return gone
  }

  /// The authors of whom X no longer shows any posts, sorted. Their accounts are requested, because X may report only the posts as missing
  /// when an account is closed.
  static func authorsUnseen(of conversations: [Conversation], in fetchIndex: XFetchIndex) -> [String] {
    let posts = conversations.flatMap { $0.posts + $0.related }.filter {
      $0.id.platform == .x && fetchIndex.answered.contains($0.id.value)
    }
    var unseen = Set(posts.map(\.authorID.value)).subtracting(fetchIndex.missingUsers.keys)
    for post in posts {
      let id = post.id.value
      if fetchIndex.seen.contains(id) || fetchIndex.seen.contains(fetchIndex.current(id)) {
        unseen.remove(post.authorID.value)
      } else if fetchIndex.missing[id] == nil {
        // A missing response is not evidence about the account.
        unseen.remove(post.authorID.value)
      }
    }
    return unseen.filter(XID.isValid).sorted(by: XID.precedes)
  }

  /// The authors whose accounts X reports as missing and of whom it shows no posts.
  private static func closedAccounts(
    of posts: [Post], _ fetchIndex: XFetchIndex
  ) -> [String: TombstoneReason] {
    var closed: [String: TombstoneReason] = [:]
    for post in posts {
      let author = post.authorID.value
      switch fetchIndex.missingUsers[author]?.reason {
      case .suspended: closed[author] = .suspended
      case .deleted, .notFound: closed[author] = .deleted
      default: if fetchIndex.missing[post.id.value]?.reason == .suspended { closed[author] = .suspended }
      }
    }
    for post in posts where fetchIndex.seen.contains(post.id.value) { closed[post.authorID.value] = nil }
    return closed
  }

  var notes: [String] {
    guard !silent.isEmpty else { return [] }
    let ids = silent.sorted(by: XID.precedes)
    let shown = ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? ", …" : "")
    return [
      "X did not return \(ids.count == 1 ? "1 post" : "\(ids.count) posts") (\(shown)) and gave no reason. Nothing was changed, "
        + "because the cause may be a fault of X; the next fetch tries again."
    ]
  }

  /// Returns the posts of a conversation that X showed, including later versions.
  func selection(_ conversation: Conversation, in fetchIndex: XFetchIndex) -> XSelection {
    func shown(_ posts: [Post]) -> Set<String> {
      Set(posts.map(\.id.value).filter { causes[$0] == nil }.flatMap { [$0, fetchIndex.current($0)] })
    }
    return XSelection(
      conversation: conversation.id.value, author: conversation.authorID.value,
      posts: shown(conversation.posts), related: shown(conversation.related))
  }

  /// The reason in the form shared by all networks.
  func removals(at now: Timestamp) -> Removals {
    var removals = Removals(now: now)
    for (id, cause) in causes { removals.causes[PostID(id, on: .x)] = cause }
    for (id, reason) in closedAccounts { removals.closedAccounts[AuthorID(id, on: .x)] = reason }
    return removals
  }
}

extension XProblem {
  /// Whether the reason means that the post cannot be viewed, and not only that a request failed.
  fileprivate var meansGone: Bool {
    reason != .unknown || ["resource-unavailable", "disallowed-resource"].contains(kind)
  }
}
