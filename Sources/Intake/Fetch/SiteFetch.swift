import Basics
package import Foundation
import HTTPTransport
import MediaMirror
import NetworkSources
package import SiteConfig
package import SiteWorkspace
import ThreadModel
import ThreadStore

/// `threadsite fetch` and `threadsite add`, and the first step of `threadsite build`: fetches threads from their networks into the store.
///
/// Results are saved at once, thread by thread. So a fetch that is stopped, runs out of money or fails loses nothing, and the next one
/// continues from there.
package struct SiteFetch: Sendable {
  let site: SiteFolder
  let options: FetchOptions
  let services: FetchServices
  let jobs: Int
  let progress: ProgressHandler

  package init(
    _ site: SiteFolder, options: FetchOptions, services: FetchServices, jobs: Int,
    progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.options = options
    self.services = services
    self.jobs = jobs
    self.progress = progress
  }

  /// The folder for responses until they are saved, and for findings about the network's limits.
  var workFolder: String { Self.workFolder(of: site) }

  private static func workFolder(of site: SiteFolder) -> String { site.path + "/.threadsite" }

  /// Returns the files and folders that site.yml names and that a fetch reads: credentials, archives and a saved inbox of webmentions. They
  /// may be outside of the site's folder.
  package static func inputs(of site: SiteFolder) -> [String] {
    var paths = site.networks.fetchingCredentialFiles(of: site.config)
    for case .archive(let archive) in site.config.sources { paths.append(archive.path) }
    if case .file(let inbox) = site.config.webmention.inbox { paths.append(inbox) }
    return paths.map(site.absolute)
  }

  /// Returns the folders in which a fetch or an import writes.
  package static func outputs(of site: SiteFolder) -> [String] { [site.store, workFolder(of: site)] }

  /// Runs the fetch.
  ///
  /// - Returns: the summary, including failures that stopped single threads.
  package func run() async throws(PipelineError) -> FetchSummary {
    // Done before the fetch, because saving a thread removes the names without updating the record of URLs, and again afterwards, because
    // the responses may contain further names.
    let cleaning = LeftOutCleaning(site, jobs: jobs, progress: progress)
    cleaning.run()
    var summary = try await fetch()
    await updateWebmentions(&summary)
    cleaning.run()
    return summary
  }

  /// Whether the fetch reads the inbox of webmentions: unless the user named threads.
  var readsInbox: Bool {
    if case .only = options.scope { return false }
    return site.config.webmention.inbox != nil
  }

  /// Updates the stored webmentions. A failure does not stop the rest of the fetch.
  private func updateWebmentions(_ summary: inout FetchSummary) async {
    guard readsInbox, !Task.isCancelled else { return }
    do throws(PipelineError) {
      let inbox = MentionInbox(site: site, services: services, progress: progress)
      summary.webmentions = try await inbox.update(locking: takeLock)
    } catch {
      summary.inboxFailure = error
    }
  }

  private func fetch() async throws(PipelineError) -> FetchSummary {
    let store = site.threadStore
    let state = FetchState(store: site.store, sourceState: try SourceState.load(store: site.store))
    let work = try survey(store, sourceState: state.sourceState)
    guard !work.isEmpty else {
      // The temporary files of an interrupted fetch are removed, even if that fetch had saved everything.
      if !options.isForBuilding, FileSystem.kind(of: store.folder) == .folder { _ = try store.beginWriting() }
      return state.summary
    }
    let locks = [try takeLock(), try store.beginWriting()]
    defer {
      noteLeftOut(site.leftOut, progress)
      withExtendedLifetime(locks) {}
    }
    let keeper = try StoreKeeper(store, site.networks)
    if !options.isForBuilding { refuseOtherNetworks(work.tasks, state: state) }
    try importArchives(work.tasks, state: state)
    let mirror = try makeMirror(store)
    await askNetworks(work, keeper: keeper, mirror: mirror, state: state)
    if let mirror {
      await copyMedia(of: work.lackingMedia, with: mirror, keeper: keeper, store: store, state: state)
    }
    try removeReleasedMedia(state, mirror: mirror, store: store)
    if !state.removed.isEmpty {
      do {
        try RemovedWords(of: site).deleteCopies(marks: state.removed)
      } catch {
        throw PipelineError(.io, error)
      }
    }
    if state.sourceState != work.sourceState { try state.sourceState.save(store: site.store) }
    if Task.isCancelled { reportInterruption(state) }
    return state.summary
  }

  /// Reports an interruption that no request reported, because it occurred between requests or while media were copied.
  private func reportInterruption(_ state: FetchState) {
    guard !state.summary.failures.contains(where: { $0.kind == .interrupted }) else { return }
    state.fail(
      PipelineError(
        .interrupted,
        ["error: the fetch was interrupted; fetched posts are kept. Run the same command again to resume."]),
      stops: true)
  }

  /// Reports the requested threads on networks from which this version does not fetch. Entries of site.yml for networks that are only
  /// imported are skipped: a build reports the threads that the store lacks.
  private func refuseOtherNetworks(_ tasks: [FetchTask], state: FetchState) {
    let isListed = if case .only = options.scope { false } else { true }
    for task in tasks {
      guard let platform = task.platform, site.networks[platform]?.isFetchable != true else { continue }
      if isListed, site.networks[platform] != nil { continue }
      let names = site.networks.fetchable.map(\.name).joined(separator: ", ")
      let text =
        "this version cannot fetch threads from \(platform.displayName), "
        + (site.networks[platform]?.insteadOfFetching.map { "but imports them: \($0)" }
          ?? "only from \(names)")
      let message =
        task.entry.flatMap { entry in
          site.decoded?.problem(at: "sources[\(entry)]", text, severity: .error).description
        } ?? "\(task.name): error: \(text)"
      state.fail(PipelineError(.content, [message]), stops: false)
    }
  }

  private func takeLock() throws(PipelineError) -> FolderLock {
    do {
      if let lock = try FolderLock.take(workFolder) {
        AtomicFile.removeAbandoned(in: workFolder)
        return lock
      }
    } catch {
      throw PipelineError(.io, error)
    }
    throw PipelineError(
      .io,
      ["\(workFolder): error: another threadsite is fetching for this site; try again when it has finished"])
  }
}

/// The extent of a fetch, and its limits.
package struct FetchOptions: Sendable {
  package enum Scope: Sendable {
    /// Threads that site.yml lists and the store lacks; this is the first step of a build.
    case missing
    /// The missing threads, threads whose last check is too long ago, and media without a copy.
    case due
    /// All threads in the store, whenever they were last checked.
    case all
    /// The given threads, whether or not they are in the store, and the threads of the given accounts.
    case only([PostReference], accounts: [AccountReference] = [])
  }

  package var scope: Scope
  /// In US dollars; `nil` for the limit in site.yml.
  package var maximumCost: Decimal?
  package var wantsReplies = false
  /// Whether an unreadable stored thread is skipped, and not fetched again, instead of stopping the fetch.
  package var keepsGoing = false

  package init(_ scope: Scope) { self.scope = scope }

  var isForBuilding: Bool { if case .missing = scope { true } else { false } }
}

extension SiteFetch {
  /// Determines the work, without requests to networks.
  func survey(_ store: ThreadStore, sourceState: SourceState) throws(PipelineError) -> FetchWork {
    var work = FetchWork()
    work.sourceState = sourceState
    let tasks = self.tasks
    let posts = tasks.compactMap(\.post)
    guard !options.isForBuilding || !tasks.isEmpty || !sourceState.unfinished.isEmpty else { return work }
    let survey: StoreSurvey
    do {
      survey = try StoreSurvey.of(
        store, posts: posts, jobs: jobs, passesOver: options.keepsGoing, isDue: isDue(sourceState),
        isOpen: isOpen(sourceState),
        lacksMedia: lacksMedia)
    } catch {
      guard error.kind == .content else { throw error }
      throw PipelineError(
        .content,
        error.messages + [
          "error: nothing was fetched. Fix the file, restore it from version control, or move it out of "
            + "the store and fetch the thread again by its URL"
        ])
    }
    work.known = survey.files
    let removed = try withStore { () throws(ThreadStoreError) in try store.removedThreads() }
    try refuse(posts.filter { survey.files[$0] == nil }, removed)
    // Removed threads count as known, so that no timeline or search reads them again.
    work.conversations = survey.conversations.union(removed.threads.map(\.id))
    work.tasks = tasks.filter { task in
      if let post = task.post, survey.files[post] == nil, post.postID.map(removed.holds) ?? false {
        return false
      }
      return needs(task, known: survey.files, sourceState: sourceState)
    }
    let named = Set(work.tasks.compactMap { $0.post.flatMap { survey.files[$0] } })
    work.open = survey.open.filter { !named.contains($0) }
    work.due = survey.due
    if case .only = options.scope { work.due.removeAll { !named.contains($0) } }
    work.lackingMedia = survey.lackingMedia
    return work
  }

  /// Refuses removed threads that were requested by name. Without a message, they would appear to be present.
  private func refuse(_ posts: [PostReference], _ removed: RemovedThreads) throws(PipelineError) {
    guard case .only = options.scope, !removed.isEmpty else { return }
    let refused = posts.filter { $0.postID.map(removed.holds) ?? false }
    guard !refused.isEmpty else { return }
    throw PipelineError(
      .content,
      refused.map {
        "\($0): error: this thread was removed from the store and is not fetched; to restore it, run `threadsite remove --undo \($0)`"
      })
  }

  private var tasks: [FetchTask] {
    let listed = site.config.sources.enumerated().map { FetchTask($1, entry: $0) }
    // The setting for replies in a thread's entry takes precedence over its source's.
    let replies = Dictionary(
      site.config.threads.compactMap { entry in entry.replies.map { (entry.url.identity, $0) } },
      uniquingKeysWith: { first, _ in first })
    let tasks =
      if case .only(let posts, let accounts) = options.scope {
        posts.map { post in
          listed.first { $0.post?.identity == post.identity }
            ?? FetchTask(.post(ThreadSource.Post(post)), entry: nil)
        }
          + accounts.map { account in
            listed.first { $0.account?.isSameName(as: account) == true }
              ?? FetchTask(.account(ThreadSource.Account(account)), entry: nil)
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

  /// Whether a task has work to do. A build fetches threads that were never fetched, or not completely; a fetch also includes threads that
  /// may have grown.
  private func needs(_ task: FetchTask, known: [PostReference: StoredFile], sourceState: SourceState) -> Bool
  {
    if case .only = options.scope { return true }
    if let post = task.post { return known[post] == nil || !options.isForBuilding }
    guard let key = task.key else { return false }
    // Only an inspection shows whether an archive has changed.
    if key.kind == .archive { return true }
    guard let entry = sourceState[key], let last = entry.checkedAt else { return true }
    if entry.progress?.unread != nil { return true }
    return switch options.scope {
    case .missing, .only: false
    // An account is read from where the last run stopped, so only new posts cost money.
    case .due: entry.progress != nil || isOld(last)
    case .all: true
    }
  }

  /// Returns which threads are searched for again: for any command, those that an earlier run did not read completely; for a fetch, also
  /// those whose last check is too long ago.
  private func isOpen(_ sourceState: SourceState) -> @Sendable (Conversation) -> Bool {
    let isDue = isDue(sourceState)
    if case .only = options.scope { return { _ in false } }
    let fetchable = Set(site.networks.fetchable.map(\.platform))
    return { conversation in
      fetchable.contains(conversation.platform)
        && (sourceState.unfinished.contains(conversation.id) || conversation.coverage.isUnfinished
          || isDue(conversation))
    }
  }

  /// Returns which threads are looked up again: threads from a network's API when they are due, threads from an export only on request,
  /// because each post may cost money.
  private func isDue(_ sourceState: SourceState) -> @Sendable (Conversation) -> Bool {
    let fetchable = Set(site.networks.fetchable.map(\.platform))
    return { conversation in
      guard fetchable.contains(conversation.platform) else { return false }
      switch options.scope {
      case .missing: return false
      // A user who names a thread wants the current state of each of its posts. The exception is a thread that a run did not finish: that
      // run is continued, and the thread's posts were read recently.
      case .only:
        let isUnfinished =
          sourceState.unfinished.contains(conversation.id) || conversation.coverage.isUnfinished
        guard isUnfinished, let last = conversation.lastCheck else { return true }
        return services.now().seconds - last.seconds >= Self.continuationSeconds
      case .all: return true
      case .due:
        guard conversation.provenance.contains(where: { !$0.source.isExport }) else { return false }
        guard let last = conversation.lastCheck else { return true }
        return isOld(last)
      }
    }
  }

  /// The time during which an unfinished run is continued without looking up its posts again.
  private static let continuationSeconds: Int64 = 24 * 3600

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
  /// Whether a run ended, or a request failed, before the whole thread was seen. The next run may see it.
  var isUnfinished: Bool {
    limits.contains {
      [.fetchEnded, .lookupFailed, .recentSearchFailed, .fullSearchFailed, .timelineFailed].contains($0.kind)
    }
  }
}

extension Conversation {
  /// When the whole conversation was last requested from the network.
  var lastCheck: Timestamp? {
    coverage.checkedAt ?? provenance.filter { !$0.source.isExport }.compactMap(\.fetchedAt).max()
  }

  /// Whether any displayed media have a URL but no copy.
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

extension SiteFetch {
  /// Fetches from all networks, one network after the other.
  func askNetworks(
    _ work: FetchWork, keeper: StoreKeeper, mirror: MediaMirror?, state: FetchState
  ) async {
    for network in site.networks.fetchable where !state.isStopped {
      let part = work.part(of: network.platform)
      guard part.asksNetworks else { continue }
      await ask(network, part, keeper: keeper, mirror: mirror, state: state)
    }
  }

  /// Fetches threads and collections, several at once, then the threads that are due.
  private func ask(
    _ network: any NetworkSource, _ work: FetchWork, keeper: StoreKeeper, mirror: MediaMirror?,
    state: FetchState
  ) async {
    let client: any SourceClient
    do {
      client = try network.client(for: sourceRun(state))
    } catch {
      if error.kind == .noCredential, !work.open.isEmpty {
        let threads = "\(work.open.count) \(work.open.count == 1 ? "thread" : "threads") of the store"
        progress(
          .warning(
            options.isForBuilding
              ? "\(threads) may lack posts, because an earlier run was interrupted; fetching them needs a token"
              : "\(threads) could not be checked for new posts, because that needs a token"))
      }
      return state.fail(
        PipelineError(error), stops: true, only: error.stopsAll ? nil : network.platform)
    }
    let fetch = NetworkFetch(
      site: site, platform: network.platform, client: client, keeper: keeper, mirror: mirror, state: state,
      conversations: work.conversations, now: services.now(), progress: progress)
    let counter = ProgressCounter("Fetching", total: work.tasks.count + work.open.count, progress)
    // Missing threads come first, then posts that may be gone, and last threads that may have grown.
    let threads = work.tasks.compactMap { task in
      task.post.map { NetworkFetch.ThreadTask(task: task, file: work.known[$0]) }
    }
    // A thread from an export whose beginning was unknown is searched for like a new one.
    let isNew = threads.map { $0.file.map(fetch.hasGuessedID) ?? true }
    await fetch.fetch(zip(threads, isNew).filter(\.1).map(\.0), counter)
    await BoundedTasks.run(work.tasks.filter { $0.post == nil }, atMost: 4) { task in
      guard !state.isStopped(network.platform) else { return }
      await fetch.carryOut(task)
      counter.advance()
    }
    if !state.isStopped(network.platform) { await fetch.refresh(at: work.due) }
    let known =
      zip(threads, isNew).filter { !$1 }.map(\.0)
      + work.open.map { NetworkFetch.ThreadTask(task: nil, file: $0) }
    await fetch.fetch(known, counter)
    if site.config.fetch.followers > 0, !state.isStopped(network.platform) { await fetch.fetchProfiles() }
    state.change { $0.usage[network.platform] = client.usage }
  }

  /// Returns the data that networks need for this run.
  ///
  /// - Parameter state: keeps warnings from being shown twice; `nil` for a plan.
  func sourceRun(_ state: FetchState? = nil) -> SourceRun {
    SourceRun(
      config: site.config, environment: services.environment, transport: services.api,
      workFolder: workFolder, absolutePath: { [site] in site.absolute($0) },
      maximumCost: options.maximumCost ?? site.networks.maximumCost(in: site.config), now: services.now,
      warn: { [progress] in if state?.isNew($0) ?? true { progress(.warning($0)) } },
      announce: { [progress] reason, left in progress(.waiting(reason, secondsLeft: left)) },
      report: { [progress] usage in progress(.spent(usage)) })
  }
}

extension SiteFetch {
  /// Reads the archives that site.yml lists, if they are new or have changed since they were last read.
  ///
  /// A missing archive that was read earlier is not a failure: its threads are in the store, and zip files of several gigabytes are not
  /// committed.
  func importArchives(_ tasks: [FetchTask], state: FetchState) throws(PipelineError) {
    for task in tasks {
      guard case .archive(let source) = task.source, let key = task.key else { continue }
      let path = site.absolute(source.path)
      let known = state.sourceState[key]
      guard let version = ArchiveVersion.of(path, source) else {
        if known != nil { continue }
        state.fail(noArchive(task, path), stops: false)
        continue
      }
      // Without a manifest, changes of a folder cannot be detected. Importing it again changes nothing.
      if !version.isEmpty, known?.version == version { continue }
      do throws(PipelineError) {
        // An archive that was not imported completely is read again next time, because it may be complete then.
        guard try importArchive(path, source, state) else { continue }
        state.record(SourceState.Entry(checkedAt: services.now(), version: version), for: key)
      } catch {
        state.fail(error, stops: error.kind == .io)
      }
    }
  }

  /// - Returns: whether the whole archive was imported.
  private func importArchive(
    _ path: String, _ source: ThreadSource.Archive, _ state: FetchState
  ) throws(PipelineError) -> Bool {
    var archiveOptions = ArchiveOptions(limits: source.limits)
    archiveOptions.includesUnlisted = source.unlisted
    archiveOptions.isOwn = source.own
    archiveOptions.account = source.account
    archiveOptions.copiesMedia = site.config.media != .none
    let place = SiteImport(
      store: site.store, calendar: site.calendar, jobs: jobs, networks: site.networks,
      leavingOut: site.leftOut, progress: progress)
    let summary = try place.importArchive(path, archiveOptions)
    for reason in summary.leftOut { progress(.note("\(path): left out: \(reason)")) }
    for refusal in summary.mediaRefused { progress(.warning(refusal)) }
    if !summary.mediaMissing.isEmpty {
      progress(.note("\(path): \(summary.mediaMissing.count) media files are not in the archive"))
    }
    state.change {
      $0.addCounts(of: summary)
      $0.mediaFetched += summary.mediaCopied
    }
    for failure in summary.problems { state.fail(PipelineError(.content, [failure]), stops: false) }
    return summary.problems.isEmpty
  }

  private func noArchive(_ task: FetchTask, _ path: String) -> PipelineError {
    let text = "there is no file or folder \(path); check the path"
    let message = task.entry.flatMap { entry in
      site.decoded?.problem(at: "sources[\(entry)]", text, severity: .error).description
    }
    return PipelineError(.content, [message ?? "\(path): error: \(text)"])
  }
}

/// Distinguishes an archive from a newer one at the same path, without reading all of it.
private enum ArchiveVersion {
  /// In bytes: the end of a zip file, which lists all entries with sizes and checksums.
  private static let directoryReach = 1 << 20

  /// Returns, for a zip file, its size and a digest of its end; for a folder, a digest of the manifest that X writes. `nil` if the path
  /// does not exist, empty if neither can be read.
  static func of(_ path: String, _ source: ThreadSource.Archive) -> String? {
    guard let version = of(path) else { return nil }
    guard !version.isEmpty else { return version }
    // With other options, threads are imported that were previously left out.
    let limits = source.limits
    var options: [String?] = [source.unlisted ? "unlisted" : nil, source.account.map { "by-\($0.name)" }]
    options += [limits.minPosts.map { "min-\($0)" }, limits.since.map { "since-\($0)" }]
    options.append(limits.until.map { "until-\($0)" })
    return ([version] + options.compactMap(\.self)).joined(separator: "-")
  }

  private static func of(_ path: String) -> String? {
    switch FileSystem.kind(of: path) {
    case .nothing: return nil
    case .folder: return ofFolder(path)
    // The import reports unreadable archives.
    case .link, .other: return ""
    case .file:
      do throws(FileError) {
        let file = try OpenFile(path)
        let start = max(0, file.count - directoryReach)
        return "\(file.count)-\(ContentHash.of(try file.bytes(file.count - start, at: start)))"
      } catch {
        return ""
      }
    }
  }

  private static func ofFolder(_ path: String) -> String {
    for manifest in ["\(path)/data/manifest.js", "\(path)/manifest.js"] {
      if let bytes = try? FileBytes.read(manifest) { return ContentHash.of(bytes) }  // otherwise the next
    }
    return ""
  }
}

extension SiteFetch {
  /// Returns the mirror that copies media; `nil` if site.yml disables copies.
  func makeMirror(_ store: ThreadStore) throws(PipelineError) -> MediaMirror? {
    guard site.config.media == .mirror else { return nil }
    var mirrorOptions = MediaMirrorOptions()
    mirrorOptions.videos = site.config.fetch.videos
    mirrorOptions.networks = site.networks.networks.map(\.links)
    // A picture that cannot be copied now may be copied next time, so long waits are avoided.
    var policy = RetryPolicy()
    policy.maximumTries = 3
    do {
      return try MediaMirror(
        store: store, transport: RetryingTransport(services.media, policy: policy), options: mirrorOptions)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Copies the media of threads that were saved without them.
  func copyMedia(
    of files: [StoredFile], with mirror: MediaMirror, keeper: StoreKeeper, store: ThreadStore,
    state: FetchState
  ) async {
    let counter = ProgressCounter("Copying media", total: files.count, progress)
    let report = await mirror.mirror(files) { file in
      state.isStopped ? nil : try? store.read(file)  // unreadable files were reported by the survey
    } done: { _, conversation, isChanged in
      counter.advance()
      guard isChanged else { return }
      do throws(PipelineError) {
        _ = try await keeper.save(conversation)
        state.change { $0.updated += 1 }
      } catch {
        state.fail(error, stops: true)
      }
    }
    state.add(report)
  }

  /// Deletes the files of removed posts, unless other posts show them.
  func removeReleasedMedia(_ state: FetchState, mirror: MediaMirror?, store: ThreadStore)
    throws(PipelineError)
  {
    let released = state.releasedMedia
    guard !released.isEmpty else { return }
    do {
      let mediaStore = try mirror?.mediaStore ?? MediaStore(store: store)
      try mediaStore.remove(released, unlessIn: store.mediaInUse())
    } catch {
      throw PipelineError(converting: error)
    }
  }
}

extension FetchState {
  /// Adds a report. A full disk is a failure of the whole fetch; a picture that cannot be copied is not.
  func add(_ report: MediaReport) {
    if let failure = report.failures.first(where: \.isOfDisk) {
      fail(PipelineError(.io, ["error: \(failure.url) was not copied: \(failure.reason)"]), stops: true)
    }
    change { summary in
      summary.mediaFetched += report.fetched
      // If a thread is saved twice in a run, its media are also copied twice.
      var known = Set(summary.mediaFailures)
      for failure in report.failures.map({ "\($0.url): \($0.reason)" })
      where known.insert(failure).inserted {
        summary.mediaFailures.append(failure)
      }
    }
  }
}
