import ArgumentParser
import Basics
import SiteWorkspace
import Upkeep

/// `threadsite review`
struct Review: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what a stranger would learn from the threads.",
    discussion: """
      E-mail addresses, telephone numbers, numbers of accounts and cards, coordinates, keys; pictures that say where they were taken; \
      words of protected accounts and of others; posts that are gone from their network and still shown. For each, what takes it off the \
      site. Names, streets and faces are nothing that a program can tell: look at the pages, too.
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
          ? "\(Count.text(threads, "thread")): nothing was found; names, streets and faces are for you to see."
          : "\(Count.text(findings.count, "thing")) to look at in \(affected) of \(Count.text(threads, "thread")); names, streets and faces"
            + " are for you to see.",
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
