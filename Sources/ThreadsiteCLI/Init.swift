import ArgumentParser
import Basics
import SiteWorkspace

/// `threadsite init`
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Start a site in an empty folder.",
    discussion: """
      --ci writes the files by which GitHub, GitLab or a forge of Forgejo's (Codeberg) builds and publishes the site, keeps it up to date, and adds threads when you ask it to, \
      from a phone, too; in a folder that has a site, it writes nothing else (docs/ci.md).
      """)

  @OptionGroup var messages: MessageOptions

  @Argument(
    help: ArgumentHelp(
      "The folder; made if it is missing. The current one, if not given.", valueName: "folder"),
    completion: .directory)
  var folder = "."

  @Option(help: "The site's title; Threads, if not given.")
  var title: String?

  @Option(
    help: ArgumentHelp(
      "Write workflows: \(CIFiles.Forge.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "forge"))
  var ci: CIFiles.Forge?

  @Flag(help: "Replace workflows that are there already and differ (--ci).")
  var force = false

  func validate() throws {
    if force, ci == nil {
      throw ValidationError("--force is for --ci: a site that is there is never replaced.")
    }
  }

  func run() throws {
    try messages.run(command: "init") { console in
      let ci = ci.map {
        CIFiles(
          folder: folder, forge: $0, installation: Machine.installation, version: Threadsite.version)
      }
      let plan = try ci?.plan(replacing: force)
      guard let ci, let plan, ci.hasSite else {
        return try begin(with: plan, console)
      }
      if title != nil {
        console.progress(.warning("--title changes nothing: the title of this site is in its site.yml"))
      }
      let files = try plan.write()
      try console.finish(
        files.isEmpty
          ? "Nothing to do: the workflows are there already."
          : "Workflows for the site in \(folder): \(files.joined(separator: ", ")).\n\(next)",
        json: Self.json(files))
    }
  }

  private func begin(with plan: CIFiles.Plan?, _ console: Console) throws {
    let files =
      try NewSite(folder: folder, title: title ?? "Threads", forge: ci).create() + (plan?.write() ?? [])
    let enter = folder == "." ? "" : "`cd \(folder)`, "
    try console.finish(
      """
      A site begins in \(folder): \(files.joined(separator: ", ")).
      Next: \(enter)`threadsite import saved-responses.json`, then `threadsite build`.
      """ + (plan == nil ? "" : "\n\(next)"), json: Self.json(files))
  }

  /// The remaining steps at the forge.
  private var next: String {
    switch ci {
    case .github:
      "At GitHub: Settings, Pages, Source: GitHub Actions; then push. docs/ci.md says the rest."
    case .gitlab:
      "At GitLab: Settings, CI/CD, Job token permissions: allow Git push requests; then push. docs/ci.md says the rest."
    case .forgejo:
      "At the forge: switch on Actions; site.yml needs `publish: { git: { branch: pages } }`; then push. docs/ci.md says the rest."
    case nil: ""
    }
  }

  private static func json(_ files: [String]) -> [String: JSONValue] {
    ["files": .array(files.map { .string($0) })]
  }
}

extension CIFiles.Forge: ExpressibleByArgument {}
