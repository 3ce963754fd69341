import ThreadModel

/// The point from which a thread is searched for: its first post or, if the thread was complete when last seen, its newest
/// known post.
struct XStart: Sendable {
  /// Recent search covers seven days; one hour is subtracted for differences of clocks and the duration of a run.
  private static let recentMilliseconds: Int64 = (7 * 24 - 1) * 3_600_000
  /// The day before which there are no posts; X refuses searches that begin earlier.
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

  /// Whether replies by others were fetched before, or do not exist: some are stored, or the author's posts have no more
  /// replies than those by the author.
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
  /// Returns a user's name for a search: the handle, or the id if the handle is unknown or could be taken for an id.
  func searchName(of user: String) -> String {
    guard let handle = handles[user], handle.contains(where: { !$0.isNumber }) else { return user }
    return handle
  }
}
