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
    abstract: "Publish the built site.",
    discussion: """
      Publishes to the target under `publish` in site.yml: a folder, a git branch, an rsync destination, an S3 bucket, a git-pages server, \
      Neocities or a custom command. Only changes are sent: first assets, then pages, then lists; deleted files go last. Files \
      that threadsite did not publish are kept.

      Nothing is published if the site is missing, incomplete or has errors (`threadsite check`), or if more than a quarter of the \
      published files would be deleted (--max-deletes, publish.max_deletes). Run the command again to resume after an interruption.

      The URLs of published threads become permanent: they are recorded in the store (threads/permalinks.json), which you commit. If another \
      program publishes the site, such as a workflow that uploads site/, run `threadsite publish --record` after the build.

      Exit codes: 0 published or nothing to do; 3 too many deletions, nothing was changed. For all other codes, see `threadsite --help`.

      Examples:
        threadsite publish --dry-run
        threadsite publish --max-deletes 40%
        threadsite publish --record
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Flag(help: "List the changes without publishing them.")
  var dryRun = false

  @Flag(
    help:
      "Only record the URLs of the built site as published, without publishing: for a site that another program publishes."
  )
  var record = false

  @Option(
    help: ArgumentHelp(
      "The maximum deletions: a number of files or a percentage such as 40%, instead of publish.max_deletes in site.yml.",
      valueName: "number"))
  var maxDeletes: String?

  @Flag(help: "Publish without `threadsite check`.")
  var noCheck = false

  @Flag(help: "Publish a site that was built with `build --drafts`.")
  var drafts = false

  @Flag(
    help:
      "Replace files of the same name that threadsite did not publish (publish.folder, publish.neocities)."
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
    let others = [
      (maxDeletes != nil, "--max-deletes"), (noCheck, "--no-check"), (drafts, "--drafts"), (force, "--force"),
    ].filter(\.0)
    if record, let other = others.first {
      throw ValidationError("--record publishes nothing, so \(other.1) has no effect; remove one of them.")
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
    options.allowsDrafts = drafts
    options.deletionLimit = try limit
    options.replacesForeign = force
    do {
      if record {
        return try await CurlTransport.withTransport(userAgent: "threadsite/\(Threadsite.version)") {
          try say(
            recorded: try SitePublication(
              folder, installation: Machine.installation, options: options, environment: [:], transport: $0,
              progress: console.progress
            ).recordAddresses(), console)
        }
      }
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

  private static let keysOfDifference = ["added", "changed", "removed", "unchanged", "bytes"]

  /// Reports that only URLs were recorded.
  private func say(recorded: Int, _ console: Console) throws {
    var json: [String: JSONValue] = [
      "place": .null, "published": false, "recorded": .integer(Int64(recorded)),
    ]
    for key in Self.keysOfDifference { json[key] = .null }
    let threads = Count.text(recorded, "thread")
    try console.finish(
      recorded == 0
        ? "Nothing to do: the URLs of all threads of the built site are recorded as published."
        : dryRun
          ? "Dry run, nothing was recorded. The URLs of \(threads) would become permanent."
          : "Recorded the URLs of \(threads) as published, in \(Permalinks.fileName) of the store. Commit this file.",
      json: json)
  }

  private func say(_ report: SitePublication.Report, _ console: Console) throws {
    var json: [String: JSONValue] = [
      "place": .string(report.place), "published": .bool(report.isPublished),
      "recorded": .integer(Int64(report.recorded)),
    ]
    let recorded =
      report.recorded == 0
      ? ""
      : "\nThe URLs of \(Count.text(report.recorded, "thread")) \(dryRun ? "would become" : "are now") permanent"
        + (dryRun ? "." : ": commit \(Permalinks.fileName) of the store.")
    guard let difference = report.difference else {
      for key in Self.keysOfDifference { json[key] = .null }
      try console.finish(
        report.isPublished
          ? "Published by \(report.place) in \(console.elapsed).\(recorded)"
          : "Nothing was published: a dry run is not possible with \(report.place).\(recorded)", json: json)
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
      + "\(Count.grouped(difference.removed.count)) deleted, \(Count.grouped(difference.unchanged)) unchanged"
    let text: String
    if difference.isEmpty {
      text = "Nothing to do: \(report.place) has all \(Count.text(difference.unchanged, "file"))."
    } else if report.isPublished {
      text = "Published to \(report.place) in \(console.elapsed): \(counts)."
    } else {
      text = "Dry run, nothing was published. Changes to \(report.place): \(counts)."
    }
    try console.finish(text + recorded, json: json)
  }
}
