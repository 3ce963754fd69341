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
    guard options.usesCache else {
      let (summary, staged) = try build()
      try discard(staged)
      return summary
    }
    let cache = BuildCache(of: site)
    var sources = BuildInputs(of: site, installation, options)
    if let known = cache.outcome(of: sources, jobs: options.jobs) {
      for warning in known.warnings { progress(.warning(warning)) }
      return known.summary
    }
    let warnings = Mutex<[String]>([])
    let recording = SiteBuild(site, installation: installation, options: options) { [progress] event in
      if case .warning(let text) = event { warnings.withLock { $0.append(text) } }
      progress(event)
    }
    let (summary, staged) = try recording.build()
    sources.renew(permalinksPath)
    cache.save(BuildCache.Outcome(summary: summary, warnings: warnings.withLock { $0 }), of: sources)
    try discard(staged)
    return summary
  }

  /// - Returns: what was done, and the site, which stands in place and is not given free yet.
  private func build() throws(PipelineError) -> (BuildSummary, StagedSite) {
    var inputs = try load()
    warnOfWhatIsMissing()
    while true {
      let staged = try stage()
      do throws(PipelineError) {
        switch try write(inputs, to: staged) {
        case .whole(let threads, var summary):
          summary.pagesLeftOut = pagesLeftOut(of: threads.permalinks, previous: inputs.permalinks)
          try putInPlace(staged)
          try savePermalinks(threads.permalinks, previous: inputs.permalinks)
          return (summary, staged)
        case .without(let failures):
          let positions = Set(failures.map(\.position))
          inputs.files = inputs.files.enumerated().filter { !positions.contains($0.offset) }.map(\.element)
          inputs.leftOut += failures
          inputs.authors = authorDirectory(inputs.files)
          try discard(staged)
        }
      } catch {
        throw discard(staged, after: error)
      }
    }
  }

  private enum Outcome {
    /// What the threads left behind, but for their summaries, and what was done.
    case whole(WrittenThreads, BuildSummary)
    /// The site has to be built without these threads.
    case without([WrittenThreads.Failure])
  }

  /// Writes the whole site into the staging folder.
  private func write(_ inputs: Inputs, to staged: StagedSite) throws(PipelineError) -> Outcome {
    var facts = siteFacts(inputs.wording)
    facts.themeOptions = inputs.themeOptions
    let renderer = PageRenderer(site: facts, theme: inputs.theme)
    let worker = try threadWorker(inputs)

    let media = PublishedMedia(ThreadStore(folder: site.store))
    let spooled = try spool(in: staged)
    var threads = try renderThreads(inputs, with: worker, media: media, pages: spooled, to: staged)
    guard threads.failures.isEmpty else { return .without(threads.failures) }
    let index = SiteIndex(
      threads.summaries, calendar: facts.calendar, wording: facts.wording, profiles: threads.profiles,
      collections: try collections(of: threads.collected), links: threads.links)
    // The index holds them now, in their order.
    threads.summaries = []
    let pages = index.pages(threadsPerPage: facts.threadsPerPage)
    try checkPages(pages, beside: index)
    try checkAlike(
      pages, beside: index,
      files: threads.mediaFiles.map(ThreadWorker.mediaPath) + inputs.theme.assets.map(\.path))
    try writePages(spooled, of: threads, in: index, with: renderer, to: staged)
    try writeIndexes(pages, of: index, with: renderer, to: staged)
    try writeSearch(of: index, collected: threads.search, renderer: renderer, to: staged)
    try writeFeeds(
      of: index, threads: threads, inputs, worker: worker, facts: facts, to: staged)
    try writeRedirects(
      of: inputs.authors, threads, and: inputs.permalinks.adding(threads.permalinks), pages, beside: index,
      facts: facts, to: staged)
    try writeServerFiles(pages, of: index, facts: facts, mediaHosts: threads.mediaHosts, to: staged)
    try copyAssets(of: inputs.theme, to: staged)
    try copyMedia(threads.mediaFiles, of: media, to: staged)
    let leftOut = inputs.leftOut.sorted { $0.file < $1.file }
    let summary = BuildSummary(
      threads: index.threads.count, posts: index.threads.reduce(0) { $0 + $1.postCount },
      pages: index.threads.count + pages.count + (renderer.hasSearch ? 1 : 0),
      missingAltTexts: threads.missingAltTexts, drafts: threads.drafts,
      excluded: threads.excluded,
      leftOut: leftOut.map { BuildSummary.LeftOut(thread: $0.file.path, messages: $0.error.messages) }
        + threads.leftOut.map { BuildSummary.LeftOut(thread: nil, messages: $0.messages) },
      output: site.output)
    return .whole(threads, summary)
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

  /// Pages of threads that the site had before this build and has no more, below the site's address.
  package var pagesLeftOut: [String] = []
  /// The site's folder.
  package let output: String
}
