import ArgumentParser
import Basics
import Foundation
import HTTPTransport
import Intake
import SiteBuild
import SiteConfig
import SiteWorkspace
import ThreadModel

/// `threadsite check`
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Report broken links, missing media, images without alt text and more.",
    discussion: """
      Checks the built site and the store: links and anchors, feeds, the sitemap, media, alt text, incomplete \
      threads, and the limits of hosting services. List acceptable findings under check.ignore in site.yml.

      With --external and `archived_links: true` in site.yml, dead links are recorded in the store (threads/dead-links.json), and the next \
      build adds links to archived copies. Nothing else is changed.

      With --manifest, also verifies that this store and this version of threadsite produce a site that was built elsewhere.

      Exit codes: 0 no errors; 1 errors in the site or store; 3 only dead external links (--external). With --strict, warnings count as \
      errors. For all other codes, see `threadsite --help`.

      Examples:
        threadsite check
        threadsite check --external --strict
        threadsite check --kind no-alt
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Flag(help: "Also check external links, a few at a time and each once a week.")
  var external = false

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Option(
    help: ArgumentHelp("Only findings of this kind, such as no-alt; may be repeated.", valueName: "kind"))
  var kind: [CheckFinding.Kind] = []

  @Option(
    help: ArgumentHelp(
      "Also build the site again and compare it with a record that `threadsite build --manifest` wrote.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var manifest: String?

  /// The exit codes that scripts can distinguish.
  private enum Outcome: Int32 {
    case wrong = 1
    case deadLinks = 3
  }

  func run() async throws {
    try await messages.run(command: "check") { console in
      let folder = try site.open(console)
      let check = SiteCheck(
        folder, installation: Machine.installation, jobs: Machine.cores, progress: console.progress)
      var (report, links) = try check.run()
      var recorded: Int?
      if external {
        let archives = folder.config.archivedLinks
        // The Wayback Machine answers few requests of programs.
        if archives { links.removeAll { WebArchive.isCopy($0.url.utf8) } }
        let asked = links
        let outcome = try await FetchServices.withLive(for: folder, version: Threadsite.version) { services in
          try await LinkCheck(
            transport: services.media, folder: folder.path, now: services.now(),
            advisesArchive: { !archives && !folder.networks.mayShowPosts($0) }
          ).run(asked, progress: console.progress)
        }
        report.add(outcome.findings)
        if archives { recorded = try outcome.record(in: folder) }
      }
      if let manifest {
        let work = ManifestWork(
          folder, installation: Machine.installation, program: Threadsite.version, jobs: Machine.cores)
        // The check has printed the warnings of the build that it would repeat.
        report.add(try work.verify(try ManifestWork.read(manifest), of: manifest) { _ in })
      }
      report = check.settle(report, kinds: Set(kind))
      try say(report, of: folder, recorded: recorded, console)
      let counts = report.findings.filter { $0.severity == .error || strict && $0.severity == .warning }
      if counts.contains(where: { ![.deadLink, .movedLink].contains($0.kind) }) {
        throw ExitCode(Outcome.wrong.rawValue)
      }
      if !counts.isEmpty { throw ExitCode(Outcome.deadLinks.rawValue) }
    }
  }

  /// - Parameter recorded: the number of dead links in the store's record, if it has changed.
  private func say(
    _ report: CheckReport, of site: SiteFolder, recorded: Int?, _ console: Console
  ) throws {
    // Notes that were asked for are shown.
    let showsNotes = messages.verbose || !kind.isEmpty
    let shown = showsNotes ? report.findings : report.findings.filter { $0.severity != .note }
    if !shown.isEmpty {
      try console.data(shown.map { Self.line($0, of: site) }.joined(separator: "\n"))
    }
    let notes = report.count(of: .note)
    var text =
      "\(Count.text(report.pages, "page")), \(Count.text(report.links, "link")), \(Count.text(report.threads, "thread")), "
      + "\(Count.text(report.files, "file")) (\(Count.grouped((report.bytes + 1_048_575) >> 20)) MB) in \(console.elapsed): "
    text +=
      shown.isEmpty
      ? "no errors or warnings"
      : "\(Count.text(report.count(of: .error), "error"))\(Self.kinds(report, .error)), \(Count.text(report.count(of: .warning), "warning"))\(Self.kinds(report, .warning))"
    if notes > 0 {
      text +=
        "; \(Count.text(notes, "note"))\(Self.kinds(report, .note))"
        + (showsNotes ? "" : ", shown with --verbose")
    }
    if report.ignored > 0 { text += "; \(report.ignored) ignored by site.yml" }
    if report.externalLinks > 0, !external {
      text +=
        "\n\(Count.text(report.externalLinks, "link")) to other sites not checked; check them with --external."
    }
    if let recorded {
      text +=
        "\n\(site.config.store)/\(DeadLinks.fileName) now has \(Count.text(recorded, "dead link")); commit this file, and build the site to update its links to archived pages."
    }
    try console.finish(
      text,
      json: [
        "findings": .array(
          report.findings.map { finding in
            [
              "kind": .string(finding.kind.rawValue), "severity": .string(finding.severity.rawValue),
              "place": .string(finding.place), "subject": .string(finding.subject),
              "message": .string(finding.message), "page": .string(finding.page ?? ""),
            ]
          }),
        "errors": .integer(Int64(report.count(of: .error))),
        "warnings": .integer(Int64(report.count(of: .warning))), "notes": .integer(Int64(notes)),
        "ignored": .integer(Int64(report.ignored)), "pages": .integer(Int64(report.pages)),
        "links": .integer(Int64(report.links)), "external_links": .integer(Int64(report.externalLinks)),
        "threads": .integer(Int64(report.threads)), "files": .integer(Int64(report.files)),
        "bytes": .integer(Int64(report.bytes)),
      ])
  }

  private static func line(_ finding: CheckFinding, of site: SiteFolder) -> String {
    let subject = finding.subject.isEmpty ? "" : " \(finding.subject):"
    var line =
      "\(finding.place): \(finding.severity.rawValue): \(finding.kind.rawValue):\(subject) \(finding.message)"
    if let page = finding.page { line += "\n  page: \(site.config.output)/\(page)index.html" }
    if finding.namesMedia { line += "\n  file: \(site.config.store)/media/\(finding.subject)" }
    return line
  }

  /// ` (7 no-alt, 1 host-limit)`; empty if there are no findings.
  private static func kinds(_ report: CheckReport, _ severity: CheckFinding.Severity) -> String {
    let kinds = report.kinds(of: severity).map { "\(Count.grouped($0.count)) \($0.kind.rawValue)" }
    return kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
  }
}

extension CheckFinding.Kind: ExpressibleByArgument {}
