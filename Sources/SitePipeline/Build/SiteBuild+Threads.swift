import Basics
import MarkdownHTML
import SearchIndex
import SiteConfig
import SiteOutput
import ThreadModel
import ThreadStore

/// What the pages of all threads leave behind.
struct WrittenThreads: Sendable {
  var summaries: [ThreadSummary] = []
  /// Where each page came from, to write it, and to render the newest again for the feeds: by path.
  var sources: [SitePath: Source] = [:]
  var mediaFiles: Set<String> = []
  var mediaHosts: Set<String> = []
  /// The authors by their pages.
  var authors: [SitePath: AuthorID] = [:]
  /// When they wrote their posts, by the same.
  var counts: [SitePath: PostCounts] = [:]
  /// What their pages show of them.
  var profiles: [SitePath: AuthorProfile] = [:]
  /// What others may learn of the page of each thread that was rendered, by its position: `BuiltThread.placeDigest`.
  var places: [Int: UInt64] = [:]
  /// What the next build will find of each file.
  var entries: [(position: Int, entry: PreviousBuild.Entry)] = []
  var missingAltTexts = 0
  /// Threads that were rendered, and not taken over from the last build.
  var rendered = 0
  var drafts = 0
  /// Threads that site.yml leaves out of the site.
  var excluded = 0
  /// Files with nothing of their authors', below the store's folder.
  var empty: [String] = []
  /// Entries of site.yml's `threads` that were found in the store.
  var foundEntries: Set<Int> = []
  /// Entries of its `sources` that were.
  var foundSources: Set<Int> = []
  /// Addresses under `same_as` that were found.
  var foundSameThreads: Set<ThreadSelection.SameThread> = []
  /// Threads that have no page of their own, as another is the same.
  var sameThreads: [SameThread] = []
  /// The pages of entries from whose other threads, or other addresses, something leads to them.
  var pagesOfEntries: [Int: SitePath] = [:]
  /// The posts that pages show, where each has an address of its own.
  var statuses: [Status] = []
  /// Hidden posts that are none of their threads'.
  var unknownHidden: Set<ThreadSelection.HiddenPlace> = []
  /// Notes on posts that are not there.
  var unknownNotes: Set<ThreadSelection.UnknownNote> = []
  var permalinks = Permalinks()
  /// The pages of threads that a thread quotes or links to, by its own; few threads do.
  var links: [SitePath: Set<SitePath>] = [:]
  var collected = CollectedThreads([])
  var failures: [Failure] = []
  /// Takes the words of each thread apart.
  var analyzer = SearchAnalyzer()
  /// What else the build goes on without.
  var leftOut: [PipelineError] = []

  /// Small, as there is one for each thread.
  struct Source: Sendable {
    /// Of its file in the store's listing.
    let position: Int
    let isDraft: Bool
    /// What is known of it.
    let entry: PreviousBuild.Entry
    /// Where its page's body waits for what the other threads decide; `nil` for a thread that was taken over from the last build.
    let body: Range<Int>?
    /// Of the signatures of the media that it shows; `nil` where one might change unseen.
    let media: UInt64?
  }

  /// A thread whose page is another thread's.
  struct SameThread: Sendable {
    /// Of its file in the store's listing.
    let position: Int
    /// The address that leads to that page.
    let path: SitePath
    /// The entry of site.yml that says so.
    let entry: Int
  }

  /// A post that a page shows in its own right.
  struct Status: Sendable {
    let post: PostID
    let page: SitePath
    /// Whether the page is that of a thread of the post's author.
    let isOwn: Bool
  }

  /// A thread that could not become a page, with its place in the store for a stable order.
  struct Failure: Sendable {
    let position: Int
    let file: StoredFile
    let error: PipelineError
  }

  mutating func add(_ other: WrittenThreads) {
    summaries += other.summaries
    sources.merge(other.sources) { first, _ in first }
    mediaFiles.formUnion(other.mediaFiles)
    mediaHosts.formUnion(other.mediaHosts)
    authors.merge(other.authors) { first, _ in first }
    counts.merge(other.counts) { one, other in
      var both = one
      both.add(other)
      return both
    }
    places.merge(other.places) { first, _ in first }
    entries += other.entries
    missingAltTexts += other.missingAltTexts
    rendered += other.rendered
    drafts += other.drafts
    excluded += other.excluded
    empty += other.empty
    foundEntries.formUnion(other.foundEntries)
    foundSources.formUnion(other.foundSources)
    foundSameThreads.formUnion(other.foundSameThreads)
    sameThreads += other.sameThreads
    pagesOfEntries.merge(other.pagesOfEntries) { min($0, $1) }
    statuses += other.statuses
    unknownHidden.formUnion(other.unknownHidden)
    unknownNotes.formUnion(other.unknownNotes)
    links.merge(other.links) { $0.union($1) }
    collected.add(other.collected)
    failures += other.failures
  }
}

extension WrittenThreads {
  /// Remembers which parts of site.yml a conversation answers.
  mutating func note(_ answer: ThreadSelection.Answer) {
    foundEntries.formUnion(answer.entries)
    foundSources.formUnion(answer.sources)
    if let same = answer.sameAs { foundSameThreads.insert(same) }
    unknownHidden.formUnion(answer.unknownHidden)
    unknownNotes.formUnion(answer.unknownNotes)
  }
}

extension SiteBuild {
  /// Renders every thread that belongs to the site, and writes its Markdown; its page is kept for `writePages`.
  ///
  /// - Returns: what they left behind; where the build keeps going, it may be the failures of the threads that the site has to be
  ///   built without, and then nothing else of it counts.
  /// - Throws: one error with every thread's message, so that one run shows all there is to mend.
  func renderThreads(
    _ inputs: Inputs, of selection: ThreadSelection, with worker: ThreadWorker, after last: LastBuild?,
    _ previous: PreviousThreads?, media: PublishedMedia, bodies: PageBodies, records: ThreadRecords,
    to staged: StagedSite
  ) throws(PipelineError) -> WrittenThreads {
    let files = inputs.files
    let store = site.threadStore
    let counter = ProgressCounter("Rendering threads", total: files.count, progress)
    let collected = CollectedThreads(site.config.collections)
    func run(_ positions: [Int], asksAgain: Bool) -> WrittenThreads {
      let step = ThreadStep(
        build: self, store: store, selection: selection, worker: worker, last: last, previous: previous,
        media: media, bodies: bodies, records: records, staged: staged, asksAgain: asksAgain)
      var results = ParallelWork.run(
        count: positions.count, jobs: options.jobs, makeState: { WrittenThreads(collected: collected) }
      ) { index, written in
        let position = positions[index]
        do throws(PipelineError) {
          try step.run(files[position], at: position, &written)
        } catch {
          written.failures.append(
            WrittenThreads.Failure(position: position, file: files[position], error: error))
        }
        counter.advance()
      }
      // One after another, so that no more than one is in memory twice.
      var written = results.popLast() ?? WrittenThreads(collected: collected)
      while let result = results.popLast() { written.add(result) }
      return written
    }
    // Those that changed come first: where others would find the same of them, nobody has to ask again.
    let positions = Dictionary(grouping: files.indices) { previous?.holds(files[$0]) == true }
    let changed = positions[false] ?? []
    var written = run(changed, asksAgain: true)
    if let previous, let rest = positions[true] {
      written.add(
        run(
          rest,
          asksAgain: !previous.answersAreSame(files, changed: changed, places: written.places)))
    }
    let problems =
      problems(of: written, beside: inputs.leftOut.map(\.file), selection: selection)
      + unknownAccounts(inputs.authors)
    guard problems.isEmpty || options.keepsGoing && problems.allSatisfy(\.isOfOneThread) else {
      var error = PipelineError(problems)
      // Threads that are to blame alone could be left out, which is worth knowing.
      if problems.allSatisfy(\.isOfOneThread) { error.isOfOneThread = true }
      throw error
    }
    guard written.failures.isEmpty else { return written }
    written.leftOut = problems
    try addProfiles(
      from: store, inputs.authors, media: media, withAvatars: inputs.theme.showsAvatars,
      withEmoji: inputs.theme.showsEmoji, to: &written)
    // A draft has no address before it is published: its title may still change.
    for (path, source) in written.sources where !source.isDraft {
      let stem = files[source.position].stem
      if let old = inputs.permalinks[stem], old != path {
        written.permalinks.move(stem, from: old, to: path)
      } else {
        written.permalinks[stem] = path
      }
    }
    for thread in written.sameThreads where written.pagesOfEntries[thread.entry] != nil {
      written.permalinks[files[thread.position].stem] = thread.path
    }
    warnOfNotes(written.unknownNotes)
    warnOfMissingSameThreads(selection.missingSameThreads(found: written.foundSameThreads))
    return written
  }

  func read(_ file: StoredFile, from store: ThreadStore) throws(PipelineError) -> Conversation {
    do {
      return try store.read(file)
    } catch {
      throw PipelineError(error).ofOneThread
    }
  }

  /// Everything that is wrong: threads that failed, pages that two threads want, entries that no thread answers.
  ///
  /// - Parameter leftOut: threads that the site is built without, whose entries are answered all the same.
  func problems(
    of written: WrittenThreads, beside leftOut: [StoredFile] = [], selection: ThreadSelection
  ) -> [PipelineError] {
    let failures = written.failures.sorted { $0.position < $1.position }
    var problems = failures.map(\.error)
    problems += samePages(in: written)
    // A damaged file is not a missing one.
    let damaged = StoreListing(failures.map(\.file) + leftOut)
    let entries = written.foundEntries.union(selection.entriesNaming(damaged))
    for entry in selection.missingEntries(found: entries) {
      problems.append(
        PipelineError(
          .content,
          [
            listProblem(
              entry,
              "this thread is not in the store; fetch it (`threadsite add`, with a token for X), import it, or take the entry out"
            )
          ]
        ).ofOneThread)
    }
    for place in written.unknownHidden.sorted() {
      problems.append(
        PipelineError(
          .configuration,
          [
            configProblem(
              "threads[\(place.entry)].hide[\(place.position)]",
              "this is no post of the thread, so nothing would be hidden; check the address")
          ]))
    }
    let sources = written.foundSources.union(selection.sourcesNaming(damaged))
    for source in selection.missingSources(found: sources) {
      problems.append(
        PipelineError(.content, [configProblem("sources[\(source)]", problem(of: source))]).ofOneThread)
    }
    return problems
  }

  /// Accounts of `authors` that have no threads: whoever mistyped one would have two pages for a person.
  private func unknownAccounts(_ authors: AuthorDirectory) -> [PipelineError] {
    var problems: [PipelineError] = []
    for (position, person) in site.config.authors.enumerated() {
      for (place, account) in person.accounts.enumerated()
      where !authors.accounts(of: account).contains(where: { authors[$0] != nil }) {
        problems.append(
          PipelineError(
            .content,
            [
              configProblem(
                "authors[\(position)].accounts[\(place)]",
                "no thread of \(account) is in the store; check the address, fetch the account's threads, or take it out"
              )
            ]
          ).ofOneThread)
      }
    }
    return problems
  }

  /// Why the store shows nothing of a source.
  private func problem(of source: Int) -> String {
    switch site.config.sources[source] {
    case .post:
      "this thread is not in the store; fetch it (`threadsite fetch`, with a token for X), import it, or take the entry out"
    case .account(let account):
      "no thread of @\(account.account.handle) is in the store; check the address, fetch them (`threadsite fetch`, with a token"
        + " for X), or take the entry out"
    case .search:
      "what this search found is not recorded in the store (\(SourceState.fileName)); carry it out (`threadsite fetch`, with a"
        + " token for X), or take the entry out"
    case .archive:
      "this archive was not read; import it (`threadsite fetch`), or take the entry out"
    }
  }

  /// Threads that want the page of another.
  private func samePages(in written: WrittenThreads) -> [PipelineError] {
    // Nearly always each thread has left its source under a path of its own.
    guard written.sources.count < written.summaries.count else { return [] }
    var problems: [PipelineError] = []
    var pages: [SitePath: ThreadSummary] = [:]
    for summary in written.summaries.sorted(by: ThreadSummary.isNewer) {
      if let other = pages.updateValue(summary, forKey: summary.path) {
        problems.append(
          PipelineError(.samePage(path: summary.path.text, first: "\(other.id)", second: "\(summary.id)")))
      }
    }
    return problems
  }

  /// A thread's address may be edited by hand, onto a page that the site makes itself.
  func checkPages(_ pages: [IndexPage], beside index: SiteIndex) throws(PipelineError) {
    let own = Set((pages.map(\.path) + [SearchPage.path]).map(\.file))
    let problems = index.threads.filter { own.contains($0.path.file) }.map { thread in
      PipelineError(.takenPage(path: thread.path.text, thread: "\(thread.id)"))
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
  }

  /// Paths of the site that are two to this disk and one to others, as those of two authors `Ada` and `ada`.
  ///
  /// - Parameter files: paths beside the pages: of media and of the theme.
  func checkAlike(
    _ pages: [IndexPage], beside index: SiteIndex, files: [SitePath]
  ) throws(PipelineError) {
    let paths = (index.threads.map(\.path) + pages.map(\.path) + [SearchPage.path] + files).sorted()
    var known: [String: SitePath] = [:]
    known.reserveCapacity(paths.count)
    var problems: [PipelineError] = []
    for path in paths {
      let folded = PathText.folded(path.text)
      guard let other = known[folded] else {
        known[folded] = path
        continue
      }
      // What is there twice is said where it is written.
      if other != path { problems.append(PipelineError(.alikePaths(other.text, path.text))) }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
  }

  func sameThread(_ entries: [Int]) -> PipelineError {
    PipelineError(
      .configuration,
      entries.dropFirst().map {
        listProblem($0, "this is a post of the same thread as threads[\(entries[0])]; keep one of them")
      })
  }

  /// Says that a page is at another address from now on, as its slug in site.yml is another; the one that it was published at leads there.
  func noteMove(_ settings: ThreadSelection.Settings, of file: StoredFile, published: Permalinks) {
    guard let slug = settings.slug, let known = published[file.stem] else { return }
    let page = published.page(of: file.stem, title: "", slug: slug)
    guard known != page else { return }
    progress(.note("\(known.text) moves to \(page.text), as site.yml says, and leads there."))
  }

  /// Nobody would read what is said there.
  private func warnOfNotes(_ notes: Set<ThreadSelection.UnknownNote>) {
    for note in notes.sorted(by: { ($0.entry, $0.name) < ($1.entry, $1.name) }) {
      progress(
        .warning(
          configProblem(
            "threads[\(note.entry)].notes.\(note.name)",
            "this is no post of the author's on the thread's page, so that the note is not shown\(note.suggestion)",
            severity: .warning)))
    }
  }

  /// Words of the owner's in which something begins that does not end, so that it would take in what stands behind them on the page.
  ///
  /// - Throws: one error that names all of them.
  func checkOwnersWords() throws(PipelineError) {
    var problems: [String] = []
    for (number, entry) in site.config.threads.enumerated() {
      let texts =
        [("intro", entry.intro), ("afterword", entry.afterword)]
        + entry.notes.map { ("notes.\($0.name)", $0.text) }
      for (key, text) in texts {
        guard let problem = text.flatMap(problem(withWords:)) else { continue }
        problems.append(configProblem("threads[\(number)].\(key)", problem))
      }
    }
    guard problems.isEmpty else { throw PipelineError(.configuration, problems) }
  }

  private func problem(withWords text: String) -> String? {
    func error(_ markdown: String) -> MarkdownHTMLError? {
      var html = UTF8Buffer()
      do throws(MarkdownHTMLError) {
        try MarkdownHTML.render(Array(markdown.utf8), into: &html)
        return nil
      } catch {
        return error
      }
    }
    if let problem = error(text) { return "this cannot become HTML: \(problem)" }
    guard error("<!-- remark -->\n\n\(text)\n\n<!-- /remark -->\n") != nil else { return nil }
    return
      "a block of code or a comment begins here that does not end; end it, so that it does not take in the thread"
  }

  /// The page says where the thread is all the same, but nothing of it leads there.
  private func warnOfMissingSameThreads(_ missing: [ThreadSelection.SameThread]) {
    for place in missing {
      progress(
        .warning(
          configProblem(
            "threads[\(place.entry)].same_as[\(place.position)]",
            "this thread is not in the store, so that the page only links to it; check the address, or fetch the thread",
            severity: .warning)))
    }
  }

  /// A problem with an entry of site.yml's list, with its line.
  private func listProblem(_ entry: Int, _ text: String, severity: ConfigProblem.Severity = .error) -> String
  {
    configProblem("threads[\(entry)]", text, severity: severity)
  }

  /// A problem with an entry of one of site.yml's lists, with its line.
  func configProblem(
    _ keyPath: String, _ text: String, severity: ConfigProblem.Severity = .error
  ) -> String {
    guard let decoded = site.decoded else { return text }
    return decoded.problem(at: keyPath, text, severity: severity).description
  }
}
