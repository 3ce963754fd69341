import ArgumentParser
import Basics
import SiteConfig
import SiteWorkspace
import ThreadStore

/// `threadsite init`
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a site in an empty folder.",
    discussion: """
      --from begins the site with threads: the path of an archive of X or Mastodon or of repo.car, the URL of a thread, or the URL or the \
      name of an account. On a terminal, and without options, the command asks for the threads, the title, the language and the theme.

      With --ci, also writes workflows for GitHub, GitLab, Forgejo, Codeberg or Gitea. They build and publish the site, fetch updates, \
      and add threads on request, even from a phone. In a folder with a site, --ci writes only the workflows (`threadsite help ci`).

      Examples:
        threadsite init my-threads --from twitter-2026-01-31.zip
        threadsite init my-threads --sample
        threadsite init --ci github
      """)

  @OptionGroup var place: FolderOptions
  @OptionGroup var messages: MessageOptions

  @Argument(
    help: ArgumentHelp(
      "The folder; created if it is missing. The default is the current folder.", valueName: "folder"),
    completion: .directory)
  var folder = "."

  @Option(
    help: ArgumentHelp(
      "Threads to begin with: the path of an archive, the URL of a thread, or the URL or name of an account.",
      valueName: "source"), completion: .file())
  var from: String?

  @Flag(help: "Begin with an invented thread and a page about the site.")
  var sample = false

  @Option(help: "The site's title. The default is Threads.")
  var title: String?

  @Option(help: "The language of the site's own words. The default is en.")
  var language: String?

  @Option(help: "The site's theme. The default is paper.")
  var theme: String?

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
    if from != nil, sample {
      throw ValidationError("--sample and --from cannot be combined; use one of them.")
    }
    _ = try from.map { try InitSource($0) }
    if from == nil, FileSystem.kind(of: folder) == .file || folder.contains("://") {
      throw ValidationError(
        "\(quoted(folder)) is not a folder; to begin a site with it, run `threadsite init my-threads --from \(folder)`."
      )
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
      let ignored = [
        (title != nil, "--title"), (language != nil, "--language"), (theme != nil, "--theme"),
        (from != nil, "--from"), (sample, "--sample"),
      ].filter(\.0).map(\.1)
      for option in ignored {
        console.progress(
          .warning(
            "\(option) is ignored because the site exists; change its site.yml, or use `threadsite add`"))
      }
      let files = try plan.write()
      warnAboutMissingRelease(console)
      try console.finish(
        files.isEmpty
          ? "Nothing to do: the workflows are up to date."
          : "Wrote workflows for the site in \(folder): \(files.joined(separator: ", ")).\n\(next)",
        json: Self.json(files, from: nil, threads: 0))
    }
  }

  /// Whether the command line leaves everything open, so that it is worth asking.
  private var isBare: Bool {
    from == nil && !sample && title == nil && language == nil && theme == nil && ci == nil && !messages.json
      && !messages.quiet
  }

  /// The choices of the command line.
  private var answers: InitDialog.Answers {
    get throws {
      var answers = InitDialog.Answers()
      answers.choices.title = title ?? answers.choices.title
      answers.choices.language = language ?? answers.choices.language
      answers.choices.theme = theme ?? answers.choices.theme
      answers.source = try from.map { try InitSource($0) }
      answers.wantsSample = sample
      return answers
    }
  }

  private func begin(with plan: CIFiles.Plan?, _ console: Console) throws {
    let installation = Machine.installation
    var archive: String?
    if let from, case .archive(let path) = try InitSource(from) { archive = path }
    // Nobody should answer questions in vain.
    try NewSite(folder: folder, archive: archive).check()
    let answers =
      isBare && InitDialog.canAsk ? try InitDialog(installation, console).ask() : try answers
    if let problem = NewSite.problem(with: answers.choices, installation: installation) {
      throw PipelineError(.configuration, ["\(problem.option): error: \(problem.message)"])
    }
    let site = NewSite(folder: folder, answers.choices, forge: ci, archive: archive)
    var files = try site.create() + (plan?.write() ?? [])
    if answers.wantsSample { files += try site.createSample() }
    if plan != nil { warnAboutMissingRelease(console) }
    console.inform("Created a site in \(folder): \(files.joined(separator: ", ")).")
    let enter = folder == "." ? "" : "`cd \(folder)`, "
    let configFile = folder == "." ? "site.yml" : "\(folder)/site.yml"
    let opened = try SiteFolder.open(
      configFile: configFile, isDefault: false, environment: Machine.environment, progress: console.progress)
    if let source = answers.source {
      do {
        try source.bring(into: opened, configFile: configFile, console)
      } catch {
        console.inform(
          "The site exists, but not all threads were added. To try again: \(enter)`\(source.command)`.")
        throw error
      }
    }
    let threads = try withStore { () throws(ThreadStoreError) in try opened.threadStore.list().count }
    let add = threads == 0 ? "`threadsite add URL` or `threadsite import ARCHIVE`, then " : ""
    try console.finish(
      "Next: \(enter)\(add)`threadsite serve --open`."
        + (answers.wantsSample ? "\nTo remove the sample: `threadsite remove \(NewSite.sampleURL)`." : "")
        + (plan == nil ? "" : "\n\(next)"),
      json: Self.json(files, from: from, threads: threads))
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
    case .forgejo, .codeberg, .gitea:
      "Next: enable Actions on the forge, check that site.yml has `publish: { git: { branch: pages } }`, then push. See `threadsite help ci`."
    case nil: ""
    }
  }

  private static func json(_ files: [String], from source: String?, threads: Int) -> [String: JSONValue] {
    [
      "files": .array(files.map { .string($0) }), "from": source.map { .string($0) } ?? .null,
      "threads": .integer(Int64(threads)),
    ]
  }
}

extension CIFiles.Forge: ExpressibleByArgument {}
