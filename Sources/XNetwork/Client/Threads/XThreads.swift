import NetworkSources
package import SiteConfig
package import ThreadModel

/// Finds threads on X at the lowest cost: known posts are not requested again, posts included in responses are used, and ids
/// are looked up a hundred at a time.
package struct XThreads: Sendable {
  let endpoints: any XEndpoints
  /// The time of the run, for the ages of posts, and for the date of a fetch if a response has no date.
  let now: Timestamp
  /// Whether it is known that the account may not search the full archive.
  let lacksFullSearch: Bool

  package init(_ endpoints: any XEndpoints, now: Timestamp, lacksFullSearch: Bool = false) {
    self.endpoints = endpoints
    self.now = now
    self.lacksFullSearch = lacksFullSearch
  }

  /// Creates a run, which has not sent any request yet.
  var run: XRun { XRun(endpoints, now: now, lacksFullSearch: lacksFullSearch) }

  /// Finds the threads of posts, with as many posts in each lookup and search as X allows.
  ///
  /// If a post is by the author who began its conversation, its thread is that author's chain; if it is another author's reply
  /// there, it is the other author's chain. Two posts of one thread give the thread once.
  ///
  /// - Parameter stored: returns the stored conversation of a thread as soon as the thread is known, for posts that are not stored
  ///   as a part of it.
  /// - Returns: the threads in the order of the requests; `refused` has the reasons for posts without a thread.
  package func threads(
    of requests: [XThreadRequest], stored: @Sendable (PostID, AuthorID) -> Conversation? = { _, _ in nil }
  ) async -> XFetched {
    var run = run
    let located = await run.locate(requests, stored)
    let coverages = await run.find(located.targets)
    let isComplete = await run.complete(located.targets)
    let threads = zip(located.targets, coverages).map { target, coverage in
      (target: target, coverage: run.checked(coverage, target, isComplete))
    }
    var result = run.result(threads, isComplete: isComplete)
    result.refused = located.refused
    if let stop = run.stop { result.failure = stop }
    return result
  }

  /// Finds the thread of a post.
  ///
  /// - Parameters: see `threads(of:stored:)`.
  /// - Returns: if no thread was found, the stored conversation, and the reason as the failure.
  package func thread(
    of postID: String, known: Conversation? = nil, options: XThreadOptions = XThreadOptions(),
    stored: @Sendable (PostID, AuthorID) -> Conversation? = { _, _ in nil }
  ) async -> XFetched {
    var result = await threads(
      of: [XThreadRequest(postID, known: known, options: options)], stored: stored)
    if let refusal = result.refused[postID] {
      result.conversations = known.map { [$0] } ?? []
      result.failure = refusal
      result.notes.removeAll { $0 == refusal.description }
    }
    return result
  }

  /// Finds the threads that an author began, from the timeline without reposts.
  ///
  /// Each post of the timeline has a price, so only the time within the limits is read; threads that extend
  /// beyond it, or beyond X's newest 3200 posts, are completed by looking up their missing posts.
  ///
  /// - Parameters:
  ///   - progress: how far the timeline was read before; posts that were read are not read again.
  ///   - known: whether a conversation is stored. For stored conversations only the posts of the timeline are returned, without
  ///     lookups.
  /// - Returns: the threads, and how far the timeline was read, also after an error.
  package func threads(
    by handle: String, limits: XThreadLimits = XThreadLimits(), options: XThreadOptions = XThreadOptions(),
    progress: XTimelineProgress? = nil, known: @Sendable (PostID) -> Bool = { _ in false }
  ) async -> XFetched {
    var run = run
    var progress = progress
    if progress?.since != limits.since || progress?.until != limits.until { progress = nil }
    let account: String
    if let progress {
      // The account is known; the timeline includes its profile.
      account = progress.account
    } else {
      do throws(XClientError) {
        account = try await run.readableUser(handle).id.value
      } catch {
        var result = run.result([])
        result.failure = error
        return result
      }
    }
    let (end, reached) = await run.read(account, limits, progress)
    var targets = await run.ownThreads(of: account, limits, options, known)
    let isComplete = await run.complete(targets.filter { !known(PostID($0.conversation, on: .x)) })
    // Threads that could not be completed may be longer, and are not read again.
    targets = targets.filter {
      known(PostID($0.conversation, on: .x)) || run.fetchIndex.chain(of: $0).count >= limits.minPosts
        || !isComplete && run.hasGap($0)
    }
    var threads: [(target: XTarget, coverage: Coverage)] = []
    for target in targets {
      if known(PostID(target.conversation, on: .x)) {
        threads.append((target, Coverage()))
      } else {
        var coverage = run.timelineCoverage(target, end, limits)
        if options.replies { await run.findReplies(to: target, &coverage) }
        threads.append((target, run.checked(run.completed(coverage, target), target, isComplete)))
      }
    }
    var result = run.result(threads, isComplete: isComplete && (end == .complete || end == .enough))
    result.timeline = reached
    result.found = targets.map { PostID($0.conversation, on: .x) }
    result.conversations = result.conversations.map { conversation in
      var conversation = conversation
      // A stored conversation has a coverage, which must not be replaced.
      if known(conversation.id) { conversation.coverage = Coverage() }
      return conversation
    }
    return result
  }

  /// Finds threads by a search in X's operators: the threads of all posts that the search finds, each once.
  ///
  /// The full archive is searched if the account has access, otherwise the last seven days.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of threads, including known ones.
  ///   - since: the start of the search; `nil` for the beginning of X's archive.
  ///   - known: whether a conversation is stored. Stored conversations are listed in `found` without further requests.
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
      hits.keys.map(\.conversation).filter { !run.fetchIndex.isSettled($0) && !known(PostID($0, on: .x)) })
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

  /// Fetches an author's profile with a number of followers, newest first as in X's list.
  package func profile(_ name: XUserName, followers: Int = 0) async -> XProfileFetched {
    var run = run
    var profile: Profile
    do throws(XClientError) {
      switch name {
      case .handle(let handle): profile = Profile(author: try await run.user(handle), observedAt: now)
      case .id(let id): profile = Profile(author: try await run.user(id: id), observedAt: now)
      }
    } catch {
      return XProfileFetched(failure: error)
    }
    // As every user has a price, no more are requested than X says there are.
    let followers = min(followers, profile.author.followers ?? followers)
    // X does not show the followers of a protected account.
    guard followers > 0, profile.author.isProtected != true else { return XProfileFetched(profile: profile) }
    let failure = await run.addFollowers(followers, to: &profile)
    return XProfileFetched(profile: profile, failure: failure)
  }

  /// Looks up all known posts of conversations, a hundred a request across all conversations: counts, polls and edits are updated,
  /// and posts that X no longer shows are removed or marked.
  ///
  /// A post is removed if X reports that the post or its author is gone. A post that X neither shows nor reports is unchanged, as
  /// this may be an error; the notes name it. A post that X withholds in some countries and still shows
  /// is not removed. The conversations are returned in their order; those of which every post was requested have a new
  /// `checkedAt`.
  package func recheck(_ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion = .remove) async
    -> XFetched
  {
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
    let fresh = run.fetchIndex.answers.conversations(selections)
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

/// A request for a thread by any of its posts.
package struct XThreadRequest: Sendable, Hashable {
  package var postID: String
  /// The stored conversation of the thread: only missing and new posts are requested.
  package var known: Conversation?
  package var options: XThreadOptions

  package init(_ postID: String, known: Conversation? = nil, options: XThreadOptions = XThreadOptions()) {
    self.postID = postID
    self.known = known
    self.options = options
  }
}

extension XRun {
  /// Finds the threads of posts: looks up unknown posts, and then the first posts of their conversations, unless
  /// they were included in a response.
  mutating func locate(
    _ requests: [XThreadRequest], _ stored: (PostID, AuthorID) -> Conversation?
  ) async -> (targets: [XTarget], refused: [String: XClientError]) {
    var refused: [String: XClientError] = [:]
    var places: [String: (author: String, conversation: String)] = [:]
    for request in requests {
      if let known = request.known { fetchIndex.add(known, now: now) }
      guard !XID.isValid(request.postID) else { continue }
      refused[request.postID] = XClientError(
        .invalidRequest, "\"\(request.postID.prefix(40))\" is no id of a post: these have 1 to 19 digits.")
    }
    let unknown = requests.filter { $0.known == nil && refused[$0.postID] == nil }.map(\.postID)
    if !unknown.isEmpty { await lookUp(unknown) }
    for id in unknown where places[id] == nil {
      do throws(XClientError) { places[id] = try place(of: id) } catch { refused[id] = error }
    }
    var targets: [XTarget] = []
    var seen: Set<[String]> = []
    for request in requests {
      let target: XTarget
      if let known = request.known {
        target = XTarget(
          conversation: known.id.value, author: known.authorID.value, given: request.postID,
          replies: request.options.replies, known: known)
      } else if let place = places[request.postID] {
        let known = stored(PostID(place.conversation, on: .x), AuthorID(place.author, on: .x))
        if let known { fetchIndex.add(known, now: now) }
        target = XTarget(
          conversation: place.conversation, author: place.author, given: request.postID,
          replies: request.options.replies, known: known)
      } else {
        continue
      }
      if seen.insert([target.conversation, target.author]).inserted { targets.append(target) }
    }
    let first = places.values.map(\.conversation) + places.keys.compactMap { fetchIndex[$0]?.versions.last }
    let missing = Set(first).filter { fetchIndex[$0] == nil && fetchIndex.missing[$0] == nil }
    if !missing.isEmpty { await lookUp(missing) }
    return (targets, refused)
  }

  /// The author and the conversation of a looked-up post, or the reason why the post is missing.
  private func place(of id: String) throws(XClientError) -> (author: String, conversation: String) {
    if let post = fetchIndex[id] {
      guard !post.isRepost else {
        throw XClientError(
          .repost, "Post \(id) repeats somebody else's post. Give the address of the original.")
      }
      guard let author = post.author, let conversation = post.conversation else {
        throw XClientError(
          .invalidAnswer, "X does not say who wrote post \(id), or which conversation it is in.")
      }
      return (author, conversation)
    }
    if let error = stop ?? trouble { throw error }
    guard let problem = fetchIndex.missing[id] else {
      throw refusal ?? XClientError(.notFound, "X shows no post \(id), and does not say why.")
    }
    throw XClientError(problem, post: id)
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

extension XClientError {
  /// Returns the reason why a requested post is missing.
  init(_ problem: XProblem, post id: String) {
    let words = problem.detail ?? problem.title
    switch problem.reason {
    case .protected:
      self.init(
        .protected,
        "Post \(id) is for its author's approved followers only, so it cannot be fetched. X says: \(words)")
    case .suspended:
      self.init(.suspended, "The author of post \(id) is suspended. X says: \(words)")
    default:
      self.init(
        .notFound, "There is no post \(id), or it has been deleted. Check the address. X says: \(words)")
    }
  }
}

extension XRun {
  /// Returns the user with a handle; throws if the user's posts are not public.
  mutating func readableUser(_ handle: String) async throws(XClientError) -> Author {
    let author = try await user(handle)
    guard author.isProtected != true else {
      throw XClientError(
        .protected,
        "@\(author.handle ?? handle) shows posts to approved followers only, so they cannot be fetched.")
    }
    return author
  }

  mutating func user(_ handle: String) async throws(XClientError) -> Author {
    guard canAsk() else { throw stop ?? XClientError(.cancelled, "Fetching was interrupted.") }
    var answer = try await endpoints.user(handle: handle)
    answer.fetchedAt = answer.fetchedAt ?? now
    fetchIndex.add(answer, at: now)
    if let author = answer.authors.first { return author }
    let words = answer.problems.first.map { " X says: \($0.detail ?? $0.title)" } ?? ""
    if answer.problems.first?.reason == .suspended {
      throw XClientError(.suspended, "The account @\(handle) is suspended.\(words)")
    }
    throw XClientError(.notFound, "There is no user @\(handle). Check the handle.\(words)")
  }

  /// Reads the unread part of a user's timeline: first the posts that an earlier run left, then newer posts.
  ///
  /// X returns a timeline from its newest post on, so a run that ends early has read the newest part.
  fileprivate mutating func read(
    _ user: String, _ limits: XThreadLimits, _ progress: XTimelineProgress?
  ) async -> (End, XTimelineProgress) {
    var progress = progress ?? XTimelineProgress(account: user, since: limits.since, until: limits.until)
    var timeline = XTimeline(userID: user)
    timeline.startTime = limits.since?.wholeSecond.iso8601
    timeline.endTime = limits.until?.wholeSecond.iso8601
    if let unread = progress.unread {
      timeline.untilID = unread.before
      timeline.endTime = nil
      timeline.sinceID = unread.after
      if unread.after != nil { timeline.startTime = nil }
      let end = await self.timeline(timeline)
      progress.unread =
        isRead(end) ? nil : .init(before: oldest(of: timelineIDs) ?? unread.before, after: unread.after)
      guard isRead(end) else { return (end, progress) }
    }
    timeline.untilID = nil
    timeline.endTime = limits.until?.wholeSecond.iso8601
    timeline.sinceID = progress.newest
    if progress.newest != nil { timeline.startTime = nil }
    let before = timelineIDs
    let end = await self.timeline(timeline)
    let new = timelineIDs.subtracting(before)
    if end == .refused { notes.append("X does not let this account read the timeline.") }
    if let oldest = oldest(of: new), !isRead(end) {
      progress.unread = .init(before: oldest, after: progress.newest)
    }
    if let newest = new.max(by: XID.precedes) { progress.newest = newest }
    return (end, progress)
  }

  private func isRead(_ end: End) -> Bool { end == .complete || end == .enough }

  private func oldest(of ids: Set<String>) -> String? { ids.min(by: XID.precedes) }

  /// Returns the conversations that the author began and of which the timeline shows at least a part, newest first.
  fileprivate mutating func ownThreads(
    of author: String, _ limits: XThreadLimits, _ options: XThreadOptions, _ known: (PostID) -> Bool
  ) async -> [XTarget] {
    let conversations = Set(
      timelineIDs.compactMap { fetchIndex[$0] }.filter { !$0.isRepost }.compactMap(\.conversation))
    var targets = conversations.map {
      XTarget(
        conversation: $0, author: author, given: nil, replies: options.replies, known: nil)
    }
    targets.sort { XID.precedes($1.conversation, $0.conversation) }
    targets = targets.filter { mayBeOwn($0, minPosts: limits.minPosts) }
    // The first post tells the author of a conversation; all missing first posts are fetched by one request.
    await lookUp(
      targets.map(\.conversation).filter { id in
        fetchIndex[id] == nil && !fetchIndex.isSettled(id) && !known(PostID(id, on: .x))
      })
    return targets.filter { mayBeOwn($0, minPosts: limits.minPosts) }
  }

  /// Whether the author began the conversation and has enough posts in it, or may have when more posts are known.
  private func mayBeOwn(_ target: XTarget, minPosts: Int) -> Bool {
    guard fetchIndex.isOwn(target) else { return false }
    let chains = fetchIndex.chains(of: target).values.filter {
      if case .answers = $0.top { false } else { true }
    }
    guard !chains.isEmpty else { return false }
    let hasGap = chains.contains { if case .follows = $0.top { true } else { false } }
    return hasGap || chains.count >= minPosts
  }

  fileprivate func timelineCoverage(_ target: XTarget, _ end: End, _ limits: XThreadLimits) -> Coverage {
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

  /// Returns a coverage without the gaps of the timeline if lookups have filled them: if the first post and every post that
  /// another of the author's posts answers are known.
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
struct XHits: Sendable {
  struct Key: Hashable, Sendable {
    var conversation: String
    var author: String
    /// The first post that was found.
    var post: String
  }

  let limit: Int?
  private(set) var keys: [Key] = []
  private var known: Set<[String]> = []

  init(limit: Int?) { self.limit = limit.map { max($0, 0) } }

  var isFull: Bool { limit.map { keys.count >= $0 } ?? false }

  /// The ids of the conversations, each once.
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
  /// The smallest page of X's search; a page costs by its posts, so a small limit requests few posts.
  private static let smallestPage = 10

  fileprivate mutating func hits(
    _ query: String, _ reach: XSearch.Reach, _ since: Timestamp?, _ until: Timestamp?, _ hits: inout XHits
  ) async -> End {
    guard !hits.isFull else { return .enough }
    // X refuses a recent search for such old posts.
    if reach == .recent, let until, !isRecent(until) { return .complete }
    let size = hits.limit.map { min(max($0, Self.smallestPage), 100) } ?? 100
    var search = XSearch(Self.withoutReposts(query), reach: reach, pageSize: size)
    switch reach {
    case .full: search.startTime = since?.wholeSecond.iso8601 ?? XStart.dawn
    case .recent: search.startTime = since.flatMap { isRecent($0) ? $0.wholeSecond.iso8601 : nil }
    }
    search.endTime = until.flatMap { $0 < now ? $0.wholeSecond.iso8601 : nil }
    var found = hits
    let end = await self.search(search) { fetchIndex, page in
      for post in page.posts.compactMap({ $0.id("id") }).compactMap({ fetchIndex[$0] }) { found.add(post) }
      return found.isFull
    }
    hits = found
    return end
  }

  private func isRecent(_ time: Timestamp) -> Bool {
    now.milliseconds - time.milliseconds < XStart.recentMilliseconds
  }

  /// Reposts are left out, as they cost as much as posts.
  private static func withoutReposts(_ query: String) -> String {
    guard !query.contains("is:retweet") else { return query }
    let query = query.contains(" OR ") ? "(\(query))" : query
    return query + " -is:retweet"
  }
}

/// The result of fetching an author's profile.
package struct XProfileFetched: Sendable, Hashable {
  package var profile: Profile?
  /// The error if the profile or a part of the followers could not be fetched.
  package var failure: XClientError?

  package init(profile: Profile? = nil, failure: XClientError? = nil) {
    self.profile = profile
    self.failure = failure
  }
}

/// The user whose profile is requested.
package enum XUserName: Sendable, Hashable {
  case handle(String)
  case id(String)
}

extension XRun {
  private static let largestPage = 1000

  mutating func user(id: String) async throws(XClientError) -> Author {
    guard canAsk() else { throw stop ?? XClientError(.cancelled, "Fetching was interrupted.") }
    var answer = try await endpoints.users([id])
    answer.fetchedAt = answer.fetchedAt ?? now
    if let author = answer.authors.first(where: { $0.id.value == id }) { return author }
    let problem = answer.problems.first
    let words = problem.map { " X says: \($0.detail ?? $0.title)" } ?? ""
    if problem?.reason == .suspended {
      throw XClientError(.suspended, "The account with the id \(id) is suspended.\(words)")
    }
    throw XClientError(.notFound, "There is no user with the id \(id).\(words)")
  }

  /// Adds followers page by page; followers that were read before an error are kept.
  fileprivate mutating func addFollowers(_ count: Int, to profile: inout Profile) async -> XClientError? {
    let endpoints = endpoints
    let (now, id) = (now, profile.author.id.value)
    var found: [Author] = []
    var failure: XClientError?
    do throws(XClientError) {
      try await XPaging().pages({ token throws(XClientError) in
        // The last page requests only the missing number, as every user has a price.
        try await endpoints.followers(of: id, count: min(count - found.count, Self.largestPage), token: token)
      }) { page throws(XClientError) in
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
