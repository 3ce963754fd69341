import ThreadModel

/// The ways to find a thread's posts, from the one that sees most to the one that sees least.
///
/// Recent search while the thread is younger than seven days; else a search of the full archive, where the account may;
/// else the author's timeline from the first post on; else climbing from post to post, which `complete` does. Each
/// way that does not see everything says what it could not see.
extension XRun {
  /// Finds the posts of threads, all but those that only lookups by id bring: threads share searches, as many as fit into a query.
  ///
  /// - Returns: what could be seen of each, in the order of the targets.
  mutating func find(_ targets: [XTarget]) async -> [Coverage] {
    var finds = targets.map { ThreadFind($0, XStart($0, in: gathering, now: now)) }
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

  /// One thread while it is looked for.
  private struct ThreadFind {
    let target: XTarget
    let start: XStart
    var limits: [CoverageLimit] = []
    /// `nil` until it is found, or every way was tried.
    var coverage: Coverage?

    init(_ target: XTarget, _ start: XStart) {
      self.target = target
      self.start = start
    }

    func isOpen(to reach: XSearch.Reach) -> Bool { coverage == nil && (reach == .full || start.isRecent) }

    /// Whether it was found before, so that only what came since then is wanted.
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
      // One thread that X refuses to search for, by a name that is no more, is not the others' fault.
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
        "X's search does not show the post \(target.given ?? "") itself, so it is not believed to show all others."
      )
      find.limits.append(CoverageLimit(Self.limit(of: reach, .failed)))
    case .stopped: find.coverage = unfinished(target)
    case .refused, .failed, .cut: find.limits.append(CoverageLimit(Self.limit(of: reach, end)))
    }
  }

  /// Looks for what old threads that are known have become, without reading timelines again: in the last seven days.
  private mutating func searchGrowth(_ open: [Int], of finds: inout [ThreadFind]) async {
    guard !open.isEmpty else { return }
    isShort = true
    // Recent search has just been tried, where it sees everything.
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
    // A fault passes, and the next fetch looks again; a refusal is how things are.
    if coverage.limits.isEmpty, trouble == nil, end == .complete {
      coverage.limits = [CoverageLimit(.growthUnseen, day: find.start.time?.day)]
    }
    return coverage
  }

  // MARK: Shared searches

  /// Threads whose queries fit into one of X's, in their order.
  ///
  /// A search has one beginning for all: a thread that is known to a later moment would be read again from there, and every post
  /// costs, whereas requests do not. So such a thread has a search of its own.
  private func groups(_ indices: [Int], of finds: [ThreadFind], _ reach: XSearch.Reach) -> [[Int]] {
    let limit = (reach == .full ? XEndpoint.searchAll : .searchRecent).longestQuery ?? 512
    var groups: [[Int]] = []
    var length = 0
    for index in indices {
      // With parentheses, and " OR " before it.
      let own = finds[index].target.query(in: gathering).unicodeScalars.count + 6
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

  /// The search that finds the posts of all these threads, from the earliest moment that one of them wants.
  private func shared(_ finds: [ThreadFind], _ reach: XSearch.Reach) -> XSearch {
    let queries = finds.map { $0.target.query(in: gathering) }
    let query = queries.count == 1 ? queries[0] : queries.map { "(\($0))" }.joined(separator: " OR ")
    var search = XSearch(query, reach: reach)
    switch reach {
    case .full: search.startTime = finds.map(\.start.timeText).min()
    // An id from before the seven days would be refused.
    case .recent:
      let newest = finds.map { $0.start.isRecent ? $0.start.newestKnown : nil }
      if !newest.contains(nil) { search.sinceID = newest.compactMap(\.self).min(by: XID.precedes) }
    }
    return search
  }

  /// Whether the search that was just made brought the post that led here; where it had to, as a search for self-replies since
  /// some moment does. One that does not has not seen the whole thread, whatever it says.
  private func shows(_ target: XTarget, _ start: XStart) -> Bool {
    guard let given = target.given, let post = gathering[given] else { return true }
    let versions = gathering.versions(given)
    // No search by conversation shows the first post.
    if versions.contains(gathering.current(target.conversation)) { return true }
    if let newest = start.newestKnown, !XID.precedes(newest, post.id) { return true }
    let answered = post.parentAuthor ?? post.parent.flatMap { gathering[$0]?.author }
    let isSelfReply = post.author == target.author && answered == target.author
    guard isSelfReply || target.replies && gathering.isOwn(target) else { return true }
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
    // A thread that grew was found as it was found before.
    coverage.foundBy = start.newestKnown == nil ? method : target.known?.coverage.foundBy ?? method
    return coverage
  }

  /// What is known of a thread's reach when the run ended before it was found.
  func unfinished(_ target: XTarget) -> Coverage {
    if let known = target.known?.coverage, known.foundBy != nil { return known }
    return Coverage(limits: [CoverageLimit(.fetchEnded)])
  }
}

extension Timestamp {
  /// The date in UTC, `2021-01-06`.
  var day: String { String(iso8601.prefix(10)) }
}
