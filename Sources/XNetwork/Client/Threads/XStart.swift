import ThreadModel

/// From where on a thread has to be looked for: from its first post or, where it was whole when last seen, from the newest
/// post known.
struct XStart: Sendable {
  /// Recent search sees seven days; an hour less leaves room for clocks and for how long a run takes.
  static let recentMilliseconds: Int64 = (7 * 24 - 1) * 3_600_000
  /// Before this day there were no posts, and X refuses searches that begin earlier.
  static let dawn = "2006-03-21T00:00:00Z"

  /// Posts later than this one are new; `nil` where everything is.
  var newestKnown: String?
  /// When the first post that may be found was written, to the second; `nil` for ids of before November 2010.
  var time: Timestamp?
  /// Whether recent search sees everything since then.
  var isRecent: Bool

  init(_ target: XTarget, in fetchIndex: XFetchIndex, now: Timestamp) {
    if let known = target.known, known.isWhole, !target.replies || known.hasItsReplies {
      newestKnown =
        known.posts.filter { target.replies || $0.authorID == known.authorID }.map(\.id.value)
        .max(by: XID.precedes)
    }
    let oldest = fetchIndex.versions(target.conversation).first ?? target.conversation
    time = XID.time(newestKnown ?? oldest)
    isRecent = time.map { now.milliseconds - $0.milliseconds < Self.recentMilliseconds } ?? false
  }

  var timeText: String { time?.iso8601 ?? Self.dawn }
}

extension Conversation {
  /// Whether a search found it whole.
  fileprivate var isWhole: Bool {
    [.fullSearch, .recentSearch, .timeline].contains(coverage.foundBy) && coverage.limits.isEmpty
  }

  /// Whether others' replies were asked for before, or there were none: some are here, or the author's posts count no more
  /// replies than the author's own.
  fileprivate var hasItsReplies: Bool {
    let own = posts.filter { $0.authorID == authorID }
    let answered = Set(own.compactMap(\.inReplyTo) + [id])
    if posts.contains(where: { $0.authorID != authorID && !answered.contains($0.id) }) { return true }
    let counted = own.reduce(0) { $0 + min($1.metrics.replies ?? 1_000_000, 1_000_000) }
    return counted <= own.count { $0.inReplyTo != nil }
  }
}

extension XTarget {
  /// What finds the thread, in X's own operators.
  func query(in fetchIndex: XFetchIndex) -> String {
    let ids = fetchIndex.versions(conversation).map { "conversation_id:\($0)" }
    let whole = ids.count == 1 ? ids[0] : "(" + ids.joined(separator: " OR ") + ")"
    let name = fetchIndex.searchName(of: author)
    guard replies else { return "\(whole) from:\(name) to:\(name)" }
    return fetchIndex.isOwn(self) ? whole : "\(whole) to:\(name)"
  }
}

extension XFetchIndex {
  /// What search calls a user: the handle, or the id where no handle is known or it could be taken for an id.
  func searchName(of user: String) -> String {
    guard let handle = handles[user], handle.contains(where: { !$0.isNumber }) else { return user }
    return handle
  }
}
