package import ThreadModel
import XAPI

extension XThreads {
  /// The thread that a post belongs to.
  ///
  /// Where the post is by the author who began its conversation, that is that author's thread; where it is somebody else's reply
  /// there, that author's own chain.
  ///
  /// - Parameters:
  ///   - postID: Any post of the thread.
  ///   - known: What is known of the thread: only what is missing or new is asked for.
  ///   - stored: Finds what is known of a thread once it turned out which one it is: for posts that are not known to be a part
  ///     of it.
  package func thread(
    of postID: String, known: Conversation? = nil, options: XThreadOptions = XThreadOptions(),
    stored: @Sendable (PostID, AuthorID) -> Conversation? = { _, _ in nil }
  ) async -> XFetched {
    var run = run
    let located: XTarget
    do throws(XClientError) {
      located = try await run.locate(postID, known: known, options, stored)
    } catch {
      var result = XFetched()
      result.conversations = known.map { [$0] } ?? []
      result.failure = error
      result.notes = run.notes
      result.lacksFullSearch = run.lacksFullSearch
      return result
    }
    return await run.follow(located)
  }
}

extension XRun {
  /// Finds out which thread a post belongs to: looks it up and then the first post of its conversation, unless they are
  /// known or came along.
  mutating func locate(
    _ postID: String, known: Conversation?, _ options: XThreadOptions,
    _ stored: (PostID, AuthorID) -> Conversation?
  ) async throws(XClientError) -> XTarget {
    guard XID.isValid(postID) else {
      throw XClientError(
        .invalidRequest, "\"\(postID.prefix(40))\" is no id of a post: these have 1 to 19 digits.")
    }
    if let known {
      gathering.adopt(known, now: now)
      return XTarget(
        conversation: known.id.value, author: known.authorID.value, given: postID, replies: options.replies,
        known: known)
    }
    await lookUp([postID])
    let given = try post(postID)
    let known = stored(PostID(given.conversation, on: .x), AuthorID(given.author, on: .x))
    if let known { gathering.adopt(known, now: now) }
    var first = [given.conversation]
    if let last = gathering[postID]?.versions.last { first.append(last) }
    let unknown = first.filter { gathering[$0] == nil && gathering.missing[$0] == nil }
    if !unknown.isEmpty { await lookUp(unknown) }
    return XTarget(
      conversation: given.conversation, author: given.author, given: postID, replies: options.replies,
      known: known)
  }

  /// Author and conversation of a post that was looked up, or why there is none.
  private func post(_ id: String) throws(XClientError) -> (author: String, conversation: String) {
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

  /// Finds a thread's posts and what they refer to.
  mutating func follow(_ target: XTarget) async -> XFetched {
    let coverage = await find(target)
    let isComplete = await complete([target])
    return result([(target, checked(coverage, target, isComplete))], isComplete: isComplete)
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
