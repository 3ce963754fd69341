import ArgumentParser
import Basics
import Intake
import SiteConfig
import SiteWorkspace

/// `threadsite import`
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Put a network's archive or saved API responses into the store.",
    discussion: """
      Reads the archives that X and Mastodon give to their users, as the zip or tar.gz file that was downloaded or the folder \
      that it was unpacked to: every thread in it, with its media. Of the archive only posts, profile and their media are opened; \
      direct messages, contacts and the rest never are. Bluesky's repo.car and snac's outbox.json are read, too.

      Reads responses of the X API, too, that were saved as JSON or JSON lines: lookups, searches, timelines, or \
      recorded exchanges, of version 2 and of version 1.1, in any order. What the store already knows is kept; what is new is \
      added. A file that is cut gives the answers that are whole, and one that gives nothing is an error.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup(title: "Which threads") var threads: ThreadFlags
  @OptionGroup(title: "Options for archives") var archive: ArchiveFlags

  @Option(
    help: ArgumentHelp(
      "Take paths from this file, too: one a line, or with zero bytes between them (find -print0). - is standard input.",
      valueName: "list"), completion: .file())
  var filesFrom: String?

  @Argument(
    help: ArgumentHelp(
      "Archives, files, or folders whose .json and .jsonl files are read; - for responses on standard input.",
      valueName: "path"), completion: .file())
  var paths: [String] = []

  func validate() throws {
    if paths.isEmpty, filesFrom == nil {
      throw ValidationError("Name an archive, a file or a folder, or a list of them (--files-from).")
    }
    if paths.contains("-"), filesFrom == "-" {
      throw ValidationError(
        "Standard input is either a list of paths (--files-from -) or responses (-), not both.")
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
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, needsStore: false,
        environment: Machine.environment,
        progress: console.progress)
      let work = SiteImport(folder, jobs: Machine.cores, progress: console.progress)
      let summary = try work.run(
        paths + listed, input: paths.contains("-") ? try Machine.standardInput() : nil,
        archives: try archive.options(threads, for: folder), files: try threads.fileOptions)
      try ImportReport(console).show(summary)
      if summary.failures > 0 { throw ExitCode(PipelineError.Kind.content.exitCode) }
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
        "Take authors' own threads in others' conversations, too (as API responses without this)."
      case .withoutReplies: "Leave them out (as archives without this)."
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Leave out threads of fewer posts (2 for archives, if not given; API responses: 1).", valueName: "count"
    ))
  var minPosts: Int?

  @Option(help: ArgumentHelp("Only threads that begin on this day or later: 2024-01-31.", valueName: "day"))
  var since: String?

  @Option(help: ArgumentHelp("Only threads that begin on this day or before.", valueName: "day"))
  var until: String?

  @Flag var replies: Replies?

  mutating func validate() throws {
    if let minPosts, !(1...10_000).contains(minPosts) {
      throw ValidationError("--min-posts should be from 1 to 10000.")
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
  @Flag(help: "Remove posts that an older archive had and this newer one has not.")
  var prune = false

  @Flag(
    help: ArgumentHelp(
      "Import unlisted threads, too (Mastodon).",
      discussion: """
        Everybody may see an unlisted ("quiet public") post, but it is in no public timeline, hashtag or search. On the site, \
        its thread is in lists, feeds and the search like any other. Posts for followers only are never imported.
        """))
  var unlisted = false

  @Flag(
    help: ArgumentHelp(
      "The archives are my own.",
      discussion: """
        Imports them even if the account shows its posts to a limited audience (on Bluesky, to people who are signed in), and \
        keeps their posts when a later fetch finds the account limited. The site shows them to everybody.
        """))
  var own = false

  @Flag(help: "Leave the archive's photos and videos out of the store.")
  var noMedia = false

  func options(_ threads: ThreadFlags, for site: SiteFolder) throws -> ArchiveOptions {
    var options = ArchiveOptions(limits: try threads.limits)
    options.includesReplies = threads.replies == .withReplies
    options.includesUnlisted = unlisted
    options.isOwn = own
    options.prunes = prune
    options.copiesMedia = !noMedia && site.config.media != .none
    return options
  }
}
