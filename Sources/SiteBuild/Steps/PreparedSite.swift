import SiteOutput
import SiteWorkspace

/// A site whose threads are rendered and indexed, and whose paths are free of conflicts. Only its Markdown and the files of `static/` are
/// written.
struct PreparedSite: Sendable {
  let context: BuildContext
  let inputs: LoadedSite
  /// The paths of the files of `static/`.
  let ownFiles: [SitePath]
  let rendering: ThreadRendering
  let threads: WrittenThreads
  /// Errors in data other than threads, which the build leaves out.
  let leftOut: [PipelineError]
  /// The media of all pages.
  let media: PageMedia
  let permalinks: Permalinks
  let indexed: IndexedSite
  let ownPages: OwnPageStep
  let threadPages: PageStep
}

/// A site that is complete in the staging folder.
struct BuiltSite: Sendable {
  let context: BuildContext
  let summary: BuildSummary
  /// The state of the threads for the next build.
  let threads: BuildCache.Threads
  let records: ThreadRecords
  /// The URLs of the site's threads, and the former URLs of those that this build moves.
  let permalinks: Permalinks
  /// The record of published URLs before this site is published.
  let recorded: Permalinks
}
