import Basics
package import SiteOutput
package import SiteWorkspace
import Synchronization
import ThreadModel

/// The build of a site from a store (`threadsite build`).
///
/// A build does as little as its inputs allow: nothing, a ``TextUpdate``, a ``StyleUpdate``, or a ``WholeBuild``. Files that differ from the existing site are
/// written to a folder beside the site, and moved into the site at the end. A build with errors reports all of them and changes nothing.
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
    /// Whether the published names of style sheets contain a digest of the content. Without it, a changed style sheet leaves all pages
    /// unchanged.
    package var namesStyleSheetsByContent = true
    /// Whether the program returns freed memory to the system in a build of many threads. A preview keeps the memory, which makes its next build
    /// faster.
    package var returnsMemory = true
    /// Whether no other program changes the site in the output folder, so that a build does not look at the files that an earlier build of this
    /// program left there.
    package var ownsOutput = false
    /// The number of system threads.
    package var jobs: Int

    package init(jobs: Int) { self.jobs = jobs }
  }

  private let site: SiteFolder
  private let installation: Installation?
  private let options: Options
  private let memory: BuildMemory
  private let progress: ProgressHandler

  /// - Parameter memory: the state after the last build of this program; empty for the first one.
  package init(
    _ site: SiteFolder, installation: Installation?, options: Options, memory: BuildMemory = BuildMemory(),
    progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.installation = installation
    self.options = options
    self.memory = memory
    self.progress = progress
  }

  private var cache: BuildCache { BuildCache(of: site, in: memory, ownsOutput: options.ownsOutput) }

  /// Builds the site, unless it is up to date.
  ///
  /// - Parameters:
  ///   - changed: the paths of all files that may have changed since the last build with the same memory; `nil` if they are unknown.
  ///   - whenInPlace: called with the summary if files have changed, as soon as the new site is in place. The data for the next build are saved
  ///     afterwards.
  ///
  /// If the build keeps going after errors, the first pass finds the threads that cannot be built. Then the site is built again as if they
  /// were not in the store. So no other page links to them, and the result does not depend on which worker found them first.
  package func run(
    afterChangesOf changed: [String]? = nil, whenInPlace: (BuildSummary) -> Void = { _ in }
  ) throws(PipelineError) -> BuildSummary {
    // The paths of changed files are reported once. If the build fails before it has taken signatures, the next build must take all of them.
    let known = memory.takeInputs()
    // The files are opened first, because cleaning the store deletes them.
    let shards =
      options.joinsShards
      ? try JoinedShards(of: site, in: ShardEnvironment(of: site, installation, options)) : nil
    try PlacementStep.finishInterrupted(on: site)
    let names = LeftOutCleaning(site, jobs: options.jobs, progress: progress).run()
    // Cleaning changes files of the store.
    let changed = site.leftOut.isEmpty ? changed : nil
    guard !options.usesCache else {
      return try run(names, shards, after: known, changed: changed, whenInPlace)
    }
    let summary = try wholeBuild(after: nil, names, shards, progress).run { built, _ in
      whenInPlace(built.summary)
    }
    // The cache is from an earlier site, and may contain words that this site no longer has.
    cache.forget()
    return summary
  }

  /// Renders the threads of one shard for a later build that joins all shards. The site does not change.
  package func run(_ shard: Shard) throws(PipelineError) -> ShardSummary {
    try ShardBuild(
      site: site, installation: installation, options: options, shard: shard, progress: progress
    ).run()
  }

  /// Builds the site with the cache, after the store was cleaned.
  ///
  /// - Parameters:
  ///   - known: the inputs of an earlier build; `nil` without an earlier build.
  ///   - changed: the paths of all files that may have changed since; `nil` if they are unknown.
  private func run(
    _ names: LeftOutCleaning.NamedAddresses, _ shards: JoinedShards?, after known: BuildInputs?,
    changed: [String]?, _ whenInPlace: (BuildSummary) -> Void
  ) throws(PipelineError) -> BuildSummary {
    let (inputs, state) = ParallelWork.both(
      jobs: options.jobs,
      {
        options.waitsForFileTimes
          ? BuildInputs.settled(of: site, installation, options)
          : BuildInputs(of: site, installation, options, after: known, changed: changed)
      }, { cache.load() })
    memory.note(inputs)
    let digests = state.flatMap { cache.digests(of: inputs, for: $0) }
    if names.isEmpty, hasRecord, let state {
      let update = StyleUpdate(
        site: site, installation: installation, options: options, cache: cache, state: state,
        inputs: inputs, digests: digests)
      if let known = try update.run(whenInPlace) { return report(known) }
    }
    let isIntact = state.map { cache.isIntact($0, jobs: options.jobs) } ?? false
    if isIntact { cache.noteIntact() }
    let untouched = isIntact && hasRecord ? state : nil
    if let known = untouched.flatMap({ cache.outcome(of: $0, if: inputs, digests) }) { return report(known) }
    if names.isEmpty, let untouched {
      let update = TextUpdate(
        site: site, installation: installation, options: options, cache: cache, state: untouched,
        digests: digests,
        last: LastBuild(inputs: inputs, build: cache.intactBuild(untouched)))
      if let known = try update.run(progress, whenInPlace) { return report(known) }
    }
    let last = lastBuild(inputs, cache, state, isIntact: isIntact)
    let warnings = Mutex<[String]>([])
    let build = wholeBuild(after: last, names, shards) { [progress] event in
      if case .warning(let text) = event { warnings.withLock { $0.append(text) } }
      progress(event)
    }
    cache.noteChange()
    return try build.run { built, placement in
      whenInPlace(built.summary)
      // The index of the site is no longer needed.
      if options.returnsMemory, built.summary.rendered >= RenderStep.manyThreads {
        AddressSpace.returnFreedMemory()
      }
      cache.save(
        BuildCache.Outcome(summary: built.summary, warnings: warnings.withLock { $0 }), of: inputs,
        after: untouched.map { ($0, digests) },
        addresses: [
          inputs.addresses,
          options.permalinksFile == nil
            ? BuildInputs.digest(ofPublished: placement.published)
            : BuildInputs.addresses(of: site, options),
        ],
        environment: built.context.environment, threads: built.threads, records: built.records,
        site: BuildCache.Contents(
          files: built.context.staged.contents, removed: placement.removed, moment: placement.moment,
          previous: last.build?.site),
        loaded: options.ownsOutput ? built.inputs : nil, jobs: options.jobs)
    }
  }

  /// Returns the values that the layout of one page receives, as a build would compute them. The site does not change.
  package func values(of page: InspectedPage) throws(PipelineError) -> (path: SitePath, values: PageValues) {
    let inputs = BuildInputs(of: site, installation, options)
    let state = cache.load()
    let isIntact = state.map { cache.isIntact($0, jobs: options.jobs) } ?? false
    // Unlike a build, this leaves data of accounts that are left out in the store.
    let names = LeftOutCleaning(site, jobs: options.jobs, progress: progress).namedAddresses()
    return try wholeBuild(after: lastBuild(inputs, cache, state, isIntact: isIntact), names, nil, progress)
      .values(of: page)
  }

  /// Whether a build would leave the site unchanged.
  package var isUpToDate: Bool {
    let sources = BuildInputs(of: site, installation, options)
    return hasRecord && cache.load().map { cache.isCurrent($0, if: sources, jobs: options.jobs) } ?? false
  }

  /// Whether the URLs of the threads in the output folder are known.
  private var hasRecord: Bool { BuiltPermalinks(of: site, options).exist }

  /// Returns the summary of a site that is up to date, and repeats its warnings.
  private func report(_ known: BuildCache.Outcome) -> BuildSummary {
    for warning in known.warnings { progress(.warning(warning)) }
    return known.summary
  }

  private func lastBuild(
    _ inputs: BuildInputs, _ cache: BuildCache, _ state: BuildCache.State?, isIntact: Bool
  ) -> LastBuild {
    LastBuild(
      inputs: inputs,
      build: state.flatMap { cache.previousBuild($0, isIntact: isIntact, jobs: options.jobs) })
  }

  /// - Parameter names: URLs in the record that the site must not use, because they contain the names of accounts that site.yml leaves out.
  private func wholeBuild(
    after last: LastBuild?, _ names: LeftOutCleaning.NamedAddresses, _ shards: JoinedShards?,
    _ progress: @escaping ProgressHandler
  ) -> WholeBuild {
    let loader = SiteLoader(
      site, installation: installation, options: options, namedAddresses: names, progress: progress)
    return WholeBuild(
      site: site, options: options, loader: loader, last: last, shards: shards, progress: progress)
  }
}
