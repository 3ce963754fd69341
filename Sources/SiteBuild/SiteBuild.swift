package import Basics
import InterfaceText
import SearchIndex
import SiteConfig
package import SiteOutput
package import SiteWorkspace
import Synchronization
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// The build of a site from a store (`threadsite build`).
///
/// A build has two steps. First, every thread is read and rendered separately, and its summary is kept. Then the indexes and the links
/// between threads are computed from the summaries, and the pages are written. Files that differ from the existing site are written to a
/// folder beside the site, and moved into the site at the end. A build with errors reports all of them and changes nothing.
package struct SiteBuild: Sendable {
  package struct Options: Sendable {
    package var includesDrafts = false
    package var replacesForeignOutput = false
    /// Whether copies of photos are made if site.yml leaves the choice to the program.
    package var copiesPhotos = true
    /// Whether a thread that cannot be built is left out, instead of stopping the build.
    package var keepsGoing = false
    /// A file with URLs that threads keep in addition to those in the store's record. The build adds the URLs of all threads to it. If it is
    /// `nil`, the URLs of unpublished threads follow their titles.
    package var permalinksFile: String?
    /// Whether the cache of the last build is used, so that a build without any change ends at once.
    package var usesCache = true
    /// Whether to wait, at most two seconds, until no further change of a recently changed file can remain undetected.
    package var waitsForFileTimes = true
    /// Whether threads are taken from the shards that other processes rendered.
    package var joinsShards = false
    /// The number of system threads.
    package var jobs: Int

    package init(jobs: Int) { self.jobs = jobs }
  }

  private let site: SiteFolder
  private let installation: Installation?
  private let options: Options
  private let progress: ProgressHandler
  /// URLs in the record that the site must not use, because they contain the names of accounts that site.yml leaves out.
  private var namedAddresses: LeftOutCleaning.NamedAddresses = []

  /// The threads that other processes rendered; `nil` for a build that joins no shards.
  private var shards: JoinedShards?

  package init(
    _ site: SiteFolder, installation: Installation?, options: Options, progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.installation = installation
    self.options = options
    self.progress = progress
  }

  /// Builds the site, unless it is up to date.
  ///
  /// If the build keeps going after errors, the first pass finds the threads that cannot be built. Then the site is built again as if they
  /// were not in the store. So no other page links to them, and the result does not depend on which worker found them first.
  package func run() throws(PipelineError) -> BuildSummary {
    var build = self
    if options.joinsShards {
      // The files are opened first, because cleaning the store deletes them.
      build.shards = try JoinedShards(of: site, in: ShardEnvironment(of: site, installation, options))
    }
    try finishInterruptedBuild()
    build.namedAddresses = LeftOutCleaning(site, jobs: options.jobs, progress: progress).run()
    return try build.runCleaned()
  }

  /// Renders the threads of one shard for a later build that joins all shards. The site does not change.
  package func run(_ shard: Shard) throws(PipelineError) -> ShardSummary {
    try ShardBuild(
      site: site, installation: installation, options: options, shard: shard, scaledImages: scaledImages,
      progress: progress
    ).run()
  }

  private func runCleaned() throws(PipelineError) -> BuildSummary {
    guard options.usesCache else {
      let (built, _, staged) = try build()
      try discard(staged)
      // The cache is from an earlier site, and may contain words that this site no longer has.
      BuildCache(of: site).forget()
      return built.summary
    }
    let cache = BuildCache(of: site)
    let (sources, state) = ParallelWork.both(
      jobs: options.jobs,
      {
        options.waitsForFileTimes
          ? BuildInputs.settled(of: site, installation, options)
          : BuildInputs(of: site, installation, options)
      }, { cache.load() })
    let isIntact = state.map { cache.isIntact($0, jobs: options.jobs) } ?? false
    if isIntact, hasRecord, let known = state.flatMap({ cache.outcome(of: $0, if: sources) }) {
      for warning in known.warnings { progress(.warning(warning)) }
      return known.summary
    }
    let warnings = Mutex<[String]>([])
    var recording = SiteBuild(site, installation: installation, options: options) { [progress] event in
      if case .warning(let text) = event { warnings.withLock { $0.append(text) } }
      progress(event)
    }
    recording.namedAddresses = namedAddresses
    recording.shards = shards
    let last = LastBuild(
      inputs: sources,
      build: state.flatMap { cache.previousBuild($0, isIntact: isIntact, jobs: options.jobs) })
    if isIntact, hasRecord, namedAddresses.isEmpty, let state {
      let update = TextUpdate(
        site: site, installation: installation, options: options, cache: cache, state: state, last: last,
        scaledImages: scaledImages)
      if let known = try update.run(progress) {
        for warning in known.warnings { progress(.warning(warning)) }
        return known.summary
      }
    }
    let (built, removed, staged) = try recording.build(after: last)
    let addresses = [
      sources.addresses,
      options.permalinksFile == nil
        ? BuildInputs.digest(ofPublished: built.published.bytes)
        : BuildInputs(of: site, installation, options).addresses,
    ]
    cache.save(
      BuildCache.Outcome(summary: built.summary, warnings: warnings.withLock { $0 }), of: sources,
      addresses: addresses,
      environment: built.environment, threads: built.threads, records: built.records,
      site: BuildCache.Contents(files: staged.contents, removed: removed, previous: last.build?.site),
      jobs: options.jobs)
    try discard(staged)
    return built.summary
  }

  /// Returns the values that the layout of one page receives, as a build would compute them. The site does not change.
  package func values(of page: InspectedPage) throws(PipelineError) -> (path: SitePath, values: PageValues) {
    let cache = BuildCache(of: site)
    let last = LastBuild(
      inputs: BuildInputs(of: site, installation, options),
      build: cache.load().flatMap {
        cache.previousBuild($0, isIntact: cache.isIntact($0, jobs: options.jobs), jobs: options.jobs)
      })
    var build = self
    // Unlike a build, this leaves data of accounts that are left out in the store.
    build.namedAddresses = LeftOutCleaning(site, jobs: options.jobs, progress: progress).namedAddresses()
    let loader = SiteLoader(
      site, installation: installation, options: options, namedAddresses: build.namedAddresses,
      progress: progress)
    let inputs = try loader.load(after: last)
    let staged = try stage()
    do throws(PipelineError) {
      let outcome = try build.write(inputs, of: loader, after: last, to: staged, showing: page)
      try discard(staged)
      guard case .values(let path, let values) = outcome else { throw PipelineError(.content, []) }
      return (path, values)
    } catch {
      throw discard(staged, after: error)
    }
  }

  /// Whether a build would leave the site unchanged.
  package var isUpToDate: Bool {
    let cache = BuildCache(of: site)
    let sources = BuildInputs(of: site, installation, options)
    return hasRecord && cache.load().map { cache.isCurrent($0, if: sources, jobs: options.jobs) } ?? false
  }

  /// Whether the URLs of the threads in the output folder are known.
  private var hasRecord: Bool { FileSystem.kind(of: recordPath) == .file }

  /// The result of a build.
  private struct Built {
    var summary: BuildSummary
    let environment: BuildEnvironment
    /// The state of the threads for the next build.
    let threads: BuildCache.Threads
    let records: ThreadRecords
    /// The URLs of the site's threads, and the former URLs of those that this build moves.
    let permalinks: Permalinks
    /// The record of published URLs after this site will have been published.
    let published: Permalinks
  }

  /// - Returns: the result, the paths of the files that were removed from the site, and the staged site, which is in place but not yet
  ///   discarded.
  private func build(
    after last: LastBuild? = nil
  ) throws(PipelineError) -> (Built, removed: [String], StagedSite) {
    let loader = SiteLoader(
      site, installation: installation, options: options, namedAddresses: namedAddresses, progress: progress)
    var inputs = try loader.load(after: last)
    while true {
      let staged = try stage()
      do throws(PipelineError) {
        switch try write(inputs, of: loader, after: last, to: staged) {
        case .whole(var built):
          let known = site.builtPermalinks.map(inputs.permalinks.adding) ?? inputs.permalinks
          built.summary.pagesLeftOut = pagesLeftOut(of: built.permalinks, previous: known)
          noteMoves(to: built.permalinks, published: inputs.permalinks)
          if hasDrafts { try recordDrafts() }
          let removed = try putInPlace(staged, after: last)
          if !hasDrafts { try recordDrafts() }
          savePermalinks(built)
          return (built, removed, staged)
        case .without(let failures):
          let positions = Set(failures.map(\.position))
          inputs.files = inputs.files.enumerated().filter { !positions.contains($0.offset) }.map(\.element)
          inputs.leftOut += failures
          inputs.writers = loader.threadAuthors(inputs.files, after: last)
          inputs.authors = loader.authorDirectory(inputs.writers)
          try discard(staged)
        case .values: break
        }
      } catch {
        throw discard(staged, after: error)
      }
    }
  }

  private enum Outcome {
    case whole(Built)
    /// These threads failed, and the site must be built without them.
    case without([WrittenThreads.Failure])
    /// The values of the page to show. Nothing else was written.
    case values(SitePath, PageValues)
  }

  /// Writes the whole site into the staging folder.
  ///
  /// - Parameter shown: a page whose values are returned, instead of writing pages.
  private func write(
    _ inputs: LoadedSite, of loader: SiteLoader, after last: LastBuild?, to staged: StagedSite,
    showing shown: InspectedPage? = nil
  ) throws(PipelineError) -> Outcome {
    let settings = inputs.facts(of: site)
    let environment =
      last?.inputs.environment(
        of: inputs.theme, hasCollections: settings.hasCollections, menu: inputs.menu, image: inputs.image)
      ?? BuildEnvironment()
    let context = BuildContext(
      site: site, options: options, progress: progress, last: last, environment: environment, staged: staged)
    let files = FileStep(context: context)
    let own = try files.copyOwnFiles()
    let selection = try loader.threadSelection(inputs.authors)
    let previous = last.flatMap { last in
      last.build.map {
        PreviousThreads(
          build: $0, inputs: last.inputs, selection: selection, authors: inputs.authors,
          permalinks: inputs.permalinks, includesDrafts: options.includesDrafts,
          environmentIsSame: $0.site.environment.threads == environment.threads)
      }
    }
    let images = try scaledImages(progress)
    let worker = ThreadWorker(
      inputs, of: site, selection, includesDrafts: options.includesDrafts, previous: previous, images: images)
    let media = PublishedMedia(site.threadStore, scaled: images)
    let bodies = PageBodies(file: try context.spool("bodies"))
    let records = try ThreadRecords(after: last?.build) { () throws(PipelineError) in
      try context.spool("records")
    }
    var rendered = try RenderStep(
      context: context, inputs: inputs, selection: selection, worker: worker, previous: previous,
      media: media, bodies: bodies, records: records, shards: shards
    ).run()
    guard rendered.failures.isEmpty else { return .without(rendered.failures) }
    let embeds = try OwnPageEmbeds(of: inputs.pages, by: worker, language: inputs.localization.language)
    rendered.mediaFiles.formUnion(embeds.mediaFiles)
    rendered.mediaHosts.formUnion(embeds.mediaHosts)
    let owners = CollectionStep(site: site, worker: worker, language: inputs.localization.language)
    let (collections, pictures) = try owners.run(rendered.collected)
    rendered.mediaFiles.formUnion(pictures)
    rendered.mediaHosts.formUnion(collections.flatMap(\.mediaHosts))
    let index = SiteIndex(
      rendered.summaries, calendar: settings.calendar, localization: settings.localization,
      profiles: rendered.profiles,
      collections: collections, lead: try owners.lead(rendered.collected),
      links: rendered.links, counts: rendered.counts,
      topics: site.config.similarThreads ? rendered.topics : nil)
    // The index now contains the sorted summaries and the similar threads.
    rendered.summaries = []
    rendered.topics = [:]
    let threads = rendered
    let facts = settings.adapted(to: index, definesMenu: site.config.menu != nil)
    let renderer = PageRenderer(site: facts, theme: inputs.theme)
    let ownPages = OwnPageStep(
      context: context, own: inputs.pages, renderer: renderer, embeds: embeds)
    ownPages.warnOfMenu()
    let pages = index.pages(threadsPerPage: facts.threadsPerPage, withStatistics: renderer.hasStatistics)
    let validator = SiteValidator(site: site)
    try validator.checkPages(pages, beside: index)
    try validator.checkFolders(pages, beside: index, own: own)
    try validator.checkAlike(
      pages, beside: index,
      files: threads.mediaFiles.map(ThreadWorker.mediaPath) + inputs.theme.assets.map(\.path) + own
        + inputs.pages.paths
        + (facts.baseURL == nil ? [] : pages.compactMap { FeedList(of: $0, in: index)?.path }))
    let digests = PageDigests(of: index, by: renderer)
    let threadPages = PageStep(
      context: context, files: inputs.files, selection: selection, worker: worker, renderer: renderer,
      digests: digests, bodies: bodies, records: records,
      mentions: MentionedPages(
        inputs.webMentions, on: site, of: threads, inputs.permalinks.adding(threads.permalinks)))
    if let shown {
      let (path, values) = try PageInspection(
        files: inputs.files, index: index, threads: threads, pages: pages, threadPages: threadPages,
        ownPages: ownPages
      ).values(of: shown)
      return .values(path, values)
    }
    let made = try threadPages.run(threads, in: index)
    let (documents, targets) = try ownPages.run(beside: pages, index)
    // Both have parts that run on a single core. Running them together uses the other cores.
    let (search, lists) = ParallelWork.both(
      jobs: options.jobs,
      {
        Result { () throws(PipelineError) in
          try SearchStep(context: context, index: index, threads: threads, pages: threadPages).run(documents)
        }
      },
      {
        Result { () throws(PipelineError) in
          let lists = try ListStep(
            context: context, inputs: inputs, selection: selection, worker: worker, threads: threads,
            index: index, pages: pages, facts: facts, renderer: renderer, digests: digests
          ).run()
          let books = try BookStep(
            context: context, inputs: inputs, selection: selection, worker: worker, threads: threads,
            index: index, records: records
          ).run()
          try files.writeServerFiles(
            pages, inputs.pages, own, of: index, facts: facts, theme: inputs.theme,
            mediaHosts: threads.mediaHosts)
          try files.copyAssets(of: inputs.theme)
          try files.copyMedia(threads.mediaFiles, of: media)
          return lists.merging(books) { first, _ in first }
        }
      })
    let listDigests = try lists.get()
    let searchState = try search.get()
    images?.prune(keeping: threads.mediaFiles)
    try ownPages.copyFiles()
    try RedirectStep(
      context: context, authors: inputs.authors, files: inputs.files, threads: threads,
      permalinks: inputs.permalinks.adding(threads.permalinks), index: index, facts: facts
    ).run()
    ownPages.warnOfMissing(targets)
    files.reportReplaced()
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
    summary.fromShards = threads.fromShards
    summary.scaledPhotos = images?.newPhotos ?? 0
    summary.empty = threads.empty.sorted()
    summary.moved = threads.permalinks.moved.map { BuildSummary.Move(from: $0.key.text, to: $0.value.text) }
      .sorted { $0.from < $1.from }
    return .whole(
      Built(
        summary: summary, environment: environment,
        threads: kept(threads, inputs, made, listDigests, searchState),
        records: records, permalinks: threads.permalinks,
        published: inputs.permalinks.adding(threads.permalinks)))
  }

  /// Returns the state of the threads for the next build.
  private func kept(
    _ threads: WrittenThreads, _ inputs: LoadedSite, _ pages: [SitePath: PreviousBuild.Page],
    _ lists: [String: UInt64], _ search: SearchState?
  ) -> BuildCache.Threads {
    let authors = Dictionary(inputs.writers.ofFiles.map { ($0.file.stem, $0.author) }) { first, _ in first }
    var made: [Int: PreviousBuild.Page] = [:]
    for (path, source) in threads.sources { made[source.position] = pages[path] }
    var entries: [String: PreviousBuild.Entry] = [:]
    entries.reserveCapacity(threads.entries.count)
    for (position, entry) in threads.entries {
      let stem = inputs.files[position].stem
      // A thread of an unknown author is not kept.
      guard let author = authors[stem] else { continue }
      var entry = entry
      entry.author = author
      entry.page = made[position]
      entries[stem] = entry
    }
    return BuildCache.Threads(
      entries: entries, authors: inputs.writers.seen, media: Array(threads.mediaFiles), lists: lists,
      people: inputs.authors.placeDigest, search: search)
  }

  /// Returns the object that makes copies of photos; `nil` if site.yml excludes copies, or if it leaves the choice to the program and
  /// libvips is not installed.
  ///
  /// - Throws: a configuration error if site.yml requires copies and libvips is not installed.
  private func scaledImages(_ progress: @escaping ProgressHandler) throws(PipelineError) -> ScaledImages? {
    let cache = site.path + "/.threadsite/images"
    let (mode, formats) = (site.config.scaleImages, site.config.imageFormats)
    guard mode != .never || formats.isEmpty else {
      throw PipelineError(
        .configuration,
        [
          site.configProblem(
            "image_formats", "needs copies of photos, but `scale_images` is false; remove one of the two keys"
          )
        ])
    }
    guard mode != .never, site.mediaMode != .none else {
      do throws(FileError) {
        // Copies of photos that the site no longer shows should not stay in the cache.
        try FileSystem.remove(cache)
      } catch {
        progress(.warning("\(error) Smaller copies of photos from earlier builds remain."))
      }
      return nil
    }
    let types = formats.indices.filter { !formats[..<$0].contains(formats[$0]) }.map { formats[$0].type }
    guard mode != .auto || options.copiesPhotos || !types.isEmpty else { return nil }
    let images = ScaledImages(of: site.threadStore, formats: types, cache: cache, progress: progress)
    guard images != nil || (mode == .auto && formats.isEmpty) else {
      throw PipelineError(
        .configuration,
        [
          site.configProblem(
            mode == .always ? "scale_images" : "image_formats",
            "\(ScaledImages.programName), which makes the copies, is not installed; install \(ScaledImages.installation), or remove the key"
          )
        ])
    }
    return images
  }

  /// The path of the file in which the build notes the URLs of the site's threads.
  private var recordPath: String { options.permalinksFile ?? site.builtPermalinksFile }

  private func stage() throws(PipelineError) -> StagedSite {
    do {
      return try StagedSite(output: site.output, force: options.replacesForeignOutput)
    } catch {
      throw PipelineError(error)
    }
  }

  /// - Returns: the paths of the files that were removed.
  private func putInPlace(_ staged: StagedSite, after last: LastBuild?) throws(PipelineError) -> [String] {
    do {
      return try staged.putInPlace(last?.build?.site.contents)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Completes a build that was killed while it put its site in place, so that no mixture of two sites remains if this build fails early.
  private func finishInterruptedBuild() throws(PipelineError) {
    site.removeAbandonedFiles()
    do {
      try StagedSite.finish(output: site.output)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Returns the pages of threads that the existing site has and the new site lacks.
  ///
  /// These pages were published or in the previous build, but their threads are no longer built, because they were removed from the site or
  /// from the store.
  private func pagesLeftOut(of new: Permalinks, previous: Permalinks) -> [String] {
    previous.pages(besides: new).map(\.text).filter { page in
      FileSystem.kind(of: "\(site.output)/\(page)index.html") == .file
    }
  }

  /// Notes which unpublished pages have other URLs than in the previous build. Nothing redirects to them, because no reader knows the old URLs.
  private func noteMoves(to new: Permalinks, published: Permalinks) {
    guard let built = site.builtPermalinks, options.permalinksFile == nil else { return }
    for move in built.moves(to: new, besides: published) {
      progress(
        .note(
          "\(move.from.text) is now \(move.to.text), without a redirect, because the old URL is not recorded as published."
        ))
    }
  }

  /// Whether the site has drafts.
  private var hasDrafts: Bool {
    options.includesDrafts && site.config.threads.contains(where: \.isHeldBack)
  }

  /// Records whether the site has drafts, for `threadsite publish`. Drafts are recorded before they are in place, and the record is removed
  /// after they are gone, so that an interrupted build leaves no drafts without a record.
  private func recordDrafts() throws(PipelineError) {
    do {
      try BuiltDrafts(of: site).record(site.output, hasDrafts: hasDrafts)
    } catch {
      throw PipelineError(error, about: .io)
    }
  }

  /// Notes the URLs of the site's threads, for `threadsite publish`.
  ///
  /// The site is already in place, and the next build can note them, so a failure causes only a warning.
  private func savePermalinks(_ built: Built) {
    let bytes = (options.permalinksFile == nil ? built.permalinks : built.published).bytes
    do {
      try FileSystem.makeFolders(PathText.folder(of: recordPath).map(String.init) ?? "/")
      guard !FileSystem.isFile(recordPath, of: bytes) else { return }
      try AtomicFile.write(bytes, to: recordPath)
    } catch {
      progress(
        .warning(
          "\(error)\nThe site is built, but `threadsite publish` cannot record the URLs of its threads."))
    }
  }

  private func discard(_ staged: StagedSite) throws(PipelineError) {
    do {
      try staged.discard()
    } catch {
      throw PipelineError(error)
    }
  }

  /// Removes the files of a failed build. Returns the error of the build, with the error of the removal if the removal also fails.
  private func discard(_ staged: StagedSite, after error: PipelineError) -> PipelineError {
    do {
      try staged.discard()
      return error
    } catch let second {
      return PipelineError(error.kind, error.messages + [second.description])
    }
  }
}

/// The result of a build in figures.
package struct BuildSummary: Sendable {
  package let threads: Int
  package let posts: Int
  package let pages: Int
  package let missingAltTexts: Int
  /// The number of threads left out because they are drafts.
  package let drafts: Int
  /// The number of threads left out because an entry of site.yml excludes them, or because no entry lists them.
  package let excluded: Int
  /// Threads, entries and profiles that are not on the site because of an error, if the build kept going.
  package let leftOut: [LeftOut]

  package struct LeftOut: Sendable, Equatable {
    /// The thread's file, relative to the store's folder; `nil` for an entry of site.yml or an author's profile.
    package let thread: String?
    /// Complete messages, each with the problem, its place, and the solution.
    package let messages: [String]
  }

  /// The number of threads that were rendered, and not reused from the last build.
  package var rendered = 0
  /// The number of threads that other processes rendered, if the build joined shards.
  package var fromShards = 0
  /// The number of photos of which this build made smaller copies.
  package var scaledPhotos = 0
  /// Files, relative to the store's folder, that have no page because they contain no post of the thread's author.
  package var empty: [String] = []
  /// Pages of threads that the site had before this build and no longer has, relative to the site's URL.
  package var pagesLeftOut: [String] = []
  /// Published pages that this site has at another URL, relative to the site's URL. Their published URLs redirect there.
  package var moved: [Move] = []

  package struct Move: Sendable, Equatable {
    package let from: String
    package let to: String

    package init(from: String, to: String) { (self.from, self.to) = (from, to) }
  }

  /// The output folder of the site.
  package let output: String
}

extension BuildSummary: Record {
  package static let fields = RecordFields(
    Self.init, \.threads, \.posts, \.pages, \.missingAltTexts, \.drafts, \.excluded, \.leftOut, \.rendered,
    \.fromShards, \.scaledPhotos, \.empty, \.pagesLeftOut, \.moved, \.output)
}

extension BuildSummary.Move: Record {
  package static let fields = RecordFields(Self.init(from:to:), \.from, \.to)
}

extension BuildSummary.LeftOut: Record {
  package static let fields = RecordFields(Self.init, \.thread, \.messages)
}
