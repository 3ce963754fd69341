import Basics
import SiteWorkspace

/// The means by which the steps of a build render threads and keep the results.
struct ThreadRendering: Sendable {
  let selection: ThreadSelection
  /// The threads of the last build that may be reused.
  let previous: PreviousThreads?
  let worker: ThreadWorker
  let media: PublishedMedia
  /// The rendered bodies for ``PageStep``.
  let bodies: PageBodies
  let records: ThreadRecords

  init(_ inputs: LoadedSite, of loader: SiteLoader, in context: BuildContext) throws(PipelineError) {
    let (site, options) = (context.site, context.options)
    let selection = try loader.threadSelection(inputs.authors)
    self.selection = selection
    previous = context.last.flatMap { last in
      last.build.map {
        PreviousThreads(
          build: $0, inputs: last.inputs, selection: selection, authors: inputs.authors,
          permalinks: inputs.permalinks, includesDrafts: options.includesDrafts,
          environmentIsSame: $0.site.environment.threads == context.environment.threads)
      }
    }
    let images = try ScaledImages.wanted(by: site, options, progress: context.progress)
    worker = ThreadWorker(
      inputs, of: site, selection, includesDrafts: options.includesDrafts, previous: previous, images: images)
    media = PublishedMedia(site.threadStore, scaled: images)
    bodies = PageBodies(file: try context.spool("bodies"))
    records = try ThreadRecords(after: context.last?.build) { () throws(PipelineError) in
      try context.spool("records")
    }
  }
}
