import ArgumentParser
import Basics
import Intake
import SiteBuild
import SiteConfig
import SiteWorkspace

/// `threadsite build`
struct Build: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Build the site.",
    discussion: """
      Reads site.yml and the store, writes what has changed of the site beside the output, and puts it in place when all of it is there. \
      If anything is wrong, all of it is reported and the previous site stays; --keep-going builds the rest where single threads are to blame.

      Threads that site.yml lists and the store lacks are fetched first, if there is a token for it; --offline builds from what \
      is in the store.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The folder to write the site to.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Option(help: ArgumentHelp("The site's address, instead of base_url in site.yml.", valueName: "url"))
  var baseURL: String?

  @Flag(help: "Build drafts, too.")
  var drafts = false

  @Option(
    name: .shortAndLong, help: "Threads rendered at once; as many as the machine has cores, if not given.")
  var jobs: Int?

  @Flag(help: "Fetch nothing: build from what is in the store.")
  var offline = false

  @OptionGroup var flags: FetchFlags

  @Flag(help: "Build all of it anew, whatever the last build has done.")
  var noCache = false

  @Flag(help: "Replace an output folder that threadsite did not write.")
  var force = false

  @Flag(help: "Leave out threads that cannot be built, and build the rest (exit code 65 all the same).")
  var keepGoing = false

  mutating func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs should be 1 or more.") }
  }

  func run() async throws {
    try await messages.run(command: "build") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, output: output, baseURL: baseURL,
        environment: Machine.environment,
        progress: console.progress)
      if flags.dryRun || !offline, try await fetchMissing(for: folder, console) == .planned { return }
      var options = SiteBuild.Options(jobs: jobs ?? Machine.cores)
      options.includesDrafts = drafts
      options.replacesForeignOutput = force
      options.keepsGoing = keepGoing
      options.usesCache = !noCache
      let build = SiteBuild(
        folder, installation: Machine.installation, options: options, progress: console.progress)
      do {
        let summary = try build.run()
        try report(summary, hasAddress: folder.config.baseURL != nil, to: console)
        if !summary.leftOut.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
      } catch let error as PipelineError where error.isOfOneThread {
        for message in error.messages { console.error(message) }
        console.advice(Self.advice)
        throw ExitCode(error.kind.exitCode)
      }
    }
  }

  private static let advice =
    "Nothing was built, and the previous site is as it was. `threadsite build --keep-going` builds the rest without these."

  private enum Fetched {
    case done
    /// A dry run, in which nothing is built either.
    case planned
  }

  private var fetchOptions: FetchOptions {
    var options = FetchOptions(.missing)
    options.keepsGoing = keepGoing
    return options
  }

  /// Fetches the threads that site.yml lists and the store lacks.
  private func fetchMissing(for folder: SiteFolder, _ console: Console) async throws -> Fetched {
    let fetch = FetchReport(flags: flags, options: fetchOptions, console: console)
    return try await fetch.runBeforeBuilding(folder) ? .done : .planned
  }

  private func report(_ summary: BuildSummary, hasAddress: Bool, to console: Console) throws {
    var text =
      "\(Count.text(summary.threads, "thread")), \(Count.text(summary.posts, "post")), "
      + "\(Count.text(summary.pages, "page")) in \(console.elapsed): \(summary.output)"
    if summary.drafts > 0 {
      text += "\n\(Count.text(summary.drafts, "draft")) left out; --drafts builds them."
    }
    if summary.excluded > 0 {
      text += "\n\(Count.text(summary.excluded, "thread")) of the store left out, as site.yml says."
    }
    if !summary.empty.isEmpty {
      let names = summary.empty.prefix(5).joined(separator: ", ")
      text +=
        "\n\(Count.text(summary.empty.count, "conversation")) of the store without a page, as nothing in"
        + " \(summary.empty.count == 1 ? "it" : "them") is by the thread's author: \(names)\(summary.empty.count > 5 ? ", …" : "")"
    }
    if !summary.pagesLeftOut.isEmpty {
      let shown = summary.pagesLeftOut.prefix(5).map { "\n  \($0)" }.joined()
      let rest = summary.pagesLeftOut.count - 5
      text +=
        "\n\(Count.text(summary.pagesLeftOut.count, "page")) of the site before this build \(summary.pagesLeftOut.count == 1 ? "is" : "are")"
        + " gone:\(shown)\(rest > 0 ? "\n  and \(rest) more" : "")"
    }
    if !summary.leftOut.isEmpty {
      for message in summary.leftOut.flatMap(\.messages) { console.error(message) }
      let threads = summary.leftOut.compactMap(\.thread)
      let others = summary.leftOut.count - threads.count
      text += "\nLeft out, as something is wrong with them: \(Count.text(threads.count, "thread"))"
      if !threads.isEmpty {
        text += " (\(threads.prefix(10).joined(separator: ", "))\(threads.count > 10 ? ", …" : ""))"
      }
      if others > 0 { text += " and \(Count.text(others, "other thing"))" }
      text += "; the messages above say what. Their addresses stay theirs."
    }
    if summary.missingAltTexts > 0 {
      text += "\n\(Count.text(summary.missingAltTexts, "picture")) without alt text."
    }
    if !hasAddress {
      text +=
        "\nbase_url is not set in site.yml, so there are no feeds, no sitemap, no canonical links and no previews where the site is shared."
    }
    try console.finish(
      text,
      json: [
        "threads": .integer(Int64(summary.threads)), "posts": .integer(Int64(summary.posts)),
        "pages": .integer(Int64(summary.pages)), "rendered": .integer(Int64(summary.rendered)),
        "drafts": .integer(Int64(summary.drafts)),
        "excluded": .integer(Int64(summary.excluded)),
        "empty": .array(summary.empty.map { .string($0) }),
        "pages_left_out": .array(summary.pagesLeftOut.map { .string($0) }),
        "left_out": .array(
          summary.leftOut.map { left in
            [
              "thread": left.thread.map { .string($0) } ?? .null,
              "messages": .array(left.messages.map { .string($0) }),
            ]
          }),
        "missing_alt_texts": .integer(Int64(summary.missingAltTexts)), "output": .string(summary.output),
      ])
  }
}
