import Basics

/// Requests for one source, whose pages are kept until `finish`.
package struct XSession: XEndpoints {
  let client: XClient
  let cache: XResponseCacheSession?

  package func posts(_ ids: [String]) async throws(XClientError) -> XResponse {
    try await client.answer(to: .posts(ids), cache)
  }

  package func search(_ search: XSearch, token: String?) async throws(XClientError) -> XResponse {
    try await client.answer(to: .search(search, token: token), cache)
  }

  package func timeline(_ timeline: XTimeline, token: String?) async throws(XClientError) -> XResponse {
    try await client.answer(to: .timeline(timeline, token: token), cache)
  }

  package func user(handle: String) async throws(XClientError) -> XResponse {
    try await client.answer(to: .user(handle: handle), cache)
  }

  package func users(_ ids: [String]) async throws(XClientError) -> XResponse {
    try await client.answer(to: .users(ids), cache)
  }

  package func followers(
    of userID: String, count: Int, token: String?
  ) async throws(XClientError) -> XResponse {
    try await client.answer(to: .followers(of: userID, count: count, token: token), cache)
  }

  /// Removes the pages; called when the threads are saved.
  package func finish() throws(XClientError) {
    do {
      try cache?.remove()
    } catch {
      throw XClientError(.file, "The pages that were kept while fetching could not be removed: \(error)")
    }
  }
}
