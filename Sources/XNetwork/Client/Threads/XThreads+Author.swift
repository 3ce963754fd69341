package import ThreadModel

extension XThreads {
  /// The threads that an author began, from their timeline; reposts are none.
  ///
  /// Each post that X gives of the timeline costs, so the time that the limits name is read and no more; threads that reach
  /// beyond it, or beyond X's newest 3200 posts, are completed by looking their missing posts up.
  ///
  /// - Parameters:
  ///   - progress: How far the timeline was read before: what was read is not read again.
  ///   - known: Whether a conversation is known. Of these, what the timeline brought is given, and nothing is
  ///     looked up.
  /// - Returns: the threads, and how far the timeline is read now, however the run ended.
  package func threads(
    by handle: String, limits: XThreadLimits = XThreadLimits(), options: XThreadOptions = XThreadOptions(),
    progress: XTimelineProgress? = nil, known: @Sendable (PostID) -> Bool = { _ in false }
  ) async -> XFetched {
    var run = run
    var progress = progress
    if progress?.since != limits.since || progress?.until != limits.until { progress = nil }
    let account: String
    if let progress {
      // Who it is was found out before; the timeline brings the profile along with what is new.
      account = progress.account
    } else {
      do throws(XClientError) {
        account = try await run.readableUser(handle).id.value
      } catch {
        var result = run.result([])
        result.failure = error
        return result
      }
    }
    let (end, reached) = await run.read(account, limits, progress)
    var targets = await run.ownThreads(of: account, limits, options, known)
    let isComplete = await run.complete(targets.filter { !known(PostID($0.conversation, on: .x)) })
    // What could not be completed may be longer than it looks, and is not read again.
    targets = targets.filter {
      known(PostID($0.conversation, on: .x)) || run.gathering.chain(of: $0).count >= limits.minPosts
        || !isComplete && run.hasGap($0)
    }
    var threads: [(target: XTarget, coverage: Coverage)] = []
    for target in targets {
      if known(PostID(target.conversation, on: .x)) {
        threads.append((target, Coverage()))
      } else {
        var coverage = run.timelineCoverage(target, end, limits)
        if options.replies { await run.findReplies(to: target, &coverage) }
        threads.append((target, run.checked(run.completed(coverage, target), target, isComplete)))
      }
    }
    var result = run.result(threads, isComplete: isComplete && (end == .complete || end == .enough))
    result.timeline = reached
    result.found = targets.map { PostID($0.conversation, on: .x) }
    result.conversations = result.conversations.map { conversation in
      var conversation = conversation
      // What is known has its own coverage, which this must not replace.
      if known(conversation.id) { conversation.coverage = Coverage() }
      return conversation
    }
    return result
  }
}

extension XRun {
  /// The user with a handle, whose posts everybody may read.
  mutating func readableUser(_ handle: String) async throws(XClientError) -> Author {
    let author = try await user(handle)
    guard author.isProtected != true else {
      throw XClientError(
        .protected,
        "@\(author.handle ?? handle) shows posts to approved followers only, so they cannot be fetched.")
    }
    return author
  }

  mutating func user(_ handle: String) async throws(XClientError) -> Author {
    guard canAsk() else { throw stop ?? XClientError(.cancelled, "Fetching was interrupted.") }
    var answer = try await endpoints.user(handle: handle)
    answer.fetchedAt = answer.fetchedAt ?? now
    gathering.add(answer, at: now)
    if let author = answer.authors.first { return author }
    let words = answer.problems.first.map { " X says: \($0.detail ?? $0.title)" } ?? ""
    if answer.problems.first?.reason == .suspended {
      throw XClientError(.suspended, "The account @\(handle) is suspended.\(words)")
    }
    throw XClientError(.notFound, "There is no user @\(handle). Check the handle.\(words)")
  }

  /// Reads what was not read of a user's timeline: first what an earlier run left, then what came since.
  ///
  /// X gives a timeline from its newest post down, so a run that ends early has read its newest part.
  fileprivate mutating func read(
    _ user: String, _ limits: XThreadLimits, _ progress: XTimelineProgress?
  ) async -> (End, XTimelineProgress) {
    var progress = progress ?? XTimelineProgress(account: user, since: limits.since, until: limits.until)
    var timeline = XTimeline(userID: user)
    timeline.startTime = limits.since?.wholeSecond.iso8601
    timeline.endTime = limits.until?.wholeSecond.iso8601
    if let unread = progress.unread {
      timeline.untilID = unread.before
      timeline.endTime = nil
      timeline.sinceID = unread.after
      if unread.after != nil { timeline.startTime = nil }
      let end = await self.timeline(timeline)
      progress.unread =
        isRead(end) ? nil : .init(before: oldest(of: timelineIDs) ?? unread.before, after: unread.after)
      guard isRead(end) else { return (end, progress) }
    }
    timeline.untilID = nil
    timeline.endTime = limits.until?.wholeSecond.iso8601
    timeline.sinceID = progress.newest
    if progress.newest != nil { timeline.startTime = nil }
    let before = timelineIDs
    let end = await self.timeline(timeline)
    let new = timelineIDs.subtracting(before)
    if end == .refused { notes.append("X does not let this account read the timeline.") }
    if let oldest = oldest(of: new), !isRead(end) {
      progress.unread = .init(before: oldest, after: progress.newest)
    }
    if let newest = new.max(by: XID.precedes) { progress.newest = newest }
    return (end, progress)
  }

  private func isRead(_ end: End) -> Bool { end == .complete || end == .enough }

  private func oldest(of ids: Set<String>) -> String? { ids.min(by: XID.precedes) }

  /// The conversations that the author began and the timeline shows at least a part of, newest first.
  fileprivate mutating func ownThreads(
    of author: String, _ limits: XThreadLimits, _ options: XThreadOptions, _ known: (PostID) -> Bool
  ) async -> [XTarget] {
    let conversations = Set(
      timelineIDs.compactMap { gathering[$0] }.filter { !$0.isRepost }.compactMap(\.conversation))
    var targets = conversations.map {
      XTarget(
        conversation: $0, author: author, given: nil, replies: options.replies, known: nil)
    }
    targets.sort { XID.precedes($1.conversation, $0.conversation) }
    targets = targets.filter { mayBeOwn($0, minPosts: limits.minPosts) }
    // Whose conversation it is, the first post says; all that are missing come in one request.
    await lookUp(
      targets.map(\.conversation).filter { id in
        gathering[id] == nil && !gathering.isSettled(id) && !known(PostID(id, on: .x))
      })
    return targets.filter { mayBeOwn($0, minPosts: limits.minPosts) }
  }

  /// Whether the conversation was begun by the author and has enough posts of theirs, or may have once more is known.
  private func mayBeOwn(_ target: XTarget, minPosts: Int) -> Bool {
    guard gathering.isOwn(target) else { return false }
    let chains = gathering.chains(of: target).values.filter {
      if case .answers = $0.top { false } else { true }
    }
    guard !chains.isEmpty else { return false }
    let hasGap = chains.contains { if case .follows = $0.top { true } else { false } }
    return hasGap || chains.count >= minPosts
  }

  fileprivate func timelineCoverage(_ target: XTarget, _ end: End, _ limits: XThreadLimits) -> Coverage {
    var coverage = Coverage()
    coverage.foundBy = .timeline
    let first = gathering.versions(target.conversation)
    if !first.contains(where: timelineIDs.contains) {
      let isCut = limits.since.map { (XID.time(target.conversation) ?? $0) < $0 } ?? false
      coverage.limits.append(
        isCut
          ? CoverageLimit(.timelineSince, day: limits.since?.day) : CoverageLimit(.timelineReach))
    }
    if let until = limits.until, until < now {
      coverage.limits.append(CoverageLimit(.timelineUntil, day: until.day))
    }
    switch end {
    case .complete, .enough: break
    case .cut: coverage.limits.append(CoverageLimit(.timelineCut))
    case .stopped: return unfinished(target)
    case .refused, .failed: coverage.limits.append(CoverageLimit(.timelineUnread))
    }
    return coverage
  }

  /// Whether a post of the author's answers one of their own that was not seen.
  fileprivate func hasGap(_ target: XTarget) -> Bool {
    gathering.chains(of: target).values.contains { if case .follows = $0.top { true } else { false } }
  }

  /// Coverage without what the timeline did not show, where lookups brought it: the first post is here, and so is every post
  /// that another of the author's answers.
  fileprivate func completed(_ coverage: Coverage, _ target: XTarget) -> Coverage {
    guard gathering[target.conversation] != nil, !hasGap(target) else { return coverage }
    var coverage = coverage
    coverage.limits.removeAll { [.timelineSince, .timelineReach].contains($0.kind) }
    return coverage
  }

  /// Others' replies in a thread whose own posts are known already.
  mutating func findReplies(to target: XTarget, _ coverage: inout Coverage) async {
    let start = XStart(target, in: gathering, now: now)
    var search = XSearch(target.query(in: gathering), reach: start.isRecent ? .recent : .full)
    if start.isRecent { search.sinceID = start.newestKnown } else { search.startTime = start.timeText }
    let end = await self.search(search)
    if end != .complete, end != .enough {
      coverage.limits.append(CoverageLimit(.repliesUnreachable))
    }
  }
}

extension Timestamp {
  /// Without milliseconds, which X's time parameters do not have.
  var wholeSecond: Timestamp { Timestamp(seconds: seconds) }
}
