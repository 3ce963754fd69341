import NetworkSources
import XNetwork

extension XEndpoints {
  /// Requests the pages of a search.
  @discardableResult
  func pages(
    of search: XSearch, paging: XPaging = XPaging(),
    each body: (XResponse) async throws(SourceError) -> XPaging.Next
  ) async throws(SourceError) -> XPaging.End {
    try await paging.pages(
      { token throws(SourceError) in try await self.search(search, token: token) }, each: body)
  }

  /// Requests the pages of a timeline.
  func pages(
    of timeline: XTimeline, each body: (XResponse) async throws(SourceError) -> XPaging.Next
  ) async throws(SourceError) -> XPaging.End {
    try await XPaging().pages(
      { token throws(SourceError) in try await self.timeline(timeline, token: token) }, each: body)
  }
}
