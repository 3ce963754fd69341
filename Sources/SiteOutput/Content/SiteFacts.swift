import Basics
package import InterfaceText
package import SiteConfig
package import ThreadModel

/// The facts about a site that all its pages need.
package struct SiteFacts: Sendable {
  package var title: String
  package var summary: String?
  /// The texts and formats of the interface.
  package var localization: Localization
  /// An absolute URL that ends in a slash; `nil` if the owner has not set one. Files that need absolute URLs are then not written.
  package var baseURL: String?
  package var calendar: SiteCalendar
  /// The number of threads on one page of an index.
  package var threadsPerPage: Int
  /// The settings of site.yml.
  package var config = SiteConfig.defaults
  /// The records that describe the site in a repository of the AT Protocol; `nil` for none.
  package var standardSite: StandardSite?
  /// Whether lists and search results name the authors of threads.
  package var hasSeveralAuthors = true
  /// The entries of the navigation. Entries without a target on the site are left out.
  package var menu = MenuEntry.parts
  /// The owner of the site, named in feeds.
  package var owner: Owner?
  /// The preview picture of pages without a picture of their own.
  package var image: PreviewImage?
  /// The networks, by name, on which readers can share a page.
  package var networks: [(name: String, links: any NetworkLinks)] = []
  /// The values of the theme's options on this site.
  package var themeOptions = ThemeOptionValues()

  package struct Owner: Sendable {
    package var name: String
    package var url: String?
    /// The owner's profiles on other sites, which link to this site in turn (`rel="me"`).
    package var profiles: [String]

    package init(name: String, url: String?, profiles: [String] = []) {
      self.name = name
      self.url = url
      self.profiles = profiles
    }
  }

  package init(
    title: String, summary: String?, localization: Localization, baseURL: String?, calendar: SiteCalendar,
    threadsPerPage: Int
  ) {
    self.title = title
    self.summary = summary
    self.localization = localization
    self.baseURL = baseURL
    self.calendar = calendar
    self.threadsPerPage = max(threadsPerPage, 1)
  }

  /// Returns the facts without the authors where they would be the same everywhere: a site with one author needs neither their name beside
  /// each thread nor a list of authors.
  ///
  /// - Parameter definesMenu: whether the owner has defined the navigation, which then stays unchanged.
  package func adapted(to index: SiteIndex, definesMenu: Bool) -> SiteFacts {
    var facts = self
    facts.hasSeveralAuthors = index.hasSeveralAuthors
    if !facts.hasSeveralAuthors, !definesMenu {
      facts.menu.removeAll { if case .authors = $0.target { true } else { false } }
    }
    return facts
  }

  /// The language of the interface as a BCP 47 tag.
  var language: String { localization.language }

  var hasFeeds: Bool { config.feed.entries > 0 && baseURL != nil }

  /// Returns the full URL of a page; `nil` without a base URL.
  package func url(of path: SitePath) -> String? { baseURL.map { $0 + path.urlText } }

  /// The path part of the base URL, as seen from the server's root; `/` without a base URL.
  package var basePath: String { baseURL.map(Self.path(of:)) ?? "/" }

  /// Returns the path part of a site's URL.
  package static func path(of baseURL: String) -> String {
    let parts = baseURL.split(atBytes: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/" + parts[3] : "/"
  }
}

/// The direction in which a language is written.
package enum TextDirection {
  /// Returns `rtl` for languages whose usual script is written from right to left, otherwise `ltr`, judging by the primary subtag of BCP
  /// 47.
  package static func of(_ language: String) -> String {
    let primary = language.prefix { $0 != "-" }.lowercased()
    return rightToLeft.contains(primary) ? "rtl" : "ltr"
  }

  private static let rightToLeft: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
  ]
}
