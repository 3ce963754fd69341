import Templates
package import UTF8Text
import Wording

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
    case .threads, .collections, .authors, .tags, .archive, .search: section(of: entry).map(isThere) ?? true
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
      let label = entry.label ?? target.map { site.wording.text($0.name) } ?? ""
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
  fileprivate var name: Phrase {
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
