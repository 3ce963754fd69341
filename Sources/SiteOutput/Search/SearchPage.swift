package import Basics
import Templates
import ThreadModel

/// The page that readers search on: one of the two with a script, beside the home page. What it reads lies beside it (docs/search.md).
package enum SearchPage {
  /// Also the folder of the index.
  package static let path: SitePath = "search/"

  /// The theme's layout for it; a theme without has no search.
  static let layout = "search"

  /// The theme's script, in its `static` folder.
  static let script = "search.js"
}

extension Theme {
  /// Where the site has the script of the search; `nil` for a theme that has none, or no page for it.
  package var searchScript: SitePath? {
    guard layouts.contains(SearchPage.layout) else { return nil }
    return assets.first { $0.name == SearchPage.script }?.path
  }

  /// Whether a site in this theme has a search.
  func hasSearch(on site: SiteFacts) -> Bool { site.wantsSearch && searchScript != nil }
}

extension PageRenderer {
  /// Whether the site has a search.
  package var hasSearch: Bool { theme.hasSearch(on: site) }

  /// A message that counts, for the script to choose the form of it that goes with a number.
  private func forms(_ key: StringKey) -> [TemplateValue] {
    site.localization.forms(key).map { ["form": .text($0.form.rawValue), "text": .text($0.text)] }
  }

  /// The search page; nothing for a site without one.
  package func renderSearch(into buffer: inout UTF8Buffer) throws(SiteOutputError) {
    guard hasSearch, let script = theme.searchScript else { return }
    let links = LinkRoot(from: SearchPage.path)
    var head = PageHead(path: SearchPage.path, title: site.localization.text(.search))
    head.section = .search
    // A page without words of its own is nothing to find.
    head.isHidden = true
    head.scripts = .searching
    var values = commonValues(head, links: links)
    values["search"] = [
      "script": .text(links.href(script)), "found": .list(forms(.searchFound)),
      "partly": .list(forms(.searchPartly)),
      // For the script to fill in.
      "corrected": .text(
        site.localization.text(.searchCorrected, ["typed": "{typed}", "found": "{found}"])),
    ]
    try render(SearchPage.layout, values, into: &buffer)
  }
}
