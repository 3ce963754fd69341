import SiteConfig
import ThreadModel
import XNetwork

/// Says what X would be asked, without a way to ask.
struct XPlanner: Sendable {
  private let threads: XThreads
  private let limits: @Sendable (ThreadSource.Limits) -> XThreadLimits

  /// - Parameter lacksFullSearch: whether X refused the full-archive search lately.
  init(
    now: Timestamp, lacksFullSearch: Bool, limits: @escaping @Sendable (ThreadSource.Limits) -> XThreadLimits
  ) {
    threads = XThreads(NobodyToAsk(), now: now, lacksFullSearch: lacksFullSearch)
    self.limits = limits
  }

  func requests(
    of task: FetchTask, known: Conversation?, progress: XTimelineProgress? = nil
  ) -> [XPlan.Step] {
    let options = XThreadOptions(replies: task.wantsReplies)
    switch task.source {
    case .thread(let post): return threads.plan(thread: post.id, known: known, options: options).steps
    case .account(let account):
      return threads.plan(
        author: account.account.handle, limits: limits(account.limits), options: options, progress: progress
      ).steps
    case .search(let search): return threads.plan(search: search.query, limit: search.limit).steps
    case .archive: return []
    }
  }

  func requests(lookingForGrowthOf conversation: Conversation) -> [XPlan.Step] {
    threads.plan(thread: conversation.id.value, known: conversation).steps
  }

  func requests(followers count: Int, of authors: Int) -> [XPlan.Step] {
    guard count > 0, authors > 0 else { return [] }
    let one = threads.plan(profile: .id("1"), followers: count)
    return one.steps.map { step in
      XPlan.Step(
        "\(step.what.replacing(" with the id 1", with: "")), for each of \(authors) authors", step.endpoint,
        requests: step.requests.lowerBound * authors...step.requests.upperBound * authors,
        posts: step.posts * authors, users: step.users * authors)
    }
  }

  func requests(lookingAgainAt conversations: [Conversation]) -> [XPlan.Step] {
    threads.plan(recheck: conversations).steps
  }
}

/// Answers nothing.
private struct NobodyToAsk: XEndpoints {
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
