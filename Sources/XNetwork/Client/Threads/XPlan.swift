package import Foundation
package import ThreadModel

/// The requests that a fetch would make and their approximate cost; no request is sent.
package struct XPlan: Sendable, Hashable {
  package struct Step: Sendable, Hashable {
    /// The purpose of the requests, as a clause: "look up the post given".
    package var what: String
    /// The endpoint, such as `GET /2/tweets`.
    package var endpoint: String
    package var requests: ClosedRange<Int>
    /// The approximate number of posts.
    package var posts: Int
    /// The approximate number of users.
    package var users: Int

    /// The approximate cost in US dollars.
    package var cost: Decimal {
      XPrices().cost(posts: posts, users: users)
    }

    package init(
      _ what: String, _ endpoint: String, requests: ClosedRange<Int> = 1...1, posts: Int = 0, users: Int = 0
    ) {
      self.what = what
      self.endpoint = endpoint
      self.requests = requests
      self.posts = posts
      self.users = users
    }
  }

  package var steps: [Step] = []

  package init(_ steps: [Step] = []) { self.steps = steps }

  package var cost: Decimal { steps.reduce(0) { $0 + $1.cost } }
  package var posts: Int { steps.reduce(0) { $0 + $1.posts } }
  package var users: Int { steps.reduce(0) { $0 + $1.users } }

  package var requests: ClosedRange<Int> {
    let least = steps.reduce(0) { $0 + $1.requests.lowerBound }
    return least...max(least, steps.reduce(0) { $0 + $1.requests.upperBound })
  }
}

/// The requests for each kind of source.
///
/// What is known decides by the same values as in a run (`XTarget`, `XStart`, `XFetchIndex`). Lengths, and what the account may search, are
/// unknown before reading: a thread is assumed to have 25 posts, and a step has a range of requests. A run on endpoints that only record would
/// have to be given invented answers, and would show one way where a plan shows all.
extension XThreads {
  private static let assumedPosts = 25
  /// The assumed number of posts a day of an author who writes threads.
  private static let assumedPostsADay = 5.0
  private static let timelineReach = 3200

  private enum Endpoint {
    static let posts = "GET /2/tweets"
    static let recent = "GET /2/tweets/search/recent"
    static let full = "GET /2/tweets/search/all"
    static let timeline = "GET /2/users/:id/tweets"
    static let user = "GET /2/users/by/username/:username"
    static let followers = "GET /2/users/:id/followers"
  }

  /// Returns the requests of `thread(of:known:options:)`.
  package func plan(
    thread postID: String, known: Conversation? = nil, options: XThreadOptions = XThreadOptions()
  ) -> XPlan {
    if let known { return plan(growthOf: known, options) }
    var steps = [
      XPlan.Step("look up the post given", Endpoint.posts, posts: 1, users: 1),
      XPlan.Step("look up the first post of its conversation", Endpoint.posts, requests: 0...1, posts: 1),
    ]
    steps += finding(isRecent: isRecent(postID), options)
    steps.append(
      XPlan.Step("look up posts that it quotes, answers or lacks", Endpoint.posts, requests: 0...1, posts: 1))
    return XPlan(steps)
  }

  private func plan(growthOf known: Conversation, _ options: XThreadOptions) -> XPlan {
    var fetchIndex = XFetchIndex()
    fetchIndex.add(known, now: now)
    let target = XTarget(
      conversation: known.id.value, author: known.authorID.value, given: nil, replies: options.replies,
      known: known)
    let start = XStart(target, in: fetchIndex, now: now)
    let wanted = fetchIndex.wanted(by: target).count
    var steps: [XPlan.Step] = []
    if start.newestKnown == nil {
      steps += finding(isRecent: start.isRecent, options)
    } else {
      steps.append(
        XPlan.Step(
          "look for posts newer than the newest known", start.isRecent ? Endpoint.recent : Endpoint.full,
          posts: 1, users: 1))
    }
    if wanted > 0 {
      steps.append(
        XPlan.Step(
          "look up posts that are missing or may have changed", Endpoint.posts,
          requests: Self.pages(wanted, of: 100), posts: wanted))
    }
    return XPlan(steps)
  }

  private func finding(isRecent: Bool, _ options: XThreadOptions) -> [XPlan.Step] {
    let posts = (Self.assumedPosts - 2) * (options.replies ? 2 : 1)
    let what = options.replies ? "search for the thread and its replies" : "search for the thread"
    let length = ", of unknown length: \(posts) more posts assumed"
    if isRecent {
      return [XPlan.Step(what + length, Endpoint.recent, requests: 1...5, posts: posts)]
    }
    if !lacksFullSearch {
      return [
        XPlan.Step(
          what + " in the full archive" + length
            + "; where the account may not, read the author's timeline or climb from post to post",
          Endpoint.full, requests: 1...32, posts: posts)
      ]
    }
    return [
      XPlan.Step(
        "read the author's timeline around the thread" + length, Endpoint.timeline, requests: 1...32,
        posts: posts),
      XPlan.Step(
        "climb from post to post where the timeline does not reach", Endpoint.posts,
        requests: 0...Self.assumedPosts),
    ]
  }

  /// Returns the requests of `threads(by:limits:options:progress:known:)`.
  ///
  /// - Parameter account: the account if it is known: the length of its timeline follows from the number of its posts and its age.
  package func plan(
    author handle: String, limits: XThreadLimits = XThreadLimits(),
    options: XThreadOptions = XThreadOptions(),
    progress: XTimelineProgress? = nil, account: Author? = nil
  ) -> XPlan {
    var unread = limits
    // Only newer posts and posts that an earlier run left unread are read.
    if let newest = progress?.newest.flatMap(XID.time), progress?.unread == nil { unread.since = newest }
    if let before = progress?.unread.flatMap({ XID.time($0.before) }) { unread.until = before }
    let posts = timelinePosts(unread, of: account)
    let length =
      account?.posts == nil ? ", of unknown length: \(posts) posts assumed" : ": about \(posts) posts"
    let threads = max(1, posts / (Self.assumedPosts * 4))
    var steps = progress == nil ? [XPlan.Step("look up @\(handle)", Endpoint.user, users: 1)] : []
    steps += [
      XPlan.Step(
        "read the timeline of @\(handle)" + length, Endpoint.timeline,
        requests: 1...32, posts: posts),
      XPlan.Step(
        "look up posts that its threads quote or lack", Endpoint.posts, requests: 0...2, posts: threads),
    ]
    if options.replies {
      steps.append(
        XPlan.Step(
          "search for replies, for each thread", lacksFullSearch ? Endpoint.recent : Endpoint.full,
          requests: 0...threads, posts: threads * Self.assumedPosts))
    }
    return XPlan(steps)
  }

  private func timelinePosts(_ limits: XThreadLimits, of account: Author?) -> Int {
    let most = min(account?.posts ?? Self.timelineReach, Self.timelineReach)
    guard limits.since != nil || limits.until != nil else { return most }
    let joined = account?.joinedAt
    let start = Timestamp.later(limits.since, joined) ?? Timestamp(iso8601: XStart.dawn) ?? now
    let end = min(limits.until ?? now, now)
    let days = Double(max(0, end.milliseconds - start.milliseconds)) / 86_400_000 + 1
    var postsADay = Self.assumedPostsADay
    if let posts = account?.posts, let joined {
      postsADay = Double(posts) / (Double(max(0, now.milliseconds - joined.milliseconds)) / 86_400_000 + 1)
    }
    return min(most, Int(days * postsADay + 0.5))
  }

  /// Returns the requests of `threads(matching:limit:since:until:options:known:)`.
  package func plan(search query: String, limit: Int? = nil, options: XThreadOptions = XThreadOptions())
    -> XPlan
  {
    let threads = max(1, limit ?? 100)
    let more = finding(isRecent: lacksFullSearch, options)
    var steps = [
      XPlan.Step(
        "search for posts, of unknown number: \(threads) threads assumed",
        lacksFullSearch ? Endpoint.recent : Endpoint.full, requests: Self.pages(threads, of: 100),
        posts: max(threads, 10), users: threads),
      XPlan.Step(
        "look up the first posts of their conversations", Endpoint.posts,
        requests: 0...Self.pages(threads, of: 100).upperBound, posts: threads),
    ]
    for step in more {
      steps.append(
        XPlan.Step(
          "for each thread: \(step.what)", step.endpoint,
          requests: threads...threads * step.requests.upperBound,
          posts: threads * step.posts))
    }
    return XPlan(steps)
  }

  /// Returns the requests of `recheck(_:onDeleted:)`.
  package func plan(recheck conversations: [Conversation]) -> XPlan {
    let ids = Set(conversations.flatMap(\.knownIDs))
    guard !ids.isEmpty else { return XPlan() }
    let users = Set(conversations.flatMap { ($0.posts + $0.related).map(\.authorID) })
    return XPlan([
      XPlan.Step(
        "look up all known posts", Endpoint.posts, requests: Self.pages(ids.count, of: 100), posts: ids.count,
        users: users.count)
    ])
  }

  /// Returns the requests of `profile(_:followers:)`.
  package func plan(profile name: XUserName, followers: Int = 0) -> XPlan {
    let (what, endpoint) =
      switch name {
      case .handle(let handle): ("look up @\(handle)", Endpoint.user)
      case .id(let id): ("look up the user with the id \(id)", "GET /2/users")
      }
    var steps = [XPlan.Step(what, endpoint, users: 1)]
    if followers > 0 {
      steps.append(
        XPlan.Step(
          "read followers", Endpoint.followers, requests: Self.pages(followers, of: 1000), users: followers))
    }
    return XPlan(steps)
  }

  private func isRecent(_ id: String) -> Bool {
    XID.time(id).map { now.milliseconds - $0.milliseconds < XStart.recentMilliseconds } ?? false
  }

  private static func pages(_ count: Int, of size: Int) -> ClosedRange<Int> {
    let pages = max(1, (count + size - 1) / size)
    return pages...pages
  }
}
