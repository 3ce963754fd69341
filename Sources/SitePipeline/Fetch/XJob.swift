import MediaMirror
import SiteConfig
import ThreadModel
import ThreadStore
import XClient

/// Fetching from X within one run: each task asks, saves what came at once, and gets its media.
struct XJob: Sendable {
  let site: SiteFolder
  let client: XClient
  let keeper: StoreKeeper
  let mirror: MediaMirror?
  let tally: FetchTally
  /// The conversations that the store had when the run began.
  let conversations: Set<PostID>
  let now: Timestamp
  let progress: ProgressHandler

  var store: ThreadStore { ThreadStore(folder: site.store) }

  /// Fetches what a task names.
  func carryOut(_ task: FetchTask, known: StoredFile?) async {
    let session = client.session(named: task.sessionName)
    let threads = XThreads(session, now: now, lacksFullSearch: client.fullArchiveClosedUntil != nil)
    let fetched: XFetched
    var stored: (file: StoredFile, conversation: Conversation)?
    switch task.source {
    case .thread(let post):
      stored = known.flatMap { file in read(file).map { (file, $0) } }
      // What is known under a guessed id would lead the search to the wrong conversation.
      let known = stored.flatMap { $0.conversation.hasGuessedID ? nil : $0.conversation }
      // A post that the store does not have may be of a thread that it has.
      fetched = await threads.thread(
        of: post.id, known: known, options: XThreadOptions(replies: task.wantsReplies),
        stored: { [store] id, author in
          // What cannot be read was reported when the store was looked through.
          (try? store.find(id, by: author)).flatMap { $0 }.flatMap { try? store.read($0) }
        })
    case .account(let account):
      fetched = await threads.threads(
        by: account.account.handle, limits: XThreadLimits(account.limits, in: site),
        options: XThreadOptions(replies: account.replies),
        known: { conversations.contains($0) })
    case .search(let search):
      fetched = await threads.threads(
        matching: search.query, limit: search.limit, known: { conversations.contains($0) })
    case .archive:
      return
    }
    let isSaved = await save(fetched, of: task)
    if let (file, conversation) = stored, conversation.hasGuessedID {
      await join(conversation, in: file, to: fetched.conversations)
    }
    guard isSaved, fetched.failure == nil else { return }
    do {
      try session.finish()
    } catch {
      tally.fail(PipelineError(error), stops: false)
    }
    record(fetched, of: task)
  }

  /// Keeps what came, whether or not all of it did, and copies its media.
  ///
  /// - Returns: whether all of it is in the store.
  private func save(_ fetched: XFetched, of task: FetchTask) async -> Bool {
    for note in fetched.notes { progress(.note("\(task.name): \(note)")) }
    var isSaved = true
    for conversation in fetched.conversations {
      do {
        tally.change { $0.incomplete += conversation.coverage.limits.isEmpty ? 0 : 1 }
        // The facts first: they cost money, and copying media takes time in which much can happen.
        let outcome = try await keeper.save(conversation)
        tally.change { $0.count(outcome) }
        try await copyMedia(of: conversation)
      } catch {
        isSaved = false
        tally.fail(error, stops: error.kind == .io)
      }
    }
    if let failure = fetched.failure {
      tally.fail(PipelineError(failure, task: task, in: site), stops: failure.kind.endsTheRun)
    }
    return isSaved
  }

  func copyMedia(of conversation: Conversation) async throws(PipelineError) {
    guard let mirror, let known = try await keeper.conversation(conversation.id, by: conversation.authorID)
    else { return }
    let (copied, report) = await mirror.mirror(known)
    tally.add(report)
    if copied != known { _ = try await keeper.save(copied) }
  }

  private func record(_ fetched: XFetched, of task: FetchTask) {
    guard let key = task.key else { return }
    var entry = tally.ledger[key] ?? SourceLedger.Entry()
    entry.checkedAt = now
    if key.kind == .search { entry.threads.formUnion(fetched.found) }
    tally.record(entry, for: key)
  }

  /// A damaged file was reported when the store was looked through.
  private func read(_ file: StoredFile) -> Conversation? { try? store.read(file) }
}

extension FetchTask {
  /// The same in each run, so that an interrupted one is continued.
  var sessionName: String {
    switch source {
    case .thread(let post): "post-\(post.id)"
    case .account(let account): "account-\(account.account.handle.lowercased())"
    case .search(let search): "search-\(search.query)"
    case .archive(let archive): "archive-\(archive.path)"
    }
  }
}

extension XThreadLimits {
  /// Days of the site's calendar as moments: from the first moment of `since` to the last of `until`.
  init(_ limits: ThreadSource.Limits, in site: SiteFolder) {
    self.init(
      since: limits.since.map(site.calendar.start), until: limits.until.map(site.calendar.end),
      minPosts: limits.minPosts ?? 2)
  }
}
