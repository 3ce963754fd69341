import NetworkSources
import SiteConfig
import ThreadModel
import ThreadStore

extension SiteFetch {
  /// Finds out what there is to do, without asking anybody.
  func survey(_ store: ThreadStore, ledger: SourceLedger) throws(PipelineError) -> FetchWork {
    var work = FetchWork()
    work.ledger = ledger
    let tasks = self.tasks
    let posts = tasks.compactMap(\.post)
    guard !options.isForBuilding || !tasks.isEmpty || !ledger.unfinished.isEmpty else { return work }
    let survey: StoreSurvey
    do {
      survey = try StoreSurvey.of(
        store, posts: posts, jobs: jobs, passesOver: options.keepsGoing, isDue: isDue, isOpen: isOpen(ledger),
        lacksMedia: lacksMedia)
    } catch {
      guard error.kind == .content else { throw error }
      throw PipelineError(
        .content,
        error.messages + [
          "error: nothing was fetched, and nobody was asked: put the file right, take it back from version control, or move it out of "
            + "the store and fetch its thread anew by its address"
        ])
    }
    work.known = survey.files
    let removed: RemovedThreads
    do {
      removed = try store.removedThreads()
    } catch {
      throw PipelineError(error)
    }
    try refuse(posts.filter { survey.files[$0] == nil }, removed)
    // What was removed is known, so that no timeline or search reads it again.
    work.conversations = survey.conversations.union(removed.threads.map(\.id))
    work.tasks = tasks.filter { task in
      if let post = task.post, survey.files[post] == nil, post.postID.map(removed.holds) ?? false {
        return false
      }
      return needs(task, known: survey.files, ledger: ledger)
    }
    let named = Set(work.tasks.compactMap { $0.post.flatMap { survey.files[$0] } })
    work.open = survey.open.filter { !named.contains($0) }
    // Whoever names a thread wants to know what became of each of its posts.
    if case .only = options.scope { work.due = named.sorted() } else { work.due = survey.due }
    work.lackingMedia = survey.lackingMedia
    return work
  }

  /// Refuses threads that were asked for by name, and that were removed: to say nothing would look as if they were there.
  private func refuse(_ posts: [PostReference], _ removed: RemovedThreads) throws(PipelineError) {
    guard case .only = options.scope, !removed.isEmpty else { return }
    let refused = posts.filter { $0.postID.map(removed.holds) ?? false }
    guard !refused.isEmpty else { return }
    throw PipelineError(
      .content,
      refused.map {
        "\($0): error: this thread was removed from the store, and is not fetched; `threadsite remove --undo \($0)` takes that back"
      })
  }

  private var tasks: [FetchTask] {
    let listed = site.config.sources.enumerated().map { FetchTask($1, entry: $0) }
    // What a thread's own entry says of replies goes before what its source says.
    let replies = Dictionary(
      site.config.threads.compactMap { entry in entry.replies.map { (entry.url.identity, $0) } },
      uniquingKeysWith: { first, _ in first })
    let tasks =
      if case .only(let posts) = options.scope {
        posts.map { post in
          listed.first { $0.post?.identity == post.identity }
            ?? FetchTask(.post(ThreadSource.Post(post)), entry: nil)
        }
      } else {
        listed
      }
    return tasks.map { task in
      var task = task
      task.wantsReplies = task.post.flatMap { replies[$0.identity] } ?? task.wantsReplies
      if options.wantsReplies { task.wantsReplies = true }
      return task
    }
  }

  /// Whether a task has anything to do: a build fetches what was never fetched or not to its end, a fetch also what may have grown.
  private func needs(_ task: FetchTask, known: [PostReference: StoredFile], ledger: SourceLedger) -> Bool {
    if case .only = options.scope { return true }
    if let post = task.post { return known[post] == nil || !options.isForBuilding }
    guard let key = task.key else { return false }
    // Whether an archive changed is told by looking at it.
    if key.kind == .archive { return true }
    guard let entry = ledger[key], let last = entry.checkedAt else { return true }
    if entry.progress?.hasUnread == true { return true }
    return switch options.scope {
    case .missing, .only: false
    // An account is read from where it was left, which costs no more than what is new.
    case .due: entry.progress != nil || isOld(last)
    case .all: true
    }
  }

  /// Threads that are looked for again: what an earlier run did not read to its end, whatever the command; and for a fetch what
  /// was looked at too long ago.
  private func isOpen(_ ledger: SourceLedger) -> @Sendable (Conversation) -> Bool {
    let isDue = isDue
    if case .only = options.scope { return { _ in false } }
    let fetchable = Set(site.networks.fetchable.map(\.platform))
    return { conversation in
      fetchable.contains(conversation.platform)
        && (ledger.unfinished.contains(conversation.id) || conversation.coverage.isUnfinished
          || isDue(conversation))
    }
  }

  /// Threads that a network's API gave are looked up again when it is time; those of an export only when asked for, because each post
  /// may cost money.
  private var isDue: @Sendable (Conversation) -> Bool {
    let fetchable = Set(site.networks.fetchable.map(\.platform))
    return { conversation in
      guard fetchable.contains(conversation.platform) else { return false }
      switch options.scope {
      case .missing, .only: return false
      case .all: return true
      case .due:
        guard conversation.provenance.contains(where: { !$0.source.isExport }) else { return false }
        guard let last = conversation.lastCheck else { return true }
        return isOld(last)
      }
    }
  }

  private var lacksMedia: @Sendable (Conversation) -> Bool {
    guard site.config.media == .mirror, !options.isForBuilding else { return { _ in false } }
    if case .only = options.scope { return { _ in false } }
    return { [videos = site.config.fetch.videos] in $0.lacksMedia(videos: videos) }
  }

  func isOld(_ time: Timestamp) -> Bool {
    services.now().seconds - time.seconds >= site.config.fetch.refresh.seconds
  }
}

extension Coverage {
  /// Whether a run ended, or a request failed, before all of the thread was seen: the next run may see it.
  var isUnfinished: Bool {
    limits.contains {
      [.fetchEnded, .lookupFailed, .recentSearchFailed, .fullSearchFailed, .timelineFailed].contains($0.kind)
    }
  }
}

extension Conversation {
  /// When the network was last asked about all of it.
  var lastCheck: Timestamp? {
    coverage.checkedAt ?? provenance.filter { !$0.source.isExport }.compactMap(\.fetchedAt).max()
  }

  /// Whether anything that a page shows has an address and no copy.
  func lacksMedia(videos: Bool) -> Bool {
    let media = (posts + related).flatMap(\.media)
    return media.contains { $0.lacksCopy(videos: videos) }
      || (posts + related).contains { $0.card.map { $0.imageURL != nil && $0.imageFile == nil } ?? false }
      || authors.contains { $0.avatarURL != nil && $0.avatarFile == nil }
      || (posts + related).contains { $0.emoji.contains { $0.file == nil } }
      || authors.contains { $0.emoji.contains { $0.file == nil } }
  }
}

extension Media {
  fileprivate func lacksCopy(videos: Bool) -> Bool {
    if kind == .photo { return url != nil && file == nil }
    if kind == .audio, url != nil, file == nil { return true }
    if videos, file == nil && bestVideo != nil || captions.contains(where: { $0.file == nil }) { return true }
    return posterURL != nil && posterFile == nil
  }
}
