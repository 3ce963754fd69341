import MediaMirror
import NetworkSources
import SiteConfig
import ThreadModel
import ThreadStore

/// Fetching from one network within one run: each task asks, saves what came at once, and gets its media.
struct NetworkFetch: Sendable {
  let site: SiteFolder
  let platform: Platform
  let client: any SourceClient
  let keeper: StoreKeeper
  let mirror: MediaMirror?
  let tally: FetchTally
  /// The conversations that the store had when the run began.
  let conversations: Set<PostID>
  let now: Timestamp
  let progress: ProgressHandler

  var store: ThreadStore { site.threadStore }

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
      guard !tally.isStopped(platform), !Task.isCancelled else { return }
      let portion = Array(tasks[start..<min(start + Self.portion, tasks.count)])
      await fetchTogether(portion)
      for _ in portion { counter.advance() }
    }
  }

  private func fetchTogether(_ tasks: [ThreadTask]) async {
    var requests: [ThreadRequest] = []
    var asking: [FetchTask?] = []
    var guessed: [(file: StoredFile, conversation: Conversation)] = []
    for thread in tasks {
      let stored = thread.file.flatMap { file in read(file).map { (file: file, conversation: $0) } }
      let reference = thread.task?.post
      guard reference != nil || stored != nil else { continue }
      // What is known under a guessed id would lead the search to the wrong conversation.
      let isGuessed = stored.map(\.conversation.hasGuessedID) ?? false
      if isGuessed, let stored { guessed.append(stored) }
      let replies = thread.task?.wantsReplies ?? stored.map { wantsReplies($0.conversation) } ?? false
      requests.append(
        ThreadRequest(
          reference, postID: reference?.postID ?? stored?.conversation.id,
          known: isGuessed ? nil : stored?.conversation, wantsReplies: replies))
      asking.append(thread.task)
    }
    guard !requests.isEmpty else { return }
    let session = client.session(named: "threads")
    // A post that the store does not have may be of a thread that it has.
    let fetched = await session.threads(of: requests) { [store] id, author in
      // What cannot be read was reported when the store was looked through.
      (try? store.find(id, by: author)).flatMap { $0 }.flatMap { try? store.read($0) }
    }
    let named = asking.compactMap(\.self)
    let isSaved = await save(fetched, of: named.count == 1 ? named[0] : nil)
    for (file, conversation) in guessed { await join(conversation, in: file, to: fetched.conversations) }
    for (position, refusal) in fetched.refused.sorted(by: { $0.key < $1.key }) {
      guard let task = asking[position] else { continue }
      tally.fail(
        PipelineError(refusal, task: task, in: site), stops: refusal.endsTheRun,
        only: refusal.stopsAll ? nil : platform)
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
    let fetched: FetchedThreads
    switch task.source {
    case .account(let account):
      let request = AccountRequest(
        account, in: site, progress: task.key.flatMap { tally.ledger[$0]?.progress })
      fetched = await session.threads(by: request, known: { conversations.contains($0) })
    case .search(let search):
      fetched = await session.threads(
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
  private func save(_ fetched: FetchedThreads, of task: FetchTask?) async -> Bool {
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
      tally.fail(error, stops: failure.endsTheRun, only: failure.stopsAll ? nil : platform)
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

  private func record(_ fetched: FetchedThreads, of task: FetchTask) {
    guard let key = task.key else { return }
    var entry = tally.ledger[key] ?? SourceLedger.Entry()
    if fetched.failure == nil { entry.checkedAt = now }
    if let progress = fetched.progress { entry.progress = progress }
    if key.kind == .search { entry.threads.formUnion(fetched.found) }
    tally.record(entry, for: key)
  }

  /// A damaged file was reported when the store was looked through.
  private func read(_ file: StoredFile) -> Conversation? { try? store.read(file) }
}

extension AccountRequest {
  /// Days of the site's calendar as moments: from the first moment of `since` to the last of `until`.
  init(_ source: ThreadSource.Account, in site: SiteFolder, progress: AccountProgress?) {
    let limits = source.limits
    self.init(
      source.account,
      limits: ThreadLimits(
        since: limits.since.map(site.calendar.start), until: limits.until.map(site.calendar.end),
        minPosts: limits.minPosts ?? 2), wantsReplies: source.replies, progress: progress?.state)
  }
}
