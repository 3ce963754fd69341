import SiteOutput
import UTF8Text

extension SiteBuild {
  /// Fills the place that each thread's page has kept open for what the other threads decide: neighbours, more by its
  /// author, collections, threads that quote it.
  func fillPages(
    of index: SiteIndex, _ threads: WrittenThreads, with renderer: PageRenderer, in staged: StagedSite
  ) throws(PipelineError) {
    let counter = ProgressCounter("Linking threads", total: index.threads.count, progress)
    let results = ParallelWork.run(
      count: index.threads.count, jobs: options.jobs, makeState: { [(position: Int, error: PipelineError)]() }
    ) { position, failures in
      let path = index.threads[position].path
      if let place = threads.sources[path]?.openPlace {
        do throws(SiteOutputError) {
          var html = UTF8Buffer(capacity: 4096)
          try renderer.renderRelated(to: position, in: index, into: &html)
          try staged.insert(html.bytes, at: place, of: path)
        } catch {
          failures.append((position, PipelineError(error)))
        }
      }
      counter.advance()
    }
    // A template's mistake is the same on every page: one report is enough.
    if let failure = results.joined().min(by: { $0.position < $1.position }) { throw failure.error }
  }
}
