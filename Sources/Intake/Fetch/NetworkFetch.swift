import MediaMirror
import NetworkSources
import SiteConfig
import SiteWorkspace
import ThreadModel
import ThreadStore

/// Fetches from one network within one run: each task makes requests, saves the results at once, and copies their media.
struct NetworkFetch: Sendable {
  let site: SiteFolder
  let platform: Platform
  let client: any SourceClient
  let keeper: StoreKeeper
  let mirror: MediaMirror?
  let state: FetchState
  /// The conversations in the store at the start of the run.
  let conversations: Set<PostID>
  let now: Timestamp
  let progress: ProgressHandler

  var store: ThreadStore { site.threadStore }

  /// A single thread to request.
  struct ThreadTask: Sendable {
    /// The entry of site.yml or the URL that requests the thread; `nil` for a stored thread that is searched for again.
    var task: FetchTask?
    /// The thread's file in the store, if it has one.
    var file: StoredFile?
  }

  /// The number of threads that are requested together. They share lookups and searches, and the results are saved before the next ones are
  /// requested.
  private static let tasksAtOnce = 100

  /// Fetches single threads.
  func fetch(_ tasks: [ThreadTask], _ counter: ProgressCounter) async {
    for start in stride(from: 0, to: tasks.count, by: Self.tasksAtOnce) {
      guard !state.isStopped(platform), !Task.isCancelled else { return }
      let portion = Array(tasks[start..<min(start + Self.tasksAtOnce, tasks.count)])
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
      // A guessed id would direct the search to the wrong conversation.
      let isGuessed = stored.map(\.conversation.hasGuessedID) ?? false
      if isGuessed, let stored { guessed.append(stored) }
      let replies = thread.task?.wantsReplies ?? stored.map { wantsReplies($0.conversation) } ?? false
      requests.append(
        ThreadRequest(
          reference, postID: reference?.postID ?? stored?.conversation.postToRequest,
          known: isGuessed ? nil : stored?.conversation, wantsReplies: replies))
      asking.append(thread.task)
    }
    guard !requests.isEmpty else { return }
    let session = client.session(named: "threads")
    // A post that the store lacks may belong to a stored thread.
    let fetched = await session.threads(of: requests) { [store] id, author in
      // Unreadable files were reported when the store was surveyed.
      (try? store.find(id, by: author)).flatMap { $0 }.flatMap { try? store.read($0) }
    }
    let named = asking.compactMap(\.self)
    let isSaved = await save(fetched, of: named.count == 1 ? named[0] : nil)
    for (file, conversation) in guessed { await join(conversation, in: file, to: fetched.conversations) }
    for (position, refusal) in fetched.refused.sorted(by: { $0.key < $1.key }) {
      guard let task = asking[position] else { continue }
      state.fail(
        PipelineError(refusal, task: task, in: site), stops: refusal.endsRun,
        only: refusal.stopsAll ? nil : platform)
    }
    guard isSaved, fetched.failure == nil else { return }
    do { try session.finish() } catch { state.fail(PipelineError(error), stops: false) }
  }

  func hasGuessedID(_ file: StoredFile) -> Bool { read(file)?.hasGuessedID ?? false }

  /// Whether replies by others were requested before, judging by whether the conversation contains some.
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
        account, in: site, progress: task.key.flatMap { state.sourceState[$0]?.progress })
      fetched = await session.threads(by: request, known: { conversations.contains($0) })
    case .search(let search):
      fetched = await session.threads(
        matching: search.query, limit: search.limit, known: { conversations.contains($0) })
    case .thread, .archive:
      return
    }
    let isSaved = await save(fetched, of: task)
    // The timeline counts as read only if its results are in the store.
    if isSaved { record(fetched, of: task) }
    guard isSaved, fetched.failure == nil else { return }
    do { try session.finish() } catch { state.fail(PipelineError(error), stops: false) }
  }

  /// Saves the results, complete or not, and copies their media.
  ///
  /// - Returns: whether all of the results are in the store.
  private func save(_ fetched: FetchedThreads, of task: FetchTask?) async -> Bool {
    // Several requests of a run may concern the same posts.
    for note in fetched.notes where state.isNew(note) {
      progress(.note(task.map { "\($0.name): \(note)" } ?? note))
    }
    var isSaved = true
    for conversation in fetched.conversations {
      do {
        let conversation = try await withoutFailedCheck(conversation, fetched.failure)
        state.noteLimits(of: conversation)
        // The conversation is saved first: it costs money, and the run may be interrupted while media are copied.
        let saved = try await keeper.save(conversation)
        state.count(saved.outcome, of: conversation)
        // The part of a known thread in a timeline contains no information about the rest of the thread.
        if !conversation.coverage.isEmpty {
          state.note(saved.id, isUnfinished: conversation.coverage.isUnfinished)
        }
        try noteJoined(saved)
        try await copyMedia(of: saved.id, by: conversation.authorID)
        // If the same command is run again after an interruption, it should not look up posts that were just read.
        if Task.isCancelled { state.note(saved.id, isUnfinished: true) }
      } catch {
        isSaved = false
        state.fail(error, stops: error.kind == .io)
      }
    }
    if let failure = fetched.failure {
      let error = task.map { PipelineError(failure, task: $0, in: site) } ?? PipelineError(failure)
      state.fail(error, stops: failure.endsRun, only: failure.stopsAll ? nil : platform)
    }
    return isSaved
  }

  /// Returns a conversation without the coverage of a check that failed, if the store has the whole thread and the responses contain no
  /// new post. The stored coverage is still true then, and the next run need not search for the thread.
  ///
  /// A run that reached its limits is different: the next one continues it.
  private func withoutFailedCheck(
    _ conversation: Conversation, _ failure: SourceError?
  ) async throws(PipelineError) -> Conversation {
    if let failure, [.overBudget, .interrupted, .quota].contains(failure.kind) { return conversation }
    guard !Task.isCancelled, conversation.coverage.isUnfinished,
      let known = try await keeper.conversation(conversation.id, by: conversation.authorID),
      !known.coverage.isUnfinished,
      Set(known.posts.map(\.id)).isSuperset(of: conversation.posts.map(\.id))
    else { return conversation }
    var result = conversation
    result.coverage = Coverage()
    return result
  }

  /// Keeps the URLs of threads that were joined to a saved one.
  private func noteJoined(_ saved: StoreKeeper.Saved) throws(PipelineError) {
    try site.threadStore.keepAddresses(saved.joined.map { ($0.file, saved.file) })
    for (file, id) in saved.joined {
      state.note(id, isUnfinished: false)
      progress(.note("\(file.path) is part of \(saved.file.path) and was merged into it"))
    }
  }

  private func copyMedia(of id: PostID, by author: AuthorID) async throws(PipelineError) {
    guard let mirror, let known = try await keeper.conversation(id, by: author) else { return }
    let (copied, report) = await mirror.mirror(known)
    state.add(report)
    if copied != known { _ = try await keeper.save(copied) }
  }

  private func record(_ fetched: FetchedThreads, of task: FetchTask) {
    guard let key = task.key else { return }
    var entry = state.sourceState[key] ?? SourceState.Entry()
    if fetched.failure == nil { entry.checkedAt = now }
    if let progress = fetched.progress { entry.progress = progress }
    if key.kind == .search { entry.threads.formUnion(fetched.found) }
    state.record(entry, for: key)
  }

  /// Returns the conversation in a file; `nil` for a damaged file, which was reported when the store was surveyed.
  private func read(_ file: StoredFile) -> Conversation? { try? store.read(file) }
}

extension AccountRequest {
  /// Converts days of the site's calendar to moments: from the first moment of `since` to the last second of `until`.
  init(_ source: ThreadSource.Account, in site: SiteFolder, progress: AccountProgress?) {
    let limits = source.limits
    self.init(
      source.account,
      limits: ThreadLimits(
        since: limits.since.map(site.calendar.start), until: limits.until.map(site.calendar.end),
        minPosts: limits.minPosts ?? 2), wantsReplies: source.replies, progress: progress)
    wantsUnlisted = source.unlisted
  }
}

extension NetworkFetch {
  /// Joins an archive's part of a thread to the conversation to which it belongs, and keeps the page's URL.
  func join(_ known: Conversation, in file: StoredFile, to fetched: [Conversation]) async {
    let posts = Set(known.posts.map(\.id))
    guard
      let home = fetched.first(where: { conversation in
        conversation.authorID == known.authorID && conversation.id != known.id
          && conversation.posts.contains { posts.contains($0.id) }
      })
    else { return }
    do {
      let new = try await keeper.join(file, known, to: home.id)
      guard new != file else { return }
      try site.threadStore.keepAddresses([(file, new)])
      progress(.note("\(file.path) is part of \(new.path) and was merged into it"))
    } catch {
      state.fail(error, stops: error.kind == .io)
    }
  }
}

extension NetworkFetch {
  /// The number of threads looked up together. Their ids share batches of 100, and the results are saved before the next ones are looked
  /// up.
  private static let threadsLookedAtAtOnce = 50

  /// Looks up all posts of these threads again. Posts that are gone are removed or marked, and new ones are added.
  func refresh(at files: [StoredFile]) async {
    let counter = ProgressCounter("Checking for changes", total: files.count, progress)
    var gone: [AuthorID: Removal] = [:]
    for start in stride(from: 0, to: files.count, by: Self.threadsLookedAtAtOnce) {
      guard !state.isStopped(platform), !Task.isCancelled else { return }
      let portion = files[start..<min(start + Self.threadsLookedAtAtOnce, files.count)]
      // Damaged files were reported by the survey.
      gone.merge(await refresh(at: portion.compactMap { try? store.read($0) })) { $1 }
      for _ in portion { counter.advance() }
    }
    await forget(gone)
  }

  /// - Returns: the accounts that turned out to be closed, and whose records were removed.
  private func refresh(at conversations: [Conversation]) async -> [AuthorID: Removal] {
    guard let first = conversations.first else { return [:] }
    let session = client.session(named: "again-\(first.id.value)")
    let checked = await session.recheck(conversations, onDeleted: site.config.fetch.onDeleted)
    for note in checked.notes where state.isNew(note) { progress(.note(note)) }
    let before = Dictionary(conversations.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let beforeByID = Dictionary(conversations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for conversation in checked.conversations {
      // The author may have had only a provisional id before.
      let known = before[conversation.key] ?? beforeByID[conversation.id]
      await keep(conversation, before: known)
    }
    if let failure = checked.failure {
      state.fail(PipelineError(failure), stops: failure.endsRun, only: failure.stopsAll ? nil : platform)
    } else {
      do { try session.finish() } catch { state.fail(PipelineError(error), stops: false) }
    }
    let authors = checked.conversations.flatMap(\.authors).filter(\.isGone)
    return Dictionary(
      authors.compactMap { author in author.removal.map { (author.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Removes the data of closed accounts also from all other conversations and profiles, because they may occur in any of them.
  private func forget(_ gone: [AuthorID: Removal]) async {
    guard !gone.isEmpty else { return }
    state.noteRemoved(gone.keys.map(\.value))
    var authors = Set(gone.keys)
    // Unreadable files were reported when the store was surveyed.
    for file in (try? store.list()) ?? [] where file.platform == platform {
      guard let conversation = try? store.read(file) else { continue }
      authors.insert(conversation.authorID)
      let forgetting = conversation.forgetting(gone)
      if forgetting != conversation { await keep(forgetting, before: conversation) }
    }
    do {
      for author in authors.sorted() {
        guard let profile = try? store.profile(of: author) else { continue }
        var kept = profile
        kept.followers.removeAll { gone[$0.id] != nil }
        if gone[author] != nil {
          try await keeper.removeProfile(of: author)
          kept = Profile(author: Author(id: author))
        } else if kept != profile {
          try await keeper.save(kept)
        }
        state.release(media: profile.mediaFiles.subtracting(kept.mediaFiles))
      }
    } catch {
      state.fail(error, stops: error.kind == .io)
    }
  }

  private func keep(_ conversation: Conversation, before: Conversation?) async {
    do {
      let saved = try await keeper.replace(conversation)
      state.count(saved.outcome, of: conversation)
      try noteJoined(saved)
      guard let before else { return }
      state.release(media: before.mediaFiles.subtracting(conversation.mediaFiles))
      let ids = { (conversation: Conversation) in
        Set((conversation.posts + conversation.related).map(\.id.value))
      }
      state.noteRemoved(ids(before).subtracting(ids(conversation)))
      let gone = conversation.postsGone - before.postsGone
      state.change { $0.postsGone += max(0, gone) }
      try await copyMedia(of: saved.id, by: conversation.authorID)
    } catch {
      state.fail(error, stops: error.kind == .io)
    }
  }
}

extension Conversation {
  /// The post by which the thread is requested: its first post or, if the conversation's id is a guess, the author's earliest known post,
  /// because the post with that id may not exist.
  fileprivate var postToRequest: PostID {
    guard hasGuessedID else { return id }
    let own = posts.filter { $0.authorID == authorID }
    return own.min {
      ($0.createdAt?.milliseconds ?? .max, $0.id) < ($1.createdAt?.milliseconds ?? .max, $1.id)
    }?.id
      ?? id
  }

  fileprivate struct Key: Hashable {
    var id: PostID
    var author: AuthorID
  }

  fileprivate var key: Key { Key(id: id, author: authorID) }

  /// The number of stored posts that are no longer on their network.
  fileprivate var postsGone: Int {
    tombstones.count { $0.removedAt != nil } + posts.count { $0.removal != nil }
  }
}

extension NetworkFetch {
  /// Fetches the followers of the authors of all the network's threads in the store, unless they were fetched recently.
  func fetchProfiles() async {
    let wanted = site.config.fetch.followers
    for author in authors() {
      guard !state.isStopped(platform), !Task.isCancelled else { return }
      let session = client.session(named: "profile-\(author.value)")
      let fetched = await session.profile(of: author, followers: wanted)
      do {
        if let profile = fetched.profile {
          try await keeper.save(profile)
          if let mirror {
            let (copied, report) = await mirror.mirror(profile)
            state.add(report)
            if copied != profile { try await keeper.save(copied) }
          }
        }
        if let failure = fetched.failure {
          state.fail(
            PipelineError(failure), stops: failure.endsRun, only: failure.stopsAll ? nil : platform)
        } else {
          do { try session.finish() } catch { state.fail(PipelineError(error), stops: false) }
        }
      } catch {
        state.fail(error, stops: error.kind == .io)
      }
    }
  }

  /// Returns the authors whose profile is missing or old, sorted.
  private func authors() -> [AuthorID] {
    // Unreadable files were reported when the store was surveyed.
    let files = (try? store.list()) ?? []
    var authors: Set<AuthorID> = []
    for folder in Dictionary(grouping: files.filter { $0.platform == platform }, by: \.folder).values {
      // A folder has one author. Handles that passed to another account get a separate folder.
      if let file = folder.first, let conversation = try? store.read(file) {
        if conversation.author?.isGone != true { authors.insert(conversation.authorID) }
      }
    }
    return authors.sorted().filter { author in
      guard let known = try? store.profile(of: author), let seen = known.observedAt else { return true }
      return now.seconds - seen.seconds >= site.config.fetch.refresh.seconds
    }
  }
}
