import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// `threadsite build`: the store becomes a site.
///
/// Every thread is read, rendered and written on its own, and leaves only its summary behind; the indexes are made from the
/// summaries, and so is what a thread's page says of other threads, which goes into a place that the page has kept open. All of it happens in a folder beside the output, which takes the output's place at the end: a build that
/// meets any error reports all of them and changes nothing.
package struct SiteBuild: Sendable {
  package struct Options: Sendable {
    package var includesDrafts = false
    package var replacesForeignOutput = false
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

  /// Builds the site.
  package func run() throws(PipelineError) -> BuildSummary {
    let inputs = try load()
    warnOfWhatIsMissing()
    let staged = try stage()
    var written: (threads: WrittenThreads, summary: BuildSummary)
    do {
      written = try write(inputs, to: staged)
      written.summary.pagesLeftOut = pagesLeftOut(of: written.threads.permalinks, previous: inputs.permalinks)
      try publish(staged)
    } catch {
      throw discard(staged, after: error)
    }
    savePermalinks(written.threads.permalinks, previous: inputs.permalinks)
    return written.summary
  }

  /// Writes the whole site into the staging folder.
  ///
  /// - Returns: what the threads left behind, but for their summaries, and what was done.
  private func write(
    _ inputs: Inputs, to staged: StagedSite
  ) throws(PipelineError) -> (threads: WrittenThreads, summary: BuildSummary) {
    var facts = siteFacts(inputs.wording)
    facts.themeOptions = inputs.themeOptions
    let renderer = PageRenderer(site: facts, theme: inputs.theme)
    let worker = try threadWorker(inputs)

    var threads = try writeThreads(
      inputs.files, with: worker, renderer: renderer, theme: inputs.theme, to: staged)
    let index = SiteIndex(
      threads.summaries, calendar: facts.calendar, wording: facts.wording, profiles: threads.profiles,
      collections: try collections(of: threads.collected), links: threads.links)
    // The index holds them now, in their order.
    threads.summaries = []
    let pages = index.pages(threadsPerPage: facts.threadsPerPage)
    try checkPages(pages, beside: index)
    try fillPages(of: index, threads, with: renderer, in: staged)
    try writeIndexes(pages, of: index, with: renderer, to: staged)
    try writeSearch(of: index, collected: threads.search, renderer: renderer, to: staged)
    try writeFeeds(
      of: index, threads: threads, files: inputs.files, worker: worker, facts: facts, to: staged)
    try writeServerFiles(pages, of: index, facts: facts, mediaHosts: threads.mediaHosts, to: staged)
    try copyAssets(of: inputs.theme, to: staged)
    try copyMedia(threads.mediaFiles, of: PublishedMedia(ThreadStore(folder: site.store)), to: staged)
    let summary = BuildSummary(
      threads: index.threads.count, posts: index.threads.reduce(0) { $0 + $1.postCount },
      pages: index.threads.count + pages.count + (renderer.hasSearch ? 1 : 0),
      missingAltTexts: threads.missingAltTexts, drafts: threads.drafts,
      excluded: threads.excluded, output: site.output)
    return (threads, summary)
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
  /// Pages of threads that the site had before this build and has no more, below the site's address.
  package var pagesLeftOut: [String] = []
  /// The site's folder.
  package let output: String
}
