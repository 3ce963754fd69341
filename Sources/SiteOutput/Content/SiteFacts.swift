import Basics
package import SiteConfig
package import ThreadModel

/// What every page knows of the site that it is part of.
package struct SiteFacts: Sendable {
  package var title: String
  package var summary: String?
  /// The interface's own words.
  package var localization: Localization
  /// Absolute, ending in a slash; `nil` where the owner has not said, and then nothing that needs it is written.
  package var baseURL: String?
  package var calendar: SiteCalendar
  /// Threads on one page of an index.
  package var threadsPerPage: Int
  /// Whether feeds are wanted; without a base URL there are none.
  package var wantsFeeds = true
  /// Who is told of new entries (WebSub); `nil` for nobody.
  package var feedHub: String?
  /// Whether readers can search; the theme has to have the page for it, too.
  package var wantsSearch = true
  /// Whether there are pages of statistics; the theme has to have the layout for them, too.
  package var wantsStatistics = true
  /// Whether readers can choose how pages look and copy addresses; the theme has to have the script for it, too.
  package var wantsReadingControls = true
  /// Which pages offer their threads as a book.
  package var books: Set<SiteConfig.Books> = []
  /// Whether search engines are asked to leave all of it out.
  package var isHiddenFromSearch = false
  /// What crawlers are asked to do.
  package var robots = SiteConfig.Robots.defaults
  /// Whether there are collections for the navigation to lead to.
  package var hasCollections = false
  /// What the navigation leads to; what the site does not have is left out of it.
  package var menu = MenuEntry.parts
  /// Whose site it is, for feeds.
  package var owner: Owner?
  /// What pages without a picture of their own are shown with elsewhere.
  package var image: PreviewImage?
  /// The theme's options, as the site has them.
  package var themeOptions = ThemeOptionValues()

  package struct Owner: Sendable {
    package var name: String
    package var url: String?
    /// Their pages elsewhere, which lead here in turn.
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

  /// BCP 47: the language of the interface.
  var language: String { localization.language }

  var hasFeeds: Bool { wantsFeeds && baseURL != nil }

  /// The full address of a page; `nil` without a base URL.
  package func url(of path: SitePath) -> String? { baseURL.map { $0 + path.urlText } }

  /// The path part of the base URL, `/` where there is none: where a server's own root finds the site.
  package var basePath: String { baseURL.map(Self.path(of:)) ?? "/" }

  /// The path part of a site's address.
  package static func path(of baseURL: String) -> String {
    let parts = baseURL.split(atBytes: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count == 4 ? "/" + parts[3] : "/"
  }
}

/// Which way a language is written.
package enum TextDirection {
  /// `rtl` for the languages whose usual script runs right to left, else `ltr`; by the primary subtag of BCP 47.
  package static func of(_ language: String) -> String {
    let primary = language.prefix { $0 != "-" }.lowercased()
    return rightToLeft.contains(primary) ? "rtl" : "ltr"
  }

  private static let rightToLeft: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
  ]
}
