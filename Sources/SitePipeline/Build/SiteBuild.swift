import SiteConfig
import SiteOutput
import Synchronization
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// `threadsite build`: the store becomes a site.
///
/// In two steps: every thread is read and rendered on its own, and leaves its summary behind; from the summaries the indexes are made, and
/// what a thread's page says of other threads, with which the pages are written. What differs from the site in place is kept in a folder
/// beside it, and put in place at the end: a build that meets any error reports all of them and changes nothing.
package struct SiteBuild: Sendable {
  package struct Options: Sendable {
    package var includesDrafts = false
    package var replacesForeignOutput = false
    /// Whether a thread that cannot be built is left out, instead of stopping the build.
    package var keepsGoing = false
    /// The file that is told where new threads are, in place of the store's record, whose threads keep their addresses all the same.
    package var permalinksFile: String?
    /// Whether a build of what was built before, which stands untouched, is done at once.
    package var usesCache = true
    /// Threads of execution.
    package var jobs: Int

    package init(jobs: Int) { self.jobs = jobs }
  }

  let site: SiteFolder
  let installation: Installation?
  let options: Options
  let progress: ProgressHandler
  /// Addresses that the record has and the site may not have.
  var namedAddresses: LeftOutCleaning.NamedAddresses = [:]

  package init(
    _ site: SiteFolder, installation: Installation?, options: Options, progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.installation = installation
    self.options = options
    self.progress = progress
  }

  /// Builds the site, unless it stands there as a build would leave it.
  ///
  /// Where it keeps going, threads that cannot be built are found by building, and then the site is built again as if the store did
  /// not have them: so no other page leads to theirs, and the result does not depend on which worker met them first.
  package func run() throws(PipelineError) -> BuildSummary {
    try finishInterruptedBuild()
    var build = self
    build.namedAddresses = LeftOutCleaning(site, jobs: options.jobs, progress: progress).run()
    return try build.runCleaned()
  }

  private func runCleaned() throws(PipelineError) -> BuildSummary {
    guard options.usesCache else {
      let (built, _, staged) = try build()
      try discard(staged)
      return built.summary
    }
    let cache = BuildCache(of: site)
    var (sources, state) = ParallelWork.both(
      jobs: options.jobs, { BuildInputs(of: site, installation, options) }, { cache.load() })
    if let known = state.flatMap({ cache.outcome(of: $0, if: sources, jobs: options.jobs) }) {
      for warning in known.warnings { progress(.warning(warning)) }
      return known.summary
    }
    let warnings = Mutex<[String]>([])
    var recording = SiteBuild(site, installation: installation, options: options) { [progress] event in
      if case .warning(let text) = event { warnings.withLock { $0.append(text) } }
      progress(event)
    }
    recording.namedAddresses = namedAddresses
    let last = LastBuild(
      inputs: sources, build: state.flatMap { cache.previousBuild($0, jobs: options.jobs) })
    let (built, removed, staged) = try recording.build(after: last)
    sources.renew(permalinksPath)
    cache.save(
      BuildCache.Outcome(summary: built.summary, warnings: warnings.withLock { $0 }), of: sources,
      environment: built.environment, threads: built.threads, records: built.records,
      site: BuildCache.Contents(files: staged.contents, removed: removed, previous: last.build?.site),
      jobs: options.jobs)
    try discard(staged)
    return built.summary
  }

  /// Whether the site stands there as a build would leave it.
  package var isUpToDate: Bool {
    let cache = BuildCache(of: site)
    let sources = BuildInputs(of: site, installation, options)
    return cache.load().flatMap { cache.outcome(of: $0, if: sources, jobs: options.jobs) } != nil
  }

  /// What a build has made.
  private struct Built {
    var summary: BuildSummary
    let environment: BuildEnvironment
    /// For the next build.
    let threads: BuildCache.Threads
    let records: ThreadRecords
    let permalinks: Permalinks
  }

  /// - Returns: what was done, what was removed from the site, and the site, which stands in place and is not given free yet.
  private func build(
    after last: LastBuild? = nil
  ) throws(PipelineError) -> (Built, removed: [String], StagedSite) {
    var inputs = try load(after: last)
    while true {
      let staged = try stage()
      do throws(PipelineError) {
        switch try write(inputs, after: last, to: staged) {
        case .whole(var built):
          built.summary.pagesLeftOut = pagesLeftOut(of: built.permalinks, previous: inputs.permalinks)
          let removed = try putInPlace(staged, after: last)
          try savePermalinks(built.permalinks, previous: inputs.permalinks)
          return (built, removed, staged)
        case .without(let failures):
          let positions = Set(failures.map(\.position))
          inputs.files = inputs.files.enumerated().filter { !positions.contains($0.offset) }.map(\.element)
          inputs.leftOut += failures
          inputs.writers = threadAuthors(inputs.files, after: last)
          inputs.authors = authorDirectory(inputs.writers)
          try discard(staged)
        }
      } catch {
        throw discard(staged, after: error)
      }
    }
  }

  private enum Outcome {
    case whole(Built)
    /// The site has to be built without these threads.
    case without([WrittenThreads.Failure])
  }

  /// Writes the whole site into the staging folder.
  private func write(
    _ inputs: Inputs, after last: LastBuild?, to staged: StagedSite
  ) throws(PipelineError) -> Outcome {
    let facts = siteFacts(inputs)
    let renderer = PageRenderer(site: facts, theme: inputs.theme)
    let own = try copyOwnFiles(to: staged)
    let environment =
      last?.inputs.environment(
        of: inputs.theme, hasCollections: facts.hasCollections, menu: inputs.menu, image: inputs.image)
      ?? BuildEnvironment()
    warnOfMenu(renderer)
    let selection = try threadSelection(inputs.authors)
    let previous = last.flatMap { last in
      last.build.map {
        PreviousThreads(
          build: $0, inputs: last.inputs, selection: selection, authors: inputs.authors,
          permalinks: inputs.permalinks, includesDrafts: options.includesDrafts,
          environmentIsSame: $0.site.environment.threads == environment.threads)
      }
    }
    let images = try scaledImages()
    let worker = threadWorker(inputs, selection, previous: previous, images: images)
    let media = PublishedMedia(site.threadStore, scaled: images)
    let bodies = PageBodies(file: try spool("bodies", in: staged))
    let records = try ThreadRecords(after: last?.build) { () throws(PipelineError) in
      try spool("records", in: staged)
    }
    var rendered = try renderThreads(
      inputs, of: selection, with: worker, after: last, previous, media: media, bodies: bodies,
      records: records, to: staged)
    guard rendered.failures.isEmpty else { return .without(rendered.failures) }
    let index = SiteIndex(
      rendered.summaries, calendar: facts.calendar, localization: facts.localization,
      profiles: rendered.profiles,
      collections: try collections(of: rendered.collected), links: rendered.links,
      counts: rendered.counts)
    // The index holds them now, in their order.
    rendered.summaries = []
    let threads = rendered
    let pages = index.pages(threadsPerPage: facts.threadsPerPage, withStatistics: renderer.hasStatistics)
    try checkPages(pages, beside: index)
    try checkAlike(
      pages, beside: index,
      files: threads.mediaFiles.map(ThreadWorker.mediaPath) + inputs.theme.assets.map(\.path) + own
        + inputs.pages.paths
        + (facts.baseURL == nil ? [] : pages.compactMap { FeedList(of: $0, in: index)?.path }))
    let digests = PageDigests(of: index, by: renderer)
    let step = PageStep(
      build: self, files: inputs.files, selection: selection, worker: worker, renderer: renderer,
      digests: digests, last: last, environment: environment, bodies: bodies, records: records,
      staged: staged)
    let made = try writePages(of: threads, in: index, with: step)
    let documents = try writeOwnPages(inputs.pages, beside: pages, index, with: renderer, to: staged)
    // Each has parts that one core alone can do, which the other's parts fill.
    let (search, lists) = ParallelWork.both(
      jobs: options.jobs,
      {
        Result { () throws(PipelineError) in
          try writeSearch(of: index, threads, documents, with: step, to: staged)
        }
      },
      {
        Result { () throws(PipelineError) in
          let lists = try writeIndexes(
            pages, of: index, with: renderer, digests, after: last, in: environment, to: staged)
          let books = BookStep(
            build: self, inputs: inputs, selection: selection, worker: worker, threads: threads, index: index,
            records: records, last: last, environment: environment, staged: staged)
          let bookDigests = try books.run()
          let feedDigests = try writeListFeeds(
            pages, of: index, digests, facts: facts, icon: inputs.theme.icon, after: last, in: environment,
            to: staged)
          try writeFeeds(
            of: index, threads: threads, inputs, selection, worker: worker, facts: facts, to: staged)
          try writeServerFiles(
            pages, inputs.pages, own, of: index, facts: facts, theme: inputs.theme,
            mediaHosts: threads.mediaHosts, to: staged)
          try copyAssets(of: inputs.theme, to: staged)
          try copyMedia(threads.mediaFiles, of: media, after: last, to: staged)
          return lists.merging(bookDigests) { first, _ in first }.merging(feedDigests) { first, _ in first }
        }
      })
    let listDigests = try lists.get()
    try search.get()
    images?.prune(keeping: threads.mediaFiles)
    try copyFiles(beside: inputs.pages, to: staged)
    try writeRedirects(
      of: inputs.authors, threads, from: inputs.files, and: inputs.permalinks.adding(threads.permalinks),
      beside: index, facts: facts, to: staged)
    noteReplaced(by: staged)
    let leftOut = inputs.leftOut.sorted { $0.file < $1.file }
    var summary = BuildSummary(
      threads: index.threads.count, posts: index.threads.reduce(0) { $0 + $1.postCount },
      pages: index.threads.count + pages.count + inputs.pages.pages.count + (renderer.hasSearch ? 1 : 0),
      missingAltTexts: threads.missingAltTexts, drafts: threads.drafts,
      excluded: threads.excluded,
      leftOut: leftOut.map { BuildSummary.LeftOut(thread: $0.file.path, messages: $0.error.messages) }
        + threads.leftOut.map { BuildSummary.LeftOut(thread: nil, messages: $0.messages) },
      output: site.output)
    summary.rendered = threads.rendered
    summary.empty = threads.empty.sorted()
    return .whole(
      Built(
        summary: summary, environment: environment,
        threads: kept(threads, inputs, made, listDigests),
        records: records, permalinks: threads.permalinks))
  }

  /// What the next build will know of the threads.
  private func kept(
    _ threads: WrittenThreads, _ inputs: Inputs, _ pages: [SitePath: PreviousBuild.Page],
    _ lists: [String: UInt64]
  ) -> BuildCache.Threads {
    let authors = Dictionary(inputs.writers.ofFiles.map { ($0.file.stem, $0.author) }) { first, _ in first }
    var made: [Int: PreviousBuild.Page] = [:]
    for (path, source) in threads.sources { made[source.position] = pages[path] }
    var entries: [String: PreviousBuild.Entry] = [:]
    entries.reserveCapacity(threads.entries.count)
    for (position, entry) in threads.entries {
      let stem = inputs.files[position].stem
      // One whose author cannot be told is not known.
      guard let author = authors[stem] else { continue }
      var entry = entry
      entry.author = author
      entry.page = made[position]
      entries[stem] = entry
    }
    return BuildCache.Threads(
      entries: entries, authors: inputs.writers.seen, media: Array(threads.mediaFiles), lists: lists,
      people: inputs.authors.placeDigest)
  }
}

/// What a build did.
package struct BuildSummary: Sendable {
  package let threads: Int
  package let posts: Int
  package let pages: Int
  package let missingAltTexts: Int
  /// Threads left out because they are drafts.
  package let drafts: Int
  /// Threads left out because an entry of site.yml says so, or because none lists them.
  package let excluded: Int
  /// What is not on the site because something is wrong with it, where the build kept going.
  package let leftOut: [LeftOut]

  package struct LeftOut: Sendable, Equatable {
    /// The thread's file, below the store's folder; `nil` for what has none: an entry of site.yml, an author's profile.
    package let thread: String?
    /// Each complete: what, where, what to do.
    package let messages: [String]
  }

  /// Threads that were rendered, and not taken over from the last build.
  package var rendered = 0
  /// Files of the store, below its folder, that make no page, as nothing of what they show is by the thread's author.
  package var empty: [String] = []
  /// Pages of threads that the site had before this build and has no more, below the site's address.
  package var pagesLeftOut: [String] = []
  /// The site's folder.
  package let output: String
}
