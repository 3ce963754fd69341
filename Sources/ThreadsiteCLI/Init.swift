import ArgumentParser
import JSONText
import SitePipeline

/// `threadsite init`
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Start a site in an empty folder.")

  @OptionGroup var messages: MessageOptions

  @Argument(
    help: ArgumentHelp(
      "The folder; made if it is missing. The current one, if not given.", valueName: "folder"))
  var folder = "."

  @Option(help: "The site's title.")
  var title = "Threads"

  func run() throws {
    try messages.run(command: "init") { console in
      let files = try NewSite(folder: folder, title: title).create()
      let enter = folder == "." ? "" : "`cd \(folder)`, "
      try console.finish(
        """
        A site begins in \(folder): \(files.joined(separator: ", ")).
        Next: \(enter)`threadsite import saved-responses.json`, then `threadsite build`.
        """,
        json: ["files": .array(files.map { .string($0) })])
    }
  }
}
