import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace

/// The step that puts a complete site in place, and records its drafts and URLs for `threadsite publish`.
struct PlacementStep {
  let context: BuildContext

  private var hasDrafts: Bool {
    context.options.includesDrafts && context.site.config.threads.contains(where: \.isHeldBack)
  }

  /// Completes a build that was killed while it put its site in place, so that no mixture of two sites remains if this build fails early.
  static func finishInterrupted(on site: SiteFolder) throws(PipelineError) {
    site.removeAbandonedFiles()
    try withOutput { () throws(SiteOutputError) in try StagedSite.finish(output: site.output) }
  }

  /// - Returns: the paths of the files that were removed.
  func run(_ built: BuiltSite) throws(PipelineError) -> [String] {
    let record = BuiltPermalinks(of: context.site, context.options)
    record.noteMoves(to: built.permalinks, after: built.previous, built.recorded, context.progress)
    // An interrupted build leaves no drafts without a record.
    if hasDrafts { try recordDrafts() }
    let removed = try withOutput { () throws(SiteOutputError) in
      try context.staged.putInPlace(context.last?.build?.site.contents)
    }
    if !hasDrafts { try recordDrafts() }
    record.save(built.permalinks, after: built.recorded, context.progress)
    return removed
  }

  /// Records whether the site has drafts.
  private func recordDrafts() throws(PipelineError) {
    do {
      try BuiltDrafts(of: context.site).record(context.site.output, hasDrafts: hasDrafts)
    } catch {
      throw PipelineError(error, about: .io)
    }
  }
}
