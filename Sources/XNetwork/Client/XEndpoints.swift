/// What can be asked of X: the requests, each answered by one page.
///
/// The border between what knows how to ask (credentials, dialects, limits, money) and what knows what to ask for
/// (finding threads).
package protocol XEndpoints: Sendable {
  /// Posts by id, with all that a page can show of them; at most 100.
  func posts(_ ids: [String]) async throws(XClientError) -> XResponse
  /// A page of a search; `token` is what the page before gave.
  func search(_ search: XSearch, token: String?) async throws(XClientError) -> XResponse
  /// A page of an author's timeline, newest first; reposts are best left out, as each is paid for and none is used.
  func timeline(_ timeline: XTimeline, token: String?) async throws(XClientError) -> XResponse
  /// The user with this handle.
  func user(handle: String) async throws(XClientError) -> XResponse
  /// Users by id; at most 100.
  func users(_ ids: [String]) async throws(XClientError) -> XResponse
  /// A page of those who follow a user; `count` at most 1000.
  func followers(of userID: String, count: Int, token: String?) async throws(XClientError) -> XResponse
}

/// A search.
package struct XSearch: Sendable, Hashable {
  package enum Reach: Sendable, Hashable {
    /// The last seven days.
    case recent
    /// All posts; not every account may.
    case full
  }

  /// In X's own operators.
  package var query: String
  package var reach: Reach
  /// The oldest and the newest id that can be found; exclusive, as X's `since_id` and `until_id` are.
  package var sinceID: String?
  package var untilID: String?
  /// When the search begins and ends, ISO 8601 in UTC to the second. A full search always has a start: without one X
  /// looks at the last 30 days only.
  package var startTime: String?
  package var endTime: String?
  /// Posts a page that are enough; the client keeps it within X's limits and the budget.
  package var pageSize: Int

  package init(_ query: String, reach: Reach, pageSize: Int = 100) {
    self.query = query
    self.reach = reach
    self.pageSize = pageSize
  }
}

/// A part of an author's timeline.
package struct XTimeline: Sendable, Hashable {
  package var userID: String
  /// Exclusive.
  package var sinceID: String?
  /// Exclusive.
  package var untilID: String?
  /// ISO 8601 in UTC to the second.
  package var startTime: String?
  package var endTime: String?
  package var pageSize: Int

  package init(userID: String, pageSize: Int = 100) {
    self.userID = userID
    self.pageSize = pageSize
  }
}
