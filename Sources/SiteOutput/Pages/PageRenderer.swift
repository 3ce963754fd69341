package import Templates
package import UTF8Text

/// Turns threads and index pages into HTML by a theme's layouts.
///
/// A value made once and used from all workers: rendering reads it and writes nothing but the buffer it is given.
package struct PageRenderer: Sendable {
  let site: SiteFacts
  let theme: Theme

  /// Whether the theme shows a thread's neighbours among those of its author.
  let showsAuthorNeighbours: Bool

  /// What pages of one depth have in common, by depth: made once, as it is the same for thousands of pages.
  private let shared: [TemplateObject]

  package init(site: SiteFacts, theme: Theme) {
    self.site = site
    self.theme = theme
    showsAuthorNeighbours = ["author_newer", "author_older"].contains { theme.layouts.mentions($0) }
    shared = (0..<Self.usualDepths).map { depth in
      SharedValues(site: site, theme: theme).make(for: LinkRoot(depth: depth))
    }
  }

  /// Pages deeper than this are those whose permalinks were edited by hand.
  private static let usualDepths = 6

  /// The values that do not depend on the page, but for the way from it to the site's top.
  func sharedValues(for links: LinkRoot) -> TemplateObject {
    if let depth = links.depth, depth < shared.count { return shared[depth] }
    return SharedValues(site: site, theme: theme).make(for: links)
  }

  /// The page of one thread.
  package func render(_ page: ThreadPage, into buffer: inout UTF8Buffer) throws(SiteOutputError) {
    try render("thread", values(of: page), into: &buffer)
  }

  /// One page of an index.
  ///
  /// - Parameter own: what `ownValues` gives for it, where somebody has it already.
  package func render(
    _ page: IndexPage, _ own: TemplateObject? = nil, of index: SiteIndex, into buffer: inout UTF8Buffer
  ) throws(SiteOutputError) {
    let own = own ?? ownValues(of: page, in: index)
    try render(page.layout, values(of: page, own, in: index), into: &buffer)
  }

  func render(_ layout: String, _ values: TemplateObject, into buffer: inout UTF8Buffer)
    throws(SiteOutputError)
  {
    do {
      try theme.layouts.render(layout, values, into: &buffer)
    } catch {
      throw .template(error.description)
    }
  }
}

extension IndexPage {
  /// The theme's layout for it.
  var layout: String {
    switch kind {
    case .home: "home"
    case .authors: "authors"
    case .tags: "tags"
    case .archive: "archive"
    case .author: "author"
    case .tag: "tag"
    case .year, .month: "period"
    case .collections: "collections"
    case .collection: "collection"
    case .statistics: PageRenderer.statisticsLayout
    case .notFound: "404"
    }
  }
}
