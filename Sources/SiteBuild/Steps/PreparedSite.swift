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

/// The results of writing all files of a site that no file written later may replace.
struct SiteContent: Sendable {
  /// The cache entry of each thread's page, by the position of the thread's file in the store's listing. Pages that a file of the owner replaces
  /// are omitted.
  let pages: [Int: PreviousBuild.Page]
  /// The digests of the inputs of lists, feeds and books, by their files.
  let lists: [String: UInt64]
  /// The facts about the search index; `nil` for a site without a search.
  let search: SearchState?
  /// The links of the owner's pages to other parts of the site.
  let targets: [OwnPages.Target]
}

/// A site that is complete in the staging folder.
struct BuiltSite: Sendable {
  let context: BuildContext
  let inputs: LoadedSite
  let summary: BuildSummary
  /// The state of the threads for the next build.
  let threads: BuildCache.Threads
  let records: ThreadRecords
  /// The URLs of the site's threads, and the former URLs of those that this build moves.
  let permalinks: Permalinks
  /// The URLs of the threads of the existing site; `nil` if they are unknown.
  let previous: Permalinks?
  /// The record of published URLs before this site is published.
  let recorded: Permalinks
}
