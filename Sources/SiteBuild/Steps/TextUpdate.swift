import Basics
import MarkdownHTML
import SearchIndex
import SiteConfig
import SiteOutput
import SiteWorkspace
import Synchronization
import ThreadStore

/// A build after changes that only the texts of a few threads show.
///
/// Most edits of a post leave the record of its thread unchanged (``ThreadRecord``): its title, excerpts, dates, tags, links, and everything
/// else from which lists, feeds and the pages of other threads are made. Then only the page of the thread, its Markdown, its words in the
/// search index and the feeds of the newest threads differ. They are written beside the site as by any build, and the rest of the site is
/// not looked at.
struct TextUpdate {
  let site: SiteFolder
  let installation: Installation?
  let options: SiteBuild.Options
  let cache: BuildCache
  /// The state of the previous build, whose files are all untouched.
  let state: BuildCache.State
  /// The digests of the inputs of this build; `nil` if an input might have changed undetected.
  let digests: InputDigests?
  let last: LastBuild

  /// The number of changed threads from which on a whole build is faster.
  private static let mostThreads = 32

  /// A thread whose text has changed.
  private struct Change {
    let file: StoredFile
    let entry: PreviousBuild.Entry
    let page: PreviousBuild.Page
    let path: SitePath
    let html: DocumentHTML
    let markdown: UTF8Buffer
    /// The former and the new words for the search; `nil` for a site without a search.
    let terms: (old: SearchTerms, new: SearchTerms)?
  }

  /// Updates the site.
  ///
  /// - Parameter whenInPlace: called when the files are in place, before the data for the next build are saved.
  /// - Returns: the outcome; `nil` if the changes may concern more than texts, and nothing was changed. A whole build is then necessary, which
  ///   also reports all problems.
  func run(
    _ progress: @escaping ProgressHandler, _ whenInPlace: (BuildSummary) -> Void
  ) throws(PipelineError) -> BuildCache.Outcome? {
    guard let digests, let build = last.build, build.isWorthExtending, cache.hasOnlyRecords(of: state),
      cache.isPublished(state, last.inputs),
      site.config.books.isEmpty,
      let stems = state.changedThreads(in: last.inputs, digests), (1...Self.mostThreads).contains(stems.count)
    else { return nil }
    let warnings = Mutex<Set<String>>([])
    let quiet: ProgressHandler = { event in
      if case .warning(let text) = event { warnings.withLock { _ = $0.insert(text) } }
    }
    let loader = SiteLoader(site, installation: installation, options: options, progress: quiet)
    guard let inputs = inputs(by: loader), let selection = try? loader.threadSelection(inputs.authors)
    else { return nil }
    let images: ScaledImages?
    do throws(PipelineError) {
      images = try ScaledImages.wanted(by: site, options, progress: quiet)
    } catch {
      return nil
    }
    let stemsOfChanged = Set(stems)
    let changed = inputs.files.filter { stemsOfChanged.contains($0.stem) }
    guard changed.count == stems.count, changed.allSatisfy({ hasSameAuthor($0, in: build) }),
      !showsPosts(inputs)
    else { return nil }
    let worker = ThreadWorker(
      inputs, of: site, selection, includesDrafts: options.includesDrafts,
      previous: PreviousThreads(
        build: build, inputs: last.inputs, selection: selection, authors: inputs.authors,
        permalinks: inputs.permalinks, includesDrafts: options.includesDrafts, environmentIsSame: true),
      images: images)
    let counter = ProgressCounter("Rendering threads", total: changed.count, progress)
    let media = PublishedMedia(site.threadStore, scaled: images)
    let records = try ThreadRecords(after: build) { () throws(PipelineError) in throw PipelineError([]) }
    var analyzer = SearchAnalyzer()
    var changes: [Change] = []
    for file in changed {
      guard
        let change = change(file, of: build, records, by: worker, selection, media, &analyzer)
      else { return nil }
      changes.append(change)
      counter.advance()
    }
    var update = BuildCache.Changes()
    for change in changes {
      var entry = change.entry
      if let terms = change.terms, terms.old != terms.new {
        entry = try records.replace(termsOf: entry, with: terms.new)
        if let piece = change.entry.terms { update.unused.append(piece) }
      }
      entry.signature = last.inputs.signature(of: change.file)
      update.entries[change.file.stem] = entry
    }
    return try StagingFolder(of: site, options).use { (staged) throws(PipelineError) -> BuildCache.Outcome? in
      let context = BuildContext(
        site: site, options: options, progress: quiet, last: last, environment: state.environment,
        staged: staged)
      guard try write(changes, to: context, &update),
        warnings.withLock({ $0.isSubset(of: state.outcome.warnings) }),
        try writeFeeds(changes, inputs, selection, worker, build, context)
      else { return nil }
      update.written = Set(staged.paths).subtracting([StagedSite.markerName])
      guard try putInPlace(staged, &update) else { return nil }
      var outcome = cache.outcome(of: state, last.inputs)
      outcome.summary.rendered = changes.count
      whenInPlace(outcome.summary)
      cache.save(
        update, to: state, digests, records: records, loaded: options.ownsOutput ? inputs : nil)
      return outcome
    }
  }

  /// Returns the inputs of the previous build if this program has kept them, because only texts of threads have changed. Otherwise loads them.
  ///
  /// - Returns: `nil` if the inputs cannot be loaded, or if the authors of threads differ from those of the previous build.
  private func inputs(by loader: SiteLoader) -> LoadedSite? {
    if let inputs = cache.loaded { return inputs }
    // A whole build reports the problems of the inputs.
    guard let inputs = try? loader.load(after: last), inputs.writers.seen == last.build?.authors else {
      return nil
    }
    return inputs
  }

  /// Whether a changed file names the same author with the same data as before.
  private func hasSameAuthor(_ file: StoredFile, in build: PreviousBuild) -> Bool {
    guard let author = build.known(file)?.author, let (id, record) = try? site.threadStore.readAuthor(file)
    else { return false }
    return build.authors[author] == ThreadAuthors.Author(id: id, record: record)
  }

  /// Whether pages or texts of the owner show posts in place of their URLs. The text of a changed thread may be among them.
  private func showsPosts(_ inputs: LoadedSite) -> Bool {
    let texts =
      site.config.threads.flatMap {
        [$0.intro, $0.afterword].compactMap(\.self) + $0.notes.map(\.text)
      } + site.config.collections.compactMap(\.introduction)
    return (inputs.pages.pages.map(\.markdown) + texts.map { Array($0.utf8) }).contains { text in
      // A text that cannot be parsed is an error of a whole build.
      (try? MarkdownHTML.soleURLs(of: text).isEmpty) != true
    }
  }

  /// Renders a thread.
  ///
  /// - Returns: `nil` if more than its text has changed, or if it cannot be rendered.
  private func change(
    _ file: StoredFile, of build: PreviousBuild, _ records: ThreadRecords, by worker: ThreadWorker,
    _ selection: ThreadSelection, _ media: PublishedMedia, _ analyzer: inout SearchAnalyzer
  ) -> Change? {
    guard let entry = build.known(file), let page = entry.page, let parts = page.parts,
      let bytes = build.bytes(entry), let known = (try? ThreadRecord(byteCoding: bytes))?.built,
      // A whole build reports a thread that cannot be read or rendered.
      let conversation = try? site.read(file)
    else { return nil }
    let keys = ConversationKeys(conversation)
    let answer = selection.settings(for: keys)
    guard answer.sameAs == nil, answer.entries.count <= 1, let settings = answer.settings,
      options.includesDrafts || !settings.isDraft,
      // A whole build warns of texts for images that their author describes.
      settings.descriptions.isEmpty, settings.descriptionsOfPosts.isEmpty,
      let rendered = try? RenderedThread(
        rendering: conversation, keys, settings, stem: file.stem, by: worker, selection, &analyzer)
    else { return nil }
    let newTerms = rendered.terms
    guard rendered.record.byteCoding == bytes,
      known.thread.mediaFiles.allSatisfy({ media.problem(with: $0) == nil }),
      rendered.html.header.isEmpty == parts.header.isEmpty,
      worker.images?.lacksCopies(of: known.thread.mediaFiles) != true
    else { return nil }
    var terms: (old: SearchTerms, new: SearchTerms)?
    if state.search != nil {
      guard let old = records.terms(entry), let newTerms else { return nil }
      terms = (old, newTerms)
    }
    return Change(
      file: file, entry: entry, page: page, path: known.thread.summary.path, html: rendered.html,
      markdown: rendered.markdown, terms: terms)
  }

  /// Writes the pages of threads, their Markdown and the search index, and updates the entries of the threads.
  ///
  /// - Returns: `false` if a whole build is necessary.
  private func write(
    _ changes: [Change], to context: BuildContext, _ update: inout BuildCache.Changes
  ) throws(PipelineError) -> Bool {
    for change in changes {
      guard let (html, page) = page(change) else { return false }
      try context.write([(change.path, html), (change.path.appending("index.md"), change.markdown)])
      update.entries[change.file.stem]?.page = page
    }
    guard let search = state.search?.index else { return true }
    let build = last.build
    let threads = Mutex<[Int: PreviousBuild.Entry]>([:])
    // Few changes require the words of other threads.
    @Sendable func entry(of document: Int) -> PreviousBuild.Entry? {
      threads.withLock { threads in
        if threads.isEmpty {
          state.entries.forEach { _, entry in
            if let page = entry.page { threads[search.documents - 1 - page.rank] = entry }
          }
        }
        return threads[document]
      }
    }
    let edits = changes.compactMap { change in
      change.terms.map {
        SearchIndexPatch.Change(document: search.documents - 1 - change.page.rank, old: $0.old, new: $0.new)
      }
    }
    let new = Dictionary(edits.map { ($0.document, $0.new) }) { first, _ in first }
    let patch = SearchIndexPatch(
      edits, of: search, order: nil,
      read: { path in try? FileBytes.read("\(site.output)/\(SearchPage.path.appending(path).file)") },
      terms: { document in
        new[document] ?? entry(of: document).flatMap { build?.terms($0) }
      })
    guard let patch else { return false }
    try context.write(
      patch.files.map {
        (path: SearchPage.path.appending($0.path), content: UTF8Buffer(bytes: $0.bytes))
      })
    update.removed = Set(patch.removed.map { SearchPage.path.appending($0).file })
    update.search = patch.state
    return true
  }

  /// Returns the existing page of a thread with its new header and body; `nil` if the page is not as the previous build wrote it.
  private func page(_ change: Change) -> (UTF8Buffer, PreviousBuild.Page)? {
    guard let parts = change.page.parts, last.build?.site.html(change.page, of: change.path) != nil,
      let old = try? FileBytes.read("\(site.output)/\(change.path.file)"),
      parts.body.upperBound <= old.count
    else { return nil }
    var (header, body) = (parts.header, parts.body)
    var new: [UInt8] = []
    new.reserveCapacity(old.count + change.html.header.count + change.html.body.count)
    if header.isEmpty {
      new += old[..<body.lowerBound]
    } else {
      new += old[..<header.lowerBound]
      header = new.count..<new.count + change.html.header.count
      new += change.html.header.bytes
      new += old[parts.header.upperBound..<body.lowerBound]
    }
    body = new.count..<new.count + change.html.body.count
    new += change.html.body.bytes
    new += old[parts.body.upperBound...]
    var page = change.page
    page.parts = PreviousBuild.Parts(header: header, body: body)
    page.checksum = PreviousBuild.checksum(of: change.html)
    return (UTF8Buffer(bytes: new), page)
  }

  /// Writes the feeds of the newest threads, if they contain the text of a changed thread.
  ///
  /// - Returns: `false` if a whole build is necessary.
  private func writeFeeds(
    _ changes: [Change], _ inputs: LoadedSite, _ selection: ThreadSelection, _ worker: ThreadWorker,
    _ build: PreviousBuild, _ context: BuildContext
  ) throws(PipelineError) -> Bool {
    let count = site.config.feed.entries
    guard site.config.feed.content == .full, changes.contains(where: { $0.page.rank < count }) else {
      return true
    }
    var newest: [Int: (thread: ThreadSummary, file: StoredFile?)] = [:]
    for file in inputs.files {
      guard let entry = build.known(file), let page = entry.page, page.rank < count else { continue }
      guard let thread = build.record(entry)?.built?.thread else { return false }
      newest[page.rank] = (thread.summary, file)
    }
    // A thread whose page the owner replaces has no data of its page.
    guard newest.count == min(count, state.outcome.summary.threads) else { return false }
    try FeedStep(
      context: context, facts: inputs.facts(of: site), selection: selection, worker: worker,
      icon: inputs.theme.icons.any
    ).run(newest.sorted { $0.key < $1.key }.map(\.value))
    return true
  }

  /// Moves the written files into the site, and removes files of the search index that are no longer used.
  ///
  /// - Returns: `false` if a whole build is necessary, because the owner provides one of the files.
  private func putInPlace(
    _ staged: StagedSite, _ update: inout BuildCache.Changes
  ) throws(PipelineError) -> Bool {
    let changed = update.written.union(update.removed)
    guard changed.allSatisfy({ FileSystem.kind(of: "\(site.staticFolder)/\($0)") == .nothing }) else {
      return false
    }
    let files = update.removed.sorted()
    var empty = Set(files.map(StagedSite.folder)).subtracting(update.written.map(StagedSite.folder))
    if !empty.isEmpty {
      for file in state.files where !update.removed.contains(file.path) {
        empty.remove(StagedSite.folder(of: file.path))
      }
    }
    cache.noteChange()
    try withOutput { () throws(SiteOutputError) in try staged.update(removing: files + empty.sorted()) }
    update.removed.formUnion(empty)
    return true
  }
}
