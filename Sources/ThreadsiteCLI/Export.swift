import ArgumentParser
import Basics
import Export
import SiteBuild
import SiteConfig
import SiteWorkspace

/// `threadsite export`
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export threads as a book, a web page, notes, blog posts or a database.",
    discussion: """
      Formats:

      \(ExportFormat.help)

      Exports all threads, or those that match all of the options below. Drafts, excluded threads and hidden posts are not exported. \
      The same threads always produce the same bytes.

      Examples:
        threadsite export epub --author ada --year 2024
        threadsite export hugo --output content/posts
        threadsite export markdown --flat --output ~/Vault/Threads
      """)

  private static let names = ExportFormat.allCases.map(\.rawValue)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(
    help: ArgumentHelp(
      Self.names.dropLast().joined(separator: ", ") + Self.names.suffix(1).map { " or \($0)." }.joined(),
      valueName: "format"))
  var format: ExportFormat

  @Option(
    help: ArgumentHelp(
      "The thread that contains the post with this URL; may be repeated.", valueName: "url"))
  var thread: [String] = []

  @Option(
    help: ArgumentHelp("The threads of this collection in site.yml, in its order.", valueName: "slug"),
    completion: SiteCompletions.collections)
  var collection: String?

  @Option(
    help: ArgumentHelp("The threads of this author, by handle or URL.", valueName: "handle"),
    completion: SiteCompletions.authors)
  var author: String?

  @Option(help: ArgumentHelp("The threads from this year.", valueName: "year"))
  var year: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output file or folder; - for standard output. The default is in the current folder, such as threads.epub or threads-hugo.",
      valueName: "path"), completion: .file())
  var output: String?

  @Option(
    name: .shortAndLong,
    help: "The number of threads rendered in parallel. The default is the number of cores.")
  var jobs: Int?

  @Flag(
    help:
      "Folders only: replace files that were changed since the last export, and files of the same name that were not exported."
  )
  var force = false

  @Flag(
    help:
      "Markdown only: all notes in one folder, for note-taking programs, instead of a folder for each thread."
  )
  var flat = false

  @Flag(help: "Skip threads that cannot be read and export the rest; the exit code is still 65.")
  var keepGoing = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be 1 or more.") }
    if let year, !(1000...9999).contains(year) {
      throw ValidationError("--year must be a year with four digits, such as 2024.")
    }
    if output == "-", messages.json {
      throw ValidationError(
        "--output - and --json both use standard output; use only one of them.")
    }
    if output == "-", !format.canBeStreamed {
      throw ValidationError(
        "\(format.rawValue) cannot be written to standard output; set a path with --output.")
    }
    if flat, format != .markdown { throw ValidationError("--flat is only for markdown.") }
    if output == "" { throw ValidationError("--output must not be empty.") }
  }

  func run() throws {
    try messages.run(command: "export") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, environment: Machine.environment,
        progress: console.progress)
      var options = ExportOptions(jobs: jobs ?? Machine.cores)
      options.threads = try thread.map { text in
        do {
          return try folder.networks.addresses.post(text)
        } catch {
          throw PipelineError(.configuration, ["--thread \(text): error: \(error)"])
        }
      }
      options.collection = collection
      options.author = author
      options.year = year
      options.output = output == "-" ? nil : output ?? format.defaultName
      options.replacesForeignOutput = force
      options.isFlat = flat
      options.keepsGoing = keepGoing
      let export = SiteExport(
        folder, installation: Machine.installation, options: options, progress: console.progress)
      let summary = try export.run(format)
      for message in summary.leftOut { console.error(message) }
      try report(summary, to: console)
      if !summary.leftOut.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }

  private func report(_ summary: ExportSummary, to console: Console) throws {
    var text =
      "\(Count.text(summary.threads, "thread")), \(Count.text(summary.posts, "post")), "
      + "\(Count.grouped(summary.media)) media files in \(console.elapsed): \(summary.output ?? "standard output")"
    if !summary.leftOut.isEmpty {
      text += "\n\(Count.text(summary.leftOut.count, "thread")) skipped; see the messages above."
    }
    if !summary.mediaLeftOut.isEmpty {
      text += "\n\(Count.grouped(summary.mediaLeftOut.count)) media files skipped; see the warnings above."
    }
    if summary.missingAltTexts > 0 {
      text += "\n\(Count.text(summary.missingAltTexts, "image")) without alt text."
    }
    try console.finish(
      text,
      json: [
        "format": .string(format.rawValue), "threads": .integer(Int64(summary.threads)),
        "posts": .integer(Int64(summary.posts)), "media": .integer(Int64(summary.media)),
        "media_left_out": .array(summary.mediaLeftOut.map { .string($0) }),
        "left_out": .array(summary.leftOut.map { .string($0) }),
        "missing_alt_texts": .integer(Int64(summary.missingAltTexts)),
        "bytes": .integer(Int64(summary.bytes)), "output": summary.output.map { .string($0) } ?? .null,
      ])
  }
}

extension ExportFormat: ExpressibleByArgument {}
