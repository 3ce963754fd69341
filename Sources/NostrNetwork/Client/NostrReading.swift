import Basics
import NetworkSources
import ThreadModel

/// Reads threads from relays: keeps the events that were read and decides on the next requests.
struct NostrReading {
  /// The maximum number of pages per filter and relay.
  private static let mostPages = 20
  /// The maximum number of pages of other authors' replies, per filter and relay.
  private static let mostPagesOfReplies = 10
  /// The maximum number of relays that are asked for a whole thread, besides those of site.yml.
  private static let mostNamedRelays = 3
  /// The maximum number of relays that are kept for a post that other events name.
  private static let mostHints = 5
  /// The maximum number of references in a text that are read for their relays.
  private static let mostReferences = 50
  /// The maximum number of steps from a post up to the first post of its conversation, and down along the author's posts.
  private static let mostSteps = 200
  /// Quotes inside quotes are followed this far.
  private static let quoteDepth = 2
  /// The maximum number of quoted posts that are requested for one thread.
  private static let mostQuotes = 500
  /// The maximum number of mentioned accounts whose profiles are requested for one thread.
  private static let mostMentioned = 500

  let relays: NostrRelays
  let names: NostrNames
  let now: Timestamp
  /// The relays that are asked: the relays of site.yml, and named relays with posts of the thread that these lack.
  private var sources: [NostrRelay]
  private var events: [String: NostrEvent] = [:]
  /// The newest event of each post.
  private(set) var posts: [PostID: NostrEvent] = [:]
  /// The articles of which events are versions, by the ids of the events. Notes may name a version.
  private var versions: [PostID: PostID] = [:]
  /// Posts that were requested by their ids.
  private var lookedUp: Set<PostID> = []
  /// The posts of which the relays were asked for replies.
  private var expanded: Set<PostID> = []
  /// The relays on which events name other events.
  private var hints: [PostID: [String]] = [:]
  /// The public keys of the accounts whose profiles were requested.
  private var profiled: Set<String> = []
  /// The names that domains confirm, by public key.
  private var confirmed: [String: String] = [:]
  /// The public keys of the accounts that state no name, or whose domain answered.
  private var withKnownName: Set<String> = []
  /// The relays that did not answer.
  private(set) var failed: Set<RelayURL> = []

  init(relays: NostrRelays, names: NostrNames, now: Timestamp) {
    self.relays = relays
    self.names = names
    self.now = now
    sources = relays.configured
  }

  /// The conversations of all events that were read.
  var threads: NostrThreads {
    NostrThreads(
      events.values, names: confirmed, provenance: Provenance(source: .nostrRelay, fetchedAt: now))
  }

  /// Whether a post was requested, and no relay has it.
  func isMissing(_ post: PostID) -> Bool { lookedUp.contains(post) && event(of: post) == nil }

  /// Returns the newest event of a post that was read.
  func event(of post: PostID) -> NostrEvent? { posts[versions[post] ?? post] }

  /// Returns the posts of an author that were read.
  private func posts(of author: String) -> Set<PostID> {
    Set(posts.lazy.filter { $0.value.author == author }.map(\.key))
  }

  // MARK: Events

  mutating func take(_ found: [NostrEvent]) {
    for event in found where events[event.id] == nil {
      events[event.id] = event
      guard event.isPost else { continue }
      let id = NostrID.post(of: event)
      if event.coordinate != nil { versions[NostrID.post(event.id)] = id }
      // The version with the lower id counts if two versions are of the same second (NIP-01).
      if let known = posts[id], (known.createdAt, event.id) > (event.createdAt, known.id) { continue }
      posts[id] = event
      takeHints(of: event)
    }
    relays.web.count(
      posts: found.count(where: \.isPost), users: found.count { $0.kind == NostrEvent.Kind.profile })
  }

  /// Keeps the relays on which a post names other posts: in its tags, and in the references of its text.
  private mutating func takeHints(of event: NostrEvent) {
    func take(_ post: PostID?, _ relay: String) {
      guard let post, !relay.isEmpty, hints[post]?.count ?? 0 < Self.mostHints else { return }
      hints[post, default: []].append(relay)
    }
    for tag in event.tags where tag.count > 2 && ["e", "E", "q", "a", "A"].contains(tag[0]) {
      take(NostrID.post(tag: tag[1]), tag[2])
    }
    guard event.content.contains("nostr:n") else { return }
    for part in event.content.split(separator: "nostr:").prefix(Self.mostReferences) {
      // Other words are not references.
      switch try? NostrReference(part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }) {
      case .event(let id, let relays, _, _): for relay in relays { take(NostrID.post(id), relay) }
      case .replaceable(let name, let relays): for relay in relays { take(NostrID.post(name), relay) }
      case .profile, nil: continue
      }
    }
  }

  mutating func take(failed relays: some Sequence<RelayURL>) { failed.formUnion(relays) }

  /// Removes all posts except the wanted ones.
  mutating func keep(_ wanted: Set<PostID>) {
    posts = posts.filter { wanted.contains($0.key) }
    events = events.filter { !$0.value.isPost || wanted.contains(NostrID.post(of: $0.value)) }
  }

  @discardableResult
  private mutating func request(
    _ filters: [RelayFilter], pages: Int = mostPages
  ) async throws(SourceError) -> NostrRelays.Found {
    guard !filters.isEmpty else { return NostrRelays.Found() }
    let found = try await relays.events(filters, from: sources, pages: pages)
    failed.formUnion(found.failed)
    take(found.events)
    return found
  }

  /// Requests posts by their ids, each at most once: from the relays of site.yml, and then from the relays that references name.
  ///
  /// - Parameters:
  ///   - named: further URLs of relays for all of the posts.
  ///   - joins: whether named relays that have the posts are asked for the rest of the thread.
  mutating func lookUp(
    _ wanted: some Sequence<PostID>, named: [String] = [], joins: Bool = false
  ) async throws(SourceError) {
    let wanted = Set(wanted).filter { event(of: $0) == nil && lookedUp.insert($0).inserted }
    guard !wanted.isEmpty else { return }
    try await request(Self.filters(for: wanted))
    let missing = wanted.filter { event(of: $0) == nil }.sorted()
    guard !missing.isEmpty else { return }
    let others = relays.named(named + missing.flatMap { hints[$0] ?? [] })
    guard !others.isEmpty else { return }
    do {
      let found = try await relays.events(Self.filters(for: Set(missing)), from: others, pages: 1)
      take(found.events)
      guard joins, missing.contains(where: { event(of: $0) != nil }) else { return }
      let room = relays.configured.count + Self.mostNamedRelays - sources.count
      sources += others.filter { other in !sources.contains { $0 === other } }.prefix(max(0, room))
    } catch {
      // The user did not choose these relays, so their failures are not reported.
      guard error.kind != .interrupted else { throw error }
    }
  }

  /// Requests those posts that an account wrote.
  ///
  /// - Parameter author: the account's public key.
  mutating func lookUp(_ wanted: [PostID], writtenBy author: String) async throws(SourceError) {
    var filters = Self.filters(for: Set(wanted.filter { event(of: $0) == nil }))
    for index in filters.indices { filters[index].authors = [author] }
    try await request(filters)
  }

  private static func filters(for posts: Set<PostID>) -> [RelayFilter] {
    var ids: [String] = []
    var names: [String: [String]] = [:]
    for post in posts {
      switch NostrID.reference(post) {
      case .event(let id, _, _, _): ids.append(id)
      case .replaceable(let name, _): names[name.author, default: []].append(name.identifier)
      case .profile, nil: continue
      }
    }
    var filters = ids.inFilters().map { RelayFilter(ids: $0) }
    for (author, identifiers) in names.sorted(by: { $0.key < $1.key }) {
      filters += identifiers.inFilters().map { identifiers in
        RelayFilter(authors: [author], kinds: [NostrEvent.Kind.article], tags: ["d": identifiers])
      }
    }
    return filters
  }

  // MARK: A thread

  /// The thread that was found.
  struct Found {
    /// The first post of the conversation, or the topmost one that relays have.
    var root: PostID
    /// A post of the thread that was read.
    var start: PostID
    /// The public key of the thread's author.
    var author: String
    /// The error that ended the reading early.
    var failure: SourceError?
    /// Whether the relays have further replies of other authors.
    var lacksReplies = false
    /// Whether the relays have further posts of the author.
    var lacksPosts = false
  }

  /// Reads the thread with a post: up to the first post of the conversation, then down along the author's posts.
  ///
  /// - Parameters:
  ///   - starts: posts of the thread, which are requested in this order until one is found.
  ///   - named: the URLs of relays that the reference to the post names.
  ///   - author: the public key of the thread's author; `nil` for the author of the post.
  /// - Throws: if none of these posts is found. Later errors are returned in ``Found/failure``.
  mutating func readThread(
    of starts: [PostID], named: [String] = [], by author: String? = nil, wantsReplies: Bool
  ) async throws(SourceError) -> Found {
    var found: NostrEvent?
    for start in starts where found == nil {
      try await lookUp([start], named: named, joins: true)
      found = event(of: start)
    }
    guard let start = found else { throw notFound(starts) }
    var thread = Found(
      root: NostrID.post(of: start), start: NostrID.post(of: start), author: author ?? start.author)
    do throws(SourceError) {
      thread.root = try await climb(from: start)
      try await readReplies(&thread, wantsReplies: wantsReplies)
      try await complete(of: thread.author)
    } catch {
      thread.failure = error
    }
    return thread
  }

  /// Returns the first post of a conversation, which may be missing.
  private mutating func climb(from start: NostrEvent) async throws(SourceError) -> PostID {
    var place = NostrID.post(of: start)
    var visited: Set<PostID> = []
    var next: PostID? = place
    while let current = next, visited.insert(current).inserted, visited.count <= Self.mostSteps {
      place = current
      try await lookUp([current], joins: true)
      next = root(of: current)
    }
    return versions[place] ?? place
  }

  /// Reads the author's posts below the first post, and other authors' replies if they are wanted.
  private mutating func readReplies(
    _ thread: inout Found, wantsReplies: Bool
  ) async throws(SourceError) {
    let own = try await request(replies(to: [thread.root], by: [thread.author]))
    thread.lacksPosts = own.isCut
    // Posts of older clients name only the post that they answer.
    for _ in 0..<Self.mostSteps {
      let open = posts(of: thread.author).subtracting(expanded)
      guard !open.isEmpty else { break }
      thread.lacksPosts = try await request(replies(to: open, by: [thread.author])).isCut || thread.lacksPosts
    }
    if !posts(of: thread.author).isSubset(of: expanded) { thread.lacksPosts = true }
    guard wantsReplies else { return }
    let wanted = posts(of: thread.author).union([thread.root])
    let others = try await request(replies(to: wanted, by: nil), pages: Self.mostPagesOfReplies)
    thread.lacksReplies = others.isCut
  }

  /// Returns the filters for the replies to posts.
  ///
  /// - Parameter authors: the public keys of the replies' authors; `nil` for all.
  private mutating func replies(to wanted: Set<PostID>, by authors: [String]?) -> [RelayFilter] {
    if authors != nil { expanded.formUnion(wanted) }
    let kinds = NostrEvent.Kind.posts.sorted()
    var filters: [RelayFilter] = []
    func add(_ tag: String, _ values: [String]) {
      filters += values.inFilters().map { RelayFilter(authors: authors, kinds: kinds, tags: [tag: $0]) }
    }
    let (ids, coordinates) = Self.tagValues(of: wanted)
    // Replies to an article may name its version.
    add("e", ids + wanted.compactMap { post in posts[post].flatMap { $0.coordinate == nil ? nil : $0.id } })
    add("a", coordinates)
    // Comments name the first post by a tag with a capital letter (NIP-22). Notes have no comments.
    add(
      "E", ids.filter { id in event(of: NostrID.post(id)).map { $0.kind != NostrEvent.Kind.note } ?? false })
    add("A", coordinates)
    return filters
  }

  /// Returns the values with which tags name posts: ids of events, and coordinates of replaceable events.
  private static func tagValues(of posts: Set<PostID>) -> (ids: [String], coordinates: [String]) {
    var ids: [String] = []
    var coordinates: [String] = []
    for post in posts {
      switch NostrID.reference(post) {
      case .event(let id, _, _, _): ids.append(id)
      case .replaceable(let name, _): coordinates.append(name.tag)
      case .profile, nil: continue
      }
    }
    return (ids, coordinates)
  }

  // MARK: Known posts

  /// Reads known posts again, with their deletions, votes and profiles.
  ///
  /// - Parameter authors: the public key of each post's author.
  mutating func readAgain(_ authors: [PostID: String]) async throws(SourceError) {
    try await lookUp(authors.keys)
    try await readDeletions(of: authors)
    try await readVotes()
    try await readProfiles()
    await confirmNames(of: Set(posts.values.map(\.author)))
  }

  // MARK: Posts, profiles and votes beside the threads

  /// Reads everything to which the posts refer: answered and quoted posts, deletions, votes and profiles.
  ///
  /// - Parameter author: the public key of the author whose answered posts are read.
  mutating func complete(of author: String) async throws(SourceError) {
    try await readAnswered(by: author)
    try await readQuoted()
    // The author of a missing post is not known. The thread's own posts matter most.
    var authors = posts.mapValues(\.author)
    for post in lookedUp where event(of: post) == nil { authors[post] = author }
    try await readDeletions(of: authors)
    try await readVotes()
    try await readProfiles()
    await confirmNames(of: [author])
    await confirmNames(of: Set(posts.values.map(\.author)))
  }

  /// Reads the posts above the author's posts, which may be by other authors.
  private mutating func readAnswered(by author: String) async throws(SourceError) {
    var level = posts.values.filter { $0.author == author }
    for _ in 0..<Self.mostSteps where !level.isEmpty {
      let parents = Set(level.compactMap { NostrThreads.parent(of: $0) })
      let unknown = parents.filter { event(of: $0) == nil && !lookedUp.contains($0) }
      try await lookUp(unknown)
      level = unknown.compactMap { event(of: $0) }
    }
  }

  private mutating func readQuoted() async throws(SourceError) {
    var level = Array(posts.values)
    for _ in 0..<Self.quoteDepth where !level.isEmpty {
      let quoted = Set(level.flatMap { NostrThreads.quoted(by: $0).prefix(Self.mostQuotes) })
        .filter { event(of: $0) == nil && !lookedUp.contains($0) }.sorted().prefix(Self.mostQuotes)
      try await lookUp(quoted)
      level = quoted.compactMap { event(of: $0) }
    }
  }

  /// Reads the deletions of posts (NIP-09).
  ///
  /// - Parameter authors: the public key of each post's author. Only the author can delete the post.
  mutating func readDeletions(of authors: [PostID: String]) async throws(SourceError) {
    let wanted = authors.keys.sorted()
    for start in stride(from: 0, to: wanted.count, by: RelayFilter.mostValues) {
      let batch = Set(wanted[start...].prefix(RelayFilter.mostValues))
      let keys = Set(batch.compactMap { authors[$0] }).sorted()
      let (ids, coordinates) = Self.tagValues(of: batch)
      try await request(
        [("e", ids), ("a", coordinates)].filter { !$1.isEmpty }.map { tag, values in
          RelayFilter(authors: keys, kinds: [NostrEvent.Kind.deletion], tags: [tag: values.sorted()])
        })
    }
  }

  private mutating func readVotes() async throws(SourceError) {
    let polls = posts.values.filter { $0.kind == NostrEvent.Kind.poll }.map(\.id)
    try await request(
      polls.inFilters().map { RelayFilter(kinds: [NostrEvent.Kind.vote], tags: ["e": $0]) })
  }

  /// Reads the profiles of the posts' authors and of the accounts that they mention.
  private mutating func readProfiles() async throws(SourceError) {
    let authors = Set(posts.values.map(\.author))
    let mentioned = Set(posts.values.flatMap { NostrThreads.mentionedAuthors(in: $0) })
    try await readProfiles(of: authors.union(mentioned.sorted().prefix(Self.mostMentioned)))
  }

  /// Reads profiles that were not requested yet.
  ///
  /// - Parameter authors: public keys.
  mutating func readProfiles(of authors: Set<String>) async throws(SourceError) {
    let open = authors.filter { profiled.insert($0).inserted }
    try await request(
      open.inFilters().map { RelayFilter(authors: $0, kinds: [NostrEvent.Kind.profile]) })
  }

  /// Asks domains to confirm the names in the profiles of authors.
  mutating func confirmNames(of authors: Set<String>) async {
    var newest: [String: NostrEvent] = [:]
    for event in events.values where event.kind == NostrEvent.Kind.profile && authors.contains(event.author) {
      if let known = newest[event.author], (known.createdAt, event.id) > (event.createdAt, known.id) {
        continue
      }
      newest[event.author] = event
    }
    let stated = newest.compactMapValues { NostrProfile($0)?.claimedIdentifier }
    let answers = await names.confirm(stated)
    confirmed.merge(answers.confirmed) { _, new in new }
    withKnownName.formUnion(newest.keys.filter { stated[$0] == nil })
    withKnownName.formUnion(answers.answered)
  }

  // MARK: Results

  /// Returns the conversation of a thread that was read.
  ///
  /// - Throws: if all of its posts were deleted.
  func conversation(of found: Found, wantsReplies: Bool) throws(SourceError) -> Conversation {
    let threads = threads
    let owner = NostrID.author(found.author)
    // The requested post may be deleted while others remain.
    let own = posts(of: found.author).filter { $0 == found.root || root(of: $0) == found.root }.sorted()
    let candidates = [found.start, found.root] + own
    guard
      var result = candidates.lazy.compactMap({
        threads.conversation(with: $0, of: owner, includesReplies: wantsReplies)
      }).first
    else {
      throw SourceError(.content, "The author deleted this post.")
    }
    result.coverage.foundBy = .conversation
    result.coverage.checkedAt = found.failure == nil ? now : nil
    result.coverage.limits += limits(of: found).filter { !result.coverage.limits.contains($0) }
    return result
  }

  /// Returns accounts with their stored handles if this reading does not tell their names: if a domain or the relay with the profile does not
  /// answer, the known name is kept.
  func keepingHandles(of known: [Author], in authors: [Author]) -> [Author] {
    let handles = Dictionary(known.map { ($0.id, $0.handle) }, uniquingKeysWith: { first, _ in first })
    return authors.map { author in
      guard !withKnownName.contains(author.id.value), let handle = handles[author.id] ?? nil else {
        return author
      }
      var author = author
      author.handle = handle
      return author
    }
  }

  private func limits(of found: Found) -> [CoverageLimit] {
    var limits: [CoverageLimit] = []
    if found.failure != nil || found.lacksPosts { limits.append(CoverageLimit(.fetchEnded)) }
    if hasUnsureGaps { limits.append(CoverageLimit(.lookupFailed)) }
    if found.lacksReplies { limits.append(CoverageLimit(.repliesCut)) }
    return limits
  }

  /// Whether posts are missing that a relay without an answer may have.
  var hasUnsureGaps: Bool { !failed.isEmpty && lookedUp.contains(where: isMissing) }

  /// Returns the first post of a post's conversation; `nil` if the post is not known or answers no post.
  private func root(of post: PostID) -> PostID? {
    event(of: post).flatMap { NostrThreads.root(of: $0) ?? NostrThreads.parent(of: $0) }
  }

  // MARK: Errors

  private func notFound(_ starts: [PostID]) -> SourceError {
    if let id = starts.first?.value, let event = events[id], !event.isPost {
      return SourceError(
        .content,
        NostrEvent.Kind.reposts.contains(event.kind)
          ? "This is a repost of another author's post; use the URL of the original."
          : "This is not a post, but an event of kind \(event.kind), which is not fetched.")
    }
    let names = relays.configured.map(\.url.name).joined(separator: ", ")
    if !failed.isEmpty {
      return SourceError(
        .network,
        "The post was not found, but \(failed.map(\.name).sorted().joined(separator: ", ")) did not answer. Try again later."
      )
    }
    return SourceError(
      .content,
      "No relay has this post (\(names)): it was deleted, or it is on other relays. Add a relay of its author to nostr.relays in "
        + "site.yml, or use a nevent1… URL, which names relays.")
  }
}

extension NostrID {
  /// Returns the post that the value of a tag names: the id of an event, or the name of an article.
  static func post(tag value: String) -> PostID? {
    if NostrHex.isKey(value) { return post(value) }
    return NostrCoordinate.article(tag: value).map { post($0) }
  }
}

extension NostrCoordinate {
  /// The value of an `a` tag.
  var tag: String { "\(kind):\(author):\(identifier)" }
}
