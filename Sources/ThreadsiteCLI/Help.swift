import ArgumentParser
import Basics
import Foundation
import SiteConfig
import SiteWorkspace
import ThreadModel

/// `threadsite help`, in place of the parser's own: the documentation without a browser and a network.
///
/// It is not a subcommand of `Threadsite`, because the parser would then list two commands with that name.
struct Help: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Show the help of a command or a page of the documentation.",
    usage: "threadsite help [<topic>]",
    discussion: """
      Without an argument, lists all commands and pages. If a command and a page have the same name, `threadsite help check` shows \
      the command and `threadsite help check.md` the page.

      On a terminal, long text is shown in $PAGER (by default less -R).

      Examples:
        threadsite help build
        threadsite help configuration
        threadsite help theme
      """)

  @Argument(
    help: ArgumentHelp(
      "A command, a page of the documentation, or the beginning of a word in a page's name or title.",
      valueName: "topic"))
  var topic: String?

  /// For `make install`.
  @Option(help: ArgumentHelp("Write the pages for man(1) into this folder.", visibility: .hidden))
  var writeManPages: String?

  /// For completions.
  @Flag(help: ArgumentHelp("Print the names of all topics.", visibility: .hidden))
  var topics = false

  func run() throws {
    if topics {
      let names = Self.commands.map { Self.name(of: $0) } + (try installedTopics()?.topics.map(\.name) ?? [])
      // A command and a page may have the same name, and completions list names in order.
      print(Set(names).sorted().joined(separator: "\n"))
    } else if let writeManPages {
      try writePages(to: writeManPages)
    } else if let topic {
      try show(topic)
    } else {
      try Pager.show(overview())
    }
  }

  // MARK: Showing

  private static var commands: [any ParsableCommand.Type] { Threadsite.configuration.subcommands }

  static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? "\(command)".lowercased()
  }

  private func show(_ wanted: String) throws {
    if wanted == "threadsite" { return try Pager.show(overview()) }
    if wanted == "help" { return try Pager.show(Help.helpMessage(columns: Pager.columns) + "\n") }
    if let command = Self.commands.first(where: { Self.name(of: $0) == wanted }) {
      var text = Threadsite.helpMessage(for: command, columns: Pager.columns) + "\n"
      if let topic = try installedTopics()?.topic(wanted) {
        text += "\nThe documentation has more: threadsite help \(topic.name).md\n"
      }
      return try Pager.show(text)
    }
    guard let topics = try installedTopics() else { throw failure(Self.nothingInstalled, code: 78) }
    let like = topics.topic(wanted).map { [$0] } ?? topics.topics(like: wanted)
    if like.count > 1 {
      let width = like.map(\.name.count).max() ?? 0
      let lines = like.map {
        "\n  \($0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0))\($0.title)"
      }
      throw ValidationError("several pages match \(quoted(wanted)):\(lines.joined())")
    }
    guard let topic = like.first else {
      let names = Self.commands.map { Self.name(of: $0) } + topics.topics.map(\.name)
      throw ValidationError(
        "there is no command or page \(quoted(wanted))\(Suggestion.phrase(for: wanted, among: names))\n"
          + "`threadsite help` lists all commands and pages.")
    }
    try Pager.show(
      TerminalText.text(of: topic, among: topics, width: Pager.columns, isStyled: Pager.isStyled))
  }

  /// The commands, and the pages with their titles.
  private func overview() throws -> String {
    var text = Threadsite.helpMessage(columns: Pager.columns) + "\n"
    guard let topics = try installedTopics()?.topics, !topics.isEmpty else { return text }
    text += "\nDOCUMENTATION (threadsite help <topic>):\n"
    let width = topics.map(\.name.count).max() ?? 0
    let others: HelpTopics.Part? = nil
    for part in HelpTopics.Part.allCases + [others] {
      let pages = topics.filter { $0.part == part }
      guard !pages.isEmpty else { continue }
      text += "\n\(part?.title ?? "MORE"):\n"
      for topic in pages {
        text += "  \(topic.name.padding(toLength: width + 2, withPad: " ", startingAt: 0))\(topic.title)\n"
      }
    }
    return text
  }

  private static let nothingInstalled =
    "the documentation is not installed with this program. "
    + "Install it with `make install`, or set THREADSITE_SHARE to the folder that contains docs/."

  /// `nil` if no documentation is installed.
  private func installedTopics() throws -> HelpTopics? {
    guard let folder = Machine.installation?.docs else { return nil }
    do {
      return try HelpTopics(folder: folder)
    } catch {
      throw failure(error.message, code: 74)
    }
  }

  /// Reports a failure on standard error.
  private func failure(_ message: String, code: Int32) -> ExitCode {
    var options = MessageOptions()
    (options.quiet, options.verbose, options.json) = (false, false, false)
    Console(options).error(message)
    return ExitCode(code)
  }

  // MARK: Pages for man(1)

  private func writePages(to folder: String) throws {
    guard let topics = try installedTopics() else { throw failure(Self.nothingInstalled, code: 78) }
    let date: String
    do throws(PipelineError) {
      date = try SiteFolder.fixedTime(Machine.environment).map { String($0.iso8601.prefix(10)) } ?? ""
    } catch {
      throw failure(error.messages.joined(separator: "\n"), code: error.kind.exitCode)
    }
    do {
      let manual = try CommandManual(
        dump: Data(Self.description(of: Threadsite.self).utf8),
        help: Data(Self.description(of: Help.self).utf8), date: date, version: Threadsite.version)
      let pages =
        manual.pages(topics: topics)
        + topics.topics.map { ManPage(of: $0, among: topics, date: date, version: Threadsite.version) }
      let place = URL(filePath: folder, directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for page in pages { try Data(page.text.utf8).write(to: place.appending(path: page.fileName)) }
    } catch {
      throw failure("\(error)", code: 74)
    }
  }

  /// Returns the parser's JSON description of a command.
  private static func description(of command: any ParsableCommand.Type) -> String {
    do {
      _ = try command.parseAsRoot(["--experimental-dump-help"])
      return ""
    } catch {
      return command.fullMessage(for: error)
    }
  }
}
