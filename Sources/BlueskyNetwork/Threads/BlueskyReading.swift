import JSONText
import NetworkSources
import ThreadModel

/// What was read of one conversation, and what is to be asked next.
struct BlueskyReading {
  let api: BlueskyAPI
  var sightings: BlueskySightings
  /// Posts whose replies were given, as far as they are: those that a thread was asked for, and those with some.
  private(set) var covered: Set<RecordAddress> = []
  /// How many replies Bluesky counts below a post.
  private var replyCounts: [RecordAddress: Int] = [:]
  private var repliesSeen: [RecordAddress: Set<RecordAddress>] = [:]
  /// Posts that were looked up one by one.
  private var lookedUp: Set<RecordAddress> = []
  /// Threads that were asked for.
  private(set) var requests = 0

  init(_ api: BlueskyAPI, now: Timestamp) {
    self.api = api
    sightings = BlueskySightings(now: now)
  }

  // MARK: Asking

  /// Asks for a post with all around it.
  ///
  /// - Returns: whether the AppView shows it.
  mutating func askThread(_ address: RecordAddress) async throws(SourceError) -> Bool {
    requests += 1
    covered.insert(address)
    switch try await api.thread(address) {
    case .value(let value):
      guard let thread = value["thread"] else { throw api.unexpected("app.bsky.feed.getPostThread") }
      let before = sightings.posts.count
      take(thread: thread)
      api.web.count(posts: sightings.posts.count - before)
      return sightings.posts[address] != nil
    case .refused(let name, let message):
      guard name == "NotFound" || message.lowercased().contains("not found") else {
        throw api.refusal(name, message, "app.bsky.feed.getPostThread")
      }
      sightings.note(missing: address, .notFound)
      return false
    }
  }

  /// Looks posts up by their addresses. What the AppView is silent on is missing.
  mutating func lookUp(_ addresses: [RecordAddress]) async throws(SourceError) {
    let addresses = addresses.filter { lookedUp.insert($0).inserted }
    for start in stride(from: 0, to: addresses.count, by: BlueskyAPI.lookupSize) {
      let batch = Array(addresses[start..<min(start + BlueskyAPI.lookupSize, addresses.count)])
      let views = try await api.posts(batch)
      for view in views { take(post: view) }
      api.web.count(posts: views.count)
      for address in batch where sightings.posts[address] == nil {
        sightings.note(missing: address, .notFound)
      }
    }
  }

  // MARK: Taking

  /// Takes a tree of replies, or the chain of what a post answers, without recursion: both may be deep.
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
          sightings.note(missing: address, .blocked)
        } else if node["notFound"]?.bool == true {
          sightings.note(missing: address, .notFound)
        }
      }
    }
  }

  @discardableResult
  mutating func take(post view: JSONValue) -> RecordAddress? {
    guard let address = sightings.add(postView: view) else { return nil }
    replyCounts[address] = view["replyCount"]?.int
    if let parent = sightings.parents[address] { repliesSeen[parent, default: []].insert(address) }
    return address
  }

  // MARK: What comes next

  /// The next post below which there is more: the topmost, as an answer reaches some levels down.
  func nextOpen(by did: String, in root: RecordAddress, others: Bool) -> RecordAddress? {
    var best: (depth: Int, address: RecordAddress)?
    var depths: [RecordAddress: Int] = [:]
    for address in sightings.posts.keys {
      guard !covered.contains(address), (replyCounts[address] ?? 0) > 0, others || address.did == did,
        sightings.root(of: address) == root
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
      // Set before it is known, so that a circle ends.
      known[each] = 0
      line.append(each)
      place = sightings.parents[each]
    }
    var depth = place.flatMap { known[$0] } ?? -1
    for each in line.reversed() {
      depth += 1
      known[each] = depth
    }
    return depth
  }

  /// Posts that are named by others and were not looked up yet. What a tree called missing is looked up, too: the tree leaves out what
  /// one of two may not see, and an address still leads there.
  func unseenLinks(by did: String, in root: RecordAddress) -> [RecordAddress] {
    let own = sightings.posts(of: did, in: root)
    let links = Set(own.compactMap { sightings.parents[$0] } + [root])
    let quoted = own.compactMap { sightings.quotes[$0] }.filter { sightings.missing[$0] == nil }
    return links.union(quoted)
      .filter { address in
        guard sightings.posts[address] == nil, !lookedUp.contains(address) else { return false }
        return sightings.missing[address].map { $0.reason == .notFound } ?? true
      }
      .sorted { $0.text < $1.text }
  }

  /// Whether Bluesky counts replies to the account's posts that it did not show.
  func hasHiddenReplies(to did: String, in root: RecordAddress) -> Bool {
    sightings.posts(of: did, in: root).contains { (replyCounts[$0] ?? 0) > (repliesSeen[$0]?.count ?? 0) }
      || sightings.missing.keys.contains { $0.did == did }
  }
}
