import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// The step that renders the new and changed threads of a site in parallel, with ``ThreadStep``.
struct RenderStep: Sendable {
  let context: BuildContext
  let inputs: LoadedSite
  let selection: ThreadSelection
  let worker: ThreadWorker
  /// Threads of the last build that may be reused.
  let previous: PreviousThreads?
  let media: PublishedMedia
  let bodies: PageBodies
  let records: ThreadRecords
  /// The threads that other processes rendered; `nil` for a build that joins no shards.
  let shards: JoinedShards?

  /// Renders every thread that belongs to the site and cannot be reused, and writes its Markdown. Its body is stored for ``PageStep``.
  ///
  /// - Returns: the collected data of all threads. If the build keeps going and threads failed, only `failures` is valid, and the site must
  ///   be built without these threads.
  /// - Throws: one error with the messages of all threads, so that one run shows all problems.
  func run() throws(PipelineError) -> WrittenThreads {
    let site = context.site
    let files = inputs.files
    let counter = ProgressCounter("Rendering threads", total: files.count, context.progress)
    let collected = CollectedThreads(site.config)
    func run(_ positions: [Int], asksAgain: Bool) -> WrittenThreads {
      let step = ThreadStep(
        context: context, selection: selection, worker: worker, previous: previous, media: media,
        bodies: bodies, records: records, asksAgain: asksAgain, shards: shards)
      var results = ParallelWork.run(
        count: positions.count, jobs: context.jobs, makeState: { WrittenThreads(collected: collected) }
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
      // The results are merged one by one, so that at most one result is in memory twice.
      var written = results.popLast() ?? WrittenThreads(collected: collected)
      while let result = results.popLast() { written.add(result) }
      return written
    }
    // Changed files come first. If lookups by other threads would have the same results in them as before, no lookup has to be repeated.
    let positions = Dictionary(grouping: files.indices) { previous?.holds(files[$0]) == true }
    let changed = positions[false] ?? []
    var written = run(changed, asksAgain: true)
    if let previous, let rest = positions[true] {
      written.add(
        run(
          rest,
          asksAgain: !previous.answersAreSame(files, changed: changed, places: written.places)))
    }
    let validator = SiteValidator(site: site)
    let problems =
      validator.problems(of: written, beside: inputs.leftOut.map(\.file), selection: selection)
      + validator.unknownAccounts(inputs.authors)
    guard problems.isEmpty || context.options.keepsGoing && problems.allSatisfy(\.isOfOneThread) else {
      var error = PipelineError(problems)
      // If every problem concerns a single thread, the caller can inform the user that these threads could be left out.
      if problems.allSatisfy(\.isOfOneThread) { error.isOfOneThread = true }
      throw error
    }
    guard written.failures.isEmpty else { return written }
    written.leftOut = problems
    try ProfileStep(context: context, directory: inputs.authors, media: media, theme: inputs.theme)
      .run(&written)
    // A published draft, built with `--drafts`, gets no permanent URL, because its title may still change.
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
    for (entry, position) in written.described.sorted(by: { $0.key < $1.key }) {
      for warning in validator.unusedDescriptions(of: entry, in: try site.read(files[position])) {
        context.progress(.warning(warning))
      }
    }
    warnOfMissingSameThreads(selection.missingSameThreads(found: written.foundSameThreads))
    return written
  }

  /// Warns of notes that are not shown, because the page has no such post by the author.
  private func warnOfNotes(_ notes: Set<ThreadSelection.UnknownNote>) {
    for note in notes.sorted(by: { ($0.entry, $0.name) < ($1.entry, $1.name) }) {
      context.progress(
        .warning(
          context.site.configProblem(
            "threads[\(note.entry)].notes.\(note.name)",
            "the thread's page has no such post of the author, so the note is not shown\(note.suggestion)",
            severity: .warning)))
    }
  }

  /// Warns of threads under `same_as` that are not in the store. The page links to them, but nothing redirects from them to the page.
  private func warnOfMissingSameThreads(_ missing: [ThreadSelection.SameThread]) {
    for place in missing {
      context.progress(
        .warning(
          context.site.configProblem(
            "threads[\(place.entry)].same_as[\(place.position)]",
            "this thread is not in the store, so the page only links to it; check the URL, or fetch the thread",
            severity: .warning)))
    }
  }
}
