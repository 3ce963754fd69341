import ArgumentParser
import Basics
import SiteWorkspace

/// `threadsite init`
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a site in an empty folder.",
    discussion: """
      With --ci, also writes workflows for GitHub, GitLab or Forgejo (such as Codeberg). They build and publish the site, fetch updates, \
      and add threads on request, even from a phone. In a folder with a site, --ci writes only the workflows (`threadsite help ci`).

      Examples:
        threadsite init my-threads --title "Ada's threads"
        threadsite init --ci github
      """)

  @OptionGroup var place: FolderOptions
  @OptionGroup var messages: MessageOptions

  @Argument(
    help: ArgumentHelp(
      "The folder; created if it is missing. The default is the current folder.", valueName: "folder"),
    completion: .directory)
  var folder = "."

  @Option(help: "The site's title. The default is Threads.")
  var title: String?

  @Option(
    help: ArgumentHelp(
      "Also write workflows for continuous integration: \(CIFiles.Forge.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "forge"))
  var ci: CIFiles.Forge?

  @Flag(help: "Replace existing workflows that differ (--ci).")
  var force = false

  func validate() throws {
    if force, ci == nil {
      throw ValidationError("--force needs --ci; an existing site is never replaced.")
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
        console.progress(
          .warning("--title is ignored because the site exists; set the title in its site.yml"))
      }
      let files = try plan.write()
      warnAboutMissingRelease(console)
      try console.finish(
        files.isEmpty
          ? "Nothing to do: the workflows are up to date."
          : "Wrote workflows for the site in \(folder): \(files.joined(separator: ", ")).\n\(next)",
        json: Self.json(files))
    }
  }

  private func begin(with plan: CIFiles.Plan?, _ console: Console) throws {
    let files =
      try NewSite(folder: folder, title: title ?? "Threads", forge: ci).create() + (plan?.write() ?? [])
    if plan != nil { warnAboutMissingRelease(console) }
    let enter = folder == "." ? "" : "`cd \(folder)`, "
    try console.finish(
      """
      Created a site in \(folder): \(files.joined(separator: ", ")).
      Next: \(enter)`threadsite add URL` or `threadsite import ARCHIVE`, then `threadsite serve --open`.
      """ + (plan == nil ? "" : "\n\(next)"), json: Self.json(files))
  }

  /// The workflows install the release of this version, which they cannot do before it is published.
  private func warnAboutMissingRelease(_ console: Console) {
    guard !Threadsite.isReleased else { return }
    console.progress(
      .warning(
        "threadsite \(Threadsite.version) is not released yet, so the workflows cannot install it; put a released version into them, or run `init --ci` again after the release"
      ))
  }

  /// The remaining steps at the forge.
  private var next: String {
    switch ci {
    case .github:
      "Next on GitHub: set Settings > Pages > Source to GitHub Actions, then push. See `threadsite help ci`."
    case .gitlab:
      "Next on GitLab: allow Git push requests under Settings > CI/CD > Job token permissions, then push. See `threadsite help ci`."
    case .forgejo:
      "Next: enable Actions on the forge, add `publish: { git: { branch: pages } }` to site.yml, then push. See `threadsite help ci`."
    case nil: ""
    }
  }

  private static func json(_ files: [String]) -> [String: JSONValue] {
    ["files": .array(files.map { .string($0) })]
  }
}

extension CIFiles.Forge: ExpressibleByArgument {}
