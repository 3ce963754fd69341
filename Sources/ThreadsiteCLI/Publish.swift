import ArgumentParser
import Basics
import HTTPTransport
import Publishing
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace

/// `threadsite publish`
struct Publish: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put the built site where readers find it.",
    discussion: """
      `publish:` in site.yml names the place: a folder, a branch of a git repository, a folder that rsync reaches, a bucket of S3, a server of git-pages, Neocities or a program of your own. Only what changed is sent: files \
      that pages show first, then pages, then lists, and what the site has no more goes last. What threadsite did not put there stays.

      Nothing is changed where the site is missing, half built or has errors (`threadsite check`), or where more than a quarter of what is there \
      would be deleted (--max-deletes, publish.max_deletes). What was interrupted goes on with the next run.

      Exit codes: 0 published, or nothing to do; 3 too much would be deleted, and nothing was changed. The other codes are those of every command.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Flag(help: "Say what would change, and change nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "How much may be deleted: a number of files, or a part such as 40%; publish.max_deletes, if not given.",
      valueName: "number"))
  var maxDeletes: String?

  @Flag(help: "Publish whatever `threadsite check` would find.")
  var noCheck = false

  @Flag(
    help:
      "Replace files of the same names that threadsite did not put there (publish.folder, publish.neocities)."
  )
  var force = false

  /// An exit code that scripts can distinguish.
  private static let tooManyDeletions: Int32 = 3

  private var limit: DeletionLimit? {
    get throws(InvalidValue) { try maxDeletes.map { text throws(InvalidValue) in try DeletionLimit(text) } }
  }

  mutating func validate() throws {
    do {
      _ = try limit
    } catch {
      throw ValidationError("--max-deletes: \(error)")
    }
  }

  func run() async throws {
    try await messages.run(command: "publish") { console in
      try await Interruption.cancelling { [self] in try await publish(console) }
    }
  }

  private func publish(_ console: Console) async throws {
    let folder = try SiteFolder.open(
      configFile: site.configFile, isDefault: site.config == nil, environment: Machine.environment,
      progress: console.progress)
    var options = SitePublication.Options(jobs: Machine.cores)
    options.isDryRun = dryRun
    options.checks = !noCheck
    options.deletionLimit = try limit
    options.replacesForeign = force
    do {
      let report = try await CurlTransport.withTransport(userAgent: "threadsite/\(Threadsite.version)") {
        try await SitePublication(
          folder, installation: Machine.installation, options: options, environment: Machine.environment,
          transport: $0, progress: console.progress
        ).run()
      }
      try say(report, console)
    } catch let stop as SitePublication.TooManyDeletions {
      console.error(stop.message)
      throw ExitCode(Self.tooManyDeletions)
    }
  }

  private func say(_ report: SitePublication.Report, _ console: Console) throws {
    var json: [String: JSONValue] = ["place": .string(report.place), "published": .bool(report.isPublished)]
    guard let difference = report.difference else {
      for key in ["added", "changed", "removed", "unchanged", "bytes"] { json[key] = .null }
      try console.finish(
        report.isPublished
          ? "Published by \(report.place) in \(console.elapsed)."
          : "Nothing was done: \(report.place) alone can say what it would change.", json: json)
      return
    }
    if dryRun {
      let lines =
        difference.added.map { "new      \($0.path.text)" }
        + difference.changed.map { "changed  \($0.path.text)" }
        + difference.removed.map { "deleted  \($0.text)" }
      if !lines.isEmpty { try console.data(lines.joined(separator: "\n")) }
    }
    json["added"] = .array(difference.added.map { .string($0.path.text) })
    json["changed"] = .array(difference.changed.map { .string($0.path.text) })
    json["removed"] = .array(difference.removed.map { .string($0.text) })
    json["unchanged"] = .integer(Int64(difference.unchanged))
    json["bytes"] = .integer(Int64(difference.bytes))
    let counts =
      "\(Count.grouped(difference.added.count)) new, \(Count.grouped(difference.changed.count)) changed, "
      + "\(Count.grouped(difference.removed.count)) deleted, \(Count.grouped(difference.unchanged)) as they were"
    let text: String
    if difference.isEmpty {
      text = "Nothing to do: \(report.place) has all \(Count.text(difference.unchanged, "file"))."
    } else if report.isPublished {
      text = "Published to \(report.place) in \(console.elapsed): \(counts)."
    } else {
      text = "Nothing was done. To \(report.place): \(counts)."
    }
    try console.finish(text, json: json)
  }
}
