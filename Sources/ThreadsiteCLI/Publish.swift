import ArgumentParser
import Basics
import Export
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
      Neocities or a custom command. With `publish.atproto`, records about the threads also go to an account of the AT Protocol, by which \
      Bluesky shows links to them as cards. Only changes are sent: first assets, then pages, then lists; deleted files go last. Files \
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
              records: records(of: folder, console), progress: console.progress
            ).recordAddresses(), console)
        }
      }
      let reports = try await CurlTransport.withTransport(userAgent: "threadsite/\(Threadsite.version)") {
        try await SitePublication(
          folder, installation: Machine.installation, options: options, environment: Machine.environment,
          transport: $0, records: records(of: folder, console), progress: console.progress
        ).run()
      }
      try say(reports, console)
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

  /// Returns the function that makes the records about the site's threads.
  private func records(of folder: SiteFolder, _ console: Console) -> @Sendable () throws -> SiteRecords {
    {
      try SiteExport(
        folder, installation: Machine.installation, options: ExportOptions(jobs: Machine.cores),
        progress: console.progress
      ).records()
    }
  }

  private func say(_ reports: [SitePublication.Report], _ console: Console) throws {
    var json: [String: JSONValue] = [:]
    var lines: [String] = []
    for (number, report) in reports.enumerated() {
      let (facts, text) = try describe(report, console)
      lines.append(text)
      // The site's files come first, and records about them second.
      if number == 0 { json = facts } else { json["records"] = .object(facts) }
    }
    let count = reports.reduce(0) { $0 + $1.recorded }
    json["recorded"] = .integer(Int64(count))
    if count > 0 {
      lines.append(
        "The URLs of \(Count.text(count, "thread")) \(dryRun ? "would become" : "are now") permanent"
          + (dryRun ? "." : ": commit \(Permalinks.fileName) of the store."))
    }
    try console.finish(lines.joined(separator: "\n"), json: json)
  }

  /// Returns the facts about the publication to one target, and a sentence for the summary. A dry run prints the changes.
  private func describe(
    _ report: SitePublication.Report, _ console: Console
  ) throws -> (json: [String: JSONValue], text: String) {
    var json: [String: JSONValue] = [
      "place": .string(report.place), "published": .bool(report.isPublished),
    ]
    guard let difference = report.difference else {
      for key in Self.keysOfDifference { json[key] = .null }
      return (
        json,
        report.isPublished
          ? "Published by \(report.place) in \(console.elapsed)."
          : "Nothing was published: a dry run is not possible with \(report.place)."
      )
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
      text = "Nothing to do: \(report.place) has all \(Count.text(difference.unchanged, report.unit))."
    } else if report.isPublished {
      text = "Published to \(report.place) in \(console.elapsed): \(counts)."
    } else {
      text = "Dry run, nothing was published. Changes to \(report.place): \(counts)."
    }
    return (json, text)
  }
}
