import NetworkSources
import SiteConfig
import ThreadModel

/// Estimates the requests to Bluesky, all of which are free.
struct BlueskySourcePlanner: SourcePlanner {
  private static let lookingUpHandle = [
    PlannedRequest("resolve the handle", "GET com.atproto.identity.resolveHandle", users: 1),
    PlannedRequest(
      "ask the handle's host if Bluesky does not know the handle", "GET atproto-did", requests: 0...1),
  ]

  func plan(thread request: ThreadRequest) -> [PlannedRequest] {
    let length = request.known?.posts.count ?? 10
    var plan: [PlannedRequest] = []
    if request.known == nil, request.reference?.handle?.hasPrefix("did:") != true {
      plan += Self.lookingUpHandle
    }
    // Three, and one more per ten posts because a response has ten levels; at least four.
    let most = max(4, 3 + length / 10) + (request.wantsReplies ? 10 : 0)
    plan.append(
      PlannedRequest(
        "read up to the first post and down to the last", "GET app.bsky.feed.getPostThread",
        requests: 1...most,
        posts: length))
    plan.append(
      PlannedRequest("compare with Bluesky's count of posts", "GET app.bsky.unspecced.getPostThreadV2"))
    plan.append(
      PlannedRequest("look up quoted and missing posts", "GET app.bsky.feed.getPosts", requests: 0...2))
    return plan
  }

  func plan(account request: AccountRequest) -> [PlannedRequest] {
    var plan: [PlannedRequest] = []
    if request.account.authorID == nil {
      plan += Self.lookingUpHandle
    }
    plan.append(PlannedRequest("look up the account", "GET app.bsky.actor.getProfile", users: 1))
    let isNew = request.progress == nil
    plan.append(
      PlannedRequest(
        isNew ? "read the account's posts, 100 per page" : "read the account's newer posts",
        "GET app.bsky.feed.getAuthorFeed", requests: 1...(isNew ? 100 : 2), posts: isNew ? 1000 : 100))
    plan.append(
      PlannedRequest(
        "read threads that began earlier", "GET app.bsky.feed.getPostThread", requests: 0...10, posts: 50))
    return plan
  }

  func plan(search query: String, limit: Int?) -> [PlannedRequest] { [] }

  func plan(recheck conversations: [Conversation]) -> [PlannedRequest] {
    let posts = conversations.reduce(0) { $0 + $1.posts.count + $1.related.count }
    let batches = max(1, (posts + BlueskyAPI.lookupSize - 1) / BlueskyAPI.lookupSize)
    return [
      PlannedRequest(
        "look up every known post", "GET app.bsky.feed.getPosts", requests: batches...batches, posts: posts)
    ]
  }

  func plan(followers count: Int, of authors: Int) -> [PlannedRequest] {
    guard authors > 0 else { return [] }
    let pages = max(1, (count + 99) / 100) * authors
    return [
      PlannedRequest(
        "read profiles", "GET app.bsky.actor.getProfile", requests: authors...authors, users: authors),
      PlannedRequest(
        "read followers", "GET app.bsky.graph.getFollowers", requests: authors...pages, users: count * authors
      ),
    ]
  }
}
