package import Basics
import SiteConfig
package import Templates
import ThreadModel

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

/// What the head, the header and the footer of a page need to know of it.
struct PageHead {
  var path: SitePath
  var title: String
  var summary: String?
  var isFirst = true
  /// Whether search engines should leave it alone.
  var isHidden = false
  var author: String?
  var published: Timestamp?
  var updated: Timestamp?
  /// The page's own; where it has none the site's stands for it.
  var image: PreviewImage?
  var mediaHosts: [String] = []
  /// The part of the navigation that the page belongs to.
  var section: Section?
  var isArticle = false
  var scripts = ContentSecurityPolicy.Scripts.none
  /// BCP 47: of what is on the page, where that is not the interface's.
  var language: String?
}

/// The parts of a site that its navigation leads to.
enum Section: String, CaseIterable {
  case threads, collections, authors, tags, archive, search

  var path: SitePath { self == .threads ? .top : SitePath("\(rawValue)/") }
}

extension PageRenderer {
  /// The values that every layout sees.
  func commonValues(_ head: PageHead, links: LinkRoot) -> TemplateObject {
    var values = sharedValues(for: links)
    values.add(headValues(head, links: links))
    return values
  }

  /// Those of them that are the page's own.
  func headValues(_ head: PageHead, links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["page"] = .object(pageValues(head))
    values["nav"] = .object(navigationValues(head, links))
    let menu = menuValues(head, links)
    values["menu"] = .list(menu)
    values["has_menu"] = .bool(!menu.isEmpty)
    values["csp"] = .text(
      ContentSecurityPolicy.text(mediaHosts: head.mediaHosts, scripts: head.scripts, inline: inlineScript))
    return values
  }

  private func pageValues(_ head: PageHead) -> TemplateObject {
    var values = TemplateObject()
    values["title"] = .text(head.title)
    values["description"] = head.summary.map { .text($0) } ?? .missing
    let isHidden = head.isHidden || site.isHiddenFromSearch
    values["canonical"] = isHidden ? .missing : site.url(of: head.path).map { .text($0) } ?? .missing
    values["first"] = .bool(head.isFirst)
    values["noindex"] = .bool(isHidden)
    values["author"] = head.author.map { .text($0) } ?? .missing
    values["og_type"] = head.isArticle ? "article" : "website"
    values["published"] = head.published.map { .text($0.iso8601) } ?? .missing
    values["updated"] = head.updated.map { .text($0.iso8601) } ?? .missing
    values["language"] = head.language.map { .text($0) } ?? .missing
    values["direction"] = head.language.map { .text(TextDirection.of($0)) } ?? .missing
    values["image"] = [head.image, site.image].lazy.compactMap(imageValues).first ?? .missing
    return values
  }

  /// What previews know of a picture; `nil` where they cannot find it.
  private func imageValues(_ image: PreviewImage?) -> TemplateValue? {
    guard let image, let url = absoluteURL(of: image.source) else { return nil }
    var values: TemplateObject = ["url": .text(url), "large": .bool(image.isLarge)]
    values["width"] = image.size.map { .integer($0.width) } ?? .missing
    values["height"] = image.size.map { .integer($0.height) } ?? .missing
    values["alt"] = image.altText.map { .text($0) } ?? .missing
    return .object(values)
  }

  /// The book of a page's threads; missing where the site has none of the kind.
  func bookValue(_ kind: SiteConfig.Books, of page: SitePath, _ links: LinkRoot) -> TemplateValue {
    site.books.contains(kind) ? ["url": .text(links.href(page.book))] : .missing
  }

  /// A preview's picture is looked for from elsewhere: without a full address there is none.
  func absoluteURL(of image: SummaryImage) -> String? {
    switch image {
    case .remote(let url): WebAddress.safe(url)
    case .stored(let path): site.url(of: path)
    }
  }

  /// Whether the site has the part.
  func exists(_ section: Section) -> Bool {
    switch section {
    case .search: hasSearch
    case .collections: site.hasCollections
    case .threads, .authors, .tags, .archive: true
    }
  }

  /// What `aria-current` says: `page` for the page itself, `true` for the part that the page belongs to.
  func current(_ section: Section, _ head: PageHead) -> TemplateValue {
    section != head.section ? .missing : head.path == section.path ? "page" : "true"
  }

  private func navigationValues(_ head: PageHead, _ links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    for section in Section.allCases where exists(section) {
      values[section.rawValue] = ["url": .text(links.href(section.path)), "current": current(section, head)]
    }
    return values
  }
}
