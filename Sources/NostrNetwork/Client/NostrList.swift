import NetworkSources
import ThreadModel

/// The posts of an account, from the newest back to those that an earlier run has read, and the threads in them.
struct NostrList {
  /// The maximum number of pages of an account that are read in one pass.
  private static let mostPages = 100
  /// Relays receive some posts late, and clocks differ. So the posts of the last day before the newest post are read again, in seconds.
  private static let overlap: Int64 = 24 * 3600

  private var reading: NostrReading
  private let request: AccountRequest
  /// The public key of the account.
  private let key: String
  private(set) var progress: AccountProgress
  /// The posts in the list. ``reading`` also has posts that they answer and quote.
  private var listed: Set<PostID> = []
  /// Whether the list has only the account's newer posts, so that threads may have begun before it.
  private let isPart: Bool
  /// Whether an earlier run read a part of the list, so that later posts of a thread may be missing here.
  private let isContinued: Bool
  /// Whether every post of the requested range was read.
  private var isWhole = true

  init(_ reading: NostrReading, of key: String, _ request: AccountRequest) {
    self.reading = reading
    self.request = request
    self.key = key
    // The newest post and the ends of the unread part are stored as times.
    progress = AccountProgress(continuing: request.progress, of: key, request.limits)
    isPart = progress.newest != nil || progress.unread != nil || request.limits.since != nil
    isContinued = progress.unread != nil
  }

  // MARK: The list

  mutating func read() async throws(SourceError) {
    isWhole = false
    // The part that an earlier run did not reach comes first, so that there is never more than one unread part.
    if let unread = progress.unread {
      try await read(
        from: Timestamp(iso8601: unread.before), until: unread.after.flatMap { Timestamp(iso8601: $0) })
    }
    try await read(from: nil, until: progress.newest.flatMap { Timestamp(iso8601: $0) })
    isWhole = reading.failed.isEmpty
  }

  /// Reads the posts of a range.
  ///
  /// - Parameters:
  ///   - start: the time of the newest wanted post; `nil` for the account's newest.
  ///   - last: the time of the newest post of an earlier run.
  private mutating func read(from start: Timestamp?, until last: Timestamp?) async throws(SourceError) {
    let first = [last.map { $0.seconds - Self.overlap }, request.limits.since?.seconds].compactMap(\.self)
      .max()
    let filter = RelayFilter(
      authors: [key], kinds: NostrEvent.Kind.posts.sorted(), since: first.map { max($0, 0) },
      until: start?.seconds)
    var pages = RelayPages(filter, from: reading.relays.configured)
    defer {
      reading.relays.note(pages)
      reading.take(failed: pages.failures.keys)
    }
    var newest = progress.newest.flatMap { Timestamp(iso8601: $0) }
    for _ in 0..<Self.mostPages {
      guard let page = try await pages.next() else { break }
      reading.take(page)
      for event in page where event.isPost {
        listed.insert(NostrID.post(of: event))
        // A time in the future would hide later posts from the next run.
        newest = Timestamp.later(newest, Timestamp(seconds: min(event.createdAt, reading.now.seconds)))
      }
      if let position = pages.position {
        progress.unread = .init(before: Timestamp(seconds: position).iso8601, after: last?.iso8601)
      }
    }
    progress.newest = newest?.iso8601
    guard pages.isAtEnd else {
      throw SourceError(
        .quota,
        "\(Self.mostPages) pages of this account's posts were read, the limit per run. Run the same command again to continue."
      )
    }
    progress.unread = nil
  }

  // MARK: The threads

  /// Adds the account's threads to a result. Threads that began before the list are requested.
  ///
  /// - Returns: whether every post in the list was handled: added to a thread, or left out because its thread is not wanted. The progress may
  ///   then be saved.
  mutating func collect(into result: inout FetchedThreads, known: @Sendable (PostID) -> Bool) async -> Bool {
    let owner = NostrID.author(key)
    let parts = reading.threads.conversations().filter { $0.authorID == owner && isWanted($0) }
      .sorted { $0.id < $1.id }
    var isComplete = (isWhole || result.failure?.kind == .quota) && reading.failed.isEmpty
    var whole: [Conversation] = []
    var toFetch: [PostID] = []
    var earlier: [PostID] = []
    for var part in parts {
      if known(part.id) {
        // No profiles were read yet.
        part.authors = []
        result.found.append(part.id)
        result.conversations.append(part)
      } else if !listed.contains(part.id) {
        earlier.append(part.id)
      } else if isContinued {
        if part.posts.contains(where: { $0.inReplyToAuthor == owner }) { toFetch.append(part.id) }
      } else if part.longestChain(of: owner) >= request.limits.minPosts {
        if request.wantsReplies { toFetch.append(part.id) } else { whole.append(part) }
      }
    }
    guard result.failure?.endsRun != true else { return false }
    // The list has the first posts of all of the account's threads, or the account wrote them earlier. Other first posts are by others.
    if isPart {
      do throws(SourceError) {
        try await reading.lookUp(earlier, writtenBy: key)
        toFetch += earlier.filter { reading.posts[$0]?.author == key }
      } catch {
        result.failure = result.failure ?? error
        isComplete = false
      }
    }
    isComplete = await complete(whole, &result) && isComplete
    for root in toFetch { isComplete = await fetch(root, &result) && isComplete }
    return isComplete
  }

  /// Whether the account wrote posts of a thread in the requested range.
  private func isWanted(_ part: Conversation) -> Bool {
    let times = part.posts.filter { $0.authorID == part.authorID }.compactMap(\.createdAt)
    if let since = request.limits.since, !times.contains(where: { $0 >= since }) { return false }
    if let until = request.limits.until, !times.contains(where: { $0 < until }) { return false }
    return true
  }

  /// Adds threads of which the list has all of the author's posts. The posts that they answer and quote are requested for all threads
  /// together.
  ///
  /// - Returns: whether these requests succeeded.
  private mutating func complete(_ parts: [Conversation], _ result: inout FetchedThreads) async -> Bool {
    guard !parts.isEmpty else { return true }
    var isComplete = true
    let wanted = Set(parts.flatMap(\.posts).map(\.id))
    reading.keep(wanted)
    do throws(SourceError) {
      try await reading.complete(of: key)
    } catch {
      result.failure = result.failure ?? error
      isComplete = false
    }
    let owner = NostrID.author(key)
    let threads = Dictionary(
      reading.threads.conversations().filter { $0.authorID == owner }.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    for part in parts {
      // The thread's posts may have been deleted.
      guard var thread = threads[part.id] else { continue }
      thread.coverage.foundBy = .timeline
      thread.coverage.checkedAt = reading.now
      if !isComplete || reading.hasUnsureGaps { thread.coverage.limits.append(CoverageLimit(.lookupFailed)) }
      result.found.append(thread.id)
      result.conversations.append(thread)
    }
    return isComplete
  }

  /// - Returns: whether the thread was read or is not wanted (too short, or deleted).
  private func fetch(_ root: PostID, _ result: inout FetchedThreads) async -> Bool {
    guard !Task.isCancelled, result.failure?.endsRun != true else { return false }
    var reading = NostrReading(relays: self.reading.relays, names: self.reading.names, now: self.reading.now)
    do throws(SourceError) {
      let found = try await reading.readThread(of: [root], by: key, wantsReplies: request.wantsReplies)
      result.failure = result.failure ?? found.failure
      let thread = try reading.conversation(of: found, wantsReplies: request.wantsReplies)
      guard thread.longestChain(of: thread.authorID) >= request.limits.minPosts else {
        return found.failure == nil
      }
      result.found.append(thread.id)
      result.conversations.append(thread)
      // The missing posts are noted in the coverage, and the next run requests them.
      return found.failure?.kind != .interrupted
    } catch {
      // The first post is gone, and the user did not request this thread by its URL, so it is left out.
      if error.kind == .content { return true }
      result.failure = result.failure ?? error
      return false
    }
  }
}

extension Conversation {
  /// Returns the number of posts in the longest chain in which each post of an author answers another one.
  fileprivate func longestChain(of author: AuthorID) -> Int {
    let own = Dictionary(
      posts.filter { $0.authorID == author }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return ConversationReferences.longestChain(of: own.keys, isOwn: { own[$0] != nil }) { own[$0]?.inReplyTo }
  }
}
