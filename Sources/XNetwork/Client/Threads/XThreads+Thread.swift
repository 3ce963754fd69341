package import ThreadModel

/// A thread that is asked for, by any of its posts.
package struct XThreadRequest: Sendable, Hashable {
  package var postID: String
  /// What is known of the thread: only what is missing or new is asked for.
  package var known: Conversation?
  package var options: XThreadOptions

  package init(_ postID: String, known: Conversation? = nil, options: XThreadOptions = XThreadOptions()) {
    self.postID = postID
    self.known = known
    self.options = options
  }
}

extension XThreads {
  /// The threads that posts belong to: looked up and searched for together, as many as X takes at once.
  ///
  /// Where a post is by the author who began its conversation, its thread is that author's; where it is somebody else's reply
  /// there, that author's own chain. Two posts of one thread give it once.
  ///
  /// - Parameter stored: Finds what is known of a thread once it turned out which one it is: for posts that are not known to be a
  ///   part of it.
  /// - Returns: the threads in the order of the requests; why a post led to none, `refused` says.
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

  /// The thread that a post belongs to.
  ///
  /// - Parameters: as of `threads(of:stored:)`.
  /// - Returns: where there is none, what is known, and why as the failure.
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
}

extension XRun {
  /// Finds out which threads posts belong to: looks up those that are not known, and then the first posts of their conversations, unless
  /// they came along.
  mutating func locate(
    _ requests: [XThreadRequest], _ stored: (PostID, AuthorID) -> Conversation?
  ) async -> (targets: [XTarget], refused: [String: XClientError]) {
    var refused: [String: XClientError] = [:]
    var places: [String: (author: String, conversation: String)] = [:]
    for request in requests {
      if let known = request.known { gathering.adopt(known, now: now) }
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
        if let known { gathering.adopt(known, now: now) }
        target = XTarget(
          conversation: place.conversation, author: place.author, given: request.postID,
          replies: request.options.replies, known: known)
      } else {
        continue
      }
      if seen.insert([target.conversation, target.author]).inserted { targets.append(target) }
    }
    let first = places.values.map(\.conversation) + places.keys.compactMap { gathering[$0]?.versions.last }
    let missing = Set(first).filter { gathering[$0] == nil && gathering.missing[$0] == nil }
    if !missing.isEmpty { await lookUp(missing) }
    return (targets, refused)
  }

  /// Author and conversation of a post that was looked up, or why there is none.
  private func place(of id: String) throws(XClientError) -> (author: String, conversation: String) {
    if let post = gathering[id] {
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
    guard let problem = gathering.missing[id] else {
      throw refusal ?? XClientError(.notFound, "X shows no post \(id), and does not say why.")
    }
    throw XClientError(problem, post: id)
  }

  /// Coverage after the lookups at the end of a run.
  func checked(_ coverage: Coverage, _ target: XTarget, _ isComplete: Bool) -> Coverage {
    guard !isComplete else { return coverage }
    if isStopped { return unfinished(target) }
    var coverage = coverage
    coverage.limits.append(CoverageLimit(.lookupFailed))
    return coverage
  }
}

extension XClientError {
  /// Why a post that was asked for cannot be had.
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
