package import Basics
import Templates
import ThreadModel

/// A page of the owner's own, as its theme shows it.
package struct OwnPage: Sendable {
  package var path: SitePath
  package var title: String
  /// One paragraph, for previews.
  package var summary: String?
  /// BCP 47; `nil` for the site's.
  package var language: String?
  /// HTML.
  package var body: UTF8Buffer

  package init(path: SitePath, title: String, summary: String?, language: String?, body: UTF8Buffer) {
    self.path = path
    self.title = title
    self.summary = summary
    self.language = language
    self.body = body
  }

  /// The theme's layout for it; a theme without can show none.
  package static let layout = "page"
}

/// One entry of the navigation.
package struct MenuEntry: Sendable, Equatable {
  package enum Target: Sendable, Equatable {
    /// A part of the site.
    case threads, collections, authors, tags, archive, search
    case feed
    case page(SitePath)
    /// An address elsewhere.
    case url(String)
  }

  package var target: Target
  /// `nil` for the part's own name.
  package var label: String?

  package init(_ target: Target, label: String? = nil) {
    self.target = target
    self.label = label
  }

  /// The parts of a site, in the order in which its navigation has them if its owner says nothing.
  package static let parts: [MenuEntry] = [
    MenuEntry(.threads), MenuEntry(.collections), MenuEntry(.authors), MenuEntry(.tags), MenuEntry(.archive),
    MenuEntry(.search),
  ]
}

extension PageRenderer {
  /// Whether the theme can show pages of the owner's own.
  package var hasOwnPages: Bool { theme.layouts.contains(OwnPage.layout) }

  /// A page of the owner's own.
  package func render(_ page: OwnPage, into buffer: inout UTF8Buffer) throws(SiteOutputError) {
    var head = PageHead(path: page.path, title: page.title, summary: page.summary)
    head.language = page.language
    var values = commonValues(head, links: LinkRoot(from: page.path))
    values["body"] = .markup(page.body)
    try render(OwnPage.layout, values, into: &buffer)
  }

  /// Whether the site has what an entry of its navigation leads to.
  package func leadsSomewhere(_ entry: MenuEntry) -> Bool {
    switch entry.target {
    case .feed: site.hasFeeds
    case .page, .url: true
    case .threads, .collections, .authors, .tags, .archive, .search: section(of: entry).map(exists) ?? true
    }
  }

  /// The part of the site that an entry is for.
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

  /// The entries of the navigation that lead somewhere.
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
  /// What it is called.
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
