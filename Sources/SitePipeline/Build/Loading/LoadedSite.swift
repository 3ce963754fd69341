import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// What a build is made from beside the configuration; the conversations themselves are read one by one.
struct LoadedSite: Sendable {
  let localization: Localization
  let components: ThreadComponents
  let theme: Theme
  let themeOptions: ThemeOptionValues
  /// The owner's own.
  let pages: OwnPages
  /// What pages without a picture are shown with elsewhere.
  let image: PreviewImage?
  /// What the navigation leads to.
  let menu: [MenuEntry]
  let permalinks: Permalinks
  /// Of the store's listing, those that are not left out.
  var files: [StoredFile]
  /// Who wrote them, as each says it.
  var writers: ThreadAuthors
  /// Who these are.
  var authors: AuthorDirectory
  /// What the build goes on without.
  var leftOut: [WrittenThreads.Failure] = []

  /// What its pages, lists and feeds say of the site.
  func facts(of site: SiteFolder) -> SiteFacts {
    let config = site.config
    var facts = SiteFacts(
      title: config.title, summary: config.description, localization: localization,
      baseURL: config.baseURL?.description, calendar: calendar(of: site),
      threadsPerPage: config.pagination.perPage)
    facts.wantsFeeds = config.feed.entries > 0
    facts.feedHub = config.feed.hub?.description
    facts.wantsSearch = config.search
    facts.wantsStatistics = config.statistics
    facts.wantsReadingControls = config.readingControls
    facts.books = Set(config.books)
    facts.isHiddenFromSearch = config.noindex
    facts.robots = config.robots
    facts.hasCollections = !config.collections.isEmpty
    facts.themeOptions = themeOptions
    facts.menu = menu
    facts.image = image
    facts.owner = config.author.map {
      SiteFacts.Owner(
        name: $0.name, url: $0.url?.description, profiles: $0.profiles.map(\.description))
    }
    return facts
  }

  /// Days as the site counts them, in its language.
  func calendar(of site: SiteFolder) -> SiteCalendar { site.calendar.written(in: localization.dates) }
}
