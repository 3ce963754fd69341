import NetworkSources
import SiteConfig
import TestSupport
import ThreadModel
import XNetwork

extension ThreadRequest {
  init(_ id: String, known: Conversation? = nil, replies: Bool = false) {
    self.init(nil, postID: PostID(id, on: .x), known: known, wantsReplies: replies)
  }
}

extension AccountRequest {
  init(
    _ handle: String, limits: ThreadLimits = ThreadLimits(), replies: Bool = false,
    progress: AccountProgress? = nil
  ) {
    self.init(
      AccountReference(platform: .x, handle: handle), limits: limits, wantsReplies: replies,
      progress: progress)
  }
}

extension XThreads {
  /// Finds the thread of one post. Without a thread, it returns the known posts and the reason as the
  /// failure.
  func thread(
    of id: String, known: Conversation? = nil, replies: Bool = false,
    stored: @escaping @Sendable (PostID, AuthorID) -> Conversation? = { _, _ in nil }
  ) async -> FetchedThreads {
    var result = await threads(of: [ThreadRequest(id, known: known, replies: replies)], stored: stored)
    if let refusal = result.refused[0] {
      result.conversations = known.map { [$0] } ?? []
      result.failure = refusal
      result.notes.removeAll { $0 == refusal.description }
    }
    return result
  }

  func threads(of requests: [ThreadRequest]) async -> FetchedThreads {
    await threads(of: requests) { _, _ in nil }
  }

  func threads(
    by handle: String, limits: ThreadLimits = ThreadLimits(), replies: Bool = false,
    progress: AccountProgress? = nil, known: @escaping @Sendable (PostID) -> Bool = { _ in false }
  ) async -> FetchedThreads {
    await threads(
      by: AccountRequest(handle, limits: limits, replies: replies, progress: progress), known: known)
  }

  func profile(_ handle: String) async -> FetchedProfile {
    await profile(of: AccountReference(platform: .x, handle: handle))
  }

  func profile(id: String, followers: Int = 0) async -> FetchedProfile {
    await profile(of: AuthorID(id, on: .x), followers: followers)
  }
}
