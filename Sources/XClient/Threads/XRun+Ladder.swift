import ThreadModel
import XAPI

/// The ways to find a thread's posts, from the one that sees most to the one that sees least.
///
/// Recent search while the thread is younger than seven days; else a search of the full archive, where the account may;
/// else the author's timeline from the first post on; else climbing from post to post, which `complete` does. Each
/// way that does not see everything says what it could not see.
extension XRun {
  /// Finds the thread's posts, all but those that only lookups by id bring.
  mutating func find(_ target: XTarget) async -> Coverage {
    let start = XStart(target, in: gathering, now: now)
    var limits: [CoverageLimit] = []
    var reaches: [XSearch.Reach] = start.isRecent ? [.recent, .full] : [.full]
    while let reach = reaches.first {
      reaches.removeFirst()
      let end = await search(target.search(reach, from: start, in: gathering))
      switch end {
      case .complete, .enough:
        if shows(target, start) {
          return found(target, by: reach == .full ? .fullSearch : .recentSearch, start)
        }
        notes.append(
          "X's search does not show the post \(target.given ?? "") itself, so it is not believed to show all others."
        )
        limits.append(CoverageLimit(Self.limit(of: reach, .failed)))
      case .stopped: return unfinished(target)
      case .refused, .failed, .cut: limits.append(CoverageLimit(Self.limit(of: reach, end)))
      }
    }
    if !start.isRecent { limits.insert(CoverageLimit(.recentSearch), at: 0) }
    if let coverage = target.known?.coverage, coverage.foundBy != nil, coverage.foundBy != .climbing {
      return await grow(target, coverage, start)
    }
    return await readTimeline(for: target, limits)
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

  /// Looks for what an old thread that is known has become, without reading a timeline again: in the last seven days.
  private mutating func grow(
    _ target: XTarget, _ known: Coverage, _ start: XStart
  ) async -> Coverage {
    var coverage = known
    // Recent search has just been tried, where it sees everything.
    let end: End = start.isRecent ? .failed : await search(target.search(.recent, from: start, in: gathering))
    isShort = true
    // A fault passes, and the next fetch looks again; a refusal is how things are.
    if known.limits.isEmpty, trouble == nil, end == .complete {
      coverage.limits = [CoverageLimit(.growthUnseen, day: start.time?.day)]
    }
    return coverage
  }
}

extension Timestamp {
  /// The date in UTC, `2021-01-06`.
  var day: String { String(iso8601.prefix(10)) }
}
