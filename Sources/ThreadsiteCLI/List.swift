import ArgumentParser
import Basics
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel
import Upkeep

/// `threadsite list`
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the threads in the store.",
    discussion: """
      Prints the newest threads first, with short id, date, number of posts, state and title. All commands accept the short id. If the \
      output is not a terminal, titles are complete and each line ends with the page, or the file of a thread without a page. \
      `threadsite show` prints the details of a thread.

      Examples:
        threadsite list --tag swift --limit 10
        threadsite list --search "clocks tower"
        threadsite list --state draft --state incomplete
      """)

  /// The values of `--state`: the states of threads, and threads in any state that may lack posts.
  enum State: String, ExpressibleByArgument, CaseIterable {
    case published, draft, excluded, empty, copy, incomplete
  }

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Option(
    help: ArgumentHelp(
      "Only threads of this account: ada, @ada@social.example or a URL.", valueName: "account"),
    completion: SiteCompletions.authors)
  var author: String?

  @Option(help: ArgumentHelp("Only threads with this tag.", valueName: "tag"))
  var tag: String?

  @Option(
    help: ArgumentHelp("Only threads that begin on or after this day, such as 2024-01-31.", valueName: "day"))
  var since: String?

  @Option(help: ArgumentHelp("Only threads that begin on or before this day.", valueName: "day"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      "Only threads in this state; may be repeated. empty: no post by the thread's author; copy: listed under same_as of another thread; incomplete: posts are or may be missing.",
      valueName: "state"))
  var state: [State] = []

  @Option(
    help: ArgumentHelp(
      "Only threads that contain all of these words in their title, text or tags.", valueName: "words"))
  var search: String?

  @Option(help: ArgumentHelp("At most this many threads.", valueName: "number"))
  var limit: Int?

  @Flag(help: "Print each thread as JSON on a line of standard output.")
  var jsonLines = false

  mutating func validate() throws {
    let first = try DayArgument.read(since, "--since")
    let last = try DayArgument.read(until, "--until")
    if let first, let last, last < first {
      throw ValidationError("--since (\(first)) is later than --until (\(last)).")
    }
    if jsonLines, messages.json { throw ValidationError("--json and --json-lines cannot be combined.") }
    if let limit, limit < 1 { throw ValidationError("--limit: expected a number of at least 1.") }
    if let search, search.allSatisfy(\.isWhitespace) {
      throw ValidationError("--search: expected at least one word.")
    }
  }

  func run() throws {
    try messages.run(command: "list") { console in
      let catalog = try site.catalog(console)
      var filter = ThreadCatalog.Filter()
      filter.author = author
      filter.tag = tag.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
      filter.since = try DayArgument.read(since, "--since")
      filter.until = try DayArgument.read(until, "--until")
      filter.states = Set(state.compactMap { CatalogEntry.State(rawValue: $0.rawValue) })
      filter.includesIncomplete = state.contains(.incomplete)
      filter.words = search?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
      filter.limit = limit
      let listing = try catalog.list(filter)
      for problem in listing.problems { console.error(problem) }
      if jsonLines {
        for thread in listing.threads { try console.data(json: .object(thread.json)) }
      } else if !listing.threads.isEmpty {
        try console.data(ThreadTable.text(of: listing.threads, width: Pager.width))
      }
      let posts = listing.threads.reduce(0) { $0 + $1.posts }
      let further =
        listing.further > 0 ? " \(Count.text(listing.further, "more thread")) not shown (--limit)." : ""
      try console.finish(
        "\(Count.text(listing.threads.count, "thread")), \(Count.text(posts, "post")).\(further)",
        json: ["threads": .array(listing.threads.map { .object($0.json) })])
      if !listing.problems.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }
}

/// `threadsite show`
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the details of threads.",
    discussion: """
      Prints author, date, number of posts, reasons for missing posts, sources, entries in site.yml, page and file.

      With --values, prints the values that the theme's layout receives for one page, as JSON. The page is a path of the site, a file of \
      pages/, a thread, or the name of a layout, which means the first page with this layout.

      Examples:
        threadsite show https://x.com/ada/status/1346889436626259968
        threadsite show --values home
        threadsite show --values /archive/
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help, completion: SiteCompletions.threads)
  var threads: [String]

  @Flag(help: "Print the values that the layout of a page receives, as JSON.")
  var values = false

  mutating func validate() throws {
    if values, threads.count > 1 { throw ValidationError("--values: expected one page.") }
  }

  func run() throws {
    try messages.run(command: "show") { console in
      if values { return try showValues(of: threads[0], console) }
      let found = try site.catalog(console).show(threads)
      try console.data(found.map { text(of: $0) }.joined(separator: "\n\n"))
      try console.finish("", json: ["threads": .array(found.map { .object($0.json) })])
    }
  }

  private func showValues(of name: String, _ console: Console) throws {
    let folder = try site.open(console)
    let tops = [
      folder.config.baseURL?.description, folder.output + "/", folder.config.output + "/",
    ].compactMap(\.self)
    let page: InspectedPage
    if let place = InspectedPage(name, tops: tops) {
      page = place
    } else {
      let file = try site.catalog(console).show([name])[0].file
      page = .thread(stem: String(file.without(byteSuffix: ".json") ?? file[...]), name)
    }
    let (path, shown) = try SiteBuild(
      folder, installation: Machine.installation, options: SiteBuild.Options(jobs: Machine.cores),
      // A build shows the warnings.
      progress: { _ in }
    ).values(of: page)
    var members = shown.json
    members["page"] = .string("/" + path.text)
    if !messages.json { try console.data(json: .object(members), .pretty) }
    try console.finish("", json: members)
  }

  private func text(of thread: CatalogEntry) -> String {
    var lines: [(String, String)] = [("Thread", thread.title), ("Short id", thread.shortID)]
    let handle = thread.author.handle.map { " (@\($0))" } ?? ""
    lines.append(("By", (thread.author.name ?? thread.author.id.description) + handle))
    if let began = thread.began {
      let last = thread.lastPost.flatMap { $0 == began ? nil : " to \($0.iso8601)" } ?? ""
      lines.append(("When", began.iso8601 + last))
    }
    var posts = Count.text(thread.posts, "post")
    if let expected = thread.expectedPosts, expected > thread.posts { posts += " of \(expected)" }
    if thread.othersPosts > 0 { posts += ", and \(thread.othersPosts) by others in the store" }
    lines.append(("Posts", posts))
    lines.append(("State", thread.state.rawValue + (thread.isWhole ? "" : ", incomplete")))
    for reason in thread.reasons { lines.append(("Missing", reason)) }
    for gap in thread.gaps { lines.append(("Gap", "\(gap.id): \(gap.reason)")) }
    for source in thread.provenance {
      lines.append(("Source", source.source.rawValue + (source.fetchedAt.map { ", \($0.iso8601)" } ?? "")))
    }
    if let checked = thread.coverage.checkedAt { lines.append(("Checked", checked.iso8601)) }
    if !thread.tags.isEmpty { lines.append(("Tags", thread.tags.joined(separator: ", "))) }
    for mention in thread.mentions { lines.append(("site.yml", "\(mention.what), \(mention.place)")) }
    if let address = thread.address { lines.append(("URL", address)) }
    if let page = thread.page { lines.append(("Page", page)) }
    lines.append(("File", thread.file))
    if !thread.mediaFiles.isEmpty { lines.append(("Media", Count.text(thread.mediaFiles.count, "file"))) }
    return lines.map { name, value in
      name + ":" + String(repeating: " ", count: max(1, 10 - name.count)) + value
    }.joined(separator: "\n")
  }
}

/// The thread that an argument names.
enum ThreadArgument {
  static let help = ArgumentHelp(
    "Threads, each as its short id (`threadsite list`), the URL of one of its author's posts, its page, or its file in the store.",
    valueName: "thread")
}

/// A day on the command line.
enum DayArgument {
  static func read(_ text: String?, _ flag: String) throws -> CalendarDay? {
    do {
      return try text.map { try CalendarDay($0) }
    } catch {
      throw ValidationError("\(flag): \(error).")
    }
  }
}

extension SiteOptions {
  func open(_ console: Console) throws -> SiteFolder {
    try SiteFolder.open(
      configFile: configFile, isDefault: config == nil, environment: Machine.environment,
      progress: console.progress)
  }

  func catalog(_ console: Console) throws -> ThreadCatalog {
    try ThreadCatalog(
      try open(console), installation: Machine.installation, jobs: Machine.cores, progress: console.progress)
  }
}

extension CatalogEntry {
  /// The entry for machines.
  fileprivate var json: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "file": .string(file), "id": .string(id.description), "short_id": .string(shortID),
      "title": .string(title),
      "author": .object([
        "id": .string(author.id.description), "handle": author.handle.map { .string($0) } ?? .null,
        "name": author.name.map { .string($0) } ?? .null,
      ]),
      "tags": .array(tags.map { .string($0) }), "posts": .integer(Int64(posts)),
      "state": .string(state.rawValue),
      "complete": .bool(isWhole), "reasons": .array(reasons.map { .string($0) }),
      "gaps": .array(gaps.map { ["id": .string($0.id.description), "reason": .string($0.reason)] }),
      "media": .array(mediaFiles.map { .string($0) }), "posts_of_others": .integer(Int64(othersPosts)),
      "site_yml": .array(mentions.map { ["place": .string($0.place), "what": .string($0.what)] }),
      "sources": .array(
        provenance.map { source in
          [
            "source": .string(source.source.rawValue),
            "fetched_at": source.fetchedAt.map { .string($0.iso8601) } ?? .null,
          ]
        }),
    ]
    members["date"] = began.map { .string($0.iso8601) } ?? .null
    members["expected_posts"] = expectedPosts.map { .integer(Int64($0)) } ?? .null
    members["address"] = address.map { .string($0) } ?? .null
    members["page"] = page.map { .string($0) } ?? .null
    members["checked_at"] = coverage.checkedAt.map { .string($0.iso8601) } ?? .null
    return members
  }
}
