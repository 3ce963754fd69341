import Basics
import SiteWorkspace

/// The step that renders the new and changed threads of a site in parallel, with ``ThreadStep``.
struct RenderStep: Sendable {
  let context: BuildContext
  let inputs: LoadedSite
  let rendering: ThreadRendering
  /// The threads that other processes rendered; `nil` for a build that joins no shards.
  let shards: JoinedShards?

  /// The number of threads for which a build needs much memory.
  static let manyThreads = 1000

  /// Renders every thread that belongs to the site and cannot be reused, and writes its Markdown. Its body is stored for ``PageStep``.
  ///
  /// - Returns: the data of all threads; if the build keeps going and threads failed, these threads.
  /// - Throws: one error with the messages of all threads, so that one run shows all problems.
  func run() throws(PipelineError) -> Result<(IndexedThreads, WrittenThreads), FailedThreads> {
    // Changed files come first. If lookups by other threads would have the same results in them as before, no lookup has to be repeated.
    let (files, previous) = (inputs.files, rendering.previous)
    let positions = Dictionary(grouping: files.indices) { previous?.holds(files[$0]) == true }
    let changed = positions[false] ?? []
    if context.options.returnsMemory, changed.count >= Self.manyThreads { AddressSpace.returnLargeBlocks() }
    let counter = ProgressCounter("Rendering threads", total: files.count, context.progress)
    var results = run(changed, asksAgain: true, counter)
    if let previous, let rest = positions[true] {
      var places = Dictionary(results.threads.kept.places) { first, _ in first }
      for (_, source) in results.threads.sources.pages { places[source.position] = source.entry.place }
      let areSame = previous.answersAreSame(files, changed: changed, places: places)
      results.add(run(rest, asksAgain: !areSame, counter))
    }
    let problems = problems(of: results)
    guard problems.isEmpty || context.options.keepsGoing && problems.allSatisfy(\.isOfOneThread) else {
      var error = PipelineError(problems)
      // If every problem concerns a single thread, the caller can inform the user that these threads could be left out.
      if problems.allSatisfy(\.isOfOneThread) { error.isOfOneThread = true }
      throw error
    }
    guard results.failures.isEmpty else { return .failure(FailedThreads(failures: results.failures)) }
    results.threads.leftOut = problems
    return .success((results.index, results.threads))
  }

  private func run(_ positions: [Int], asksAgain: Bool, _ counter: ProgressCounter) -> ThreadStep.Results {
    let files = inputs.files
    let step = ThreadStep(
      context: context, selection: rendering.selection, worker: rendering.worker,
      previous: rendering.previous, media: rendering.media, bodies: rendering.bodies,
      records: rendering.records, asksAgain: asksAgain, shards: shards)
    let start = ThreadStep.Results(collected: CollectedThreads(context.site.config))
    var parts = ParallelWork.run(count: positions.count, jobs: context.jobs, makeState: { start }) {
      index, results in
      let position = positions[index]
      do throws(PipelineError) {
        try step.run(files[position], at: position, &results)
      } catch {
        results.failures.append(ThreadFailure(position: position, file: files[position], error: error))
      }
      counter.advance()
    }
    rendering.worker.pages.releaseConversations()
    // The results are merged one by one, so that at most one result is in memory twice.
    var results = parts.popLast() ?? start
    while let part = parts.popLast() { results.add(part) }
    return results
  }

  private func problems(of results: ThreadStep.Results) -> [PipelineError] {
    let validator = SiteValidator(site: context.site)
    return validator.problems(
      of: results.failures, results.threads.found,
      samePages: validator.samePages(
        results.index.summaries, pageCount: results.threads.sources.count),
      beside: inputs.leftOut.map(\.file), selection: rendering.selection)
      + validator.unknownAccounts(inputs.authors)
  }
}
