import Basics
import SiteOutput

/// What all steps of a build share, and how they reach the folder in which the new site is put together.
struct BuildContext: Sendable {
  let site: SiteFolder
  let options: SiteBuild.Options
  let progress: ProgressHandler
  /// What the last build left; `nil` for a build without the cache.
  let last: LastBuild?
  /// What pages are made with, beside threads.
  let environment: BuildEnvironment
  let staged: StagedSite

  /// Threads of execution.
  var jobs: Int { options.jobs }

  /// A place for what waits for other threads, or for the next build.
  func spool(_ name: String) throws(PipelineError) -> SpoolFile {
    do {
      return try staged.spool(name)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Leaves a file of the site as it is.
  ///
  /// - Parameter signature: of the file, as it was looked at.
  func keep(_ path: SitePath, _ signature: FileSignature) throws(PipelineError) {
    do {
      try staged.keep(path, signature)
    } catch .writtenTwice {
      // Another thread has this page: ``SiteValidator`` finds both by their summaries, whichever came first.
    } catch {
      throw PipelineError(error)
    }
  }

  /// Writes files of the site.
  func write(_ files: [(path: SitePath, content: UTF8Buffer)]) throws(PipelineError) {
    do throws(SiteOutputError) {
      for file in files { try staged.write(file.content.bytes, to: file.path) }
    } catch {
      throw PipelineError(error)
    }
  }
}
