import Basics
import NetworkSources
import ThreadModel

/// Reads one conversation: stores the posts that were read and decides on the next requests.
struct BlueskyReading {
  let api: BlueskyAPI
  var observations: BlueskyObservations
  /// Posts whose replies a response has shown: those for which a thread was requested, and those that were returned with replies.
  private(set) var covered: Set<RecordAddress> = []
  /// The number of direct replies that Bluesky counts for each post.
  private var replyCounts: [RecordAddress: Int] = [:]
  private var repliesSeen: [RecordAddress: Set<RecordAddress>] = [:]
  /// Posts for which a thread was requested.
  private var asked: Set<RecordAddress> = []
  /// The number of requests that were made only for replies to other authors' posts.
  private var requestsForReplies = 0
  /// The number of requests for posts that were returned with only some of their replies.
  private var requestsForMore = 0
  /// Posts that were looked up one by one.
  private var lookedUp: Set<RecordAddress> = []
  /// The number of requests for threads.
  private(set) var requests = 0

  init(_ api: BlueskyAPI, now: Timestamp) {
    self.api = api
    observations = BlueskyObservations(now: now)
  }

  // MARK: Requests

  /// Requests a post with the posts above and below it.
  ///
  /// - Returns: whether the AppView shows it.
  private mutating func askThread(_ address: RecordAddress) async throws(SourceError) -> Bool {
    requests += 1
    if covered.contains(address) { requestsForMore += 1 }
    covered.insert(address)
    asked.insert(address)
    switch try await api.thread(address) {
    case .value(let value):
      guard let thread = value["thread"] else { throw api.unexpected("app.bsky.feed.getPostThread") }
      let before = observations.posts.count
      take(thread: thread)
      api.web.count(posts: observations.posts.count - before)
      return observations.posts[address] != nil
    case .refused(let name, let message):
      guard name == "NotFound" || message.lowercased().contains("not found") else {
        throw api.refusal(name, message, "app.bsky.feed.getPostThread")
      }
      observations.note(missing: address, .notFound)
      return false
    }
  }

  /// Looks up posts by their AT URIs, each at most once. Posts that the response omits are recorded as missing.
  mutating func lookUp(_ addresses: [RecordAddress]) async throws(SourceError) {
    let addresses = addresses.filter { lookedUp.insert($0).inserted }
    for start in stride(from: 0, to: addresses.count, by: BlueskyAPI.lookupSize) {
      let batch = Array(addresses[start..<min(start + BlueskyAPI.lookupSize, addresses.count)])
      let views = try await api.posts(batch)
      for view in views { take(post: view) }
      api.web.count(posts: views.count)
      for address in batch where observations.posts[address] == nil {
        observations.note(missing: address, .notFound)
      }
    }
  }

  // MARK: Adding responses

  /// Adds the posts of a response: the tree of replies and the chain of parents, without recursion because both may be deep.
  mutating func take(thread: JSONValue) {
    var open = [thread]
    while let node = open.popLast() {
      if let post = node["post"] {
        guard let address = take(post: post) else { continue }
        let replies = node["replies"]?.array ?? []
        if !replies.isEmpty { covered.insert(address) }
        open += replies
        if let parent = node["parent"] { open.append(parent) }
      } else if let address = RecordAddress(node["uri"]?.string) {
        if node["blocked"]?.bool == true {
          observations.note(missing: address, .blocked)
        } else if node["notFound"]?.bool == true {
          observations.note(missing: address, .notFound)
        }
      }
    }
  }

  @discardableResult
  mutating func take(post view: JSONValue) -> RecordAddress? {
    guard let address = observations.add(postView: view) else { return nil }
    replyCounts[address] = view["replyCount"]?.int
    if let parent = observations.parents[address] { repliesSeen[parent, default: []].insert(address) }
    return address
  }

  // MARK: Next requests

  /// Returns the next post with unread replies: the topmost, because a response covers several levels below it. Posts without any of their
  /// replies come before those with some of them, because a server may have cut off the rest or may never show them.
  private func nextOpen(by did: String, in root: RecordAddress, others: Bool) -> RecordAddress? {
    nextOpen(by: did, in: root, others: others) { !covered.contains($0) && (replyCounts[$0] ?? 0) > 0 }
      ?? (requestsForMore < Self.mostForMore
        ? nextOpen(by: did, in: root, others: others) { address in
          !asked.contains(address) && (replyCounts[address] ?? 0) > (repliesSeen[address]?.count ?? 0)
        } : nil)
  }

  private func nextOpen(
    by did: String, in root: RecordAddress, others: Bool, where isOpen: (RecordAddress) -> Bool
  ) -> RecordAddress? {
    var best: (depth: Int, address: RecordAddress)?
    var depths: [RecordAddress: Int] = [:]
    for address in observations.posts.keys {
      guard others || address.did == did, isOpen(address), observations.root(of: address) == root
      else { continue }
      let depth = depth(of: address, &depths)
      if let best, (best.depth, best.address.text) < (depth, address.text) { continue }
      best = (depth, address)
    }
    return best?.address
  }

  private func depth(of address: RecordAddress, _ known: inout [RecordAddress: Int]) -> Int {
    var line: [RecordAddress] = []
    var place: RecordAddress? = address
    while let each = place, known[each] == nil {
      // Set before the depth is known, so that the loop ends if the parents form a cycle.
      known[each] = 0
      line.append(each)
      place = observations.parents[each]
    }
    var depth = place.flatMap { known[$0] } ?? -1
    for each in line.reversed() {
      depth += 1
      known[each] = depth
    }
    return depth
  }

  /// Returns the root and the posts that the account's posts answer or quote, if they were neither read nor looked up yet. Answered posts
  /// that a tree reported as not found are included: a tree also omits posts between accounts that block each other, which a lookup still
  /// returns.
  ///
  /// - Parameter own: the account's posts in the conversation.
  func unseenLinks(of own: [RecordAddress], in root: RecordAddress) -> [RecordAddress] {
    let links = Set(own.compactMap { observations.parents[$0] } + [root])
    let quoted = own.compactMap { observations.quotes[$0] }.filter { observations.missing[$0] == nil }
    return links.union(quoted)
      .filter { address in
        guard observations.posts[address] == nil, !lookedUp.contains(address) else { return false }
        return observations.missing[address].map { $0.reason == .notFound } ?? true
      }
      .sorted { $0.text < $1.text }
  }

  /// The maximum number of requests for one thread. A response has ten levels, so this is enough for a few hundred posts.
  private static let mostRequests = 100
  /// The maximum number of requests that are made only for replies to other authors' posts.
  private static let mostForReplies = 30
  /// The maximum number of requests for posts that were returned with only some of their replies.
  private static let mostForMore = 30
  /// The maximum number of pages of an account's list that are read for one thread.
  private static let mostPages = 20

  /// The result of reading a thread.
  struct Found {
    var root: RecordAddress
    var did: String
    var coverage = Coverage()
    /// The error that ended the reading early.
    var failure: SourceError?
  }

  /// Reads the thread that contains a post: up to the root, then down along the author's posts.
  ///
  /// - Parameter starts: posts of the thread, which are requested in this order until one is shown.
  /// - Throws: if none of these posts is shown. Later errors are returned in ``Found/failure``.
  mutating func readThread(
    of starts: [RecordAddress], by author: String? = nil, wantsReplies: Bool
  ) async throws(SourceError) -> Found {
    var shown: RecordAddress?
    for start in starts where shown == nil && !covered.contains(start) {
      if try await askThread(start) { shown = start }
      if observations.signedInOnly[start.did] != nil {
        throw BlueskyAccountState.error(.signedInOnly, name(of: start.did))
      }
    }
    guard let start = shown else { throw notShown(starts.first) }
    let did = author ?? start.did
    var found = Found(root: observations.root(of: start), did: did)
    found.coverage.foundBy = .replies
    do {
      try await readAll(&found, wantsReplies: wantsReplies)
      try await check(&found)
      // The posts from the account's list may quote and answer further posts.
      try await readAll(&found, wantsReplies: wantsReplies)
      await locateVideos(of: did)
    } catch {
      found.failure = error
      found.coverage.limits.append(CoverageLimit(.fetchEnded))
    }
    return found
  }

  private mutating func readAll(_ found: inout Found, wantsReplies: Bool) async throws(SourceError) {
    if !covered.contains(found.root), observations.missing[found.root]?.reason != .signedInOnly {
      _ = try await askThread(found.root)
    }
    while !Task.isCancelled {
      let root = found.root
      if let open = nextOpen(by: found.did, in: root, others: false), requests < Self.mostRequests {
        _ = try await askThread(open)
        continue
      }
      let links = unseenLinks(of: observations.posts(of: found.did, in: root), in: root)
      if !links.isEmpty {
        try await lookUp(links)
        // If a reply names no root, the lookup may have returned its parents.
        found.root = observations.root(of: root)
        continue
      }
      if wantsReplies, requestsForReplies < Self.mostForReplies,
        let open = nextOpen(by: found.did, in: root, others: true)
      {
        requestsForReplies += 1
        _ = try await askThread(open)
        continue
      }
      break
    }
    if nextOpen(by: found.did, in: found.root, others: false) != nil {
      note(.fetchEnded, in: &found)
    } else if wantsReplies, nextOpen(by: found.did, in: found.root, others: true) != nil {
      note(.repliesCut, in: &found)
    }
  }

  private func note(_ limit: CoverageLimit.Kind, in found: inout Found) {
    let limit = CoverageLimit(limit)
    if !found.coverage.limits.contains(limit) { found.coverage.limits.append(limit) }
  }

  /// Reads the account's list of posts, which shows posts that a tree of replies lacks: those below a deleted post, and those that a
  /// threadgate hides.
  ///
  /// No link leads from the posts above a deleted post to the posts below it, and Bluesky counts only the oldest chain. So the list is read
  /// from the first post until a day after the latest known post, and further as long as the thread continues there or is shorter than
  /// Bluesky's count. If there is no count, the list is read to its end.
  private mutating func check(_ found: inout Found) async throws(SourceError) {
    let isOwn = found.root.did == found.did
    let count = isOwn ? await api.chainLength(found.root) : nil
    let expectation = Expectation(count: count, isUncounted: isOwn && count == nil)
    try await readList(&found, expectation)
    // `knownOwn` also counts deleted posts that another post continues.
    if let count, count > knownOwn(found) { found.coverage.expectedPosts = count }
  }

  /// The expected number of posts of a thread.
  private struct Expectation {
    /// Bluesky's count of the posts in the oldest unbroken chain.
    var count: Int?
    /// Whether only the end of the account's list shows that the thread is complete.
    var isUncounted: Bool
  }

  private func isShort(_ found: Found, _ expectation: Expectation) -> Bool {
    expectation.count.map { $0 > oldestChain(found) } ?? expectation.isUncounted
  }

  /// Returns the number of posts in the chain that Bluesky counts: from the root on, always the author's oldest reply, including deleted
  /// posts.
  private func oldestChain(_ found: Found) -> Int {
    var next: [RecordAddress: RecordAddress] = [:]
    var known: Set<RecordAddress> = [found.root]
    for address in observations.posts(of: found.did, in: found.root) {
      known.insert(address)
      guard let parent = observations.parents[address], parent.did == found.did else { continue }
      if let rival = next[parent], rival.key < address.key { continue }
      next[parent] = address
    }
    // A deleted post's parent is unknown. The deleted post is assumed to continue the chain that ended before it.
    let gaps = next.keys.filter { !known.contains($0) }.sorted { $0.key < $1.key }
    var passed = 0
    var length = 1
    var place = found.root
    var visited: Set<RecordAddress> = [place]
    while true {
      while passed < gaps.count, gaps[passed].key < place.key { passed += 1 }
      guard let following = next[place] ?? (passed < gaps.count ? gaps[passed] : nil),
        visited.insert(following).inserted
      else { return length }
      length += 1
      place = following
    }
  }

  /// Returns the number of the author's posts that were read, plus those that are known to be missing.
  private func knownOwn(_ found: Found) -> Int {
    let own = observations.posts(of: found.did, in: found.root)
    let gone = Set(own.compactMap { observations.parents[$0] }).filter {
      $0.did == found.did && observations.posts[$0] == nil
    }
    return own.count + gone.count
  }

  /// Reads the account's posts from its own server, starting at the thread's first post. If this fails and posts are missing, reads them
  /// from the AppView's list.
  private mutating func readList(_ found: inout Found, _ expectation: Expectation) async throws(SourceError) {
    let server: String?
    do {
      server = try await api.server(of: found.did)
    } catch {
      guard error.kind != .interrupted else { throw error }
      server = nil
    }
    if let server {
      do {
        if try await readRecords(&found, on: server, expectation) { return }
      } catch {
        // If the account's server fails, the AppView's list is read.
        guard error.kind != .interrupted else { throw error }
      }
    }
    if isShort(found, expectation) {
      try await readFeed(&found)
    } else {
      note(.timelineUnread, in: &found)
    }
  }

  /// - Returns: whether the server returned its list from the beginning of the thread on.
  private mutating func readRecords(
    _ found: inout Found, on server: String, _ expectation: Expectation
  ) async throws(SourceError) -> Bool {
    let own = observations.posts(of: found.did, in: found.root).map(\.key)
    // The account's first post in another account's conversation is younger than the conversation.
    var cursor = found.root.key
    if found.root.did != found.did, let first = own.min() { cursor = min(cursor, first) }
    let isShort = isShort(found, expectation)
    for _ in 0..<Self.mostPages {
      guard case .value(let page) = try await api.records(of: found.did, on: server, cursor: cursor) else {
        return false
      }
      var members: [RecordAddress] = []
      var last = cursor
      for record in page["records"]?.array ?? [] {
        guard let address = RecordAddress(record["uri"]?.string), address.isPost, address.did == found.did,
          let value = record["value"]
        else { continue }
        last = max(last, address.key)
        let root = RecordAddress(value["reply"]?["root"]?["uri"]?.string)
        if root == found.root, observations.posts[address] == nil { members.append(address) }
      }
      try await lookUp(members)
      if isShort || !members.isEmpty { found.coverage.foundBy = .timeline }
      // Ends at the last page, or if the server lists in the opposite order or repeats a page.
      guard last > cursor, page["cursor"]?.string != nil, !Task.isCancelled else { return true }
      if isPast(last, found), !self.isShort(found, expectation) { return true }
      cursor = last
    }
    note(.timelineCut, in: &found)
    return true
  }

  /// The time after the latest known post for which an account's list is read: most authors continue a thread within a day.
  private static let margin: Int64 = 24 * 3_600_000

  /// Whether a post was written more than a day after the latest known post of the thread, judging by the keys.
  private func isPast(_ key: String, _ found: Found) -> Bool {
    guard let latest = observations.posts(of: found.did, in: found.root).map(\.key).max(),
      let end = RecordAddress.milliseconds(ofKey: latest), let time = RecordAddress.milliseconds(ofKey: key)
    else { return false }
    return time - end > Self.margin
  }

  private mutating func readFeed(_ found: inout Found) async throws(SourceError) {
    let beginning = observations.posts[found.root]?.createdAt
    var cursor: String?
    var seen: Set<String> = []
    for _ in 0..<Self.mostPages {
      guard case .value(let page) = try await api.feed(found.did, cursor: cursor) else {
        return note(.timelineUnread, in: &found)
      }
      var oldest: Timestamp?
      for item in page["feed"]?.array ?? [] where item["reason"] == nil {
        guard let view = item["post"], let address = take(post: view) else { continue }
        oldest = [oldest, observations.posts[address]?.createdAt].compactMap { $0 }.min()
      }
      guard let next = page["cursor"]?.string, seen.insert(next).inserted else {
        found.coverage.foundBy = .timeline
        return
      }
      if let oldest, let beginning, oldest < beginning {
        found.coverage.foundBy = .timeline
        return
      }
      cursor = next
    }
    note(.timelineCut, in: &found)
  }

  /// Adds the URLs of video files, which are complete only on the account's own server. If the server is not found, the posters of the
  /// videos link to the post.
  mutating func locateVideos(of did: String) async {
    guard observations.accountsWithVideos.contains(did), let server = try? await api.server(of: did) else {
      return
    }
    observations.locateVideos(of: did, on: server)
  }

  func name(of did: String) -> String {
    let handle = observations.signedInOnly[did] ?? observations.authors[AuthorID(did, on: .bluesky)]?.handle
    return handle.map { "@\($0)" } ?? did
  }

  private func notShown(_ address: RecordAddress?) -> SourceError {
    switch address.flatMap({ observations.missing[$0]?.reason }) {
    case .blocked:
      SourceError(
        .content,
        "Bluesky does not show this post because its author and the author of the post that it answers have blocked each other."
      )
    case .withheld:
      SourceError(.content, "Bluesky's moderation has hidden this post, so it is not shown here either.")
    default:
      SourceError(
        .content,
        "Bluesky has no such post: it was deleted, or the URL is incomplete. Open the post in a browser and copy its URL again."
      )
    }
  }
}

extension FindingMethod {
  /// The posts come from the network's tree of replies, from the first post downwards.
  static let replies: FindingMethod = "replies"
}
