package import SiteConfig
package import ThreadModel

/// Removes or marks known posts that their network no longer shows.
package struct Removals: Sendable {
  package struct Cause: Sendable, Hashable {
    package var reason: TombstoneReason
    package var detail: String?

    package init(_ reason: TombstoneReason, detail: String? = nil) {
      self.reason = reason
      self.detail = detail
    }
  }

  /// The reasons why posts are no longer shown, by their ids.
  package var causes: [PostID: Cause]
  /// Accounts that were closed by the network or by their owners, with the reasons.
  package var closedAccounts: [AuthorID: TombstoneReason] = [:]
  package var now: Timestamp

  package init(_ causes: [PostID: Cause] = [:], now: Timestamp) {
    self.causes = causes
    self.now = now
  }

  /// Returns a conversation merged with the results of a recheck. Posts that are no longer shown are removed or marked, depending on
  /// `deletion`.
  ///
  /// - Parameters:
  ///   - fresh: the posts and authors that the recheck has read.
  ///   - isWhole: whether the recheck has a result for every post of the conversation.
  package func apply(
    to old: Conversation, fresh: Conversation, _ deletion: SiteConfig.Fetch.Deletion, isWhole: Bool
  ) -> Conversation {
    var fresh = fresh
    fresh.id = old.id
    fresh.authorID = old.authorID
    fresh.coverage = Coverage()
    var result: Conversation
    let causes = causes(of: old)
    switch deletion {
    case .remove:
      // The profile of an author whose account was closed is removed together with the posts.
      result = removing(from: old, causes).forgetting(
        closedAccounts.mapValues { Removal(reason: $0, observedAt: now) })
      // Posts that were just removed are not added again, even if the recheck has read them.
      let gone = Set(result.tombstones.filter { $0.removedAt == now }.map(\.id))
      fresh.posts.removeAll { gone.contains($0.id) }
      fresh.related.removeAll { gone.contains($0.id) }
      result = result.merged(with: fresh)
    case .keep: result = marking(old.merged(with: fresh), causes)
    }
    if isWhole { result.coverage.checkedAt = now }
    return result
  }

  /// Returns the reasons that apply to a conversation. An author who imported the posts may show them, although the network shows the
  /// account only to a limited audience.
  private func causes(of conversation: Conversation) -> [PostID: Cause] {
    guard conversation.isOwn else { return causes }
    var result = causes
    for post in conversation.posts + conversation.related where post.authorID == conversation.authorID {
      if let reason = causes[post.id]?.reason, [.protected, .signedInOnly].contains(reason) {
        result[post.id] = nil
      }
    }
    return result
  }

  private func marking(_ conversation: Conversation, _ causes: [PostID: Cause]) -> Conversation {
    func marked(_ post: Post) -> Post {
      guard let cause = causes[post.id], post.removal?.reason != cause.reason else { return post }
      // "Not found" may be reported for a post whose reason is already known.
      if let known = post.removal?.reason, cause.reason.isVaguer(than: known) { return post }
      var post = post
      post.removal = Removal(reason: cause.reason, observedAt: now)
      return post
    }
    var result = conversation
    result.posts = result.posts.map(marked)
    result.related = result.related.map(marked)
    return result
  }

  private func removing(from conversation: Conversation, _ causes: [PostID: Cause]) -> Conversation {
    var gone: [PostID: Cause] = [:]
    for post in conversation.posts + conversation.related { gone[post.id] = causes[post.id] }
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
    // A removed post beside the conversation needs no tombstone if no remaining post quotes or answers it.
    let beside = Set(conversation.related.map(\.id)).subtracting(conversation.posts.map(\.id))
    let shown = Set((result.posts + result.related).flatMap { [$0.quotes, $0.inReplyTo].compactMap { $0 } })
    result.tombstones.removeAll { beside.contains($0.id) && !shown.contains($0.id) }
    return result
  }

  /// Adds the replies of other accounts to posts that are gone, because these replies are also removed. Posts of the thread's author stay.
  private func addReplies(to gone: inout [PostID: Cause], in conversation: Conversation) {
    var replies: [PostID: [PostID]] = [:]
    for post in conversation.posts where post.authorID != conversation.authorID {
      if let parent = post.inReplyTo { replies[parent, default: []].append(post.id) }
    }
    var open = Array(gone.keys)
    while let parent = open.popLast() {
      for reply in replies[parent] ?? [] where gone[reply] == nil {
        gone[reply] = Cause(.answeredGone)
        open.append(reply)
      }
    }
  }
}
