import Templates
package import UTF8Text

/// Turns threads and index pages into HTML by a theme's layouts.
///
/// A value made once and used from all workers: rendering reads it and writes nothing but the buffer it is given.
package struct PageRenderer: Sendable {
  let site: SiteFacts
  let theme: Theme

  package init(site: SiteFacts, theme: Theme) {
    self.site = site
    self.theme = theme
  }

  /// The page of one thread.
  package func render(_ page: ThreadPage, into buffer: inout UTF8Buffer) throws(SiteOutputError) {
    try render("thread", values(of: page), into: &buffer)
  }

  /// One page of an index.
  package func render(_ page: IndexPage, of index: SiteIndex, into buffer: inout UTF8Buffer)
    throws(SiteOutputError)
  {
    try render(page.layout, values(of: page, in: index), into: &buffer)
  }

  private func render(_ layout: String, _ values: TemplateObject, into buffer: inout UTF8Buffer)
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
    case .notFound: "404"
    }
  }
}
