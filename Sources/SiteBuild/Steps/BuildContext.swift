import Basics
import SiteOutput
import SiteWorkspace

/// The data that all steps of a build share, with access to the staging folder of the new site.
///
/// It is an immutable class because every step has it: the value has three kilobytes, and the stack of a system thread has 512 KB on some
/// systems.
final class BuildContext: Sendable {
  let site: SiteFolder
  let options: SiteBuild.Options
  let progress: ProgressHandler
  /// The state of the last build; `nil` for a build without the cache.
  let last: LastBuild?
  /// Digests of all inputs of threads' bodies and pages besides the threads.
  let environment: BuildEnvironment
  let staged: StagedSite

  init(
    site: SiteFolder, options: SiteBuild.Options, progress: @escaping ProgressHandler, last: LastBuild?,
    environment: BuildEnvironment, staged: StagedSite
  ) {
    self.site = site
    self.options = options
    self.progress = progress
    self.last = last
    self.environment = environment
    self.staged = staged
  }

  /// The number of system threads.
  var jobs: Int { options.jobs }

  /// Creates a temporary file for data that is needed once all threads are known, or by the next build.
  func spool(_ name: String) throws(PipelineError) -> SpoolFile {
    do {
      return try staged.spool(name)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Keeps a file of the existing site unchanged.
  ///
  /// - Parameter signature: the signature of the file when it was checked.
  func keep(_ path: SitePath, _ signature: FileSignature) throws(PipelineError) {
    do {
      try staged.keep(path, signature)
    } catch .writtenTwice {
      // Two threads have the same page. ``SiteValidator`` reports both from their summaries, whichever came first.
    } catch {
      throw PipelineError(error)
    }
  }

  /// Writes files to the staging folder.
  func write(_ files: [(path: SitePath, content: UTF8Buffer)]) throws(PipelineError) {
    do throws(SiteOutputError) {
      for file in files { try staged.write(file.content.bytes, to: file.path) }
    } catch {
      throw PipelineError(error)
    }
  }
}
