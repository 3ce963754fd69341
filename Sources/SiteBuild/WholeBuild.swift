import Basics
import InterfaceText
import SiteConfig
import SiteOutput
import SiteWorkspace

/// A build of all parts of a site.
///
/// First, every thread is read and rendered separately, and its summary is kept. Then the indexes and the links between threads are computed
/// from the summaries, and the pages are written. Each step returns a value that the next steps need.
struct WholeBuild {
  let site: SiteFolder
  let options: SiteBuild.Options
  let loader: SiteLoader
  /// The state of the last build; `nil` for a build without the cache.
  let last: LastBuild?
  /// The threads that other processes rendered; `nil` for a build that joins no shards.
  let shards: JoinedShards?
  let progress: ProgressHandler

  private var staging: StagingFolder { StagingFolder(of: site, options) }

  /// Builds the site.
  ///
  /// - Parameter keep: is called with the built site when the site is in place and its temporary files still exist.
  func run(_ keep: (BuiltSite, PlacementStep.Placement) -> Void = { _, _ in }) throws(PipelineError)
    -> BuildSummary
  {
    var inputs = try loader.load(after: last)
    while true {
      let result = try staging.use {
        (staged) throws(PipelineError) -> Result<BuildSummary, FailedThreads> in
        switch try prepare(inputs, in: staged) {
        case .failure(let failed): return .failure(failed)
        case .success(let site):
          let built = try write(consume site)
          keep(built, try PlacementStep(context: built.context).run(built))
          return .success(built.summary)
        }
      }
      switch result {
      case .success(let summary): return summary
      case .failure(let failed): inputs = loader.inputs(inputs, without: failed, after: last)
      }
    }
  }

  /// Returns the values that the layout of one page receives. The site does not change.
  func values(of page: InspectedPage) throws(PipelineError) -> (path: SitePath, values: PageValues) {
    let inputs = try loader.load(after: last)
    return try staging.use { (staged) throws(PipelineError) -> (path: SitePath, values: PageValues) in
      guard case .success(let site) = try prepare(inputs, in: staged) else {
        throw PipelineError(.content, [])
      }
      return try PageInspection(
        files: inputs.files, sources: site.threads.sources, indexed: site.indexed,
        threadPages: site.threadPages, ownPages: site.ownPages
      ).values(of: page)
    }
  }

  /// Renders and indexes the threads, and checks the site. The links between threads are then known.
  ///
  /// - Returns: the threads without which the site must be built, if there are any.
  private func prepare(
    _ inputs: LoadedSite, in staged: StagedSite
  ) throws(PipelineError) -> Result<PreparedSite, FailedThreads> {
    let settings = inputs.facts(of: site)
    let environment = last?.inputs.environment(
      of: inputs.theme, hasCollections: !site.config.collections.isEmpty, menu: inputs.menu,
      definesMenu: site.config.menu != nil, image: inputs.image)
    let context = BuildContext(
      site: site, options: options, progress: progress, last: last,
      environment: environment ?? BuildEnvironment(), staged: staged)
    let ownFiles = try FileStep(context: context).copyOwnFiles()
    let rendering = try ThreadRendering(inputs, of: loader, in: context)
    let (worker, language) = (rendering.worker, inputs.localization.language)
    let (values, threads): (IndexedThreads, WrittenThreads)
    switch try RenderStep(context: context, inputs: inputs, rendering: rendering, shards: shards).run() {
    case .success(let results): (values, threads) = results
    case .failure(let failed): return .failure(failed)
    }
    let profiles = try ProfileStep(
      context: context, directory: inputs.authors, media: rendering.media, theme: inputs.theme
    ).run(threads.authors)
    let validator = SiteValidator(site: site)
    try validator.warn(of: threads.found, in: inputs.files, selection: rendering.selection, progress)
    let embeds = try OwnPageEmbeds(of: inputs.pages, by: worker, language: language)
    let collections = try CollectionStep(site: site, worker: worker, language: language).run(
      threads.collected)
    let index = (consume values).index(
      of: settings, profiles, collections, withTopics: site.config.similarThreads, jobs: context.jobs)
    let indexed = IndexedSite(
      index, settings: settings, theme: inputs.theme, definesMenu: site.config.menu != nil,
      jobs: context.jobs)
    let ownPages = OwnPageStep(
      context: context, own: inputs.pages, renderer: indexed.renderer, embeds: embeds)
    ownPages.warnOfMenu()
    let media = [threads.media, profiles.media, embeds.media, collections.media]
      .reduce(into: PageMedia()) { $0.add($1) }
    try validator.check(indexed, inputs, own: ownFiles, media: media.files)
    let permalinks = threads.permalinks(of: inputs)
    let threadPages = PageStep(
      context: context, files: inputs.files, selection: rendering.selection, worker: worker,
      renderer: indexed.renderer, digests: indexed.digests, bodies: rendering.bodies,
      records: rendering.records,
      mentions: MentionedPages(
        inputs.webMentions, on: site, of: threads.sources, threads.targets,
        inputs.permalinks.adding(permalinks)))
    return .success(
      PreparedSite(
        context: context, inputs: inputs, ownFiles: ownFiles, rendering: rendering, threads: threads,
        leftOut: threads.leftOut + profiles.leftOut, media: media, permalinks: permalinks, indexed: indexed,
        ownPages: ownPages, threadPages: threadPages))
  }

  /// Writes all other files of the site into the staging folder.
  private func write(_ site: consuming PreparedSite) throws(PipelineError) -> BuiltSite {
    let site = site
    let (context, inputs, indexed) = (site.context, site.inputs, site.indexed)
    let (rendering, threads) = (site.rendering, site.threads)
    let pages = try site.threadPages.run(threads.sources, in: indexed.index)
    let own = try site.ownPages.run(beside: indexed.pages, indexed.index)
    // Both have parts that run on a single core. Running them together uses the other cores.
    let (search, lists) = ParallelWork.both(
      jobs: context.jobs,
      {
        Result { () throws(PipelineError) in
          let search = try SearchStep(
            context: context, index: indexed.index, sources: threads.sources, pages: site.threadPages
          ).run(own.documents)
          try FileStep(context: context).writeServerFiles(
            indexed, inputs, own: site.ownFiles, mediaHosts: site.media.hosts)
          return search
        }
      },
      {
        Result { () throws(PipelineError) in
          let lists = try ListStep(
            context: context, inputs: inputs, indexed: indexed, selection: rendering.selection,
            worker: rendering.worker, sources: threads.sources
          ).run()
          let books = try BookStep(
            context: context, inputs: inputs, selection: rendering.selection, worker: rendering.worker,
            sources: threads.sources, authors: threads.authors, targets: threads.targets,
            index: indexed.index, records: rendering.records
          ).run()
          try FileStep(context: context).copyFiles(
            of: inputs.theme, media: site.media.files, of: rendering.media)
          return lists.merging(books) { first, _ in first }
        }
      })
    let content = SiteContent(
      pages: pages, lists: try lists.get(), search: try search.get(), targets: own.targets)
    // All of these use a single core.
    let (state, (previous, summary)) = ParallelWork.both(
      jobs: context.jobs,
      {
        Result { () throws(PipelineError) in
          try ClosingStep(site: site).run(after: content)
          return threads.kept.state(of: inputs, threads.sources, content, media: site.media.files)
        }
      },
      {
        let previous = context.site.builtPermalinks
        return (previous, BuildSummary(of: site, after: previous))
      })
    return BuiltSite(
      context: context, inputs: inputs, summary: summary, threads: try state.get(),
      records: rendering.records, permalinks: site.permalinks, previous: previous,
      recorded: inputs.permalinks)
  }
}
