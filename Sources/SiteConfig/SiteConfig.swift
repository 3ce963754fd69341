/// What a site.yml says: the site's name and place, how it looks, and which threads it consists of.
///
/// Every key is documented in docs/configuration.md; a test compares that page with ``knownKeys``.
package struct SiteConfig: Sendable, Equatable {
  /// One line.
  package var title = "Threads"
  /// One paragraph, for feeds and the pages' metadata.
  package var description: String?
  /// Where the site will be; `nil` where the file does not say.
  package var baseURL: SiteURL?
  /// Of the interface, as a BCP 47 tag; posts carry their own.
  package var language = "en"
  /// The name of a folder in `themes/`.
  package var theme = "paper"
  /// The colour of links; `nil` for the theme's own.
  package var accent: Accent?
  /// The name of an IANA time zone, in which dates are shown and posts fall into months.
  package var timezone = "UTC"
  /// Who the site belongs to.
  package var author: Author?
  /// What pages without a picture of their own are shown with elsewhere.
  package var image: Image?
  /// The folder of the conversations, relative to the site's folder or absolute.
  package var store = "threads"
  /// The folder that the site is written to, relative to the site's folder or absolute.
  package var output = "site"
  package var media = MediaMode.mirror
  package var fetch = Fetch.defaults
  package var x = X.defaults
  package var bluesky = Bluesky.defaults
  package var mastodon = Mastodon.defaults
  package var pagination = Pagination.defaults
  package var feed = Feed.defaults
  package var check = Check.defaults
  /// Where the site is published; `nil` where the file does not say.
  package var publish: Publish?
  /// Whether readers can search the threads.
  package var search = true
  /// Whether there are pages of statistics, where there is enough to count.
  package var statistics = true
  /// Whether readers can choose how pages look and copy a thread's address, for which pages have a script.
  package var readingControls = true
  /// Whether search engines are asked to leave all of the site out.
  package var noindex = false
  /// What crawlers are asked to do.
  package var robots = Robots.defaults
  /// Whether `status/<id>/` leads to the place of each post.
  package var statusPages = false
  /// Which pages offer their threads as a book.
  package var books: [Books] = []
  /// Whether counters such as "3/7" are taken off the posts of a numbered thread.
  package var stripCounters = false
  /// Where threads are fetched from and kept up to date.
  package var sources: [ThreadSource] = []
  /// What is changed about single threads.
  package var threads: [ThreadEntry] = []
  /// Which threads of the store the site has.
  package var include = Inclusion.all
  /// Threads that have a page together, in an order of the owner's.
  package var collections: [Collection] = []
  /// Accounts of which the site has nothing.
  package var leaveOut: [AccountReference] = []
  /// People who have several accounts.
  package var authors: [Person] = []
  /// What the navigation leads to; `nil` for the parts of the site, and the pages of the owner's own that ask for it.
  package var menu: [MenuEntry]?
  /// What the theme makes of these is the theme's own affair.
  package var themeOptions: [String: ThemeOption] = [:]

  package static let defaults = SiteConfig()

  package init() {}
}

extension SiteConfig: ConfigSection {
  static let fields: [ConfigField<SiteConfig>] = [
    ConfigField("title", \.title, .line),
    ConfigField("description", \.description, .paragraph),
    ConfigField("base_url", \.baseURL, .siteURL),
    ConfigField("language", \.language, .language),
    ConfigField("theme", \.theme, .folderName),
    ConfigField("accent", \.accent, .accent),
    ConfigField("timezone", \.timezone, .timeZone),
    ConfigField("author", \.author, .section),
    ConfigField("image", \.image, .image),
    ConfigField("store", \.store, .path),
    ConfigField("output", \.output, .path),
    ConfigField("media", \.media, .word()),
    ConfigField("fetch", \.fetch, .section),
    ConfigField("x", \.x, .section),
    ConfigField("bluesky", \.bluesky, .section),
    ConfigField("mastodon", \.mastodon, .section),
    ConfigField("pagination", \.pagination, .section),
    ConfigField("feed", \.feed, .section),
    ConfigField("check", \.check, .section),
    ConfigField("publish", \.publish, .section),
    ConfigField("search", \.search, .flag),
    ConfigField("statistics", \.statistics, .flag),
    ConfigField("reading_controls", \.readingControls, .flag),
    ConfigField("noindex", \.noindex, .flag),
    ConfigField("robots", \.robots, .robots),
    ConfigField("status_pages", \.statusPages, .flag),
    ConfigField("books", \.books, .list(of: .word())),
    ConfigField("strip_counters", \.stripCounters, .flag),
    ConfigField("sources", \.sources, .threadSources),
    ConfigField("threads", \.threads, .threadEntries),
    ConfigField("include", \.include, .word()),
    ConfigField("collections", \.collections, .collections),
    ConfigField("authors", \.authors, .people),
    ConfigField("leave_out", \.leaveOut, .leftOut),
    ConfigField("menu", \.menu, .menu),
    ConfigField("theme_options", \.themeOptions, .themeOptions),
  ]

  /// The paths of all keys that a site.yml can hold: `title`, `x.token_env`, `threads[].url`.
  package static var knownKeyPaths: [String] { knownKeys }
}
