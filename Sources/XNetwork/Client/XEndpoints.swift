import Basics
package import NetworkSources

/// The requests to X that are used to find threads. The response to each is one page.
///
/// This is the interface between the client, which handles credentials, rate limits and costs, and the code that finds threads.
package protocol XEndpoints: Sendable {
  /// Requests posts by id, with all fields that a page can show; at most 100.
  func posts(_ ids: [String]) async throws(SourceError) -> XResponse
  /// Requests a page of a search. `token` is from the previous page.
  func search(_ search: XSearch, token: String?) async throws(SourceError) -> XResponse
  /// Requests a page of an author's timeline, newest first. Reposts should be left out, because each has a price and they are not used.
  func timeline(_ timeline: XTimeline, token: String?) async throws(SourceError) -> XResponse
  /// Requests the user with a handle.
  func user(handle: String) async throws(SourceError) -> XResponse
  /// Requests users by id; at most 100.
  func users(_ ids: [String]) async throws(SourceError) -> XResponse
  /// Requests a page of a user's followers. `count` is at most 1,000.
  func followers(of userID: String, count: Int, token: String?) async throws(SourceError) -> XResponse
  /// Removes the pages that were kept; called when the threads are saved.
  func finish() throws(SourceError)
}

extension XEndpoints {
  package func finish() throws(SourceError) {}
}

/// X's endpoints as one source uses them. Their pages are kept until `finish`.
package struct XSession: XEndpoints {
  let client: XClient
  let cache: XResponseCacheSession?

  package func posts(_ ids: [String]) async throws(SourceError) -> XResponse {
    try await client.answer(to: .posts(ids), cache)
  }

  package func search(_ search: XSearch, token: String?) async throws(SourceError) -> XResponse {
    try await client.answer(to: .search(search, token: token), cache)
  }

  package func timeline(_ timeline: XTimeline, token: String?) async throws(SourceError) -> XResponse {
    try await client.answer(to: .timeline(timeline, token: token), cache)
  }

  package func user(handle: String) async throws(SourceError) -> XResponse {
    try await client.answer(to: .user(handle: handle), cache)
  }

  package func users(_ ids: [String]) async throws(SourceError) -> XResponse {
    try await client.answer(to: .users(ids), cache)
  }

  package func followers(
    of userID: String, count: Int, token: String?
  ) async throws(SourceError) -> XResponse {
    try await client.answer(to: .followers(of: userID, count: count, token: token), cache)
  }

  package func finish() throws(SourceError) {
    do {
      try cache?.remove()
    } catch {
      throw SourceError(x: .file, "The pages saved during the fetch could not be removed: \(error)")
    }
  }
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
  /// The lowest id, exclusive, like X's `since_id`.
  package var sinceID: String?
  /// The start of the period, in ISO 8601 in UTC, to the second. A full search always has a start; without one, X searches only the last 30
  /// days.
  package var startTime: String?
  /// The number of posts per page that the caller needs. The client adapts it to X's limits and the budget.
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
  /// The lowest and the highest id, both exclusive, like X's `since_id` and `until_id`.
  package var sinceID: String?
  package var untilID: String?
  /// The start and the end of the period, in ISO 8601 in UTC, to the second.
  package var startTime: String?
  package var endTime: String?

  package var pageSize: Int

  package init(userID: String, pageSize: Int = 100) {
    self.userID = userID
    self.pageSize = pageSize
  }
}

/// Follows `next_token` from page to page, with a limit.
///
/// By X's documents, the last page has no token. A deployment, a proxy or a stub may break this rule, and each page costs money. So pages
/// are counted, and repeated tokens and pages without new content end the paging.
package struct XPaging: Sendable, Hashable {
  /// Whether the caller wants another page.
  package enum Next: Sendable, Hashable { case more, enough }

  /// How a sequence of pages ended.
  package enum End: Sendable, Hashable {
    /// There are no further pages.
    case complete
    /// There are further pages, which were not wanted.
    case enough
    /// There are further pages, which cannot be fetched.
    case cut
    /// X does not allow the request to this account.
    case refused
    case failed
    /// No further request can be made in this run.
    case stopped

    /// Whether all wanted pages were read.
    var isRead: Bool { self == .complete || self == .enough }
  }

  /// The number of consecutive pages without new content after which the paging ends.
  private static let patience = 3

  /// The maximum number of pages; at least 1.
  private let maximumPages: Int

  package init(maximumPages: Int = 500) { self.maximumPages = max(1, maximumPages) }

  /// Requests the pages one after another, and passes each page to `body` before the next request.
  ///
  /// - Parameters:
  ///   - request: requests the page with a token; `nil` for the first page.
  ///   - body: receives the page, and returns whether another page is wanted.
  /// - Returns: `complete`, `enough` or `cut`.
  @discardableResult
  package func pages(
    isolation: isolated (any Actor)? = #isolation,
    _ request: (_ token: String?) async throws(SourceError) -> XResponse,
    each body: (XResponse) async throws(SourceError) -> Next
  ) async throws(SourceError) -> End {
    var tokens: Set<String> = []
    var items: Set<String> = []
    var idlePages = 0
    var token: String?
    for _ in 0..<maximumPages {
      guard !Task.isCancelled else { throw XRefusal.interrupted() }
      let page = try await request(token)
      let count = items.count
      items.formUnion(page.posts.isEmpty ? page.users.compactMap { $0.id("id") } : page.posts.map(\.id))
      idlePages = items.count == count ? idlePages + 1 : 0
      let wish = try await body(page)
      guard let next = page.nextToken else { return .complete }
      guard idlePages < Self.patience else { return .cut }
      guard wish == .more else { return .enough }
      guard tokens.insert(next).inserted else { return .cut }
      token = next
    }
    return .cut
  }
}
