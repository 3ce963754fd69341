import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadStore

/// Finds a page of a site, and returns the values that its layout receives, for authors of themes.
struct PageInspection {
  let files: [StoredFile]
  let sources: PageSources
  let indexed: IndexedSite
  let threadPages: PageStep
  let ownPages: OwnPageStep

  private var index: SiteIndex { indexed.index }
  private var renderer: PageRenderer { indexed.renderer }

  /// - Throws: a content error if the site has no such page.
  func values(of page: InspectedPage) throws(PipelineError) -> (path: SitePath, values: PageValues) {
    if let position = index.threads.indices.first(where: { isThread(at: $0, page) }),
      let source = sources[index.threads[position].path]
    {
      let shown = try threadPages.page(of: source, at: position, in: index)
      return (
        shown.summary.path,
        renderer.pageValues(
          of: shown, at: position, in: index, replies: threadPages.mentions.replies(to: shown.summary.path))
      )
    }
    if let list = indexed.pages.first(where: { isMeant($0.path, layout: renderer.layout(of: $0), by: page) })
    {
      return (list.path, renderer.pageValues(of: list, in: index))
    }
    for own in ownPages.own.pages where isMeant(own.path, layout: OwnPage.layout, file: own.file, by: page) {
      return (own.path, renderer.pageValues(of: try ownPages.make(own).page))
    }
    if isMeant(SearchPage.path, layout: "search", by: page), let values = renderer.searchPageValues(of: index)
    {
      return (SearchPage.path, values)
    }
    throw PipelineError(
      .content,
      [
        "error: the site has no page \(quoted(page.name)); use a path such as /archive/, a layout such as home, a file of pages/ or a thread"
      ])
  }

  private func isThread(at position: Int, _ page: InspectedPage) -> Bool {
    let path = index.threads[position].path
    if case .thread(let stem, _) = page {
      return sources[path].map { files[$0.position].stem == stem } ?? false
    }
    return isMeant(path, layout: "thread", by: page)
  }

  private func isMeant(
    _ path: SitePath, layout: String, file: String? = nil, by page: InspectedPage
  ) -> Bool {
    switch page {
    case .path(let wanted, _): path == wanted
    case .layout(let wanted): layout == wanted
    case .ownFile(let wanted): file == wanted
    case .thread: false
    }
  }
}
