import NetworkSources
import ThreadModel

/// One run of requests, with their results and errors.
struct XRun: Sendable {
  let endpoints: any XEndpoints
  let now: Timestamp
  var fetchIndex = XFetchIndex()
  var notes: [String] = []
  /// The error after which no further requests are made in this run.
  private(set) var stop: SourceError?
  /// The first error that did not end the run.
  private(set) var trouble: SourceError?
  /// The last refusal because of missing access. It is an error only if there is no alternative.
  private(set) var refusal: SourceError?
  private(set) var lacksFullSearch: Bool
  /// Whether the search for a thread was incomplete.
  private var isShort = false
  /// The error of the last search; `nil` if it succeeded.
  private(set) var searchError: SourceError?
  /// The posts found by the last search.
  private(set) var foundIDs: Set<String> = []
  /// The posts found in timelines.
  private(set) var timelineIDs: Set<String> = []

  init(_ endpoints: any XEndpoints, now: Timestamp, lacksFullSearch: Bool) {
    self.endpoints = endpoints
    self.now = now
    self.lacksFullSearch = lacksFullSearch
  }

  typealias End = XPaging.End

  var isStopped: Bool { stop != nil }

  // MARK: Lookups

  /// Looks up posts, 100 per request, lowest ids first. Returns `false` if some of them could not be requested.
  @discardableResult
  mutating func lookUp(_ ids: some Collection<String>) async -> Bool {
    await lookUp(inOrder: Set(ids).sorted(by: XID.precedes))
  }

  /// Looks up posts in this order.
  @discardableResult
  mutating func lookUp(inOrder ids: [String]) async -> Bool {
    var rest = ids[...]
    var isAnswered = true
    var size = 100
    while !rest.isEmpty {
      let batch = Array(rest.prefix(size))
      rest = rest.dropFirst(batch.count)
      guard canAsk() else { return false }
      fetchIndex.ask(for: batch)
      do throws(SourceError) {
        fetchIndex.add(try await endpoints.posts(batch), at: now)
        fetchIndex.answer(batch)
      } catch {
        if error.kind == .overBudget, batch.count > 1 {
          // The remaining budget may be enough for fewer posts.
          size = batch.count / 2
          fetchIndex.forget(asked: batch)
          rest = batch + rest
          continue
        }
        // An error is not evidence about the posts. This includes a 404, which may be caused by a wrong URL of the API.
        if note(error) == .refused { trouble = trouble ?? error }
        isAnswered = false
        if error.kind == .quota { return false }
      }
    }
    return isAnswered
  }

  /// Requests whether accounts still exist, 100 per request. Accounts that do not exist cost nothing.
  mutating func lookUp(users ids: [String]) async {
    var rest = ids[...]
    while !rest.isEmpty, canAsk() {
      let batch = Array(rest.prefix(100))
      rest = rest.dropFirst(batch.count)
      do throws(SourceError) {
        fetchIndex.add(try await endpoints.users(batch), at: now)
      } catch {
        note(error)
        return
      }
    }
  }

  /// Looks up the posts to which the threads refer, until no further lookup helps. This takes one request if only quotes are missing, and
  /// one per level if parents have to be followed.
  @discardableResult
  mutating func complete(_ targets: [XTarget]) async -> Bool {
    while !isStopped {
      // Every id is requested once, so the loop ends.
      let wanted = targets.reduce(into: Set<String>()) { $0.formUnion(fetchIndex.wanted(by: $1)) }
      guard !wanted.isEmpty else { return true }
      guard await lookUp(wanted) else { return false }
    }
    return false
  }

  // MARK: Pages

  /// Requests the pages of a search. `isEnough` decides after each page whether the rest is wanted.
  mutating func search(
    _ search: XSearch, isEnough: (XFetchIndex, XResponse) -> Bool = { _, _ in false }
  ) async -> End {
    if search.reach == .full, lacksFullSearch { return .refused }
    let endpoints = endpoints
    (foundIDs, searchError) = ([], nil)
    return await pages(\.foundIDs, isEnough) { token throws(SourceError) in
      try await endpoints.search(search, token: token)
    } failed: { run, error in
      run.searchError = error
      if search.reach == .full, error.kind == .access { run.lacksFullSearch = true }
    }
  }

  /// Requests the pages of a timeline.
  mutating func timeline(
    _ timeline: XTimeline, isEnough: (XFetchIndex, XResponse) -> Bool = { _, _ in false }
  ) async -> End {
    let endpoints = endpoints
    return await pages(\.timelineIDs, isEnough) { token throws(SourceError) in
      try await endpoints.timeline(timeline, token: token)
    }
  }

  /// - Parameter found: the set that receives the ids of the posts.
  private mutating func pages(
    _ found: WritableKeyPath<XRun, Set<String>>, _ isEnough: (XFetchIndex, XResponse) -> Bool,
    _ request: (_ token: String?) async throws(SourceError) -> XResponse,
    failed: (inout XRun, SourceError) -> Void = { _, _ in }
  ) async -> End {
    guard canAsk() else { return .stopped }
    do throws(SourceError) {
      return try await XPaging().pages(request) { page throws(SourceError) in
        fetchIndex.add(page, at: now)
        self[keyPath: found].formUnion(page.posts.map(\.id))
        return isEnough(fetchIndex, page) ? .enough : .more
      }
    } catch {
      failed(&self, error)
      return note(error)
    }
  }

  // MARK: Errors

  /// Whether another request may be made. It may not after an error that ends the run, or if the task is canceled.
  mutating func canAsk() -> Bool {
    if !isStopped, Task.isCancelled {
      stop = XRefusal.interrupted()
    }
    return !isStopped
  }

  @discardableResult
  mutating func note(_ error: SourceError) -> End {
    if error.endsRun || error.kind == .noConnection {
      stop = stop ?? error
      return .stopped
    }
    if error.kind == .access {
      refusal = error
      return .refused
    }
    trouble = trouble ?? error
    notes.append(error.description)
    return .failed
  }

  // The ways to find a thread's posts, from the most to the least complete:
  //
  // 1. Recent search, while the thread is younger than seven days.
  // 2. A search of the full archive, if the account has access.
  // 3. The author's timeline, from the first post on.
  // 4. Following parents from post to post, in `complete`.
  //
  // Each incomplete way reports the limits of its coverage.

  /// Finds the posts of threads, except those that can only be looked up by id. Threads share searches, as many as fit into a query.
  ///
  /// - Returns: the coverage of each thread, in the order of the targets.
  mutating func find(_ targets: [XTarget]) async -> [Coverage] {
    var finds = targets.map { ThreadFind($0, XStart($0, in: fetchIndex, now: now)) }
    for reach in [XSearch.Reach.recent, .full] {
      await search(finds.indices.filter { finds[$0].isOpen(to: reach) }, of: &finds, reach)
    }
    for index in finds.indices where finds[index].coverage == nil && !finds[index].start.isRecent {
      finds[index].limits.insert(CoverageLimit(.recentSearch), at: 0)
    }
    let known = finds.indices.filter { finds[$0].coverage == nil && finds[$0].hasGrown }
    await searchGrowth(known, of: &finds)
    for index in finds.indices where finds[index].coverage == nil {
      finds[index].coverage = await readTimeline(for: finds[index].target, finds[index].limits)
    }
    return finds.map { $0.coverage ?? Coverage() }
  }

  mutating func find(_ target: XTarget) async -> Coverage { await find([target]).first ?? Coverage() }

  /// The state of the search for one thread.
  private struct ThreadFind {
    let target: XTarget
    let start: XStart
    var limits: [CoverageLimit] = []
    /// `nil` until the thread is found or all ways have been tried.
    var coverage: Coverage?

    init(_ target: XTarget, _ start: XStart) {
      self.target = target
      self.start = start
    }

    func isOpen(to reach: XSearch.Reach) -> Bool { coverage == nil && (reach == .full || start.isRecent) }

    /// Whether the thread is known, so that only newer posts are wanted.
    var hasGrown: Bool {
      guard let known = target.known?.coverage else { return false }
      return known.foundBy != nil && known.foundBy != .climbing
    }
  }

  private mutating func search(
    _ open: [Int], of finds: inout [ThreadFind], _ reach: XSearch.Reach
  ) async {
    for group in groups(open, of: finds, reach) {
      let end = await search(shared(group.map { finds[$0] }, reach))
      // X refuses a search by a handle that no longer exists. The other threads are then searched for separately.
      if end == .failed, group.count > 1, searchError?.kind == .invalidRequest {
        for index in group {
          let end = await search(shared([finds[index]], reach))
          settle(&finds[index], reach, end)
        }
      } else {
        for index in group { settle(&finds[index], reach, end) }
      }
    }
  }

  private mutating func settle(_ find: inout ThreadFind, _ reach: XSearch.Reach, _ end: End) {
    let (target, start) = (find.target, find.start)
    switch end {
    case .complete, .enough:
      if shows(target, start) {
        find.coverage = found(target, by: reach == .full ? .fullSearch : .recentSearch, start)
        return
      }
      notes.append(
        "X's search does not show the post \(target.given ?? "") itself, so its results may be incomplete."
      )
      find.limits.append(CoverageLimit(Self.limit(of: reach, .failed)))
    case .stopped: find.coverage = unfinished(target)
    case .refused, .failed, .cut: find.limits.append(CoverageLimit(Self.limit(of: reach, end)))
    }
  }

  /// Searches the last seven days for new posts of known old threads, without reading timelines again.
  private mutating func searchGrowth(_ open: [Int], of finds: inout [ThreadFind]) async {
    guard !open.isEmpty else { return }
    isShort = true
    // If recent search covers the thread, it was already tried.
    for index in open where finds[index].start.isRecent {
      finds[index].coverage = grown(finds[index], .failed)
    }
    for group in groups(open.filter { !finds[$0].start.isRecent }, of: finds, .recent) {
      let end = await search(shared(group.map { finds[$0] }, .recent))
      for index in group { finds[index].coverage = grown(finds[index], end) }
    }
  }

  private func grown(_ find: ThreadFind, _ end: End) -> Coverage {
    guard var coverage = find.target.known?.coverage else { return unfinished(find.target) }
    // A temporary error is retried by the next fetch; a refusal is permanent.
    if coverage.limits.isEmpty, trouble == nil, end == .complete {
      coverage.limits = [CoverageLimit(.growthUnseen, day: find.start.time?.day)]
    }
    return coverage
  }

  // MARK: Shared searches

  /// Groups the threads, in their order, so that each group's queries fit into one query of X.
  ///
  /// A search has one start for all threads. Posts of a thread that is known up to a later time would be read again, and every post has a
  /// price, whereas requests are free. So such a thread gets a separate search.
  private func groups(_ indices: [Int], of finds: [ThreadFind], _ reach: XSearch.Reach) -> [[Int]] {
    let limit = (reach == .full ? XEndpoint.searchAll : .searchRecent).longestQuery ?? 512
    var groups: [[Int]] = []
    var length = 0
    for index in indices {
      // The length with parentheses and " OR ".
      let own = finds[index].target.query(in: fetchIndex).unicodeScalars.count + 6
      let isNew = finds[index].start.newestKnown == nil
      if let last = groups.indices.last, length + own <= limit, isNew,
        finds[groups[last][0]].start.newestKnown == nil
      {
        groups[last].append(index)
        length += own
      } else {
        groups.append([index])
        length = own
      }
    }
    return groups
  }

  /// Returns the search for the posts of all these threads, from the earliest start among them.
  private func shared(_ finds: [ThreadFind], _ reach: XSearch.Reach) -> XSearch {
    let queries = finds.map { $0.target.query(in: fetchIndex) }
    let query = queries.count == 1 ? queries[0] : queries.map { "(\($0))" }.joined(separator: " OR ")
    var search = XSearch(query, reach: reach)
    switch reach {
    case .full: search.startTime = finds.map(\.start.timeText).min()
    // An id from before the last seven days would be refused.
    case .recent:
      let newest = finds.map { $0.start.isRecent ? $0.start.newestKnown : nil }
      if !newest.contains(nil) { search.sinceID = newest.compactMap(\.self).min(by: XID.precedes) }
    }
    return search
  }

  /// Whether the last search returned the requested post, if it had to (as a search for self-replies since some time does). If it did not,
  /// the search has not seen the whole thread, whatever its result claims.
  private func shows(_ target: XTarget, _ start: XStart) -> Bool {
    guard let given = target.given, let post = fetchIndex[given] else { return true }
    let versions = fetchIndex.versions(given)
    // No search by conversation shows the first post.
    if versions.contains(fetchIndex.current(target.conversation)) { return true }
    if let newest = start.newestKnown, !XID.precedes(newest, post.id) { return true }
    let answered = post.inReplyToUser ?? post.inReplyTo.flatMap { fetchIndex[$0]?.authorID }
    let isSelfReply = post.authorID == target.author && answered == target.author
    guard isSelfReply || target.replies && fetchIndex.isOwn(target) else { return true }
    return versions.contains(where: foundIDs.contains) || foundIDs.contains(given)
  }

  private static func limit(of reach: XSearch.Reach, _ end: End) -> CoverageLimit.Kind {
    switch (reach, end) {
    case (.full, .refused): .fullSearchRefused
    case (.full, .cut): .fullSearchCut
    case (.full, _): .fullSearchFailed
    case (.recent, .refused): .recentSearchRefused
    case (.recent, .cut): .recentSearchCut
    case (.recent, _): .recentSearchFailed
    }
  }

  private func found(_ target: XTarget, by method: FindingMethod, _ start: XStart) -> Coverage {
    var coverage = Coverage(expectedPosts: nil)
    // A known thread that grew keeps its original method.
    coverage.foundBy = start.newestKnown == nil ? method : target.known?.coverage.foundBy ?? method
    return coverage
  }

  /// Returns the coverage of a thread if the run ended before the thread was found.
  func unfinished(_ target: XTarget) -> Coverage {
    if let known = target.known?.coverage, known.foundBy != nil { return known }
    return Coverage(limits: [CoverageLimit(.fetchEnded)])
  }

  // Finding a thread in its author's timeline.

  /// Most authors continue a thread within a day. Every post of a timeline costs as much as a post of the thread.
  private static let timelineMargin: Int64 = 24 * 3_600_000
  /// More windows than a thread needs that is continued daily.
  private static let maximumWindows = 100

  /// Reads the author's timeline from the first post to a day after the newest known post, and further while the thread continues.
  private mutating func readTimeline(for target: XTarget, _ limits: [CoverageLimit]) async -> Coverage {
    // In another author's conversation, which may be much older, the beginning of the author's chain can only be found by following
    // parents.
    if !fetchIndex.isOwn(target) { await complete([target]) }
    let landmark = fetchIndex.chain(of: target).min(by: XID.precedes) ?? target.conversation
    let first = fetchIndex.isOwn(target) ? fetchIndex.versions(target.conversation)[0] : landmark
    var timeline = XTimeline(userID: target.author)
    timeline.sinceID = Self.id(before: first)
    var until = end(for: target)
    for window in 0..<Self.maximumWindows {
      timeline.endTime = until?.iso8601
      let end = await self.timeline(timeline) { _, page in Self.isBefore(first, page) }
      switch end {
      case .stopped: return unfinished(target)
      case .refused, .failed, .cut:
        let kind: CoverageLimit.Kind =
          end == .refused ? .timelineUnread : end == .cut ? .timelineCut : .timelineFailed
        return climbed(limits + [CoverageLimit(kind)])
      case .complete, .enough: break
      }
      if window == 0, !fetchIndex.versions(landmark).contains(where: timelineIDs.contains) {
        return climbed(limits + [CoverageLimit(.timelineReach)])
      }
      let next = self.end(for: target)
      // The reading stops after half a day without a post of the thread.
      guard let before = until, (next ?? now).milliseconds - before.milliseconds > Self.timelineMargin / 2
      else { break }
      timeline.sinceID = nil
      timeline.startTime = before.iso8601
      until = next
    }
    return foundByTimeline(target, until, limits)
  }

  private func foundByTimeline(_ target: XTarget, _ until: Timestamp?, _ limits: [CoverageLimit]) -> Coverage
  {
    var coverage = Coverage()
    coverage.foundBy = .timeline
    if let until {
      coverage.limits = limits + [CoverageLimit(.timelineUntil, day: until.day)]
    }
    if target.replies { coverage.limits.append(CoverageLimit(.repliesUnsearched)) }
    return coverage
  }

  private func climbed(_ limits: [CoverageLimit]) -> Coverage {
    var coverage = Coverage(limits: limits + [CoverageLimit(.climbing)])
    coverage.foundBy = .climbing
    return coverage
  }

  /// Returns the time a day after the newest found post; `nil` if it is not in the past, or if the id does not contain its time.
  private func end(for target: XTarget) -> Timestamp? {
    guard let newest = fetchIndex.chain(of: target).max(by: XID.precedes), let time = XID.time(newest) else {
      return nil
    }
    let end = Timestamp(milliseconds: time.milliseconds + Self.timelineMargin)
    // X refuses times less than ten seconds ago.
    return end.milliseconds < now.milliseconds - 60_000 ? end : nil
  }

  private static func isBefore(_ id: String, _ page: XResponse) -> Bool {
    page.posts.contains { XID.precedes($0.id, id) }
  }

  /// X's `since_id` is exclusive.
  static func id(before id: String) -> String? {
    UInt64(id).flatMap { $0 > 1 ? String($0 - 1) : nil }
  }

  // The results of a run.

  /// Returns the threads in the order of the targets, each merged with the stored conversation.
  ///
  /// Threads without any post of the author are left out.
  func result(_ threads: [(target: XTarget, coverage: Coverage)], isComplete: Bool = true) -> FetchedThreads {
    let selections = threads.map { target, _ in
      XSelection(
        conversation: target.conversation, author: target.author, posts: fetchIndex.members(of: target))
    }
    var result = FetchedThreads()
    for ((target, coverage), facts) in zip(threads, fetchIndex.conversations(selections)) {
      guard let conversation = joined(facts, with: target, coverage) else { continue }
      result.conversations.append(conversation)
    }
    let isShort = isShort || threads.contains { !$0.coverage.limits.isEmpty }
    result.failure = stop ?? (isShort || !isComplete ? trouble : nil)
    // An error that is the failure is not also listed as a note.
    result.notes = notes.filter { $0 != result.failure?.description }
    return result
  }

  private func joined(_ facts: Conversation, with target: XTarget, _ coverage: Coverage) -> Conversation? {
    var facts = facts
    var result = facts
    if let known = target.known {
      // A later edit may have changed the id of the first post.
      facts.id = known.id
      result = known.merged(with: facts)
    }
    guard result.posts.contains(where: { $0.authorID == result.authorID }) else { return nil }
    result.coverage = coverage
    result.coverage.expectedPosts = coverage.expectedPosts ?? target.known?.coverage.expectedPosts
    // Known posts were not requested again; only a recheck does that.
    result.coverage.checkedAt = target.known.map(\.coverage.checkedAt) ?? (isStopped ? nil : now)
    return result
  }
}

extension Timestamp {
  /// Returns the date in UTC, `2021-01-06`.
  var day: String { String(iso8601.prefix(10)) }
}
