import MediaMirror
import SiteConfig
import ThreadModel
import ThreadStore
import XNetwork

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

  /// A single thread to be asked for.
  struct ThreadTask: Sendable {
    /// The entry of site.yml or the address that asks for it; `nil` for a thread of the store that is looked for again.
    var task: FetchTask?
    /// Where the store has it.
    var file: StoredFile?
  }

  /// Threads that are asked for together: their lookups and searches are shared, and what came is saved before the next ones.
  private static let portion = 100

  /// Fetches single threads.
  func fetch(_ tasks: [ThreadTask], _ counter: ProgressCounter) async {
    for start in stride(from: 0, to: tasks.count, by: Self.portion) {
      guard !tally.isStopped, !Task.isCancelled else { return }
      let portion = Array(tasks[start..<min(start + Self.portion, tasks.count)])
      await fetchTogether(portion)
      for _ in portion { counter.advance() }
    }
  }

  private func fetchTogether(_ tasks: [ThreadTask]) async {
    var requests: [XThreadRequest] = []
    var guessed: [(file: StoredFile, conversation: Conversation)] = []
    for thread in tasks {
      let stored = thread.file.flatMap { file in read(file).map { (file: file, conversation: $0) } }
      guard let post = thread.task?.post ?? stored?.conversation.id else { continue }
      // What is known under a guessed id would lead the search to the wrong conversation.
      let isGuessed = stored.map(\.conversation.hasGuessedID) ?? false
      if isGuessed, let stored { guessed.append(stored) }
      let replies = thread.task?.wantsReplies ?? stored.map { wantsReplies($0.conversation) } ?? false
      requests.append(
        XThreadRequest(
          post.value, known: isGuessed ? nil : stored?.conversation, options: XThreadOptions(replies: replies)
        ))
    }
    guard !requests.isEmpty else { return }
    let session = client.session(named: "threads")
    let threads = XThreads(session, now: now, lacksFullSearch: client.fullArchiveClosedUntil != nil)
    // A post that the store does not have may be of a thread that it has.
    let fetched = await threads.threads(of: requests) { [store] id, author in
      // What cannot be read was reported when the store was looked through.
      (try? store.find(id, by: author)).flatMap { $0 }.flatMap { try? store.read($0) }
    }
    let named = tasks.compactMap(\.task)
    let isSaved = await save(fetched, of: named.count == 1 ? named[0] : nil)
    for (file, conversation) in guessed { await join(conversation, in: file, to: fetched.conversations) }
    for task in named {
      guard let refusal = task.post.flatMap({ fetched.refused[$0.value] }) else { continue }
      tally.fail(PipelineError(refusal, task: task, in: site), stops: refusal.kind.endsTheRun)
    }
    guard isSaved, fetched.failure == nil else { return }
    do { try session.finish() } catch { tally.fail(PipelineError(error), stops: false) }
  }

  func hasGuessedID(_ file: StoredFile) -> Bool { read(file)?.hasGuessedID ?? false }

  /// Whether others' replies were asked for before: some are here.
  private func wantsReplies(_ conversation: Conversation) -> Bool {
    let answered = Set(
      conversation.posts.filter { $0.authorID == conversation.authorID }.compactMap(\.inReplyTo) + [
        conversation.id
      ])
    return conversation.posts.contains { $0.authorID != conversation.authorID && !answered.contains($0.id) }
  }

  /// Fetches the threads of an account or a search.
  func carryOut(_ task: FetchTask) async {
    let session = client.session(named: task.sessionName)
    let threads = XThreads(session, now: now, lacksFullSearch: client.fullArchiveClosedUntil != nil)
    let fetched: XFetched
    switch task.source {
    case .account(let account):
      fetched = await threads.threads(
        by: account.account.handle, limits: XThreadLimits(account.limits, in: site),
        options: XThreadOptions(replies: account.replies),
        progress: task.key.flatMap { tally.ledger[$0]?.timeline }, known: { conversations.contains($0) })
    case .search(let search):
      fetched = await threads.threads(
        matching: search.query, limit: search.limit, known: { conversations.contains($0) })
    case .thread, .archive:
      return
    }
    let isSaved = await save(fetched, of: task)
    // How far the timeline is read counts only where what it brought is in the store.
    if isSaved { record(fetched, of: task) }
    guard isSaved, fetched.failure == nil else { return }
    do { try session.finish() } catch { tally.fail(PipelineError(error), stops: false) }
  }

  /// Keeps what came, whether or not all of it did, and copies its media.
  ///
  /// - Returns: whether all of it is in the store.
  private func save(_ fetched: XFetched, of task: FetchTask?) async -> Bool {
    for note in fetched.notes { progress(.note(task.map { "\($0.name): \(note)" } ?? note)) }
    var isSaved = true
    for conversation in fetched.conversations {
      do {
        tally.change { $0.incomplete += conversation.coverage.limits.isEmpty ? 0 : 1 }
        // The facts first: they cost money, and copying media takes time in which much can happen.
        let outcome = try await keeper.save(conversation)
        tally.change { $0.count(outcome) }
        // What a timeline brought of a thread that is known says nothing of the rest.
        if !conversation.coverage.isEmpty {
          tally.note(conversation.id, isUnfinished: conversation.coverage.isUnfinished)
        }
        try await copyMedia(of: conversation)
      } catch {
        isSaved = false
        tally.fail(error, stops: error.kind == .io)
      }
    }
    if let failure = fetched.failure {
      let error = task.map { PipelineError(failure, task: $0, in: site) } ?? PipelineError(failure)
      tally.fail(error, stops: failure.kind.endsTheRun)
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
    if fetched.failure == nil { entry.checkedAt = now }
    if let timeline = fetched.timeline { entry.timeline = timeline }
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
    case .thread: "threads"
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
