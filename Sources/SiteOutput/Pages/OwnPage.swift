package import Basics
import InterfaceText
import Templates
import ThreadModel

/// A page that the site's owner wrote.
package struct OwnPage: Sendable {
  package var path: SitePath
  package var title: String
  /// One paragraph of plain text, for previews.
  package var summary: String?
  /// A BCP 47 tag; `nil` for the site's language.
  package var language: String?
  /// The page's text as HTML.
  package var body: UTF8Buffer

  /// The hosts of external media in the text.
  package var mediaHosts: [String]

  package init(
    path: SitePath, title: String, summary: String?, language: String?, body: UTF8Buffer,
    mediaHosts: [String] = []
  ) {
    self.mediaHosts = mediaHosts
    self.path = path
    self.title = title
    self.summary = summary
    self.language = language
    self.body = body
  }

  /// The name of the theme's layout for such pages. A theme without this layout cannot show them.
  package static let layout = "page"
}

/// One entry of the navigation.
package struct MenuEntry: Sendable, Equatable {
  package enum Target: Sendable, Equatable {
    /// A part of the site.
    case threads, collections, authors, tags, archive, search
    case feed
    case page(SitePath)
    /// A URL on another site.
    case url(String)
  }

  package var target: Target
  /// `nil` for the part's default name.
  package var label: String?

  package init(_ target: Target, label: String? = nil) {
    self.target = target
    self.label = label
  }

  /// The parts of a site, in the default order of its navigation.
  package static let parts: [MenuEntry] = [
    MenuEntry(.threads), MenuEntry(.collections), MenuEntry(.authors), MenuEntry(.tags), MenuEntry(.archive),
    MenuEntry(.search),
  ]
}

extension PageRenderer {
  /// Whether the theme has a layout for pages that the owner wrote.
  package var hasOwnPages: Bool { theme.layouts.contains(OwnPage.layout) }

  /// Renders a page that the owner wrote.
  package func render(_ page: OwnPage, into buffer: inout UTF8Buffer) throws(SiteOutputError) {
    try render(OwnPage.layout, values(of: page), into: &buffer)
  }

  /// Returns the values that the layout of the owner's pages receives.
  func values(of page: OwnPage) -> TemplateObject {
    var head = PageHead(path: page.path, title: page.title, summary: page.summary)
    head.language = page.language
    head.mediaHosts = page.mediaHosts
    var values = commonValues(head, links: LinkRoot(from: page.path))
    values["body"] = .markup(page.body)
    return values
  }

  /// Whether the site has the target of a navigation entry.
  package func leadsSomewhere(_ entry: MenuEntry) -> Bool {
    switch entry.target {
    case .feed: site.hasFeeds
    case .page, .url: true
    case .threads, .collections, .authors, .tags, .archive, .search: section(of: entry).map(exists) ?? true
    }
  }

  /// Returns the part of the site to which an entry links; `nil` for feeds, pages and other URLs.
  private func section(of entry: MenuEntry) -> Section? {
    switch entry.target {
    case .threads: .threads
    case .collections: .collections
    case .authors: .authors
    case .tags: .tags
    case .archive: .archive
    case .search: .search
    case .feed, .page, .url: nil
    }
  }

  /// Returns the values of the navigation entries whose targets exist.
  func menuValues(_ head: PageHead, _ links: LinkRoot) -> [TemplateValue] {
    site.menu.filter(leadsSomewhere).map { entry in
      let target = section(of: entry)
      let label = entry.label ?? target.map { site.localization.text($0.name) } ?? ""
      switch entry.target {
      case .url(let url):
        return ["label": .text(label), "url": .text(url), "current": .missing, "rel": .missing]
      case .page(let path):
        return [
          "label": .text(label), "url": .text(links.href(path)),
          "current": head.path == path ? "page" : .missing, "rel": .missing,
        ]
      case .feed:
        return [
          "label": .text(entry.label ?? "Atom"), "url": .text(links.href(SiteFeeds.atomPath)),
          "current": .missing, "rel": .missing,
        ]
      case .threads, .collections, .authors, .tags, .archive, .search:
        let section = target ?? .threads
        return [
          "label": .text(label), "url": .text(links.href(section.path)),
          "current": current(section, head), "rel": section == .search ? "search" : .missing,
        ]
      }
    }
  }
}

extension Section {
  /// The key of the part's name in the interface's language.
  fileprivate var name: StringKey {
    switch self {
    case .threads: .threads
    case .collections: .collections
    case .authors: .authors
    case .tags: .tags
    case .archive: .archive
    case .search: .search
    }
  }
}
