import Basics
import SiteOutput
import SiteWorkspace

/// The staging folder of a site, to which a build writes files before they are moved into the site.
struct StagingFolder {
  private let output: String
  private let replacesForeignOutput: Bool

  init(of site: SiteFolder, _ options: SiteBuild.Options) {
    output = site.output
    replacesForeignOutput = options.replacesForeignOutput
  }

  /// Creates the staging folder, and removes it when the work has ended or failed.
  func use<Value>(
    _ work: (StagedSite) throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    let staged = try withOutput { () throws(SiteOutputError) in
      try StagedSite(output: output, force: replacesForeignOutput)
    }
    let value: Value
    do throws(PipelineError) {
      value = try work(staged)
    } catch {
      do {
        try staged.discard()
      } catch let second {
        throw PipelineError(error.kind, error.messages + [second.description])
      }
      throw error
    }
    try withOutput { () throws(SiteOutputError) in try staged.discard() }
    return value
  }
}
