import SiteConfig
import Templates
import ThreadModel
import UTF8Text

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
  func isThere(_ section: Section) -> Bool {
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
    for section in Section.allCases where isThere(section) {
      values[section.rawValue] = ["url": .text(links.href(section.path)), "current": current(section, head)]
    }
    return values
  }
}
