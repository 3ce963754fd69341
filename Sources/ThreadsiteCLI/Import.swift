import ArgumentParser
import Basics
import Intake
import NetworkSources
import SiteConfig
import SiteWorkspace
import ThreadModel

/// `threadsite import`
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import archives of networks or saved API responses.",
    discussion: """
      Imports all threads, with media, from archives of X and Mastodon: the downloaded zip or tar.gz file, or the unpacked folder. Only \
      posts, the profile and their media are read, never direct messages, contacts or other data. Also imports repo.car of \
      Bluesky, outbox.json of snac, pixelfed-statuses.json of Pixelfed, and the notes that Misskey, Sharkey, Firefish and Iceshrimp \
      export (with --account).

      Also imports saved responses of the X API (versions 2 and 1.1) and of the Threads API, and saved events of Nostr, as JSON or JSON \
      lines: lookups, searches, timelines, conversations or recorded exchanges, in any order. New posts are added to the posts in the \
      store. Every complete response in a truncated file is imported. A file without posts is an error.

      With --likes or --bookmarks, prints the posts of others that the account liked or bookmarked, one per line: the URL, the day and the \
      first words, as far as the archive has them. Nothing is imported. To get a thread of the list, run `threadsite add` with its URL.

      Examples:
        threadsite import twitter-2026-01-31.zip
        threadsite import --account https://social.example/@ada notes-2026-01-31.json
        threadsite import --likes twitter-2026-01-31.zip > likes.txt
        threadsite import --since 2024-01-01 responses/
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup(title: "Thread options") var threads: ThreadFlags
  @OptionGroup(title: "Archive options") var archive: ArchiveFlags

  @Flag(exclusivity: .exclusive) var listing: ReadingList.Kind?

  @Option(
    help: ArgumentHelp(
      "Also import the paths in this file, separated by newlines or zero bytes (find -print0); - for standard input.",
      valueName: "list"), completion: .file())
  var filesFrom: String?

  @Argument(
    help: ArgumentHelp(
      "Archives, files, or folders with .json and .jsonl files; - for responses on standard input.",
      valueName: "path"), completion: .file())
  var paths: [String] = []

  func validate() throws {
    if paths.isEmpty, filesFrom == nil {
      throw ValidationError("Give an archive, a file or a folder, or a list of paths (--files-from).")
    }
    if paths.contains("-"), filesFrom == "-" {
      throw ValidationError(
        "--files-from - and - both use standard input; use only one of them.")
    }
    guard let listing else { return }
    if paths.contains("-") {
      throw ValidationError("--\(listing.rawValue) needs an archive; replace - by its path.")
    }
    let others = [
      (threads.minPosts != nil, "--min-posts"), (threads.since != nil, "--since"),
      (threads.until != nil, "--until"), (threads.replies == .withReplies, "--with-replies"),
      (threads.replies == .withoutReplies, "--without-replies"), (archive.prune, "--prune"),
      (archive.unlisted, "--unlisted"), (archive.own, "--own"), (archive.noMedia, "--no-media"),
      (archive.account != nil, "--account"),
    ].filter(\.0)
    if let other = others.first {
      throw ValidationError(
        "--\(listing.rawValue) imports nothing, so \(other.1) has no effect; remove one of them.")
    }
  }

  /// The paths in the list.
  private var listed: [String] {
    get throws {
      guard let filesFrom else { return [] }
      return filesFrom == "-"
        ? SiteImport.paths(in: try Machine.standardInput()) : try SiteImport.paths(inFile: filesFrom)
    }
  }

  func run() throws {
    try messages.run(command: "import") { console in
      let all = try paths + listed
      if let listing { return try list(listing, of: all, console) }
      let folder = try site.openForThreads(console)
      let input = paths.contains("-") ? try Machine.standardInput() : nil
      try AccessLimit.importing(all.filter { $0 != "-" }, into: folder).apply(console)
      let work = SiteImport(folder, jobs: Machine.cores, progress: console.progress)
      let summary = try work.run(
        all, input: input, archives: try archive.options(threads, for: folder), files: try threads.fileOptions
      )
      try ImportReport(console).show(summary)
      if summary.failures > 0 { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }

  /// Prints a reading list of archives.
  private func list(_ kind: ReadingList.Kind, of paths: [String], _ console: Console) throws {
    try AccessLimit.importing(paths, into: nil).apply(console)
    let (list, errors) = ReadingListImport().run(kind, in: paths)
    for message in list.shortfalls + errors.flatMap(\.messages) { console.error(message) }
    for entry in list.entries {
      let words = (entry.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let day = entry.time.map { String($0.iso8601.prefix(10)) } ?? ""
      try console.data([entry.url, day, String(words.prefix(Self.wordsShown))].joined(separator: "\t"))
    }
    let noun = kind == .likes ? "like" : "bookmark"
    let count = Count.text(list.entries.count, noun)
    let unreadable = list.unreadable > 0 ? ", and \(list.unreadable) without a URL" : ""
    let posts = list.entries.map { entry -> JSONValue in
      let time: JSONValue = entry.time.map { .string($0.iso8601) } ?? .null
      let text: JSONValue = entry.text.map { .string($0) } ?? .null
      return ["url": .string(entry.url), "time": time, "text": text]
    }
    let members: [String: JSONValue] = [
      "list": .string(kind.rawValue), "unreadable": .integer(Int64(list.unreadable)), "posts": .array(posts),
    ]
    let isEmpty = list.entries.isEmpty && !errors.isEmpty
    try console.finish(isEmpty ? "" : "\(count)\(unreadable). Nothing was imported.", json: members)
    if !errors.isEmpty || !list.shortfalls.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
  }

  /// The maximum number of characters of a post in a list.
  private static let wordsShown = 100
}

extension ReadingList.Kind: EnumerableFlag {
  static func help(for value: Self) -> ArgumentHelp? {
    switch value {
    case .likes: "Only list the posts that the account liked (X, Bluesky, Mastodon)."
    case .bookmarks: "Only list the posts that the account bookmarked (Mastodon)."
    }
  }
}

/// The threads to import from archives and files.
struct ThreadFlags: ParsableArguments {
  enum Replies: EnumerableFlag {
    case withReplies, withoutReplies

    static func help(for value: Replies) -> ArgumentHelp? {
      switch value {
      case .withReplies:
        "Also import authors' own threads in conversations of others (default for API responses)."
      case .withoutReplies: "Skip them (default for archives)."
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Skip threads with fewer posts. The default is 2 for archives and 1 for API responses.",
      valueName: "count"
    ))
  var minPosts: Int?

  @Option(
    help: ArgumentHelp("Only threads that begin on or after this day, such as 2024-01-31.", valueName: "day"))
  var since: String?

  @Option(help: ArgumentHelp("Only threads that begin on or before this day.", valueName: "day"))
  var until: String?

  @Flag var replies: Replies?

  mutating func validate() throws {
    if let minPosts, !(1...10_000).contains(minPosts) {
      throw ValidationError("--min-posts must be from 1 to 10000.")
    }
    let (first, last) = (try day(since, "--since"), try day(until, "--until"))
    if let first, let last, last < first {
      throw ValidationError("--since (\(first)) is later than --until (\(last)).")
    }
  }

  private func day(_ text: String?, _ flag: String) throws -> CalendarDay? {
    do {
      return try text.map { try CalendarDay($0) }
    } catch {
      throw ValidationError("\(flag): \(error).")
    }
  }

  var limits: ThreadSource.Limits {
    get throws {
      var limits = ThreadSource.Limits()
      limits.minPosts = minPosts
      limits.since = try day(since, "--since")
      limits.until = try day(until, "--until")
      return limits
    }
  }

  var fileOptions: FileOptions {
    get throws {
      var options = FileOptions()
      options.limits = try limits
      options.includesReplies = replies != .withoutReplies
      return options
    }
  }
}

/// Further options for archives.
struct ArchiveFlags: ParsableArguments {
  @Flag(help: "Remove posts that were in an older archive but are not in this newer one.")
  var prune = false

  @Flag(
    help: ArgumentHelp(
      "Also import unlisted threads (Mastodon).",
      discussion: """
        An unlisted ("quiet public") post is public, but not in public timelines, hashtags or search. On the site, \
        its thread appears in lists, feeds and the search. Followers-only posts are never imported.
        """))
  var unlisted = false

  @Flag(
    help: ArgumentHelp(
      "The archives are my own.",
      discussion: """
        Imports the archives even if the account limits its audience (on Bluesky, to signed-in users), and \
        keeps the posts if a later fetch finds the account limited. On the site, the posts are public.
        """))
  var own = false

  @Flag(help: "Do not copy photos and videos.")
  var noMedia = false

  @Option(
    help: ArgumentHelp(
      "The URL of the account, for an archive that does not name it (notes of Misskey and related servers).",
      valueName: "url"))
  var account: String?

  func options(_ threads: ThreadFlags, for site: SiteFolder) throws -> ArchiveOptions {
    var options = ArchiveOptions(limits: try threads.limits)
    options.includesReplies = threads.replies == .withReplies
    options.includesUnlisted = unlisted
    options.isOwn = own
    options.prunes = prune
    options.copiesMedia = !noMedia && site.config.media != .none
    do {
      options.account = try account.map { try site.networks.addresses.account($0) }
    } catch {
      throw ValidationError("--account: \(error).")
    }
    return options
  }
}
