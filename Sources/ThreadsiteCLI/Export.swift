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
    abstract: "Take threads along: as a book, a page, notes or a database.",
    discussion: """
      Writes threads of the site in one of these formats:

        epub      a book for e-readers, with the pictures
        html      one file that opens in every browser, with the pictures
        markdown  a folder for a note-taking program: a file for each thread, media beside them
        sqlite    a database for those who query, with a full-text index

      All threads, or those that the options below name; of several options those that fit all of them. What is not on the site is not \
      in an export either: drafts, threads that site.yml leaves out, hidden posts. The same threads give the same bytes.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ArgumentHelp("epub, html, markdown or sqlite.", valueName: "format"))
  var format: ExportOptions.Format

  @Option(
    help: ArgumentHelp(
      "The thread of the post at this address; can be given several times.", valueName: "url"))
  var thread: [String] = []

  @Option(help: ArgumentHelp("The threads of this collection of site.yml, in its order.", valueName: "slug"))
  var collection: String?

  @Option(help: ArgumentHelp("The threads of this author, by handle or address.", valueName: "handle"))
  var author: String?

  @Option(help: ArgumentHelp("The threads that begin in this year.", valueName: "year"))
  var year: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or the folder for Markdown; - for standard output. threads.epub, threads.html, threads-notes or threads.sqlite here, if not given.",
      valueName: "path"), completion: .file())
  var output: String?

  @Option(
    name: .shortAndLong, help: "Threads rendered at once; as many as the machine has cores, if not given.")
  var jobs: Int?

  @Flag(help: "Replace a folder that no export wrote, or in which files were changed since.")
  var force = false

  @Flag(help: "Leave out threads that cannot be read, and export the rest (exit code 65 all the same).")
  var keepGoing = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs should be 1 or more.") }
    if let year, !(1...9999).contains(year) {
      throw ValidationError("--year should be a year, such as 2024.")
    }
    if output == "-", messages.json {
      throw ValidationError(
        "Standard output is either the export (--output -) or the summary (--json), not both.")
    }
    if output == "-", format == .markdown || format == .sqlite {
      throw ValidationError("Only epub and html can be written to standard output.")
    }
    if output == "" { throw ValidationError("--output should not be empty.") }
  }

  func run() throws {
    try messages.run(command: "export") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, environment: Machine.environment,
        progress: console.progress)
      var options = ExportOptions(format, jobs: jobs ?? Machine.cores)
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
      options.keepsGoing = keepGoing
      let export = SiteExport(
        folder, installation: Machine.installation, options: options, progress: console.progress)
      let summary = try export.run()
      for message in summary.leftOut { console.error(message) }
      try report(summary, to: console)
      if !summary.leftOut.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }

  private func report(_ summary: ExportSummary, to console: Console) throws {
    var text =
      "\(Count.text(summary.threads, "thread")), \(Count.text(summary.posts, "post")), "
      + "\(Count.grouped(summary.media)) media in \(console.elapsed): \(summary.output ?? "standard output")"
    if !summary.leftOut.isEmpty {
      text += "\n\(Count.text(summary.leftOut.count, "thread")) left out, as the messages above say."
    }
    if !summary.mediaLeftOut.isEmpty {
      text += "\n\(Count.grouped(summary.mediaLeftOut.count)) media left out, as the warnings above say."
    }
    if summary.missingAltTexts > 0 {
      text += "\n\(Count.text(summary.missingAltTexts, "picture")) without alt text."
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

extension ExportOptions.Format: ExpressibleByArgument {}
