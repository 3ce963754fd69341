import SiteOutput
import SiteWorkspace

/// The index of a site's threads, with its pages and the renderer of all pages.
struct IndexedSite: Sendable {
  let index: SiteIndex
  /// The lists of threads.
  let pages: [IndexPage]
  let facts: SiteFacts
  let renderer: PageRenderer
  let digests: PageDigests

  /// - Parameters:
  ///   - settings: the facts about the site that do not depend on its threads.
  ///   - jobs: the number of system threads.
  init(_ index: SiteIndex, settings: SiteFacts, theme: Theme, definesMenu: Bool, jobs: Int) {
    self.index = index
    facts = settings.adapted(to: index, definesMenu: definesMenu)
    renderer = PageRenderer(site: facts, theme: theme)
    pages = index.pages(threadsPerPage: facts.threadsPerPage, withStatistics: renderer.hasStatistics)
    digests = PageDigests(of: index, by: renderer, jobs: jobs)
  }
}
