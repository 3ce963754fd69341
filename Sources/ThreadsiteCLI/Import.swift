import ArgumentParser
import JSONText
import SitePipeline

/// `threadsite import`
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Put saved API responses into the store.",
    discussion: """
      Reads responses of the X API v2 that were saved as JSON or JSON lines: lookups, searches (all pages of one search \
      together), timelines, or recorded exchanges. What the store already knows is kept; what is new is added.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ArgumentHelp("Files, or folders whose .json and .jsonl files are read.", valueName: "path"))
  var paths: [String]

  func run() throws {
    try messages.run(command: "import") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, needsStore: false,
        progress: console.progress)
      let summary = try SiteImport(store: folder.store, progress: console.progress).run(paths)
      try report(summary, to: console)
      if summary.failures > 0 { throw ExitCode(PipelineError.Kind.content.exitCode) }
    }
  }

  private func report(_ summary: ImportSummary, to console: Console) throws {
    for reason in summary.refusals { console.error(reason) }
    let counts = "\(summary.added) new, \(summary.updated) updated, \(summary.unchanged) unchanged"
    try console.finish(
      "\(Count.text(summary.posts, "post")) read from \(Count.text(summary.files, "file")); "
        + "\(Count.text(summary.conversations, "conversation")) (\(counts)) in \(summary.store)",
      json: [
        "files": .integer(Int64(summary.files)), "posts": .integer(Int64(summary.posts)),
        "conversations": .integer(Int64(summary.conversations)), "added": .integer(Int64(summary.added)),
        "updated": .integer(Int64(summary.updated)), "unchanged": .integer(Int64(summary.unchanged)),
        "left_out": .array(summary.refusals.map { .string($0) }), "store": .string(summary.store),
      ])
  }
}
