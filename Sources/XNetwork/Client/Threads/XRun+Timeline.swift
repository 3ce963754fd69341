import ThreadModel

/// A thread found in its author's timeline.
extension XRun {
  /// Authors mostly go on within a day; every post of a timeline costs as much as one of the thread.
  static let timelineMargin: Int64 = 24 * 3_600_000
  /// More than any thread that goes on day after day needs.
  private static let maximumWindows = 100

  /// Reads the author's timeline from the first post to a day after the newest post known, and on while the thread goes on.
  mutating func readTimeline(for target: XTarget, _ limits: [CoverageLimit]) async -> Coverage {
    // In another's conversation, which may be far older, only climbing finds where the author's chain begins.
    if !gathering.isOwn(target) { await complete([target]) }
    let landmark = gathering.chain(of: target).min(by: XID.precedes) ?? target.conversation
    let first = gathering.isOwn(target) ? gathering.versions(target.conversation)[0] : landmark
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
      if window == 0, !gathering.versions(landmark).contains(where: timelineIDs.contains) {
        return climbed(limits + [CoverageLimit(.timelineReach)])
      }
      let next = self.end(for: target)
      // Half a day without a post of the thread is silence enough.
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

  /// A day after the newest post found; `nil` where that is not in the past, and where the id does not say its time.
  private func end(for target: XTarget) -> Timestamp? {
    guard let newest = gathering.chain(of: target).max(by: XID.precedes), let time = XID.time(newest) else {
      return nil
    }
    let end = Timestamp(milliseconds: time.milliseconds + Self.timelineMargin)
    // X refuses times that are less than ten seconds ago.
    return end.milliseconds < now.milliseconds - 60_000 ? end : nil
  }

  private static func isBefore(_ id: String, _ page: XResponse) -> Bool {
    page.posts.contains { post in post.id("id").map { XID.precedes($0, id) } ?? false }
  }

  /// X's `since_id` is exclusive.
  static func id(before id: String) -> String? {
    UInt64(id).flatMap { $0 > 1 ? String($0 - 1) : nil }
  }
}
