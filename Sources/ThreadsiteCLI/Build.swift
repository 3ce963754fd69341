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
      Renders site.yml and the store to the output folder. Only changed files are written, and the site is replaced only when the \
      build is complete. If the build fails, it reports all errors and keeps the previous site. With --keep-going, it skips threads that \
      cannot be built and builds the rest.

      Threads that are listed in site.yml but missing in the store, and webmentions, are fetched first, if the required token is set; \
      --offline skips this. If the webmentions cannot be fetched, the site is built with those in the store, and the exit code is not 0.

      A very large site can be rendered by several processes or machines: --shard K/N renders a part of its threads into a file in \
      .threadsite/shards, and --join builds the whole site from all of these files. Neither of them fetches anything.

      Examples:
        threadsite build
        threadsite build --drafts --output preview
        threadsite build --shard 1/4
        threadsite build --join
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output folder, instead of output in site.yml.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Option(help: ArgumentHelp("The URL of the site, instead of base_url in site.yml.", valueName: "url"))
  var baseURL: String?

  @Flag(help: "Include drafts.")
  var drafts = false

  @Option(
    name: .shortAndLong,
    help: "The number of threads rendered in parallel. The default is the number of cores.")
  var jobs: Int?

  @Flag(help: "Build from the store without fetching missing threads.")
  var offline = false

  @OptionGroup var flags: FetchFlags

  @Flag(help: "Build all pages again, without the cache of the last build.")
  var noCache = false

  @Flag(help: "Replace an output folder that threadsite did not create.")
  var force = false

  @Flag(help: "Skip threads that cannot be built and build the rest; the exit code is still 65.")
  var keepGoing = false

  @Flag(help: "Do not run the programs that hooks in site.yml names.")
  var noHooks = false

  @Option(
    help: ArgumentHelp(
      "Also write a record of the inputs and of all files, which `threadsite check --manifest` verifies.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "Render only a part of the threads, for a later build with --join: part K of N, such as 2/4.",
      valueName: "k/n"))
  var shard: String?

  @Flag(help: "Build the site from the threads that builds with --shard rendered.")
  var join = false

  mutating func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be 1 or more.") }
    guard shard != nil || join else { return }
    if let shard, Shard(shard) == nil {
      throw ValidationError(
        "--shard must be the number of a shard and the number of all shards (at most \(Shard.limit)), such as 1/4, 2/4, 3/4 or 4/4."
      )
    }
    if shard != nil, join {
      throw ValidationError(
        "--shard and --join exclude each other: build all shards first, and then join them.")
    }
    if flags.dryRun {
      throw ValidationError("--dry-run lists what a build would fetch, and --shard and --join fetch nothing.")
    }
    if shard != nil, manifest != nil {
      throw ValidationError("--manifest describes a whole site, so it belongs to the build with --join.")
    }
  }

  func run() async throws {
    try await messages.run(command: "build") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, output: output, baseURL: baseURL,
        environment: Machine.environment,
        progress: console.progress)
      let record = ManifestWork(
        folder, installation: Machine.installation, program: Threadsite.version, jobs: jobs ?? Machine.cores)
      if let manifest { try record.checkPlace(of: manifest) }
      var preparation = BuildPreparation()
      if flags.dryRun || !(offline || join || shard != nil) {
        guard let done = try await fetchMissing(for: folder, console) else { return }
        preparation = done
      }
      let hooks =
        noHooks
        ? nil
        : SiteHooks(
          folder, environment: Machine.environment, includesDrafts: drafts, progress: console.progress)
      try await hooks?.runBeforeBuild()
      var options = SiteBuild.Options(jobs: jobs ?? Machine.cores)
      options.includesDrafts = drafts
      options.replacesForeignOutput = force
      options.keepsGoing = keepGoing
      options.usesCache = !noCache
      options.joinsShards = join
      let build = SiteBuild(
        folder, installation: Machine.installation, options: options, progress: console.progress)
      do {
        if let shard = shard.flatMap({ Shard($0) }) {
          let summary = try build.run(shard)
          try report(summary, to: console)
          if !summary.leftOut.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
          return
        }
        let summary = try build.run()
        // Without --join, they are of an earlier run, and may contain words that are no longer on the site.
        try JoinedShards.delete(of: folder)
        if summary.threads == 0, folder.isEmpty {
          console.progress(
            .warning(
              "\(folder.store): warning: the store is empty; add threads with `threadsite add` or `threadsite import`, or check `store` in site.yml"
            ))
        }
        if let manifest { try record.write(to: manifest, baseURL: baseURL, includesDrafts: drafts) }
        try await hooks?.runAfterBuild(summary)
        try report(summary, of: folder, to: console)
        if !summary.leftOut.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
        if let failure = preparation.inboxFailure { throw ExitCode(failure.kind.exitCode) }
      } catch let error as PipelineError where error.isOfOneThread {
        for message in error.messages { console.error(message) }
        console.advice(advice)
        throw ExitCode(error.kind.exitCode)
      }
    }
  }

  private var advice: String {
    let result =
      shard == nil ? "Nothing was built, and the previous site is unchanged." : "No shard was written."
    let options = (shard.map { " --shard \($0)" } ?? "") + (join ? " --join" : "")
    return "\(result) To skip these threads, run `threadsite build\(options) --keep-going`."
  }

  private var fetchOptions: FetchOptions {
    var options = FetchOptions(.missing)
    options.keepsGoing = keepGoing
    return options
  }

  /// Fetches the threads that site.yml lists and the store lacks, and webmentions.
  ///
  /// - Returns: `nil` after a dry run, in which nothing is built.
  private func fetchMissing(for folder: SiteFolder, _ console: Console) async throws -> BuildPreparation? {
    try await FetchReport(flags: flags, options: fetchOptions, console: console).runBeforeBuilding(folder)
  }

  private func report(_ summary: BuildSummary, of site: SiteFolder, to console: Console) throws {
    var text =
      "\(Count.text(summary.threads, "thread")), \(Count.text(summary.posts, "post")), "
      + "\(Count.text(summary.pages, "page")) in \(console.elapsed): \(summary.output)"
    if join {
      text +=
        "\n\(Count.text(summary.fromShards, "thread")) joined from shards, \(Count.text(summary.rendered, "thread")) rendered."
    }
    if summary.drafts > 0 { text += Self.text(drafts: summary.drafts) }
    let waiting = site.waitingThreads
    if let waiting {
      text +=
        "\n\(Count.text(waiting.count, "thread")) scheduled in site.yml; build again from "
        + "\(waiting.nextLocal) on to publish the next one."
    }
    if summary.scaledPhotos > 0 { text += Self.text(scaledPhotos: summary.scaledPhotos) }
    if summary.excluded > 0 { text += Self.text(excluded: summary.excluded) }
    if !summary.empty.isEmpty {
      let names = summary.empty.prefix(5).joined(separator: ", ")
      text +=
        "\n\(Count.text(summary.empty.count, "conversation")) without a page, because"
        + " \(summary.empty.count == 1 ? "it has" : "they have") no post by the thread's author: \(names)\(summary.empty.count > 5 ? ", …" : "")"
    }
    if !summary.pagesLeftOut.isEmpty {
      let shown = summary.pagesLeftOut.prefix(5).map { "\n  \($0)" }.joined()
      let rest = summary.pagesLeftOut.count - 5
      text +=
        "\n\(Count.text(summary.pagesLeftOut.count, "page")) of the previous site \(summary.pagesLeftOut.count == 1 ? "was" : "were")"
        + " removed:\(shown)\(rest > 0 ? "\n  and \(rest) more" : "")"
    }
    if !summary.moved.isEmpty {
      let shown = summary.moved.prefix(5).map { "\n  \($0.from) moves to \($0.to)" }.joined()
      let rest = summary.moved.count - 5
      text +=
        "\n\(Count.text(summary.moved.count, "published page")) \(summary.moved.count == 1 ? "moves" : "move"), with a redirect from"
        + " \(summary.moved.count == 1 ? "its old URL" : "their old URLs"):\(shown)\(rest > 0 ? "\n  and \(rest) more" : "")"
    }
    if !summary.leftOut.isEmpty {
      for message in summary.leftOut.flatMap(\.messages) { console.error(message) }
      let threads = summary.leftOut.compactMap(\.thread)
      let others = summary.leftOut.count - threads.count
      text += "\nSkipped because of errors: \(Count.text(threads.count, "thread"))"
      if !threads.isEmpty {
        text += " (\(threads.prefix(10).joined(separator: ", "))\(threads.count > 10 ? ", …" : ""))"
      }
      if others > 0 { text += " and \(Count.text(others, "other item"))" }
      text += "; see the messages above. Their URLs stay reserved."
    }
    if summary.missingAltTexts > 0 { text += Self.text(missingAltTexts: summary.missingAltTexts) }
    if site.config.baseURL == nil {
      text +=
        "\nbase_url is not set in site.yml, so the site has no feeds, sitemap, canonical links or link previews."
    }
    try console.finish(
      text,
      json: [
        "threads": .integer(Int64(summary.threads)), "posts": .integer(Int64(summary.posts)),
        "pages": .integer(Int64(summary.pages)), "rendered": .integer(Int64(summary.rendered)),
        "from_shards": .integer(Int64(summary.fromShards)),
        "scaled_photos": .integer(Int64(summary.scaledPhotos)),
        "drafts": .integer(Int64(summary.drafts)),
        "scheduled": .integer(Int64(waiting?.count ?? 0)),
        "next_publication": waiting.map { .string($0.next) } ?? .null,
        "excluded": .integer(Int64(summary.excluded)),
        "empty": .array(summary.empty.map { .string($0) }),
        "pages_left_out": .array(summary.pagesLeftOut.map { .string($0) }),
        "moved": .array(summary.moved.map { ["from": .string($0.from), "to": .string($0.to)] }),
        "left_out": Self.json(leftOut: summary.leftOut),
        "missing_alt_texts": .integer(Int64(summary.missingAltTexts)), "output": .string(summary.output),
      ])
  }

  private func report(_ summary: ShardSummary, to console: Console) throws {
    var text =
      "Shard \(summary.shard): \(Count.text(summary.threads, "thread")), \(Count.text(summary.posts, "post")) in "
      + "\(console.elapsed): \(summary.file)"
    if summary.drafts > 0 { text += Self.text(drafts: summary.drafts) }
    if summary.scaledPhotos > 0 { text += Self.text(scaledPhotos: summary.scaledPhotos) }
    if summary.excluded > 0 { text += Self.text(excluded: summary.excluded) }
    if !summary.leftOut.isEmpty {
      for message in summary.leftOut.flatMap(\.messages) { console.error(message) }
      text +=
        "\nSkipped because of errors: \(Count.text(summary.leftOut.count, "thread")); see the messages above."
    }
    if summary.missingAltTexts > 0 { text += Self.text(missingAltTexts: summary.missingAltTexts) }
    try console.finish(
      text,
      json: [
        "shard": .integer(Int64(summary.shard.number)), "shards": .integer(Int64(summary.shard.count)),
        "threads": .integer(Int64(summary.threads)), "posts": .integer(Int64(summary.posts)),
        "scaled_photos": .integer(Int64(summary.scaledPhotos)),
        "drafts": .integer(Int64(summary.drafts)), "excluded": .integer(Int64(summary.excluded)),
        "left_out": Self.json(leftOut: summary.leftOut),
        "missing_alt_texts": .integer(Int64(summary.missingAltTexts)), "file": .string(summary.file),
      ])
  }

  private static func text(drafts: Int) -> String {
    "\n\(Count.text(drafts, "draft")) skipped; include them with --drafts."
  }

  private static func text(scaledPhotos: Int) -> String {
    "\nMade smaller copies of \(Count.text(scaledPhotos, "photo")) for narrow screens;"
      + " `scale_images: false` in site.yml disables this."
  }

  private static func text(excluded: Int) -> String {
    "\n\(Count.text(excluded, "thread")) excluded in site.yml."
  }

  private static func text(missingAltTexts: Int) -> String {
    "\n\(Count.text(missingAltTexts, "image")) without alt text."
  }

  private static func json(leftOut: [BuildSummary.LeftOut]) -> JSONValue {
    .array(
      leftOut.map { left in
        [
          "thread": left.thread.map { .string($0) } ?? .null,
          "messages": .array(left.messages.map { .string($0) }),
        ]
      })
  }
}
