import NetworkSources
import SiteConfig
import ThreadModel

/// Estimates the requests to relays, all of which are free.
struct NostrPlanner: SourcePlanner {
  /// The number of relays, each of which receives every request.
  let relays: Int

  init(_ run: SourceRun) { relays = run.config.networks[NostrSection.self].relays.count }

  /// Returns requests of one kind to all relays.
  ///
  /// - Parameter times: the numbers of requests to each relay.
  private func toAll(
    _ what: String, _ endpoint: String, _ times: ClosedRange<Int> = 1...1, posts: Int = 0, users: Int = 0
  ) -> PlannedRequest {
    PlannedRequest(
      what, endpoint, requests: (times.lowerBound * relays)...(times.upperBound * relays), posts: posts,
      users: users)
  }

  private static let confirmingNames = PlannedRequest(
    "ask domains to confirm authors' names", "GET nostr.json", requests: 0...10)

  func plan(thread request: ThreadRequest) -> [PlannedRequest] {
    let length = request.known?.posts.count ?? 20
    return [
      toAll("look up the given post, the first post, and answered and quoted posts", "REQ ids", 1...6),
      toAll("read the author's posts below them", "REQ #e", 3...(6 + length / 50), posts: length),
      toAll("read profiles", "REQ authors", users: 2),
      Self.confirmingNames,
    ]
  }

  func plan(account request: AccountRequest) -> [PlannedRequest] {
    let isNew = request.progress == nil
    var plan: [PlannedRequest] = []
    if request.account.authorID == nil {
      plan.append(PlannedRequest("ask the domain for the account's key", "GET nostr.json", users: 1))
    }
    return plan + [
      toAll(
        isNew
          ? "read the account's posts, up to \(RelayFilter.pageSize) per page"
          : "read the account's newer posts",
        "REQ authors", isNew ? 2...20 : 2...4, posts: isNew ? 1000 : 100),
      toAll("look up answered and quoted posts", "REQ ids", 0...10, posts: 50),
      toAll("read deletions", "REQ #e", 1...20),
      Self.confirmingNames,
    ]
  }

  func plan(search query: String, limit: Int?) -> [PlannedRequest] { [] }

  func plan(recheck conversations: [Conversation]) -> [PlannedRequest] {
    let posts = conversations.reduce(0) { $0 + $1.posts.count + $1.related.count }
    guard posts > 0 else { return [] }
    let batches = (posts + RelayFilter.mostValues - 1) / RelayFilter.mostValues
    return [
      toAll("look up every known post", "REQ ids", batches...(batches * 2), posts: posts),
      toAll("read deletions", "REQ #e", batches...(batches * 2)),
      toAll("read profiles", "REQ authors", 1...batches, users: conversations.count),
    ]
  }

  func plan(followers count: Int, of authors: Int) -> [PlannedRequest] {
    guard authors > 0 else { return [] }
    return [toAll("read profiles", "REQ authors", authors...authors, users: authors)]
  }
}
