package import ThreadModel

extension XThreads {
  /// The threads that a search in X's own operators finds: of every post found, the thread that it belongs to, each once.
  ///
  /// The full archive is searched where the account may, the last seven days elsewhere.
  ///
  /// - Parameters:
  ///   - limit: The number of threads that are enough, known ones included.
  ///   - since: When the search begins; without it, where X's archive does.
  ///   - known: Whether a conversation is known. These are named in `found`, and nothing more is asked about them.
  package func threads(
    matching query: String, limit: Int? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
    options: XThreadOptions = XThreadOptions(), known: @Sendable (PostID) -> Bool = { _ in false }
  ) async -> XFetched {
    var run = run
    var hits = XHits(limit: limit)
    var end: XRun.End = .refused
    if !run.lacksFullSearch {
      end = await run.hits(query, .full, since, until, &hits)
    }
    if end == .refused {
      run.notes.append("X lets this account search the last seven days only.")
      end = await run.hits(query, .recent, since, until, &hits)
    }
    await run.lookUp(
      hits.keys.map(\.conversation).filter { !run.gathering.isSettled($0) && !known(PostID($0, on: .x)) })
    let targets = hits.keys.filter { !known(PostID($0.conversation, on: .x)) }.map { hit in
      XTarget(
        conversation: hit.conversation, author: hit.author, given: hit.post, replies: options.replies,
        known: nil)
    }
    let coverages = await run.find(targets)
    var threads = zip(targets, coverages).map { (target: $0, coverage: $1) }
    let isComplete = await run.complete(threads.map(\.target))
    threads = threads.map { ($0.target, run.checked($0.coverage, $0.target, isComplete)) }
    var result = run.result(threads, isComplete: isComplete && (end == .complete || end == .enough))
    if end == .refused, result.failure == nil { result.failure = run.refusal }
    result.found = hits.conversations
    return result
  }
}

/// The threads that posts found by a search belong to, in the order in which they were found.
struct XHits: Sendable {
  struct Key: Hashable, Sendable {
    var conversation: String
    var author: String
    /// The post that was found first.
    var post: String
  }

  let limit: Int?
  private(set) var keys: [Key] = []
  private var known: Set<[String]> = []

  init(limit: Int?) { self.limit = limit.map { max($0, 0) } }

  var isFull: Bool { limit.map { keys.count >= $0 } ?? false }

  /// Ids of the conversations, each once.
  var conversations: [PostID] {
    var seen: Set<String> = []
    return keys.compactMap { seen.insert($0.conversation).inserted ? PostID($0.conversation, on: .x) : nil }
  }

  mutating func add(_ post: XPostFacts) {
    guard !isFull, !post.isRepost, let conversation = post.conversation, let author = post.author,
      known.insert([conversation, author]).inserted
    else { return }
    keys.append(Key(conversation: conversation, author: author, post: post.id))
  }
}

extension XRun {
  /// X's shortest page of a search; a page costs by its posts, so that a small limit asks for few.
  private static let smallestPage = 10

  fileprivate mutating func hits(
    _ query: String, _ reach: XSearch.Reach, _ since: Timestamp?, _ until: Timestamp?, _ hits: inout XHits
  ) async -> End {
    guard !hits.isFull else { return .enough }
    // Recent search finds nothing that old, and X refuses to try.
    if reach == .recent, let until, !isRecent(until) { return .complete }
    let size = hits.limit.map { min(max($0, Self.smallestPage), 100) } ?? 100
    var search = XSearch(Self.withoutReposts(query), reach: reach, pageSize: size)
    switch reach {
    case .full: search.startTime = since?.wholeSecond.iso8601 ?? XStart.dawn
    case .recent: search.startTime = since.flatMap { isRecent($0) ? $0.wholeSecond.iso8601 : nil }
    }
    search.endTime = until.flatMap { $0 < now ? $0.wholeSecond.iso8601 : nil }
    var found = hits
    let end = await self.search(search) { gathering, page in
      for post in page.posts.compactMap({ $0.id("id") }).compactMap({ gathering[$0] }) { found.add(post) }
      return found.isFull
    }
    hits = found
    return end
  }

  private func isRecent(_ time: Timestamp) -> Bool {
    now.milliseconds - time.milliseconds < XStart.recentMilliseconds
  }

  /// Reposts are no threads, and cost as much as posts.
  static func withoutReposts(_ query: String) -> String {
    guard !query.contains("is:retweet") else { return query }
    let query = query.contains(" OR ") ? "(\(query))" : query
    return query + " -is:retweet"
  }
}
