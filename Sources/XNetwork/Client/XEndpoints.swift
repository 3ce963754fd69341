/// The requests to X that threads are found with, each answered by one page.
///
/// The interface between the client, which handles credentials, dialects, rate limits and costs, and the code that finds
/// threads.
package protocol XEndpoints: Sendable {
  /// Requests posts by id, with all fields that a page can show; at most 100.
  func posts(_ ids: [String]) async throws(XClientError) -> XResponse
  /// Requests a page of a search; `token` is from the previous page.
  func search(_ search: XSearch, token: String?) async throws(XClientError) -> XResponse
  /// Requests a page of an author's timeline, newest first; reposts should be left out, as each is paid for and none is used.
  func timeline(_ timeline: XTimeline, token: String?) async throws(XClientError) -> XResponse
  /// Requests the user with a handle.
  func user(handle: String) async throws(XClientError) -> XResponse
  /// Requests users by id; at most 100.
  func users(_ ids: [String]) async throws(XClientError) -> XResponse
  /// Requests a page of a user's followers; `count` is at most 1000.
  func followers(of userID: String, count: Int, token: String?) async throws(XClientError) -> XResponse
}

/// A search.
package struct XSearch: Sendable, Hashable {
  package enum Reach: Sendable, Hashable {
    /// Posts of the last seven days.
    case recent
    /// All posts; not every account has access.
    case full
  }

  /// The query in X's search operators.
  package var query: String
  package var reach: Reach
  /// The lowest and the highest id, both exclusive, like X's `since_id` and `until_id`.
  package var sinceID: String?
  package var untilID: String?
  /// The start and the end of the period, ISO 8601 in UTC to the second. A full search always has a start: without one X
  /// searches only the last 30 days.
  package var startTime: String?
  package var endTime: String?
  /// The number of posts a page that the caller needs; the client adapts it to X's limits and the budget.
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
