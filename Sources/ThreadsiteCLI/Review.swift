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

      Examples:
        threadsite review
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var threads: [String] = []

  func run() throws {
    try messages.run(command: "review") { console in
      let review = SiteReview(
        try site.open(console), installation: Machine.installation, jobs: Machine.cores,
        progress: console.progress)
      let (findings, threads, problems) = try review.run(threads)
      for problem in problems { console.error(problem) }
      if !findings.isEmpty { try console.data(Self.text(findings)) }
      let affected = Set(findings.map(\.thread)).count
      try console.finish(
        findings.isEmpty
          ? "\(Count.text(threads, "thread")): nothing found. Check for names, streets and faces yourself."
          : "\(Count.text(findings.count, "finding")) in \(affected) of \(Count.text(threads, "thread")). Check for names, streets and faces"
            + " yourself.",
        json: [
          "threads": .integer(Int64(threads)),
          "findings": .array(
            findings.map { finding in
              [
                "kind": .string(finding.kind.rawValue), "thread": .string(finding.thread),
                "subject": .string(finding.subject), "message": .string(finding.message),
                "remedy": .string(finding.remedy),
              ]
            }),
        ])
      if !problems.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }

  private static func text(_ findings: [SiteReview.Finding]) -> String {
    var lines: [String] = []
    var thread = ""
    for finding in findings {
      if finding.thread != thread {
        lines.append("\(lines.isEmpty ? "" : "\n")\(finding.thread)")
        thread = finding.thread
      }
      let subject = finding.subject.isEmpty ? "" : " \(finding.subject)"
      lines.append("  \(finding.kind.rawValue):\(subject) \(finding.message)")
      lines.append("      \(finding.remedy)")
    }
    return lines.joined(separator: "\n")
  }
}
