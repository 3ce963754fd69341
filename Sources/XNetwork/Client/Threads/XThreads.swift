package import NetworkSources
package import SiteConfig
package import ThreadModel

/// Finds threads on X at the lowest cost: known posts are not requested again, posts included in responses are used, and ids are looked up
/// in batches of 100.
package struct XThreads: SourceSession {
  let endpoints: any XEndpoints
  /// The time of the run, for the ages of posts, and as the date of a fetch if a response has no date.
  let now: Timestamp
  /// Whether it is known that the account may not search the full archive.
  let lacksFullSearch: Bool

  package init(_ endpoints: any XEndpoints, now: Timestamp, lacksFullSearch: Bool = false) {
    self.endpoints = endpoints
    self.now = now
    self.lacksFullSearch = lacksFullSearch
  }

  /// Creates a run that has not sent any requests.
  private var run: XRun { XRun(endpoints, now: now, lacksFullSearch: lacksFullSearch) }

  package func finish() throws(SourceError) { try endpoints.finish() }

  /// Finds the threads of posts, with as many posts in each lookup and search as X allows.
  ///
  /// If a post is by the author who began its conversation, its thread is that author's chain. If it is another author's reply there, its
  /// thread is the other author's chain.
  package func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads {
    var run = run
    let (targets, refused) = await run.locate(requests, stored)
    let coverages = await run.find(targets)
    let isComplete = await run.complete(targets)
    var result = run.result(
      zip(targets, coverages).map { ($0, run.checked($1, $0, isComplete)) }, isComplete: isComplete)
    for (position, request) in requests.enumerated() { result.refused[position] = refused[request.xID] }
    if let stop = run.stop { result.failure = stop }
    return result
  }

  /// Finds the threads that an author began, from the timeline without reposts.
  ///
  /// Each post of the timeline has a price, so only the time within the limits is read. Threads that extend beyond that time, or beyond X's
  /// newest 3,200 posts, are completed by looking up their missing posts.
  package func threads(
    by request: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    var run = run
    let limits = request.limits
    let progress: AccountProgress
    do throws(SourceError) {
      if let known = try XRun.progress(request) {
        // A known account's timeline includes its profile.
        progress = known
      } else {
        let account = try await run.readableUser(request.account.handle)
        progress = AccountProgress(account: account.id.value, limits)
      }
    } catch {
      var result = run.result([])
      result.failure = error
      return result
    }
    let (end, reached) = await run.read(progress, limits)
    func isStored(_ target: XTarget) -> Bool { known(PostID(target.conversation, on: .x)) }
    var targets = await run.ownThreads(of: progress.account, request, known)
    let isComplete = await run.complete(targets.filter { !isStored($0) })
    // Threads that could not be completed may be longer, and are not read again.
    targets = targets.filter {
      isStored($0) || run.fetchIndex.chain(of: $0).count >= limits.minPosts || !isComplete && run.hasGap($0)
    }
    var threads: [(target: XTarget, coverage: Coverage)] = []
    for target in targets {
      if isStored(target) {
        threads.append((target, Coverage()))
      } else {
        var coverage = run.timelineCoverage(target, end, limits)
        if request.wantsReplies { await run.findReplies(to: target, &coverage) }
        threads.append((target, run.checked(run.completed(coverage, target), target, isComplete)))
      }
    }
    var result = run.result(threads, isComplete: isComplete && end.isRead)
    result.progress = reached
    result.found = targets.map { PostID($0.conversation, on: .x) }
    // A stored conversation has a coverage, which must not be replaced.
    for index in result.conversations.indices where known(result.conversations[index].id) {
      result.conversations[index].coverage = Coverage()
    }
    return result
  }

  /// Finds threads by a search in X's operators: the threads of all posts in the results, each thread once.
  ///
  /// The full archive is searched if the account has access, otherwise the last seven days.
  package func threads(
    matching query: String, limit: Int? = nil, known: @escaping @Sendable (PostID) -> Bool = { _ in false }
  ) async -> FetchedThreads {
    var run = run
    var hits = XHits(limit: limit)
    var end: XPaging.End = .refused
    if !run.lacksFullSearch { end = await run.search(query, .full, &hits) }
    if end == .refused {
      run.notes.append("This account can search only the last seven days on X.")
      end = await run.search(query, .recent, &hits)
    }
    let new = hits.targets.filter { !known(PostID($0.conversation, on: .x)) }
    await run.lookUp(new.map(\.conversation).filter { !run.fetchIndex.isSettled($0) })
    let coverages = await run.find(new)
    let isComplete = await run.complete(new)
    var result = run.result(
      zip(new, coverages).map { ($0, run.checked($1, $0, isComplete)) }, isComplete: isComplete && end.isRead)
    if end == .refused, result.failure == nil { result.failure = run.refusal }
    result.found = hits.conversations
    return result
  }

  package func profile(of account: AccountReference) async -> FetchedProfile {
    await profile(followers: 0) { run throws(SourceError) in try await run.user(handle: account.handle) }
  }

  /// Fetches an author's profile with a number of followers, newest first as in X's list.
  package func profile(of author: AuthorID, followers: Int) async -> FetchedProfile {
    await profile(followers: followers) { run throws(SourceError) in try await run.user(id: author.value) }
  }

  private func profile(
    followers: Int, _ user: (inout XRun) async throws(SourceError) -> Author
  ) async -> FetchedProfile {
    var run = run
    var profile: Profile
    do throws(SourceError) {
      profile = Profile(author: try await user(&run), observedAt: now)
    } catch {
      return FetchedProfile(failure: error)
    }
    // Every user has a price, so no more are requested than the count that X reports.
    let followers = min(followers, profile.author.followers ?? followers)
    // X does not show the followers of a protected account.
    guard followers > 0, profile.author.isProtected != true else { return FetchedProfile(profile: profile) }
    let failure = await run.addFollowers(followers, to: &profile)
    return FetchedProfile(profile: profile, failure: failure)
  }

  /// Looks up all known posts of conversations, 100 per request across all conversations. Counts, polls and edits are updated, and posts
  /// that X no longer shows are removed or marked.
  ///
  /// A post is removed if X reports that the post or its author is gone. A post that X neither shows nor reports is left unchanged, because
  /// this may be an error; the notes list it. A post that X withholds in some countries and still shows is not removed. The conversations
  /// are returned in their order. Those of which every post was requested have a new `checkedAt`.
  package func recheck(
    _ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion = .remove
  ) async -> FetchedThreads {
    var run = run
    var known: Set<String> = []
    let ids = conversations.flatMap(\.knownIDs).filter { known.insert($0).inserted }
    await run.lookUp(inOrder: ids)
    // Edits after the known versions.
    let later = ids.compactMap { run.fetchIndex[$0]?.versions.last }
    await run.lookUp(later.filter { run.fetchIndex[$0]?.id != $0 })
    if onDeleted == .remove {
      await run.lookUp(users: XRemovals.authorsUnseen(of: conversations, in: run.fetchIndex))
    }
    let found = XRemovals(of: conversations, in: run.fetchIndex)
    let selections = conversations.map { found.selection($0, in: run.fetchIndex) }
    let fresh = run.fetchIndex.conversations(selections)
    var result = run.result([])
    let removals = found.removals(at: now)
    result.conversations = zip(conversations, fresh).map { old, fresh in
      removals.apply(
        to: old, fresh: fresh, onDeleted, isWhole: old.knownIDs.allSatisfy(run.fetchIndex.answered.contains))
    }
    result.failure = run.stop ?? run.trouble
    result.notes += found.notes
    return result
  }
}

extension ThreadRequest {
  /// The post's id on X; invalid if the request has none.
  var xID: String { postID?.value ?? reference?.id ?? "" }
}

extension XRun {
  /// Finds the threads of posts. Looks up unknown posts, and then the first posts of their conversations unless a response included them.
  ///
  /// - Returns: the threads, each once, and the reasons for posts without a thread.
  fileprivate mutating func locate(
    _ requests: [ThreadRequest], _ stored: (PostID, AuthorID) -> Conversation?
  ) async -> (targets: [XTarget], refused: [String: SourceError]) {
    var refused: [String: SourceError] = [:]
    var found: [String: (author: String, conversation: String)] = [:]
    for request in requests {
      if let known = request.known { fetchIndex.add(known, now: now) }
      guard !XID.isValid(request.xID) else { continue }
      refused[request.xID] = SourceError(
        x: .invalidRequest, "\"\(request.xID.prefix(40))\" is not a post id: expected 1 to 19 digits.")
    }
    let unknown = requests.filter { $0.known == nil && refused[$0.xID] == nil }.map(\.xID)
    if !unknown.isEmpty { await lookUp(unknown) }
    for id in unknown where found[id] == nil {
      do throws(SourceError) { found[id] = try thread(of: id) } catch { refused[id] = error }
    }
    var targets: [XTarget] = []
    var seen: Set<[String]> = []
    for request in requests {
      var known = request.known
      guard let (author, conversation) = known.map({ ($0.authorID.value, $0.id.value) }) ?? found[request.xID]
      else { continue }
      if known == nil {
        known = stored(PostID(conversation, on: .x), AuthorID(author, on: .x))
        if let known { fetchIndex.add(known, now: now) }
      }
      guard seen.insert([conversation, author]).inserted else { continue }
      targets.append(
        XTarget(
          conversation: conversation, author: author, given: request.xID, replies: request.wantsReplies,
          known: known))
    }
    let first = found.values.map(\.conversation) + found.keys.compactMap { fetchIndex[$0]?.versions.last }
    let missing = Set(first).filter { fetchIndex[$0] == nil && fetchIndex.missing[$0] == nil }
    if !missing.isEmpty { await lookUp(missing) }
    return (targets, refused)
  }

  /// The author and the conversation of a looked-up post, or the reason why the post is missing.
  private func thread(of id: String) throws(SourceError) -> (author: String, conversation: String) {
    if let post = fetchIndex[id] {
      guard !post.isRepost else {
        throw SourceError(
          x: .content, "Post \(id) is a repost of another account's post. Use the URL of the original.")
      }
      guard let author = post.authorID, let conversation = post.conversationID else {
        throw SourceError(
          x: .invalidAnswer, "X does not return the author or conversation of post \(id).")
      }
      return (author, conversation)
    }
    if let error = stop ?? trouble { throw error }
    guard let problem = fetchIndex.missing[id] else {
      throw refusal ?? SourceError(x: .content, "X returns no post \(id) and gives no reason.")
    }
    throw SourceError(problem, post: id)
  }

  /// Returns the coverage after the lookups at the end of a run.
  func checked(_ coverage: Coverage, _ target: XTarget, _ isComplete: Bool) -> Coverage {
    guard !isComplete else { return coverage }
    if isStopped { return unfinished(target) }
    var coverage = coverage
    coverage.limits.append(CoverageLimit(.lookupFailed))
    return coverage
  }
}

extension SourceError {
  /// Returns the reason why a requested post is missing.
  init(_ problem: XProblem, post id: String) {
    let words = problem.detail ?? problem.title
    switch problem.reason {
    case .protected:
      self.init(
        .protected,
        "Post \(id) is for its author's approved followers only, so it cannot be fetched. X's message: \(words)"
      )
    case .suspended:
      self.init(.suspended, "The author of post \(id) is suspended. X's message: \(words)")
    default:
      self.init(
        .content, "There is no post \(id), or it was deleted. Check the URL. X's message: \(words)")
    }
  }
}

extension XRun {
  /// Returns the user with a handle; throws if the user's posts are not public.
  mutating func readableUser(_ handle: String) async throws(SourceError) -> Author {
    let author = try await user(handle: handle)
    guard author.isProtected != true else {
      throw SourceError(
        x: .protected,
        "@\(author.handle ?? handle) shows posts to approved followers only, so they cannot be fetched.")
    }
    return author
  }

  fileprivate mutating func user(handle: String) async throws(SourceError) -> Author {
    let endpoints = endpoints
    return try await user(
      suspended: "The account @\(handle)", missing: "There is no user @\(handle). Check the handle."
    ) {
      () throws(SourceError) in try await endpoints.user(handle: handle)
    }
  }

  fileprivate mutating func user(id: String) async throws(SourceError) -> Author {
    let endpoints = endpoints
    return try await user(
      id, suspended: "The account with the id \(id)", missing: "There is no user with the id \(id)."
    ) {
      () throws(SourceError) in try await endpoints.users([id])
    }
  }

  private mutating func user(
    _ id: String? = nil, suspended: String, missing: String,
    _ request: () async throws(SourceError) -> XResponse
  ) async throws(SourceError) -> Author {
    guard canAsk() else { throw stop ?? XRefusal.interrupted() }
    var response = try await request()
    response.fetchedAt = response.fetchedAt ?? now
    fetchIndex.add(response, at: now)
    if let author = response.authors.first(where: { id == nil || $0.id.value == id }) { return author }
    let problem = response.problems.first
    let words = problem.map { " X's message: \($0.detail ?? $0.title)" } ?? ""
    if problem?.reason == .suspended {
      throw SourceError(x: .suspended, "\(suspended) is suspended.\(words)")
    }
    throw SourceError(x: .content, missing + words)
  }

  /// Returns the progress of an earlier run if it has the same limits.
  ///
  /// - Throws: an error if it has invalid ids, because ids are inserted into requests.
  fileprivate static func progress(_ request: AccountRequest) throws(SourceError) -> AccountProgress? {
    guard let progress = request.progress else { return nil }
    let ids = [progress.account, progress.newest, progress.unread?.before, progress.unread?.after]
    guard ids.allSatisfy({ $0.map(XID.isValid) ?? true }) else {
      throw SourceError(
        .content,
        "What the store's sources.json says of how far the account \(request.account) was read cannot be used; delete the entry."
      )
    }
    return progress.continued(for: request.limits)
  }

  /// Reads the unread part of a user's timeline: first the posts that an earlier run left, then newer posts.
  ///
  /// X returns a timeline from its newest post on, so a run that ends early has read the newest part.
  fileprivate mutating func read(
    _ known: AccountProgress, _ limits: ThreadLimits
  ) async -> (End, AccountProgress) {
    var progress = known
    var timeline = XTimeline(userID: progress.account)
    if let unread = progress.unread {
      timeline.untilID = unread.before
      timeline.sinceID = unread.after
      if unread.after == nil { timeline.startTime = limits.since?.wholeSecond.iso8601 }
      let end = await self.timeline(timeline)
      progress.unread =
        end.isRead ? nil : .init(before: oldest(of: timelineIDs) ?? unread.before, after: unread.after)
      guard end.isRead else { return (end, progress) }
    }
    timeline = XTimeline(userID: progress.account)
    timeline.endTime = limits.until?.wholeSecond.iso8601
    timeline.sinceID = progress.newest
    if progress.newest == nil { timeline.startTime = limits.since?.wholeSecond.iso8601 }
    let before = timelineIDs
    let end = await self.timeline(timeline)
    let new = timelineIDs.subtracting(before)
    if end == .refused { notes.append("This account is not allowed to read the timeline on X.") }
    if let oldest = oldest(of: new), !end.isRead {
      progress.unread = .init(before: oldest, after: progress.newest)
    }
    if let newest = new.max(by: XID.precedes) { progress.newest = newest }
    return (end, progress)
  }

  private func oldest(of ids: Set<String>) -> String? { ids.min(by: XID.precedes) }

  /// Returns the conversations that the author began and of which the timeline shows at least a part, newest first.
  fileprivate mutating func ownThreads(
    of author: String, _ request: AccountRequest, _ known: (PostID) -> Bool
  ) async -> [XTarget] {
    let conversations = Set(
      timelineIDs.compactMap { fetchIndex[$0] }.filter { !$0.isRepost }.compactMap(\.conversationID))
    var targets = conversations.map {
      XTarget(conversation: $0, author: author, replies: request.wantsReplies)
    }
    targets.sort { XID.precedes($1.conversation, $0.conversation) }
    targets = targets.filter { mayBeOwn($0, minPosts: request.limits.minPosts) }
    // The first post identifies the author of a conversation. All missing first posts are fetched by one request.
    await lookUp(
      targets.map(\.conversation).filter { id in
        fetchIndex[id] == nil && !fetchIndex.isSettled(id) && !known(PostID(id, on: .x))
      })
    return targets.filter { mayBeOwn($0, minPosts: request.limits.minPosts) }
  }

  /// Whether the author began the conversation and has enough posts in it, or may turn out to when more posts are known.
  private func mayBeOwn(_ target: XTarget, minPosts: Int) -> Bool {
    guard fetchIndex.isOwn(target) else { return false }
    let chains = fetchIndex.chains(of: target).values.filter {
      if case .answers = $0.top { false } else { true }
    }
    guard !chains.isEmpty else { return false }
    let hasGap = chains.contains { if case .follows = $0.top { true } else { false } }
    return hasGap || chains.count >= minPosts
  }

  fileprivate func timelineCoverage(_ target: XTarget, _ end: End, _ limits: ThreadLimits) -> Coverage {
    var coverage = Coverage()
    coverage.foundBy = .timeline
    let first = fetchIndex.versions(target.conversation)
    if !first.contains(where: timelineIDs.contains) {
      let isCut = limits.since.map { (XID.time(target.conversation) ?? $0) < $0 } ?? false
      coverage.limits.append(
        isCut
          ? CoverageLimit(.timelineSince, day: limits.since?.day) : CoverageLimit(.timelineReach))
    }
    if let until = limits.until, until < now {
      coverage.limits.append(CoverageLimit(.timelineUntil, day: until.day))
    }
    switch end {
    case .complete, .enough: break
    case .cut: coverage.limits.append(CoverageLimit(.timelineCut))
    case .stopped: return unfinished(target)
    case .refused, .failed: coverage.limits.append(CoverageLimit(.timelineUnread))
    }
    return coverage
  }

  /// Whether a post of the author answers another of the author's posts that was not seen.
  fileprivate func hasGap(_ target: XTarget) -> Bool {
    fetchIndex.chains(of: target).values.contains { if case .follows = $0.top { true } else { false } }
  }

  /// Returns a coverage without the gaps of the timeline if lookups have filled them: the first post is known, and so is every post that
  /// another of the author's posts answers.
  fileprivate func completed(_ coverage: Coverage, _ target: XTarget) -> Coverage {
    guard fetchIndex[target.conversation] != nil, !hasGap(target) else { return coverage }
    var coverage = coverage
    coverage.limits.removeAll { [.timelineSince, .timelineReach].contains($0.kind) }
    return coverage
  }

  /// Searches for replies by others in a thread whose posts by the author are known.
  mutating func findReplies(to target: XTarget, _ coverage: inout Coverage) async {
    let start = XStart(target, in: fetchIndex, now: now)
    var search = XSearch(target.query(in: fetchIndex), reach: start.isRecent ? .recent : .full)
    if start.isRecent { search.sinceID = start.newestKnown } else { search.startTime = start.timeText }
    let end = await self.search(search)
    if end != .complete, end != .enough {
      coverage.limits.append(CoverageLimit(.repliesUnreachable))
    }
  }
}

extension Timestamp {
  /// Returns the time without milliseconds, which X's time parameters do not have.
  var wholeSecond: Timestamp { Timestamp(seconds: seconds) }
}

/// The threads of the posts that a search found, in the order in which the posts were found.
private struct XHits {
  let limit: Int?
  private(set) var targets: [XTarget] = []
  private var known: Set<[String]> = []

  init(limit: Int?) { self.limit = limit.map { max($0, 0) } }

  var isFull: Bool { limit.map { targets.count >= $0 } ?? false }

  /// The ids of the conversations, each once.
  var conversations: [PostID] {
    var seen: Set<String> = []
    return targets.compactMap {
      seen.insert($0.conversation).inserted ? PostID($0.conversation, on: .x) : nil
    }
  }

  mutating func add(_ post: XPost) {
    guard !isFull, !post.isRepost, let conversation = post.conversationID, let author = post.authorID,
      known.insert([conversation, author]).inserted
    else { return }
    targets.append(XTarget(conversation: conversation, author: author, given: post.id, replies: false))
  }
}

extension XRun {
  /// The minimum page size of X's search. A page costs as much as its posts, so a small limit requests few posts.
  private static let smallestPage = 10

  fileprivate mutating func search(
    _ query: String, _ reach: XSearch.Reach, _ hits: inout XHits
  ) async -> End {
    guard !hits.isFull else { return .enough }
    let size = hits.limit.map { min(max($0, Self.smallestPage), 100) } ?? 100
    var search = XSearch(Self.withoutReposts(query), reach: reach, pageSize: size)
    if reach == .full { search.startTime = XStart.dawn }
    return await self.search(search) { fetchIndex, page in
      for post in page.posts.compactMap({ fetchIndex[$0.id] }) { hits.add(post) }
      return hits.isFull
    }
  }

  /// Excludes reposts, because they cost as much as posts.
  private static func withoutReposts(_ query: String) -> String {
    guard !query.contains("is:retweet") else { return query }
    let query = query.contains(" OR ") ? "(\(query))" : query
    return query + " -is:retweet"
  }

  private static let largestPage = 1000

  /// Adds followers page by page. Followers that were read before an error are kept.
  fileprivate mutating func addFollowers(_ count: Int, to profile: inout Profile) async -> SourceError? {
    let endpoints = endpoints
    let (now, id) = (now, profile.author.id.value)
    var found: [Author] = []
    var failure: SourceError?
    do throws(SourceError) {
      try await XPaging().pages({ token throws(SourceError) in
        // The last page requests only the missing number, because every user has a price.
        try await endpoints.followers(of: id, count: min(count - found.count, Self.largestPage), token: token)
      }) { page throws(SourceError) in
        var page = page
        page.fetchedAt = page.fetchedAt ?? now
        let known = Set(found.map(\.id))
        let new = page.authors.filter { !known.contains($0.id) }
        found += new
        return found.count < count && !new.isEmpty ? .more : .enough
      }
    } catch {
      failure = error
    }
    profile.followers = Array(found.prefix(count))
    return failure
  }
}

extension Conversation {
  /// The ids of all posts that can be requested from X, including related posts outside the conversation.
  var knownIDs: [String] {
    (posts + related).filter { $0.id.platform == .x }.map(\.id.value)
  }
}
