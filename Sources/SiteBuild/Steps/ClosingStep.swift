import SiteOutput
import SiteWorkspace

/// The step that writes the files that must not replace others, and checks the complete site.
struct ClosingStep {
  let site: PreparedSite

  /// - Parameter content: the results of writing all other files.
  func run(after content: SiteContent) throws(PipelineError) {
    let (context, ownPages) = (site.context, site.ownPages)
    site.rendering.worker.images?.prune(keeping: site.media.files)
    try ownPages.copyFiles()
    try RedirectStep(
      context: context, authors: site.inputs.authors, files: site.inputs.files, sources: site.threads.sources,
      targets: site.threads.targets, permalinks: site.inputs.permalinks.adding(site.permalinks),
      index: site.indexed.index, facts: site.indexed.facts
    ).run()
    ownPages.warnOfMissing(content.targets)
    FileStep(context: context).reportReplaced()
  }
}
