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

  /// The result of the step.
  struct Placement {
    /// The paths of the files that were removed.
    let removed: [String]
    /// When the last file was put in place, in nanoseconds since 1970.
    let moment: Int64
    /// The content of the record of URLs when the site has been published.
    let published: [UInt8]
  }

  func run(_ built: BuiltSite) throws(PipelineError) -> Placement {
    let record = BuiltPermalinks(of: context.site, context.options)
    record.noteMoves(to: built.permalinks, after: built.previous, built.recorded, context.progress)
    // An interrupted build leaves no drafts without a record.
    if hasDrafts { try recordDrafts() }
    // The system moves files on a single core.
    let (placed, urls) = ParallelWork.both(
      jobs: context.jobs,
      {
        Result { () throws(PipelineError) in
          let removed = try withOutput { () throws(SiteOutputError) in
            try context.staged.putInPlace(context.last?.build?.site.contents)
          }
          return (removed: removed, moment: FileSignature.now)
        }
      },
      {
        (
          built: record.bytes(of: built.permalinks, after: built.recorded),
          published: built.recorded.adding(built.permalinks).bytes
        )
      })
    let (removed, moment) = try placed.get()
    if !hasDrafts { try recordDrafts() }
    record.save(urls.built, context.progress)
    return Placement(removed: removed, moment: moment, published: urls.published)
  }

  /// Records whether the site has drafts.
  private func recordDrafts() throws(PipelineError) {
    try withFiles(about: .io) { () throws(FileError) in
      try BuiltDrafts(of: context.site).record(context.site.output, hasDrafts: hasDrafts)
    }
  }
}
