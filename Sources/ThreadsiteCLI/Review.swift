import ArgumentParser
import Basics
import SiteWorkspace
import Upkeep

/// `threadsite review`
struct Review: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Report personal data in the threads.",
    discussion: """
      Reports email addresses, phone numbers, account and card numbers, coordinates, keys, media with location metadata, posts of \
      protected accounts and of other people, and posts that were deleted on their network. For each finding, it prints how to remove \
      it from the site. It cannot recognize names, streets and faces: check the pages for them yourself.

      With --accept, the findings are recorded in threads/reviewed.json, and later reviews report only new ones.

      Examples:
        threadsite review
        threadsite review --kind email --kind phone
        threadsite review --accept --kind others
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Option(
    help: ArgumentHelp("Only findings of this kind, such as email; may be repeated.", valueName: "kind"))
  var kind: [SiteReview.Finding.Kind] = []

  @Flag(help: "Record the findings as reviewed, so that later reviews do not report them.")
  var accept = false

  @Flag(help: "With --accept: report the findings again.")
  var undo = false

  @Flag(help: "Also report accepted findings.")
  var all = false

  @Argument(help: ThreadArgument.help, completion: SiteCompletions.threads)
  var threads: [String] = []

  func validate() throws {
    if undo, !accept { throw ValidationError("--undo needs --accept.") }
  }

  func run() throws {
    try messages.run(command: "review") { console in
      let review = SiteReview(
        try site.open(console), installation: Machine.installation, jobs: Machine.cores,
        progress: console.progress)
      var choice = SiteReview.Choice()
      choice.kinds = Set(kind)
      choice.includesAccepted = all
      let report = try review.run(threads, choice, accept ? undo ? .undo : .accept : .report)
      for problem in report.problems { console.error(problem) }
      if !report.findings.isEmpty, !accept { try console.data(text(report)) }
      try console.finish(
        summary(report),
        json: [
          "threads": .integer(Int64(report.threads)), "reviewed": .integer(Int64(report.reviewed)),
          "accepted": .integer(Int64(report.accepted)),
          "findings": .array(
            report.findings.map { finding in
              [
                "kind": .string(finding.kind.rawValue), "thread": .string(finding.thread),
                "subject": .string(finding.subject), "message": .string(finding.message),
                "remedy": .string(finding.remedy),
              ]
            }),
        ])
      if !report.problems.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }

  private func summary(_ report: SiteReview.Report) -> String {
    let findings = Count.text(report.findings.count, "finding")
    let affected = Set(report.findings.map(\.thread)).count
    if accept {
      let verb = undo ? "removed from" : "recorded in"
      return report.accepted == 0
        ? "Nothing to do: \(undo ? "no accepted finding matches" : "there are no new findings")."
        : "\(Count.text(report.accepted, "finding")) in \(Count.text(affected, "thread")) \(verb) the reviewed findings."
    }
    var text =
      report.findings.isEmpty
      ? "\(Count.text(report.threads, "thread")): nothing \(report.reviewed > 0 ? "new " : "")found."
      : "\(findings) in \(Count.grouped(affected)) of \(Count.text(report.threads, "thread"))."
    text += " Check for names, streets and faces yourself."
    if report.reviewed > 0 {
      text +=
        "\n\(Count.text(report.reviewed, "accepted finding")) not shown; show \(report.reviewed == 1 ? "it" : "them") with --all."
    }
    return text
  }

  /// A kind of findings that many threads have is one line, unless it was asked for.
  private static let most = 3

  private func text(_ report: SiteReview.Report) -> String {
    let others = report.findings.filter { $0.kind == .others }
    let summarizes = others.count > Self.most && kind.isEmpty && !messages.verbose
    var lines: [String] = []
    var thread = ""
    for finding in report.findings where !summarizes || finding.kind != .others {
      if finding.thread != thread {
        lines.append("\(lines.isEmpty ? "" : "\n")\(finding.thread)")
        thread = finding.thread
      }
      let subject = finding.subject.isEmpty ? "" : " \(finding.subject)"
      lines.append("  \(finding.kind.rawValue):\(subject) \(finding.message)")
      lines.append("      \(finding.remedy)")
    }
    if summarizes {
      lines.append(
        "\(lines.isEmpty ? "" : "\n")others: \(Count.grouped(others.count)) of \(Count.text(report.threads, "thread")) show posts by other people\n"
          + "      list them with --kind others; accept them with --accept --kind others")
    }
    return lines.joined(separator: "\n")
  }
}

extension SiteReview.Finding.Kind: ExpressibleByArgument {}
