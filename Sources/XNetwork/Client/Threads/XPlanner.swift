package import NetworkSources
import SiteConfig
package import ThreadModel

/// Lists the requests that a fetch from X would make, with their approximate cost.
///
/// It uses the same known values as a run (`XTarget`, `XStart`, `XFetchIndex`). The lengths of threads and the account's search access are
/// unknown before the fetch. So a thread is assumed to have 25 posts, and a step has a range of requests. A dry run against recording
/// endpoints would need invented responses, and would show only one of the possible paths.
package struct XPlanner: SourcePlanner {
  private static let assumedPosts = 25
  /// The assumed number of posts per day of an author who writes threads.
  private static let assumedPostsADay = 5.0
  private static let timelineReach = 3200

  private let now: Timestamp
  /// Whether X refused the full-archive search recently.
  private let lacksFullSearch: Bool

  package init(now: Timestamp, lacksFullSearch: Bool = false) {
    self.now = now
    self.lacksFullSearch = lacksFullSearch
  }

  private static func step(
    _ what: String, _ endpoint: XEndpoint, requests: ClosedRange<Int> = 1...1, posts: Int = 0, users: Int = 0
  ) -> PlannedRequest {
    PlannedRequest(
      what, endpoint.rawValue, requests: requests, posts: posts, users: users,
      cost: XPrices().cost(posts: posts, users: users))
  }

  private static func pages(_ count: Int, of size: Int) -> ClosedRange<Int> {
    let pages = max(1, (count + size - 1) / size)
    return pages...pages
  }

  // MARK: Threads

  package func plan(thread request: ThreadRequest) -> [PlannedRequest] {
    if let known = request.known { return plan(growthOf: known, request.wantsReplies) }
    return [
      Self.step("look up the given post", .posts, posts: 1, users: 1),
      Self.step("look up the first post of its conversation", .posts, requests: 0...1, posts: 1),
    ] + finding(isRecent: XStart.isRecent(XID.time(request.xID), at: now), request.wantsReplies) + [
      Self.step("look up quoted, answered and missing posts", .posts, requests: 0...1, posts: 1)
    ]
  }

  private func plan(growthOf known: Conversation, _ wantsReplies: Bool) -> [PlannedRequest] {
    var fetchIndex = XFetchIndex()
    fetchIndex.add(known, now: now)
    let target = XTarget(
      conversation: known.id.value, author: known.authorID.value, replies: wantsReplies, known: known)
    let start = XStart(target, in: fetchIndex, now: now)
    let wanted = fetchIndex.wanted(by: target).count
    var steps: [PlannedRequest] = []
    if start.newestKnown == nil {
      steps += finding(isRecent: start.isRecent, wantsReplies)
    } else {
      steps.append(
        Self.step(
          "look for newer posts", start.isRecent ? .searchRecent : .searchAll, posts: 1,
          users: 1))
    }
    if wanted > 0 {
      steps.append(
        Self.step(
          "look up posts that are missing or may have changed", .posts, requests: Self.pages(wanted, of: 100),
          posts: wanted))
    }
    return steps
  }

  private func finding(isRecent: Bool, _ wantsReplies: Bool) -> [PlannedRequest] {
    let posts = (Self.assumedPosts - 2) * (wantsReplies ? 2 : 1)
    let what = wantsReplies ? "search for the thread and its replies" : "search for the thread"
    let length = ", of unknown length: \(posts) more posts assumed"
    if isRecent { return [Self.step(what + length, .searchRecent, requests: 1...5, posts: posts)] }
    if !lacksFullSearch {
      return [
        Self.step(
          what + " in the full archive" + length
            + "; where the account may not, read the author's timeline or climb from post to post",
          .searchAll, requests: 1...32, posts: posts)
      ]
    }
    return [
      Self.step(
        "read the author's timeline around the thread" + length, .timeline, requests: 1...32, posts: posts),
      Self.step(
        "follow replies from post to post beyond the timeline", .posts, requests: 0...Self.assumedPosts),
    ]
  }

  // MARK: Accounts

  package func plan(account request: AccountRequest) -> [PlannedRequest] {
    let handle = request.account.handle
    let progress = request.progress?.continued(for: request.limits)
    var unread = request.limits
    // Only newer posts, and posts that an earlier run left unread, are read.
    if let newest = progress?.newest.flatMap(XID.time), progress?.unread == nil { unread.since = newest }
    if let before = progress?.unread.flatMap({ XID.time($0.before) }) { unread.until = before }
    let posts = timelinePosts(unread, of: request.author)
    let length =
      request.author?.posts == nil ? ", of unknown length: \(posts) posts assumed" : ": about \(posts) posts"
    let threads = max(1, posts / (Self.assumedPosts * 4))
    var steps = progress == nil ? [Self.step("look up @\(handle)", .userByHandle, users: 1)] : []
    steps += [
      Self.step("read the timeline of @\(handle)" + length, .timeline, requests: 1...32, posts: posts),
      Self.step("look up quoted and missing posts", .posts, requests: 0...2, posts: threads),
    ]
    if request.wantsReplies {
      steps.append(
        Self.step(
          "search for replies, for each thread", lacksFullSearch ? .searchRecent : .searchAll,
          requests: 0...threads, posts: threads * Self.assumedPosts))
    }
    return steps
  }

  /// Returns the estimated number of posts: the length of a timeline is estimated from the number of the account's posts and its age.
  private func timelinePosts(_ limits: ThreadLimits, of account: Author?) -> Int {
    let most = min(account?.posts ?? Self.timelineReach, Self.timelineReach)
    guard limits.since != nil || limits.until != nil else { return most }
    let joined = account?.joinedAt
    let start = Timestamp.later(limits.since, joined) ?? Timestamp(iso8601: XStart.dawn) ?? now
    let days = Self.days(from: start, to: min(limits.until ?? now, now))
    var postsADay = Self.assumedPostsADay
    if let posts = account?.posts, let joined { postsADay = Double(posts) / Self.days(from: joined, to: now) }
    return Int(min(Double(most), (days * postsADay).rounded()))
  }

  private static func days(from start: Timestamp, to end: Timestamp) -> Double {
    Double(max(0, end.milliseconds - start.milliseconds)) / 86_400_000 + 1
  }

  // MARK: Searches, rechecks, profiles

  package func plan(search query: String, limit: Int?) -> [PlannedRequest] {
    let threads = max(1, limit ?? 100)
    let steps = [
      Self.step(
        "search for posts, of unknown number: \(threads) threads assumed",
        lacksFullSearch ? .searchRecent : .searchAll, requests: Self.pages(threads, of: 100),
        posts: max(threads, 10), users: threads),
      Self.step(
        "look up the first posts of their conversations", .posts,
        requests: 0...Self.pages(threads, of: 100).upperBound, posts: threads),
    ]
    return steps
      + finding(isRecent: lacksFullSearch, false).map { step in
        PlannedRequest(
          "for each thread: \(step.what)", step.endpoint,
          requests: threads...threads * step.requests.upperBound, posts: threads * step.posts,
          cost: XPrices().cost(posts: threads * step.posts, users: 0))
      }
  }

  package func plan(recheck conversations: [Conversation]) -> [PlannedRequest] {
    let ids = Set(conversations.flatMap(\.knownIDs))
    guard !ids.isEmpty else { return [] }
    let users = Set(conversations.flatMap { ($0.posts + $0.related).map(\.authorID) })
    return [
      Self.step(
        "look up all known posts", .posts, requests: Self.pages(ids.count, of: 100), posts: ids.count,
        users: users.count)
    ]
  }

  package func plan(followers count: Int, of authors: Int) -> [PlannedRequest] {
    guard count > 0, authors > 0 else { return [] }
    let requests = Self.pages(count, of: 1000).upperBound * authors
    return [
      Self.step(
        "look up the user, for each of \(authors) authors", .users, requests: authors...authors,
        users: authors),
      Self.step(
        "read followers, for each of \(authors) authors", .followers, requests: requests...requests,
        users: count * authors),
    ]
  }
}
