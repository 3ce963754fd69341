/// Follows `next_token` from page to page, and never for ever.
///
/// X's documents promise that the last page has no token; a deployment, a proxy or a stub may break that promise, and each
/// page costs money. So pages are counted, and a token that was there before ends the paging.
package struct XPaging: Sendable, Hashable {
  /// Whether the caller wants another page.
  package enum Next: Sendable, Hashable { case more, enough }

  /// Why the pages ended.
  package enum End: Sendable, Hashable {
    /// There are no further pages.
    case complete
    /// The caller had enough.
    case enough
    /// There are more than `maximumPages`; what lies behind is unknown.
    case pageLimit
    /// X gave a token for the second time; what lies behind is unknown.
    case repeatedToken
  }

  /// Pages that are asked for at most; at least one.
  package var maximumPages: Int

  package init(maximumPages: Int = 500) { self.maximumPages = max(1, maximumPages) }

  /// Asks for the pages one after another, and hands each to `body` before the next is asked for.
  ///
  /// - Parameters:
  ///   - ask: asks for the page with this token; `nil` for the first.
  ///   - body: takes the page, and says whether another is wanted.
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
  /// All pages of a search; the closure says whether it wants more.
  @discardableResult
  package func pages(
    isolation: isolated (any Actor)? = #isolation,
    of search: XSearch, paging: XPaging = XPaging(),
    each body: (XResponse) async throws(XClientError) -> XPaging.Next
  ) async throws(XClientError) -> XPaging.End {
    try await paging.pages(
      { token throws(XClientError) in try await self.search(search, token: token) }, each: body)
  }

  /// All pages of a timeline; the closure says whether it wants more.
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
