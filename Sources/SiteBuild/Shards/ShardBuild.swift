import Basics
import SearchIndex
import SiteOutput
import SiteWorkspace
import ThreadStore

/// Renders the threads of one shard, and writes them to the shard's file. Nothing else is written.
///
/// The site is loaded as by any build, because a thread's page depends on the URLs of other threads and on the names of people in them.
struct ShardBuild {
  let site: SiteFolder
  let installation: Installation?
  let options: SiteBuild.Options
  let shard: Shard
  let progress: ProgressHandler

  /// The work of one system thread.
  private struct Work: Sendable {
    var summary: ShardSummary
    var entries: [ShardEntry] = []
    var unknownHidden: Set<ThreadSelection.HiddenPlace> = []
    var failures: [ThreadFailure] = []
    /// Splits the text of threads into words for the search.
    var analyzer = SearchAnalyzer()
  }

  /// - Throws: one error with the problems of all threads of the shard. Problems between threads are reported when the shards are joined.
  func run() throws(PipelineError) -> ShardSummary {
    let environment = try ShardEnvironment(of: site, installation, options)
    let loader = SiteLoader(
      site, installation: installation, options: options,
      // Unlike other builds, this leaves data of accounts that are left out in the store.
      namedAddresses: LeftOutCleaning(site, jobs: options.jobs, progress: progress).namedAddresses(),
      progress: progress)
    let inputs = try loader.load()
    let selection = try loader.threadSelection(inputs.authors)
    let images = try ScaledImages.wanted(by: site, options, progress: progress)
    let worker = ThreadWorker(
      inputs, of: site, selection, includesDrafts: options.includesDrafts, images: images)
    let writer = try ShardWriter(shard, in: JoinedShards.folder(of: site))
    do throws(PipelineError) {
      let work = try render(
        inputs.files, selection, worker, media: PublishedMedia(site.threadStore, scaled: images), to: writer)
      guard ShardEnvironment.templates(of: site, installation) == environment.templates else {
        throw PipelineError(
          .io, ["error: templates or themes were changed while the shard was built; build it again."])
      }
      try writer.finish(
        ShardIndex(
          number: shard.number, count: shard.count, environment: environment, entries: work.entries))
      var summary = work.summary
      summary.scaledPhotos = images?.newPhotos ?? 0
      return summary
    } catch {
      writer.discard()
      throw error
    }
  }

  /// Renders the threads of the shard in parallel.
  private func render(
    _ all: [StoredFile], _ selection: ThreadSelection, _ worker: ThreadWorker, media: PublishedMedia,
    to writer: ShardWriter
  ) throws(PipelineError) -> Work {
    let files = all.filter { shard.holds($0.stem) }
    let counter = ProgressCounter("Rendering threads", total: files.count, progress)
    let start = Work(summary: ShardSummary(shard: shard, file: writer.path))
    let parts = ParallelWork.run(count: files.count, jobs: options.jobs, makeState: { start }) {
      position, work in
      do throws(PipelineError) {
        try render(files[position], selection, worker, media: media, to: writer, &work)
      } catch {
        work.failures.append(ThreadFailure(position: position, file: files[position], error: error))
      }
      counter.advance()
    }
    var work = start
    for part in parts {
      work.summary.add(part.summary)
      work.entries += part.entries
      work.unknownHidden.formUnion(part.unknownHidden)
      work.failures += part.failures
    }
    work.failures.sort { $0.position < $1.position }
    let problems =
      work.failures.map(\.error) + SiteValidator(site: site).problems(ofHidden: work.unknownHidden)
    let areOfOneThread = problems.allSatisfy(\.isOfOneThread)
    guard problems.isEmpty || options.keepsGoing && areOfOneThread else {
      var error = PipelineError(problems)
      error.isOfOneThread = areOfOneThread
      throw error
    }
    work.summary.leftOut = work.failures.map {
      BuildSummary.LeftOut(thread: $0.file.path, messages: $0.error.messages)
    }
    return work
  }

  private func render(
    _ file: StoredFile, _ selection: ThreadSelection, _ worker: ThreadWorker, media: PublishedMedia,
    to writer: ShardWriter, _ work: inout Work
  ) throws(PipelineError) {
    let (conversation, digest) = try site.readWithDigest(file)
    let keys = ConversationKeys(conversation)
    let answer = selection.settings(for: keys)
    work.unknownHidden.formUnion(answer.unknownHidden)
    // The thread redirects to the page of another one.
    guard answer.sameAs == nil else { return }
    guard let settings = answer.settings else {
      if !answer.isEmpty { work.summary.excluded += 1 }
      return
    }
    if answer.entries.count > 1 { throw ThreadStep.sameThread(answer.entries, in: site) }
    guard !settings.isDraft || options.includesDrafts else {
      work.summary.drafts += 1
      return
    }
    let rendered = try RenderedThread(
      rendering: conversation, keys, settings, stem: file.stem, by: worker, selection, &work.analyzer)
    let thread = rendered.built.thread
    try media.check(thread.mediaFiles)
    work.summary.threads += 1
    work.summary.posts += thread.summary.postCount
    work.summary.missingAltTexts += thread.missingAltTexts
    // The build that joins the shards tries again to make the copies.
    if let images = worker.images, images.lacksCopies(of: thread.mediaFiles) { return }
    work.entries.append(
      try writer.add(
        ShardedThread(
          source: digest, photos: worker.images?.digest(ofPhotosIn: thread.mediaFiles), thread: rendered),
        stem: file.stem))
  }
}

/// The result of building a shard in figures.
package struct ShardSummary: Sendable {
  package let shard: Shard
  package internal(set) var threads = 0
  package internal(set) var posts = 0
  package internal(set) var missingAltTexts = 0
  /// The number of threads left out because they are drafts.
  package internal(set) var drafts = 0
  /// The number of threads that site.yml leaves out.
  package internal(set) var excluded = 0
  /// Threads that are not in the shard because of an error, if the build kept going.
  package internal(set) var leftOut: [BuildSummary.LeftOut] = []
  /// The number of photos of which this build made smaller copies.
  package internal(set) var scaledPhotos = 0
  /// The path of the shard's file.
  package let file: String

  init(shard: Shard, file: String) {
    self.shard = shard
    self.file = file
  }

  /// Adds the counts of threads.
  mutating func add(_ other: ShardSummary) {
    threads += other.threads
    posts += other.posts
    missingAltTexts += other.missingAltTexts
    drafts += other.drafts
    excluded += other.excluded
  }
}
