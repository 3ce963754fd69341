import ArgumentParser
import JSONText
import SiteConfig
import SitePipeline

/// `threadsite import`
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Put an X archive or saved API responses into the store.",
    discussion: """
      Reads the archive that X gives to its users, as the zip file that was downloaded or the folder that it was unpacked to: \
      every thread in it, with its media. Of the archive only posts, profile and their media are opened; direct messages, contacts \
      and the rest never are.

      Reads responses of the X API, too, that were saved as JSON or JSON lines: lookups, searches (all pages of one search \
      together), timelines, or recorded exchanges, of version 2 and of version 1.1. What the store already knows is kept; what is \
      new is added.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup(title: "Options for archives") var archive: ArchiveFlags

  @Argument(
    help: ArgumentHelp(
      "Archives, files, or folders whose .json and .jsonl files are read.", valueName: "path"))
  var paths: [String]

  func run() throws {
    try messages.run(command: "import") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, needsStore: false,
        environment: Machine.environment,
        progress: console.progress)
      let work = SiteImport(folder, jobs: Machine.cores, progress: console.progress)
      let summary = try work.run(paths, archives: try archive.options(for: folder))
      try ImportReport(console).show(summary)
      if summary.failures > 0 { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }
}

/// Which threads of an archive are wanted.
struct ArchiveFlags: ParsableArguments {
  @Option(help: ArgumentHelp("Leave out threads of fewer posts (2, if not given).", valueName: "count"))
  var minPosts: Int?

  @Option(help: ArgumentHelp("Only threads that begin on this day or later: 2024-01-31.", valueName: "day"))
  var since: String?

  @Option(help: ArgumentHelp("Only threads that begin on this day or before.", valueName: "day"))
  var until: String?

  @Flag(help: "Take the author's own threads in others' conversations, too.")
  var withReplies = false

  @Flag(help: "Remove posts that an older archive had and this newer one has not.")
  var prune = false

  @Flag(help: "Leave the archive's photos and videos out of the store.")
  var noMedia = false

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

  func options(for site: SiteFolder) throws -> ArchiveOptions {
    var options = ArchiveOptions()
    options.limits.minPosts = minPosts
    options.limits.since = try day(since, "--since")
    options.limits.until = try day(until, "--until")
    options.includesReplies = withReplies
    options.prunes = prune
    options.copiesMedia = !noMedia && site.config.media != .none
    return options
  }
}
