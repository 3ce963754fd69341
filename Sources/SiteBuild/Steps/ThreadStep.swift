import Basics
import SearchIndex
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// The step that handles one file of the store: its thread is rendered, or reused from the last build if none of its inputs has changed.
struct ThreadStep: Sendable {
  let context: BuildContext
  let selection: ThreadSelection
  let worker: ThreadWorker
  /// The threads of the last build that may be reused.
  let previous: PreviousThreads?
  let media: PublishedMedia
  /// The rendered bodies for ``PageStep``.
  let bodies: PageBodies
  let records: ThreadRecords
  /// Whether the results of threads' lookups of other threads may differ from those in the last build.
  let asksAgain: Bool
  /// The threads that other processes rendered; `nil` for a build that joins no shards.
  let shards: JoinedShards?

  /// The results of a worker.
  struct Results: Sendable {
    var index = IndexedThreads()
    var threads: WrittenThreads
    var failures: [ThreadFailure] = []
    /// Splits the text of threads into words for the search.
    fileprivate var analyzer = SearchAnalyzer()

    init(collected: CollectedThreads) { threads = WrittenThreads(collected: collected) }

    mutating func add(_ other: Results) {
      index.add(other.index)
      threads.add(other.threads)
      failures += other.failures
    }
  }

  /// - Parameters:
  ///   - position: the position of the file in the store's listing.
  ///   - results: receives the data of the thread.
  func run(_ file: StoredFile, at position: Int, _ results: inout Results) throws(PipelineError) {
    let known = previous?.known(file)
    guard let known else {
      if let sharded = try shards?.thread(of: file) {
        return try run(file, at: position, sharded.thread.keys, nil, after: nil, sharded, &results)
      }
      let conversation = try context.site.read(file)
      return try run(
        file, at: position, ConversationKeys(conversation), conversation, after: nil, nil, &results)
    }
    try run(file, at: position, known.record.keys, nil, after: known, nil, &results)
  }

  /// - Parameters:
  ///   - conversation: the content of the file, if it has been read.
  ///   - known: the state of the file in the last build.
  ///   - sharded: the thread that another process rendered from the same file, if it has been read.
  private func run(
    _ file: StoredFile, at position: Int, _ keys: ConversationKeys, _ conversation: Conversation?,
    after known: PreviousThreads.Known?, _ sharded: ShardedThread?, _ results: inout Results
  ) throws(PipelineError) {
    let answer = selection.settings(for: keys)
    results.threads.found.add(answer, at: position)
    var place: UInt64 = 0
    if let same = answer.sameAs {
      place = try note(same, answer, keys, file, at: position, &results)
      results.threads.collected.add(keys, page: nil)
    } else if let settings = answer.settings {
      if answer.entries.count > 1 { throw Self.sameThread(answer.entries, in: context.site) }
      guard !settings.isDraft || context.options.includesDrafts else {
        results.threads.figures.drafts += 1
        results.threads.collected.add(keys, page: nil)
        return try keep(ThreadRecord(keys: keys), known, of: file, at: position, &results)
      }
      if let known, let (thread, markdown) = reusable(known, file, settings) {
        let entry = try records.keep(known.entry)
        add(thread, keys, settings, at: position, entry, body: nil, &results)
        return try context.keep(thread.summary.path.appending("index.md"), markdown)
      }
      var other = sharded
      if known != nil { other = try shards?.thread(of: file) }
      if let other, isCurrent(other, file, settings) {
        results.threads.figures.fromShards += 1
        return try write(other.thread, settings, file, at: position, &results)
      }
      let conversation = if let conversation { conversation } else { try context.site.read(file) }
      let rendered = try RenderedThread(
        rendering: conversation, keys, settings, stem: file.stem, by: worker, selection, &results.analyzer)
      results.threads.figures.rendered += 1
      return try write(rendered, settings, file, at: position, &results)
    } else if answer.isEmpty {
      results.threads.figures.empty.append(file.path)
      // The record of the last build may contain words of posts that are now hidden.
      return try keep(ThreadRecord(keys: keys), nil, of: file, at: position, &results)
    } else {
      results.threads.figures.excluded += 1
    }
    try keep(ThreadRecord(keys: keys), known, of: file, at: position, place: place, &results)
  }

  /// Records a thread that site.yml lists as the same as another thread. It redirects to the other thread's page.
  ///
  /// - Returns: ``SitePages/placeDigest(_:at:showing:)``; 0 if no page shows the thread.
  private func note(
    _ same: ThreadSelection.SameThread, _ answer: ThreadSelection.Answer, _ keys: ConversationKeys,
    _ file: StoredFile, at position: Int, _ results: inout Results
  ) throws(PipelineError) -> UInt64 {
    if let other = answer.entries.first {
      throw context.site.error(
        at: "threads[\(same.entry)].same_as[\(same.position)]",
        "this is a post of the thread of threads[\(other)]; keep one of them")
    }
    guard selection.hasPage(same.entry, withDrafts: context.options.includesDrafts) else {
      results.threads.figures.excluded += 1
      return 0
    }
    let conversation = try context.site.read(file)
    let (path, thread) = worker.pages.leadingPage(of: conversation, stem: file.stem, to: same)
    results.threads.targets.add(
      RedirectTargets.SameThread(
        position: position, path: path, entry: same.entry, isListed: !selection.hidesPosts(same.entry)))
    return SitePages.placeDigest(keys, at: path, showing: thread.shownPosts.sorted())
  }

  /// Keeps the record of a file without a page for the next build: either the record of the last build, which may contain a page that
  /// returns, or the new record.
  ///
  /// - Parameter place: the digest of the data that other threads can use.
  private func keep(
    _ record: ThreadRecord, _ known: PreviousThreads.Known?, of file: StoredFile, at position: Int,
    place: UInt64 = 0, _ results: inout Results
  ) throws(PipelineError) {
    var entry: PreviousBuild.Entry
    if let known {
      entry = try records.keep(known.entry)
    } else if let signature = context.last?.inputs.signature(of: file) {
      entry = try records.add(record, signature: signature)
    } else {
      // Without a signature, the next build would not find the record.
      return
    }
    // The site no longer has the page.
    entry.page = nil
    entry.place = place
    results.threads.kept.add(entry, at: position)
  }

  /// Returns the thread as the last build rendered it and the signature of its Markdown file in the site; `nil` if the thread has to be
  /// rendered again.
  ///
  /// The thread's page may be missing in the site. ``PageStep`` then writes it again.
  private func reusable(
    _ known: PreviousThreads.Known, _ file: StoredFile, _ settings: ThreadSelection.Settings
  ) -> (BuiltThread, FileSignature)? {
    guard let previous, known.entry.page != nil,
      let thread = previous.thread(known, stem: file.stem, settings: settings),
      let markdown = previous.build.site.signature(of: thread.summary.path.appending("index.md").file),
      // Whether other threads show the same posts does not tell whether these are unchanged.
      thread.lookups.allSatisfy({
        !asksAgain && !$0.question.isEmbedded || worker.hasSameAnswer($0, askedBy: file.stem)
      }),
      thread.mediaFiles.allSatisfy({ media.problem(with: $0) == nil }),
      worker.images == nil || thread.mediaFiles.allSatisfy(isUnchanged)
    else { return nil }
    return (thread, markdown)
  }

  /// Returns whether a file of the store's media folder is the same as the one that the last build published. The photo's data and its
  /// smaller copies are then valid.
  private func isUnchanged(_ name: String) -> Bool {
    guard let last = context.last else { return false }
    return last.build?.site.signature(
      ofMedia: name, last.inputs.signature(ofMedia: name), at: ThreadWorker.mediaPath(name)) != nil
  }

  /// Returns whether the thread that another process rendered from the same file is the one that this build would render. The inputs that
  /// all threads have in common were compared when the shards were opened.
  private func isCurrent(
    _ sharded: ShardedThread, _ file: StoredFile, _ settings: ThreadSelection.Settings
  ) -> Bool {
    let built = sharded.thread.built
    return built.isCurrent(stem: file.stem, settings, selection, worker.authors, worker.permalinks)
      && built.thread.lookups.allSatisfy { worker.hasSameAnswer($0, askedBy: file.stem) }
      && sharded.photos == worker.images?.digest(ofPhotosIn: built.thread.mediaFiles)
  }

  /// Writes the Markdown of a rendered thread, and keeps the rest for the next steps and the next build.
  private func write(
    _ rendered: RenderedThread, _ settings: ThreadSelection.Settings, _ file: StoredFile, at position: Int,
    _ results: inout Results
  ) throws(PipelineError) {
    let thread = rendered.built.thread
    try media.check(thread.mediaFiles)
    do {
      try context.staged.write(rendered.markdown.bytes, to: thread.summary.path.appending("index.md"))
    } catch .writtenTwice {
      // Two threads have the same page. ``SiteValidator`` reports both from their summaries, whichever came first.
    } catch {
      throw PipelineError(error)
    }
    // A record without a signature is used only by this build: the file may have changed undetected, or the next build should try again to
    // scale a photo.
    let lacksCopies = worker.images?.lacksCopies(of: thread.mediaFiles) ?? false
    let signature = lacksCopies ? nil : context.last?.inputs.signature(of: file)
    var entry = try records.add(rendered.record, rendered.terms, signature: signature)
    entry.place = SitePages.placeDigest(
      rendered.keys, at: thread.summary.path, showing: thread.shownPosts)
    add(
      thread, rendered.keys, settings, at: position, entry, body: try bodies.add(rendered.html), &results)
  }

  private func add(
    _ thread: BuiltThread, _ keys: ConversationKeys, _ settings: ThreadSelection.Settings, at position: Int,
    _ entry: PreviousBuild.Entry, body: PageBodies.Place?, _ results: inout Results
  ) {
    let summary = thread.summary
    results.index.add(thread, withTopics: context.site.config.similarThreads)
    if let place = settings.entry, selection.isLedTo(place) {
      results.threads.targets.add(page: summary.path, ofEntry: place)
    }
    results.threads.collected.add(keys, page: summary.path)
    if context.site.config.statusPages {
      results.threads.targets.add(thread.shownPosts, on: summary.path, own: Set(keys.ownPosts))
    }
    results.threads.sources.add(
      PageSource(
        position: position, isDraft: settings.isDraft,
        showsWebReplies: settings.entry.flatMap { context.site.config.threads[$0].replies } ?? true,
        entry: entry, body: body, media: digest(ofMedia: thread.mediaFiles)), at: summary.path)
    results.threads.media.add(thread)
    results.threads.authors[summary.author.path] = worker.authors.owner(of: thread.author)
  }

  private func digest(ofMedia names: [String]) -> UInt64? {
    var digest = ContentDigest()
    for name in names {
      guard let signature = context.last?.inputs.signature(ofMedia: name) else { return nil }
      digest.add(name)
      digest.add(signature)
    }
    return digest.value
  }

  /// Returns the error of several entries of site.yml for the same thread.
  static func sameThread(_ entries: [Int], in site: SiteFolder) -> PipelineError {
    PipelineError(
      .configuration,
      entries.dropFirst().map {
        site.listProblem(
          $0, "this is a post of the same thread as threads[\(entries[0])]; keep one of them")
      })
  }
}
