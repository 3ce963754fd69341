import Basics
import NetworkSources
import ThreadModel

/// Reads one conversation: keeps the posts that were read and decides which requests come next.
struct BlueskyReading {
  let api: BlueskyAPI
  var observations: BlueskyObservations
  /// Posts whose replies an answer has shown: those for which a thread was requested, and those that came with replies.
  private(set) var covered: Set<RecordAddress> = []
  /// The number of direct replies that Bluesky counts for each post.
  private var replyCounts: [RecordAddress: Int] = [:]
  private var repliesSeen: [RecordAddress: Set<RecordAddress>] = [:]
  /// Posts that were looked up one by one.
  private var lookedUp: Set<RecordAddress> = []
  /// The number of requests for threads.
  private(set) var requests = 0

  init(_ api: BlueskyAPI, now: Timestamp) {
    self.api = api
    observations = BlueskyObservations(now: now)
  }

  // MARK: Asking

  /// Requests a post with the posts above and below it.
  ///
  /// - Returns: whether the AppView shows it.
  private mutating func askThread(_ address: RecordAddress) async throws(SourceError) -> Bool {
    requests += 1
    covered.insert(address)
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

  /// Looks up posts by their addresses, each at most once. Posts that the answer leaves out are noted as missing.
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

  // MARK: Taking

  /// Adds the posts of an answer: the tree of replies and the chain of parents, without recursion, as both may be deep.
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

  // MARK: What comes next

  /// Returns the next post with replies that were not read: the topmost, as an answer covers several levels below it.
  private func nextOpen(by did: String, in root: RecordAddress, others: Bool) -> RecordAddress? {
    var best: (depth: Int, address: RecordAddress)?
    var depths: [RecordAddress: Int] = [:]
    for address in observations.posts.keys {
      guard !covered.contains(address), (replyCounts[address] ?? 0) > 0, others || address.did == did,
        observations.root(of: address) == root
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

  /// Returns the root and the posts that the account's posts answer or quote, if they were neither read nor looked up yet. Answered posts that a
  /// tree reported as not found are included: a tree also leaves out posts between accounts that block each other, which a lookup still returns.
  func unseenLinks(by did: String, in root: RecordAddress) -> [RecordAddress] {
    let own = observations.posts(of: did, in: root)
    let links = Set(own.compactMap { observations.parents[$0] } + [root])
    let quoted = own.compactMap { observations.quotes[$0] }.filter { observations.missing[$0] == nil }
    return links.union(quoted)
      .filter { address in
        guard observations.posts[address] == nil, !lookedUp.contains(address) else { return false }
        return observations.missing[address].map { $0.reason == .notFound } ?? true
      }
      .sorted { $0.text < $1.text }
  }

  /// Returns whether Bluesky counts more replies to the account's posts than it has shown, or a post of the account is missing.
  private func hasHiddenReplies(to did: String, in root: RecordAddress) -> Bool {
    observations.posts(of: did, in: root).contains { (replyCounts[$0] ?? 0) > (repliesSeen[$0]?.count ?? 0) }
      || observations.missing.keys.contains { $0.did == did && $0.isPost }
  }

  /// The most requests for one thread. An answer has ten levels, so this is enough for some hundreds of posts.
  private static let mostRequests = 100
  /// The number of requests after which other people's replies are no longer requested.
  private static let mostForReplies = 30
  /// The most pages of an account's list that are read for one thread.
  private static let mostPages = 20

  /// The result of reading a thread.
  struct Found {
    var root: RecordAddress
    var did: String
    var coverage = Coverage()
    /// The error that ended the reading early.
    var failure: SourceError?
  }

  /// Reads the thread that a post is in: up to the root, then down along the author's posts.
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
      let links = unseenLinks(by: found.did, in: root)
      if !links.isEmpty {
        try await lookUp(links)
        // For a reply that names no root, the lookup may have brought parents.
        found.root = observations.root(of: root)
        continue
      }
      if wantsReplies, requests < Self.mostForReplies,
        let open = nextOpen(by: found.did, in: root, others: true)
      {
        _ = try await askThread(open)
        continue
      }
      break
    }
    if nextOpen(by: found.did, in: found.root, others: false) != nil {
      note(.fetchEnded, in: &found)
    }
  }

  private func note(_ limit: CoverageLimit.Kind, in found: inout Found) {
    let limit = CoverageLimit(limit)
    if !found.coverage.limits.contains(limit) { found.coverage.limits.append(limit) }
  }

  /// Compares the number of posts found with Bluesky's count, and reads the account's list if posts are missing: a tree of replies ends at a
  /// deleted post and leaves out replies that a threadgate hides.
  private mutating func check(_ found: inout Found) async throws(SourceError) {
    let count = found.root.did == found.did ? await api.chainLength(found.root) : nil
    let isShort =
      count.map { $0 > knownOwn(found) } ?? hasHiddenReplies(to: found.did, in: found.root)
    guard isShort else { return }
    try await readList(&found, until: count)
    // `knownOwn` also counts deleted posts that another post continues.
    if let count, count > knownOwn(found) { found.coverage.expectedPosts = count }
  }

  /// Returns the number of the author's posts that were read, plus those that are known to be missing.
  private func knownOwn(_ found: Found) -> Int {
    let own = observations.posts(of: found.did, in: found.root)
    let gone = Set(own.compactMap { observations.parents[$0] }).filter {
      $0.did == found.did && observations.posts[$0] == nil
    }
    return own.count + gone.count
  }

  /// Reads the account's posts from its own server, starting at the thread's first post; if that is not possible, from the AppView's list.
  private mutating func readList(_ found: inout Found, until count: Int?) async throws(SourceError) {
    let server: String?
    do {
      server = try await api.server(of: found.did)
    } catch {
      guard error.kind != .interrupted else { throw error }
      server = nil
    }
    if let server {
      do {
        if try await readRecords(&found, on: server, until: count) { return }
      } catch {
        // If the account's server fails, the AppView's list is read.
        guard error.kind != .interrupted else { throw error }
      }
    }
    try await readFeed(&found)
  }

  /// - Returns: whether the server returned its list from the beginning of the thread on.
  private mutating func readRecords(
    _ found: inout Found, on server: String, until count: Int?
  ) async throws(SourceError) -> Bool {
    let own = observations.posts(of: found.did, in: found.root).map(\.key)
    guard var cursor = found.root.did == found.did ? found.root.key : own.min() else { return false }
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
      // Ends at the last page, and if the server lists in the opposite order or repeats a page.
      guard last > cursor, page["cursor"]?.string != nil, !Task.isCancelled else {
        found.coverage.foundBy = .timeline
        return true
      }
      if let count, count <= knownOwn(found) {
        found.coverage.foundBy = .timeline
        return true
      }
      cursor = last
    }
    note(.timelineCut, in: &found)
    return true
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

  /// Adds the addresses of video files, which are complete only on the account's own server. If the server is not found, the posters of the
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
        "Bluesky does not show this post: its author and the one that it answers have blocked each other.")
    case .withheld:
      SourceError(.content, "Bluesky's moderation has hidden this post, so it is not shown here either.")
    default:
      SourceError(
        .content,
        "Bluesky has no such post: it was deleted, or its address is not complete. Open it in a browser and copy the address anew."
      )
    }
  }
}

extension FindingMethod {
  /// The posts come from the network's tree of replies, from the first post down.
  static let replies: FindingMethod = "replies"
}
