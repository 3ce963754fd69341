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
  var image: SummaryImage?
  var mediaHosts: [String] = []
  /// The part of the navigation that the page belongs to.
  var section: Section?
  var isArticle = false
}

/// The parts of a site that its navigation leads to.
enum Section: String, CaseIterable {
  case threads, authors, tags, archive

  var path: SitePath { self == .threads ? .top : SitePath("\(rawValue)/") }
}

extension PageRenderer {
  /// The values that every layout sees.
  func commonValues(_ head: PageHead, links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["site"] = .object(siteValues(links))
    values["page"] = .object(pageValues(head))
    values["nav"] = .object(navigationValues(head, links))
    values["theme"] = [
      "stylesheet": .text(links.href(theme.stylesheet)),
      "icon": theme.icon.map { .text(links.href($0)) } ?? .missing,
      "options": .object(optionValues),
    ]
    values["feeds"] = .list(feedValues(links))
    values["has_feeds"] = .bool(site.hasFeeds)
    values["csp"] = .text(ContentSecurityPolicy.text(mediaHosts: head.mediaHosts))
    values["generator"] = "threadsite"
    return values
  }

  private var optionValues: TemplateObject {
    var values = TemplateObject()
    for (name, value) in site.themeOptions {
      switch value {
      case .text(let text): values[name] = .text(text)
      case .flag(let flag): values[name] = .bool(flag)
      }
    }
    return values
  }

  private func siteValues(_ links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["title"] = .text(site.title)
    values["description"] = site.summary.map { .text($0) } ?? .missing
    values["language"] = .text(site.language)
    values["direction"] = .text(TextDirection.of(site.language))
    values["home_url"] = .text(links.href(.top))
    values["root"] = .text(links.prefix)
    return values
  }

  private func pageValues(_ head: PageHead) -> TemplateObject {
    var values = TemplateObject()
    values["title"] = .text(head.title)
    values["description"] = head.summary.map { .text($0) } ?? .missing
    values["canonical"] = head.isHidden ? .missing : site.url(of: head.path).map { .text($0) } ?? .missing
    values["first"] = .bool(head.isFirst)
    values["noindex"] = .bool(head.isHidden)
    values["author"] = head.author.map { .text($0) } ?? .missing
    values["og_type"] = head.isArticle ? "article" : "website"
    values["published"] = head.published.map { .text($0.iso8601) } ?? .missing
    values["updated"] = head.updated.map { .text($0.iso8601) } ?? .missing
    if let image = head.image, let url = absoluteURL(of: image) {
      values["image"] = ["url": .text(url)]
    }
    return values
  }

  /// A preview's picture is looked for from elsewhere: without a full address there is none.
  func absoluteURL(of image: SummaryImage) -> String? {
    switch image {
    case .remote(let url): WebAddress.safe(url)
    case .stored(let path): site.url(of: path)
    }
  }

  /// `current` is what `aria-current` says: `page` for the page itself, `true` for the part that the page belongs to.
  private func navigationValues(_ head: PageHead, _ links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    for section in Section.allCases {
      let current: TemplateValue =
        section != head.section ? .missing : head.path == section.path ? "page" : "true"
      values[section.rawValue] = ["url": .text(links.href(section.path)), "current": current]
    }
    return values
  }

  private func feedValues(_ links: LinkRoot) -> [TemplateValue] {
    guard site.hasFeeds else { return [] }
    return [
      [
        "type": "application/atom+xml", "title": .text(site.title), "name": "Atom",
        "url": .text(links.href(SiteFeeds.atomPath)),
      ],
      [
        "type": "application/feed+json", "title": .text(site.title), "name": "JSON Feed",
        "url": .text(links.href(SiteFeeds.jsonPath)),
      ],
    ]
  }
}
