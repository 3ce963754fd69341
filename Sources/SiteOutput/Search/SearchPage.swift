package import Basics
import InterfaceText
import SiteConfig
import Templates
import ThreadModel

/// The page on which readers search. Only this page and the home page have a script in a file. The files that it reads are beside it (docs/reference/search.md).
package enum SearchPage {
  /// The path of the page and the folder of the search index.
  package static let path: SitePath = "search/"

  /// The name of the theme's layout for the search page. A theme without this layout has no search.
  static let layout = "search"

  /// The name of the theme's script in its `static` folder.
  static let script = "search.js"
}

extension Theme {
  /// The published path of the search script; `nil` if the theme has no such script or no search page.
  package var searchScript: SitePath? {
    guard layouts.contains(SearchPage.layout) else { return nil }
    return assets.first { $0.name == SearchPage.script }?.path
  }

  /// Whether a site with this theme has a search.
  func hasSearch(on site: SiteFacts) -> Bool { site.config.search && searchScript != nil }
}

extension PageRenderer {
  /// Whether the site has a search.
  package var hasSearch: Bool { theme.hasSearch(on: site) }

  /// Returns the plural forms of a message, from which the script chooses the form for a number.
  private func forms(_ key: StringKey) -> [TemplateValue] {
    site.localization.forms(key).map { ["form": .text($0.form.rawValue), "text": .text($0.text)] }
  }

  /// The number of the newest threads on the search page, which shows them before the reader searches.
  private static let mostNewest = 5

  /// Renders the search page; writes nothing for a site without a search.
  package func renderSearch(of index: SiteIndex, into buffer: inout UTF8Buffer) throws(SiteOutputError) {
    guard let values = searchValues(of: index) else { return }
    try render(SearchPage.layout, values, into: &buffer)
  }

  /// Returns the values that the layout of the search page receives; `nil` for a site without a search.
  func searchValues(of index: SiteIndex) -> TemplateObject? {
    guard hasSearch, let script = theme.searchScript else { return nil }
    let links = LinkRoot(from: SearchPage.path)
    var head = PageHead(path: SearchPage.path, title: site.localization.text(.search))
    head.section = .search
    // Search engines have no use for a page without content.
    head.isHidden = true
    head.scripts = .searching
    var values = commonValues(head, links: links)
    values["search"] = [
      "shows_author": .bool(site.hasSeveralAuthors), "script": .text(links.href(script)),
      "found": .list(forms(.searchFound)),
      "partly": .list(forms(.searchPartly)),
      // The script replaces the placeholders.
      "corrected": .text(
        site.localization.text(.searchCorrected, ["typed": "{typed}", "found": "{found}"])),
    ]
    values["latest"] = .list(
      index.threads.indices.prefix(Self.mostNewest).map { latestValues($0, in: index, links) })
    values["index"] = .object(indexValues(of: index, links))
    return values
  }
}
