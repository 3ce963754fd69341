import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// `threadsite build`: the store becomes a site.
///
/// Every thread is read, rendered and written on its own, and leaves only its summary behind; the indexes are made from the
/// summaries. All of it happens in a folder beside the output, which takes the output's place at the end: a build that
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
    let components = try loadComponents()
    let theme = try loadTheme()
    let permalinks = try loadPermalinks()
    let files = try listStore()
    let facts = siteFacts
    let renderer = PageRenderer(site: facts, theme: theme)
    let worker = threadWorker(components: components, permalinks: permalinks)

    let staged = try stage()
    do {
      let threads = try writeThreads(files, with: worker, renderer: renderer, to: staged)
      let index = SiteIndex(threads.summaries, calendar: facts.calendar)
      let pages = index.pages(threadsPerPage: facts.threadsPerPage)
      try writeIndexes(pages, of: index, with: renderer, to: staged)
      try writeFeeds(of: index, threads: threads, worker: worker, facts: facts, to: staged)
      try writeServerFiles(pages, of: index, facts: facts, mediaHosts: threads.mediaHosts, to: staged)
      try copyAssets(of: theme, to: staged)
      try copyMedia(threads.mediaFiles, to: staged)
      try publish(staged)
      try savePermalinks(threads.permalinks, previous: permalinks)
      return BuildSummary(
        threads: threads.summaries.count, posts: threads.summaries.reduce(0) { $0 + $1.postCount },
        pages: threads.summaries.count + pages.count, missingAltTexts: threads.missingAltTexts,
        drafts: threads.drafts, output: site.output)
    } catch {
      throw discard(staged, after: error)
    }
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
  /// The site's folder.
  package let output: String
}
