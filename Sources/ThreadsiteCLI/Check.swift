import ArgumentParser
import Basics
import Foundation
import HTTPTransport
import Intake
import SiteBuild
import SiteWorkspace
import ThreadModel

/// `threadsite check`
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for broken links, missing media, pictures without descriptions and more.",
    discussion: """
      Looks at the site that was built and at the store, and changes nothing. Links within the site, and the places in pages that \
      they lead to; feeds and the sitemap; media; pictures that nobody described; threads of which posts are missing; files that \
      hosts do not take. check.ignore in site.yml says what is fine.

      Exit codes: 0 nothing is wrong; 1 something on the site or in the store is; 3 nothing is but links out of the site are dead \
      (--external). Warnings count with --strict. The other codes are those of every command.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Flag(help: "Ask for the links that lead out of the site, too: few at a time, and each once a week.")
  var external = false

  @Flag(help: "Let warnings count as errors.")
  var strict = false

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
      if external {
        report.add(
          try await FetchServices.withLive(for: folder, version: Threadsite.version) { services in
            try await LinkCheck(transport: services.media, folder: folder.path, now: services.now())
              .run(links, progress: console.progress)
          })
      }
      report = check.settle(report)
      try say(report, console)
      let counts = report.findings.filter { $0.severity == .error || strict && $0.severity == .warning }
      if counts.contains(where: { ![.deadLink, .movedLink].contains($0.kind) }) {
        throw ExitCode(Outcome.wrong.rawValue)
      }
      if !counts.isEmpty { throw ExitCode(Outcome.deadLinks.rawValue) }
    }
  }

  private func say(_ report: CheckReport, _ console: Console) throws {
    let shown = messages.verbose ? report.findings : report.findings.filter { $0.severity != .note }
    if !shown.isEmpty { try console.data(shown.map(Self.line).joined(separator: "\n")) }
    let notes = report.count(of: .note)
    var text =
      "\(Count.text(report.pages, "page")), \(Count.text(report.links, "link")), \(Count.text(report.threads, "thread")), "
      + "\(Count.text(report.files, "file")) (\(Count.grouped((report.bytes + 1_048_575) >> 20)) MB) in \(console.elapsed): "
    text +=
      shown.isEmpty
      ? "nothing is wrong"
      : "\(Count.text(report.count(of: .error), "error")), \(Count.text(report.count(of: .warning), "warning"))"
    if notes > 0 {
      text += "; \(Count.text(notes, "note"))" + (messages.verbose ? "" : ", which --verbose shows")
    }
    if report.ignored > 0 { text += "; \(report.ignored) ignored, as site.yml says" }
    if report.externalLinks > 0, !external {
      text += "\n\(Count.text(report.externalLinks, "link")) out of the site; --external asks for them."
    }
    try console.finish(
      text,
      json: [
        "findings": .array(
          report.findings.map { finding in
            [
              "kind": .string(finding.kind.rawValue), "severity": .string(finding.severity.rawValue),
              "place": .string(finding.place), "subject": .string(finding.subject),
              "message": .string(finding.message),
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

  private static func line(_ finding: CheckFinding) -> String {
    let subject = finding.subject.isEmpty ? "" : " \(finding.subject):"
    return
      "\(finding.place): \(finding.severity.rawValue): \(finding.kind.rawValue):\(subject) \(finding.message)"
  }
}
