import SearchIndex
import SiteOutput

/// The results of writing all files of a site that no file written later may replace.
struct SiteContent: Sendable {
  /// The cache entry of each thread's page, by its path. Pages that a file of the owner replaces are omitted.
  let pages: [SitePath: PreviousBuild.Page]
  /// The digests of the inputs of lists, feeds and books, by their files.
  let lists: [String: UInt64]
  /// The facts about the search index; `nil` for a site without a search.
  let search: SearchIndexState?
  /// The links of the owner's pages to other parts of the site.
  let targets: [OwnPages.Target]
}
