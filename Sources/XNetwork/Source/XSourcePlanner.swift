import NetworkSources
import SiteConfig
import ThreadModel

/// Plans the requests to X without sending any.
struct XSourcePlanner: SourcePlanner {
  private let threads: XThreads

  /// - Parameter lacksFullSearch: whether X refused the full-archive search recently.
  init(now: Timestamp, lacksFullSearch: Bool) {
    threads = XThreads(OfflineEndpoints(), now: now, lacksFullSearch: lacksFullSearch)
  }

  func plan(thread request: ThreadRequest) -> [PlannedRequest] {
    let plan = threads.plan(
      thread: request.postID?.value ?? request.reference?.id ?? "", known: request.known,
      options: XThreadOptions(replies: request.wantsReplies))
    return plan.steps.map(PlannedRequest.init)
  }

  func plan(account request: AccountRequest) -> [PlannedRequest] {
    // An error of reading is reported when the account is fetched.
    let progress = request.progress.flatMap { try? XTimelineProgress($0, of: request.account) }
    let plan = threads.plan(
      author: request.account.handle, limits: XThreadLimits(request.limits),
      options: XThreadOptions(replies: request.wantsReplies), progress: progress, account: request.author)
    return plan.steps.map(PlannedRequest.init)
  }

  func plan(search query: String, limit: Int?) -> [PlannedRequest] {
    threads.plan(search: query, limit: limit).steps.map(PlannedRequest.init)
  }

  func plan(recheck conversations: [Conversation]) -> [PlannedRequest] {
    threads.plan(recheck: conversations).steps.map(PlannedRequest.init)
  }

  func plan(followers count: Int, of authors: Int) -> [PlannedRequest] {
    guard count > 0, authors > 0 else { return [] }
    return threads.plan(profile: .id("1"), followers: count).steps.map { step in
      PlannedRequest(
        XPlan.Step(
          "\(step.what.replacing(" with the id 1", with: "")), for each of \(authors) authors", step.endpoint,
          requests: step.requests.lowerBound * authors...step.requests.upperBound * authors,
          posts: step.posts * authors, users: step.users * authors))
    }
  }
}

extension PlannedRequest {
  fileprivate init(_ step: XPlan.Step) {
    self.init(
      step.what, step.endpoint, requests: step.requests, posts: step.posts, users: step.users,
      cost: step.cost)
  }
}

/// Endpoints that refuse every request.
private struct OfflineEndpoints: XEndpoints {
  private var refusal: XClientError { XClientError(.cancelled, "A plan asks nobody.") }

  func posts(_ ids: [String]) async throws(XClientError) -> XResponse { throw refusal }
  func search(_ search: XSearch, token: String?) async throws(XClientError) -> XResponse { throw refusal }
  func timeline(_ timeline: XTimeline, token: String?) async throws(XClientError) -> XResponse {
    throw refusal
  }
  func user(handle: String) async throws(XClientError) -> XResponse { throw refusal }
  func users(_ ids: [String]) async throws(XClientError) -> XResponse { throw refusal }
  func followers(
    of userID: String, count: Int, token: String?
  ) async throws(XClientError) -> XResponse { throw refusal }
}
