import Basics
import Foundation
package import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// Finds a page of a site, and returns the values that its layout receives, for authors of themes.
struct PageInspection {
  let files: [StoredFile]
  let index: SiteIndex
  let threads: WrittenThreads
  let pages: [IndexPage]
  let threadPages: PageStep
  let ownPages: OwnPageStep

  private var renderer: PageRenderer { threadPages.renderer }

  /// - Throws: a content error if the site has no such page.
  func values(of page: InspectedPage) throws(PipelineError) -> (path: SitePath, values: PageValues) {
    if let position = index.threads.indices.first(where: { isThread(at: $0, page) }),
      let source = threads.sources[index.threads[position].path]
    {
      let shown = try threadPages.page(of: source, at: position, in: index)
      return (shown.summary.path, renderer.pageValues(of: shown, at: position, in: index))
    }
    if let list = pages.first(where: { isMeant($0.path, layout: renderer.layout(of: $0), by: page) }) {
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
      return threads.sources[path].map { files[$0.position].stem == stem } ?? false
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

  private func quoted(_ name: String) -> String { "\"\(name)\"" }
}

/// A page that a user names.
package enum InspectedPage: Sendable {
  /// With the name as the user wrote it.
  case path(SitePath, String)
  /// The first page with this layout.
  case layout(String)
  /// A file of the owner below `pages/`.
  case ownFile(String)
  /// The page of a thread by the stem of its file, with the name as the user wrote it.
  case thread(stem: String, String)

  fileprivate var name: String {
    switch self {
    case .path(_, let name), .layout(let name), .ownFile(let name), .thread(_, let name): name
    }
  }

  /// Reads the name of a page: the name of a layout, a file below the folder for own pages, a path or a URL of the site, or a file of the
  /// built site.
  ///
  /// - Parameter tops: the prefixes of URLs and files of the site, such as `site/`.
  /// - Returns: `nil` if the name is that of a thread.
  package init?(_ name: String, tops: [String]) {
    if LayoutValues.all[name] != nil {
      self = .layout(name)
      return
    }
    if let file = name.without(bytePrefix: "pages/") {
      self = .ownFile(String(file))
      return
    }
    var path = name[...]
    if let top = tops.first(where: { name.hasBytePrefix($0) }) {
      path = Substring(name.utf8.dropFirst(top.utf8.count))
    } else if path.firstRange(of: "://") != nil || path.hasByteSuffix(".json")
      || !path.contains("/") && path != "404.html"
    {
      return nil
    }
    while path.utf8.first == UInt8(ascii: "/") { path = path.dropFirst() }
    path = path.without(byteSuffix: "index.html") ?? path.without(byteSuffix: "index.md") ?? path
    let text = path.removingPercentEncoding ?? String(path)
    let isWhole = text.isEmpty || text.utf8.last == UInt8(ascii: "/") || text.hasByteSuffix(".html")
    self = .path(SitePath(isWhole ? text : text + "/"), name)
  }
}
