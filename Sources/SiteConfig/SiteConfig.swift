import Basics
import Foundation

/// The content of a site.yml: the site's name and URL, its appearance, and its threads.
///
/// Every key is documented in docs/reference/configuration.md; a test compares that page with ``knownKeys``.
package struct SiteConfig: Sendable, Equatable {
  /// One line.
  package var title = "Threads"
  /// One paragraph, for feeds and page metadata.
  package var description: String?
  /// The site's URL; `nil` if the file does not set it.
  package var baseURL: SiteURL?
  /// The language of the interface as a BCP 47 tag; posts have their own language.
  package var language = "en"
  /// The name of a folder in `themes/`.
  package var theme = "paper"
  /// The accent color; `nil` for the theme's default.
  package var accent: Accent?
  /// The name of an IANA time zone, used to show dates and to group posts by month.
  package var timezone = "UTC"
  /// The owner of the site.
  package var author: Author?
  /// The preview image of pages without an image of their own.
  package var image: Image?
  /// The site's icon instead of the theme's: the path of an SVG or PNG file, relative to the site's folder or absolute. The file must be
  /// below `static/`, which a later stage checks.
  package var icon: String?
  /// The programs that run before and after a build.
  package var hooks = Hooks.defaults
  /// The folder of the stored conversations, relative to the site's folder or absolute.
  package var store = "threads"
  /// The folder to which the site is written, relative to the site's folder or absolute.
  package var output = "site"
  package var media = MediaMode.mirror
  /// Whether the program makes smaller copies of photos in the store that have none.
  package var scaleImages = ScaleImages.auto
  /// The formats of additional copies of all photos, for browsers that support them; the first is preferred.
  package var imageFormats: [ImageFormat] = []
  package var fetch = Fetch.defaults
  /// The sections of the networks.
  package var networks = NetworkSettings()
  package var pagination = Pagination.defaults
  package var feed = Feed.defaults
  package var check = Check.defaults
  /// The destination of the site; `nil` if the file does not set one.
  package var publish: Publish?
  /// Replies from other sites.
  package var webmention = Webmention.defaults
  /// Whether readers can search the threads.
  package var search = true
  /// Whether a site with enough threads has pages of statistics.
  package var statistics = true
  /// Whether pages contain a script with which readers can change the appearance and copy a thread's URL.
  package var readingControls = true
  /// Whether the site has `llms.txt` and `threads.json`, through which programs find its content.
  package var dataIndex = true
  /// Whether pages of threads link to similar threads.
  package var similarThreads = true
  /// Whether the whole site is excluded from search engines.
  package var noindex = false
  /// The rules for crawlers in `robots.txt`.
  package var robots = Robots.defaults
  /// Whether `status/<id>/` redirects to each post.
  package var statusPages = false
  /// The kinds of pages that offer their threads as a book.
  package var books: [Books] = []
  /// Whether counters such as "3/7" are removed from the posts of a numbered thread.
  package var stripCounters = false
  /// Whether pages link to archived copies of missing posts and of dead links.
  package var archivedLinks = false
  /// The sources from which threads are fetched and kept up to date.
  package var sources: [ThreadSource] = []
  /// Changes to single threads.
  package var threads: [ThreadEntry] = []
  /// Which threads of the store are on the site.
  package var include = Inclusion.all
  /// Groups of threads with a common page, in the owner's order.
  package var collections: [Collection] = []
  /// The thread that the home page shows first.
  package var lead = Lead.newest
  /// Accounts whose posts are left out of the site.
  package var leaveOut: [AccountReference] = []
  /// People with several accounts, or with settings.
  package var authors: [Person] = []
  /// The entries of the navigation; `nil` for the parts of the site and the pages with `menu` in their front matter.
  package var menu: [MenuEntry]?
  /// The permissions of pages to load and run other files than the site's own.
  package var security = Security.defaults
  /// The options of the theme, which the theme declares and interprets.
  package var themeOptions: [String: ThemeOption] = [:]

  package static let defaults = SiteConfig()

  package init() {}

  /// The maximum size of the file in bytes; enough for about ten thousand threads.
  package static let largestFile = StrictYAML<SiteConfig>.largestFile

  /// Reads a site.yml strictly and reports all its problems at once.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: the file's name for messages.
  ///   - addresses: the readers for URLs in the file.
  ///   - secrets: the credentials that the program uses, which the file must not contain.
  /// - Throws: ``SiteConfigError`` with all problems in the order of the lines.
  package static func decode(
    bytes: some Sequence<UInt8>, file: String, addresses: AddressBook, secrets: [String] = []
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    let bytes = Array(bytes)
    let decoded = try StrictYAML<SiteConfig>.decode(
      bytes: bytes, file: file, kind: "site.yml", addresses: addresses, secrets: secrets)
    return DecodedSiteConfig(
      config: decoded.section, warnings: decoded.warnings, file: file, locations: decoded.locations,
      bytes: bytes, parts: decoded.parts.map { DecodedSiteConfig.Part(key: $0.key, text: Array($0.text)) })
  }

  /// Reads a site.yml from a string.
  package static func decode(
    yaml: String, file: String, addresses: AddressBook
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    try decode(bytes: yaml.utf8, file: file, addresses: addresses)
  }

  /// Reads the site.yml at `path`. Messages contain this path unchanged.
  ///
  /// The output folder is checked against the folder that contains the file.
  ///
  /// - Parameters:
  ///   - addresses: the readers for URLs in the file.
  ///   - secrets: returns the program's credentials for these settings. The file must not contain them, and they are masked in messages.
  /// - Throws: ``SiteConfigError``, also if the file is missing or cannot be read.
  package static func load(
    path: String, addresses: AddressBook, secrets: (SiteConfig) -> [String] = { _ in [] }
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    let bytes = try contents(ofFile: path)
    // The file names the places of the credentials, even if it contains errors.
    let settings = StrictYAML<SiteConfig>.readable(in: Array(bytes), addresses: addresses) ?? .defaults
    let decoded = try decode(bytes: bytes, file: path, addresses: addresses, secrets: secrets(settings))
    let folder = URL(filePath: path).absoluteURL.deletingLastPathComponent().path
    if let problem = decoded.config.outputProblem(inFolder: folder) {
      let key = decoded.locations["output"] == nil ? "store" : "output"
      throw SiteConfigError(problems: [decoded.problem(at: key, problem, severity: .error)])
    }
    return decoded
  }

  /// Returns the file's bytes, at most one more than allowed.
  ///
  /// The path of the folder may contain a symbolic link, as home folders sometimes do. The file itself must not be a link, because it may come from
  /// an untrusted repository.
  private static func contents(ofFile path: String) throws(SiteConfigError) -> [UInt8] {
    func failure(_ message: String) -> SiteConfigError {
      SiteConfigError(problems: [ConfigProblem(file: path, location: nil, message: message)])
    }
    let url = URL(filePath: path).absoluteURL
    let folder = FileSystem.withoutLinks(url.deletingLastPathComponent().path)
    let file = folder + "/" + url.lastPathComponent
    switch FileSystem.kind(of: file) {
    case .nothing:
      let other =
        path.without(byteSuffix: ".yml").map { $0 + ".yaml" }
        ?? path.without(byteSuffix: ".yaml").map { $0 + ".yml" }
      if let other, FileSystem.kind(of: String(other)) != .nothing {
        throw failure("there is no such file, but there is \(other); rename it, or set it with --config")
      }
      throw failure(
        "there is no such file; create a site with `threadsite init`, or set the file with --config")
    case .folder: throw failure("this is a folder; use the path of its site.yml")
    case .link:
      throw failure("this is a symbolic link, and threadsite does not follow links: replace it with the file")
    case .other: throw failure("this is not a regular file")
    case .file: break
    }
    do {
      // One byte more than allowed is read, so that the decoder reports the excess.
      let open = try OpenFile(file)
      return try open.bytes(min(open.count, largestFile + 1), at: 0)
    } catch {
      throw failure("the file cannot be read: \(error.reason)")
    }
  }

  /// Returns the reason why a site must not be written to ``output``; `nil` for a valid folder.
  ///
  /// A build replaces the output folder. The folder must therefore not be or contain the site's folder, and must not overlap with the store and the
  /// folders of the owner's files. Paths are compared as text; the stage that writes the site checks symbolic links.
  ///
  /// - Parameter folder: the site's folder as an absolute path; `nil` if it is unknown. Without it an absolute output can only be compared with an absolute
  ///   store.
  package func outputProblem(inFolder folder: String? = nil) -> String? {
    let site = folder.map { Self.resolved($0, in: "/") } ?? ResolvedPath(isAbsolute: false, parts: [])
    func resolve(_ path: String) -> ResolvedPath { Self.resolved(path, in: folder) }
    let target = resolve(output)
    if target == site {
      return "the output folder must not be the site's folder, because a build would replace it"
    }
    if target.contains(site) {
      return "the output folder \(quoted(output)) contains the site's folder, which a build would replace"
    }
    let own = ["templates", "themes", "pages", "static"].map { ($0, $0) }
    for (name, path) in [("store", store)] + own {
      let other = resolve(path)
      if target == other || target.contains(other) || other.contains(target) {
        return "the output folder \(output) and the \(name) folder \(path) must not overlap"
      }
    }
    return nil
  }

  private struct ResolvedPath: Equatable {
    let isAbsolute: Bool
    /// Without `.`; `..` occurs only at the beginning of a relative path.
    let parts: [Substring]

    /// Whether `other` is below this folder.
    func contains(_ other: ResolvedPath) -> Bool {
      guard isAbsolute == other.isAbsolute else { return false }
      let isUp = parts.allSatisfy { $0 == ".." }
      if !isAbsolute, isUp { return other.parts.prefix { $0 == ".." }.count < max(1, parts.count) }
      return parts.count < other.parts.count && other.parts.starts(with: parts)
    }
  }

  private static func resolved(_ path: String, in folder: String?) -> ResolvedPath {
    let isAbsolute = path.hasBytePrefix("/")
    let whole = isAbsolute || folder == nil ? path : (folder ?? "") + "/" + path
    var parts: [Substring] = []
    for part in whole.split(atBytes: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !whole.hasBytePrefix("/") {
        parts.append(part)
      }
    }
    return ResolvedPath(isAbsolute: whole.hasBytePrefix("/"), parts: parts)
  }

  package func check(_ value: ConfigValue, problems: inout ProblemList) {
    if case .mapping(let entries) = value.node.content,
      let entry = entries.first(where: { $0.key == "accent" && $0.value.isNull })
    {
      problems.error(
        "expected a color in quotes, such as \"#1d4d7e\": without them YAML takes it for a comment",
        at: entry.keyMark, path: value.path(of: entry.key))
    }
    var place = value
    if case .mapping(let entries) = value.node.content,
      let entry = entries.first(where: { $0.key == "output" }) ?? entries.first(where: { $0.key == "store" })
    {
      place = value.entry(entry)
      problems.remember(place)
    }
    if let problem = outputProblem() { problems.error(problem, at: place) }
    checkWebmention(value, problems: &problems)
  }

  /// Checks the keys of `webmention` that need the site's URL.
  private func checkWebmention(_ value: ConfigValue, problems: inout ProblemList) {
    guard case .mapping(let entries) = value.node.content,
      let section = entries.first(where: { $0.key == "webmention" }),
      // An invalid URL is already reported.
      baseURL != nil || !entries.contains(where: { $0.key == "base_url" && !$0.value.isNull })
    else { return }
    if webmention.inbox != nil, baseURL == nil {
      problems.error(
        "webmention.inbox needs base_url, by which a webmention names its page; set base_url",
        at: value.entry(section))
    }
    if webmention.followableBy != nil, baseURL?.path != "/" {
      problems.error(
        "webmention.followable_by needs a base_url without a path, because servers request /.well-known/webfinger at the root of a host",
        at: value.entry(section))
    }
  }

  /// Kinds of pages that can offer their threads as an e-book.
  package enum Books: String, Sendable, CaseIterable {
    /// The page of each thread.
    case threads
    case collections
    case authors
    /// The home page, with all threads.
    case site
  }

  /// Returns the site.yml for `threadsite init`, with the usual settings, and other settings in comments.
  ///
  /// - Parameters:
  ///   - title: any text; control characters and line breaks become spaces.
  ///   - language: the language of the interface.
  ///   - theme: the name of a theme.
  package static func starter(title: String, language: String = "en", theme: String = "paper") -> String {
    """
    # The site's configuration. `threadsite help configuration` explains every key.

    title: \(doubleQuoted(title))
    # description: Threads that are worth keeping

    # The URL of the published site. Feeds, the sitemap and link previews need it.
    # base_url: https://example.org/threads/

    # The language of the interface. Each post keeps its own language.
    language: \(plainOrQuoted(language))

    # The time zone of dates, and of the months in the archive.
    timezone: UTC

    # `threadsite theme list` prints all themes.
    theme: \(plainOrQuoted(theme))

    # Photos and videos: "mirror" copies them to the store, "link" shows them from their network, "none" shows links with their
    # descriptions.
    media: mirror

    # author:
    #   name: Ada
    #   url: https://ada.example/

    # The sources of threads. `threadsite fetch` fetches their new threads, and updates all threads. To fetch a single thread, run
    # `threadsite add`.
    # sources:
    #   - account: https://x.com/ada
    #     since: 2024-01-01
    #   - https://x.com/grace/status/1346889436626259968

    # Changes to single threads. The site contains all threads of the store except drafts and excluded threads.
    # threads:
    #   - url: https://x.com/ada/status/1446889436626259968
    #     title: A better title
    #     tags: [compilers]

    """
  }

  /// Returns a name as a plain scalar, or any other text as a double-quoted one. Without quotes, `no` (Norwegian) would be a boolean.
  private static func plainOrQuoted(_ text: String) -> String {
    let isPlain =
      text.utf8.count > 1 && text != "no"
      && text.utf8.first.map { ($0 | 0x20) &- UInt8(ascii: "a") < 26 } == true
      && text.utf8.allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: "-") }
    return isPlain ? text : doubleQuoted(text)
  }

  /// Returns a YAML double-quoted scalar (YAML 1.1, 5.7) on one line.
  static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\t", "\u{2028}", "\u{2029}": result += " "
      case _ where SourceText.isControl(scalar): result += " "
      // The byte order mark and noncharacters, which YAML does not allow unescaped.
      case "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension SiteConfig: ConfigSection {
  package static func fields(with networks: AddressBook) -> [ConfigField<SiteConfig>] {
    let position = fields.firstIndex { $0.key == "fetch" }.map { $0 + 1 } ?? fields.endIndex
    return fields[..<position] + networks.sections.map { $0.field } + fields[position...]
  }

  package static let fields: [ConfigField<SiteConfig>] = [
    ConfigField("title", \.title, .line),
    ConfigField("description", \.description, .paragraph),
    ConfigField("base_url", \.baseURL, .siteURL),
    ConfigField("language", \.language, .language),
    ConfigField("theme", \.theme, .remembered(.folderName)),
    ConfigField("accent", \.accent, .accent),
    ConfigField("timezone", \.timezone, .timeZone),
    ConfigField("author", \.author, .section),
    ConfigField("image", \.image, .image),
    ConfigField("icon", \.icon, .remembered(.path)),
    ConfigField("store", \.store, .remembered(.path)),
    ConfigField("output", \.output, .path),
    ConfigField("media", \.media, .word()),
    ConfigField("scale_images", \.scaleImages, .remembered(.word())),
    ConfigField("image_formats", \.imageFormats, .remembered(.list(of: .word()))),
    ConfigField("fetch", \.fetch, .section),
    ConfigField("pagination", \.pagination, .section),
    ConfigField("feed", \.feed, .section),
    ConfigField("check", \.check, .section),
    ConfigField("hooks", \.hooks, .section),
    ConfigField("publish", \.publish, .section),
    ConfigField("webmention", \.webmention, .section),
    ConfigField("search", \.search, .flag),
    ConfigField("statistics", \.statistics, .flag),
    ConfigField("reading_controls", \.readingControls, .flag),
    ConfigField("data_index", \.dataIndex, .flag),
    ConfigField("similar_threads", \.similarThreads, .flag),
    ConfigField("noindex", \.noindex, .flag),
    ConfigField("robots", \.robots, .robots),
    ConfigField("security", \.security, .section),
    ConfigField("status_pages", \.statusPages, .flag),
    ConfigField("books", \.books, .list(of: .word())),
    ConfigField("strip_counters", \.stripCounters, .flag),
    ConfigField("archived_links", \.archivedLinks, .flag),
    ConfigField("sources", \.sources, .threadSources),
    ConfigField("threads", \.threads, .threadEntries),
    ConfigField("include", \.include, .remembered(.word())),
    ConfigField("collections", \.collections, .collections),
    ConfigField("lead", \.lead, .lead),
    ConfigField("authors", \.authors, .people),
    ConfigField("leave_out", \.leaveOut, .leftOut),
    ConfigField("menu", \.menu, .menu),
    ConfigField("theme_options", \.themeOptions, .themeOptions),
  ]

  /// The paths of all keys that a site.yml may contain: `title`, `fetch.replies`, `threads[].url`.
  package static func knownKeyPaths(with networks: AddressBook) -> [String] { knownKeys(with: networks) }
}

/// A decoded site.yml, with its warnings and the locations of its values.
package struct DecodedSiteConfig: Sendable, Equatable {
  package var config: SiteConfig
  package let warnings: [ConfigProblem]
  /// The file's name for messages.
  package let file: String
  /// The locations of the values that later stages may report, by key path. Examples are entries of `sources` and `threads` (`threads[0]`), hidden
  /// posts (`threads[0].hide[0]`), posts of collections (`collections[0].threads[0]`), `output` or else `store`, and values of `theme_options`.
  package let locations: [String: ConfigProblem.Location]
  /// The file itself, in UTF-8.
  package let bytes: [UInt8]
  /// The top-level keys in the order of the file, each with the whole text of its value. A part with the same text has the same meaning.
  package let parts: [Part]

  package struct Part: Sendable, Equatable {
    package let key: String
    package let text: [UInt8]
  }

  /// Returns a problem that a later stage finds with a value, such as a thread that is not in the store, with the value's location.
  package func problem(
    at keyPath: String, _ message: String, severity: ConfigProblem.Severity
  ) -> ConfigProblem {
    ConfigProblem(
      file: file, location: locations[keyPath], keyPath: keyPath, message: message, severity: severity)
  }
}
