import ThreadModel

/// What a run found, as values.
extension XRun {
  /// The threads, in the order of the targets, each merged with what was known of it.
  ///
  /// One whose author's posts are all missing is none, and is left out.
  func result(_ threads: [(target: XTarget, coverage: Coverage)], isComplete: Bool = true) -> XFetched {
    let selections = threads.map { target, _ in
      XSelection(
        conversation: target.conversation, author: target.author, posts: gathering.members(of: target))
    }
    var result = XFetched()
    for ((target, coverage), facts) in zip(threads, gathering.answers.conversations(selections)) {
      guard let conversation = joined(facts, with: target, coverage) else { continue }
      result.conversations.append(conversation)
    }
    let isShort = isShort || threads.contains { !$0.coverage.limits.isEmpty }
    result.failure = stop ?? (isShort || !isComplete ? trouble : nil)
    // What is reported as the failure is not said as a note as well.
    result.notes = notes.filter { $0 != result.failure?.description }
    result.lacksFullSearch = lacksFullSearch
    return result
  }

  private func joined(_ facts: Conversation, with target: XTarget, _ coverage: Coverage) -> Conversation? {
    var facts = facts
    var result = facts
    if let known = target.known {
      // An edit since then may have given the first post another id.
      facts.id = known.id
      result = known.merged(with: facts)
    }
    guard result.posts.contains(where: { $0.authorID == result.authorID }) else { return nil }
    result.coverage = coverage
    result.coverage.expectedPosts = coverage.expectedPosts ?? target.known?.coverage.expectedPosts
    // What was known before was not asked about again: only a recheck does that.
    result.coverage.checkedAt = target.known.map(\.coverage.checkedAt) ?? (isStopped ? nil : now)
    return result
  }
}
