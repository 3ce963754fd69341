package import Basics
import SiteConfig
package import Templates
import ThreadModel

/// Renders threads and index pages as HTML with a theme's layouts.
///
/// The renderer is created once and used by all workers. Rendering changes only the buffer that it receives.
package struct PageRenderer: Sendable {
  let site: SiteFacts
  let theme: Theme

  /// Whether the theme shows the previous and the next thread of the same author.
  let showsAuthorNeighbours: Bool

  /// The values that all pages of one depth share, by depth. They are computed once, because thousands of pages use them.
  private let shared: [TemplateObject]

  /// The policies of pages without media from other servers, by their scripts.
  private let policies: [ContentSecurityPolicy.Scripts: String]

  package init(site: SiteFacts, theme: Theme) {
    self.site = site
    self.theme = theme
    let kinds = ContentSecurityPolicy.Scripts.allCases
    policies = Dictionary(
      uniqueKeysWithValues: kinds.map { ($0, Self.policy(scripts: $0, on: site, of: theme)) })
    showsAuthorNeighbours = ["author_newer", "author_older"].contains { theme.layouts.mentions($0) }
    shared = (0..<Self.usualDepths).map { depth in
      SharedValues(site: site, theme: theme).make(for: LinkRoot(depth: depth))
    }
  }

  /// Only pages whose permalinks were edited by hand are deeper than this.
  private static let usualDepths = 6

  /// Returns the values that depend on the page only through the relative path from it to the site's top folder.
  func sharedValues(for links: LinkRoot) -> TemplateObject {
    if let depth = links.depth, depth < shared.count { return shared[depth] }
    return SharedValues(site: site, theme: theme).make(for: links)
  }

  /// Returns the name of the layout of an index page.
  package func layout(of page: IndexPage) -> String { page.layout }

  /// Renders one index page.
  ///
  /// - Parameter own: the result of `ownValues` for the page; `nil` to compute it.
  package func render(
    _ page: IndexPage, _ own: TemplateObject? = nil, of index: SiteIndex, into buffer: inout UTF8Buffer
  ) throws(SiteOutputError) {
    let own = own ?? ownValues(of: page, in: index)
    try render(page.layout, values(of: page, own, in: index), into: &buffer)
  }

  /// - Returns: the byte ranges of traced markup in the buffer.
  @discardableResult
  func render(
    _ layout: String, _ values: TemplateObject, into buffer: inout UTF8Buffer
  ) throws(SiteOutputError) -> [TracedMarkup] {
    do {
      return try theme.layouts.render(layout, values, into: &buffer)
    } catch {
      throw .template(error.description)
    }
  }
}

extension IndexPage {
  /// The name of the theme's layout for the page.
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

/// The data of a page that its head, header and footer need.
struct PageHead {
  var path: SitePath
  var title: String
  var summary: String?
  var isFirst = true
  /// Whether search engines are asked to leave out the page.
  var isHidden = false
  var author: String?
  var published: Timestamp?
  var updated: Timestamp?
  /// The page's preview picture; the site's picture is used if it is `nil`.
  var image: PreviewImage?
  var mediaHosts: [String] = []
  /// The part of the navigation to which the page belongs.
  var section: Section?
  var isArticle = false
  /// The AT URI of the record that describes the page.
  var document: String?
  var scripts = ContentSecurityPolicy.Scripts.none
  /// The language of the page's content as a BCP 47 tag; `nil` if it is the language of the interface.
  var language: String?
}

/// The parts of a site to which its navigation leads.
enum Section: String, CaseIterable {
  case threads, collections, authors, tags, archive, search

  var path: SitePath { self == .threads ? .top : SitePath("\(rawValue)/") }
}

extension PageRenderer {
  /// Returns the values that every layout receives.
  func commonValues(_ head: PageHead, links: LinkRoot) -> TemplateObject {
    var values = sharedValues(for: links)
    values.add(headValues(head, links: links))
    return values
  }

  /// Returns only the common values that are specific to the page.
  func headValues(_ head: PageHead, links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["page"] = .object(pageValues(head))
    values["nav"] = .object(navigationValues(head, links))
    let menu = menuValues(head, links)
    values["menu"] = .list(menu)
    values["has_menu"] = .bool(!menu.isEmpty)
    values["csp"] = .text(policy(of: head))
    return values
  }

  private func policy(of head: PageHead) -> String {
    if head.mediaHosts.isEmpty, let known = policies[head.scripts] { return known }
    return Self.policy(scripts: head.scripts, mediaHosts: head.mediaHosts, on: site, of: theme)
  }

  /// - Parameter scripts: the scripts of the page beside those of the theme's head.
  private static func policy(
    scripts: ContentSecurityPolicy.Scripts, mediaHosts: [String] = [], on site: SiteFacts, of theme: Theme
  ) -> String {
    let inline = theme.inlineScript(on: site)
    let hasLook = inline != nil && theme.assets.contains { $0.name == "look.js" }
    return ContentSecurityPolicy.text(
      mediaHosts: mediaHosts, scripts: scripts == .none && hasLook ? .changing : scripts, inline: inline,
      additions: theme.policyAdditions(on: site))
  }

  private func pageValues(_ head: PageHead) -> TemplateObject {
    var values = TemplateObject()
    values["title"] = .text(head.title)
    values["description"] = head.summary.map { .text($0) } ?? .missing
    let isHidden = head.isHidden || site.config.noindex
    values["canonical"] = isHidden ? .missing : site.url(of: head.path).map { .text($0) } ?? .missing
    values["first"] = .bool(head.isFirst)
    values["noindex"] = .bool(isHidden)
    values["author"] = head.author.map { .text($0) } ?? .missing
    values["og_type"] = head.isArticle ? "article" : "website"
    values["published"] = head.published.map { .text($0.iso8601) } ?? .missing
    values["updated"] = head.updated.map { .text($0.iso8601) } ?? .missing
    values["language"] = head.language.map { .text($0) } ?? .missing
    values["direction"] = head.language.map { .text(TextDirection.of($0)) } ?? .missing
    values["document"] = head.document.map { .text($0) } ?? .missing
    values["publication"] =
      head.path == .top ? site.standardSite.map { .text($0.publication) } ?? .missing : .missing
    values["image"] = [head.image, site.image].lazy.compactMap(imageValues).first ?? .missing
    return values
  }

  /// Returns a picture's values for previews; `nil` without a picture or without an absolute URL for it.
  private func imageValues(_ image: PreviewImage?) -> TemplateValue? {
    guard let image, let url = absoluteURL(of: image.source) else { return nil }
    var values: TemplateObject = ["url": .text(url), "large": .bool(image.isLarge)]
    values["width"] = image.size.map { .integer($0.width) } ?? .missing
    values["height"] = image.size.map { .integer($0.height) } ?? .missing
    values["alt"] = image.altText.map { .text($0) } ?? .missing
    return .object(values)
  }

  /// Returns the link to the book of a page's threads; missing if the site has no books of this kind.
  func bookValue(_ kind: SiteConfig.Books, of page: SitePath, _ links: LinkRoot) -> TemplateValue {
    site.config.books.contains(kind) ? ["url": .text(links.href(page.book))] : .missing
  }

  /// Returns the absolute URL for previews; `nil` for a stored picture on a site without a base URL, and for an unsafe URL.
  func absoluteURL(of image: SummaryImage) -> String? {
    switch image {
    case .remote(let url): WebAddress.safe(url)
    case .stored(let path): site.url(of: path)
    }
  }

  /// Whether the site has a part.
  func exists(_ section: Section) -> Bool {
    switch section {
    case .search: hasSearch
    case .collections: !site.config.collections.isEmpty
    case .threads, .authors, .tags, .archive: true
    }
  }

  /// Returns the value of `aria-current`: `page` for the page itself, `true` for the part that contains the page, otherwise missing.
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
