/// Follows `next_token` from page to page, with a limit.
///
/// By X's documents the last page has no token; a deployment, a proxy or a stub may break this rule, and each
/// page costs money. So pages are counted, and a repeated token ends the paging.
package struct XPaging: Sendable, Hashable {
  /// Whether the caller wants another page.
  package enum Next: Sendable, Hashable { case more, enough }

  /// The reason why the paging ended.
  package enum End: Sendable, Hashable {
    /// There are no further pages.
    case complete
    /// The caller did not want further pages.
    case enough
    /// There are more than `maximumPages`; the rest is unknown.
    case pageLimit
    /// X repeated a token; the rest is unknown.
    case repeatedToken
  }

  /// The maximum number of pages; at least 1.
  package var maximumPages: Int

  package init(maximumPages: Int = 500) { self.maximumPages = max(1, maximumPages) }

  /// Requests the pages one after another, and passes each to `body` before the next request.
  ///
  /// - Parameters:
  ///   - ask: requests the page with a token; `nil` for the first.
  ///   - body: receives the page, and returns whether another page is wanted.
  @discardableResult
  package func pages(
    isolation: isolated (any Actor)? = #isolation,
    _ ask: (_ token: String?) async throws(XClientError) -> XResponse,
    each body: (XResponse) async throws(XClientError) -> Next
  ) async throws(XClientError) -> End {
    var seen: Set<String> = []
    var token: String?
    for _ in 0..<maximumPages {
      guard !Task.isCancelled else {
        throw XClientError(
          .cancelled, "Fetching was interrupted. What arrived is kept; run it again to go on.")
      }
      let page = try await ask(token)
      let wish = try await body(page)
      guard let next = page.nextToken else { return .complete }
      guard wish == .more else { return .enough }
      guard seen.insert(next).inserted else { return .repeatedToken }
      token = next
    }
    return .pageLimit
  }
}

extension XEndpoints {
  /// Requests the pages of a search; the closure returns whether it wants more.
  @discardableResult
  package func pages(
    isolation: isolated (any Actor)? = #isolation,
    of search: XSearch, paging: XPaging = XPaging(),
    each body: (XResponse) async throws(XClientError) -> XPaging.Next
  ) async throws(XClientError) -> XPaging.End {
    try await paging.pages(
      { token throws(XClientError) in try await self.search(search, token: token) }, each: body)
  }

  /// Requests the pages of a timeline; the closure returns whether it wants more.
  @discardableResult
  package func pages(
    isolation: isolated (any Actor)? = #isolation,
    of timeline: XTimeline, paging: XPaging = XPaging(),
    each body: (XResponse) async throws(XClientError) -> XPaging.Next
  ) async throws(XClientError) -> XPaging.End {
    try await paging.pages(
      { token throws(XClientError) in try await self.timeline(timeline, token: token) }, each: body)
  }
}
