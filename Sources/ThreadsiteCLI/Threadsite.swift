import ArgumentParser
import Basics
import Dispatch
import Foundation
import SiteConfig

/// The program. Its subcommands are the whole interface for users.
@main
struct Threadsite: AsyncParsableCommand {
  static let version = "0.1.0"
  /// Whether the version's files are published. `make release` requires `true`.
  static let isReleased = false

  static let configuration = CommandConfiguration(
    commandName: "threadsite",
    abstract: "Build a website from threads.",
    discussion: """
      threadsite stores threads from X, Bluesky and the Fediverse in threads/ and builds a static site from them. \
      `threadsite help` also lists and shows the pages of the documentation.

      Examples:
        threadsite init my-threads
        threadsite add https://bsky.app/profile/ada.example/post/3kaaaaaaaaa2a
        threadsite build

      Exit codes:
        0    success
        1    check: errors in the site or store
        3    check: dead external links; publish: too many deletions
        64   wrong usage
        65   invalid thread or imported file
        69   network not available
        71   not enough memory
        74   file could not be read or written
        75   rate limit or budget exhausted
        77   token missing or not authorized
        78   error in site.yml, a theme or a template
        130  interrupted (Ctrl-C), or a question was answered with no
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(name: "Setup", subcommands: [Init.self, ThemeCommand.self]),
      CommandGroup(name: "Content", subcommands: [Add.self, Fetch.self, Import.self]),
      CommandGroup(name: "Output", subcommands: [Build.self, Serve.self, Publish.self, Export.self]),
      CommandGroup(name: "Inspection", subcommands: [List.self, Show.self, Check.self, Review.self]),
      CommandGroup(
        name: "Editing",
        subcommands: [Title.self, Tag.self, Alt.self, Hide.self, Draft.self, Exclude.self, Remove.self]),
    ])

  /// The names of all commands.
  private static var names: [String] {
    configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() } + ["help"]
  }

  /// Like the argument parser's `main()`, but strips control characters from quoted arguments. A URL that was copied from somewhere may
  /// contain characters that control a terminal.
  ///
  /// Most commands run on the main thread, before any other thread starts. A limit (``AccessLimit``) then applies to all threads. Commands
  /// that need a network and have no limit run on other threads.
  static func main() {
    if let shortage = Machine.shortage { fail("error: \(shortage)", code: systemError) }
    var arguments = Array(CommandLine.arguments.dropFirst())
    do {
      arguments = try FolderOptions.enter(arguments)
      if let mistake = UsageMessage.unknownCommand(arguments.first, among: names) {
        throw ValidationError(mistake)
      }
      if arguments.first == "help" { return try Help.parse(Array(arguments.dropFirst())).run() }
      var command = try parseAsRoot(arguments)
      guard let waiting = command as? any AsyncParsableCommand else { return try command.run() }
      run(waiting, arguments)
    } catch {
      fail(error, arguments)
    }
  }

  /// Runs a command that waits, and ends the program.
  private static func run(_ command: sending any AsyncParsableCommand, _ arguments: [String]) -> Never {
    Task {
      var command = command
      do {
        try await command.run()
        Foundation.exit(EXIT_SUCCESS)
      } catch {
        fail(error, arguments)
      }
    }
    dispatchMain()
  }

  /// Ends the program with an error's message and exit code.
  private static func fail(_ error: any Error, _ arguments: [String]) -> Never {
    let isHelp = arguments.first == "help"
    let command: any ParsableCommand.Type = isHelp ? Help.self : Threadsite.self
    var message = UsageMessage.text(
      command.fullMessage(for: error), arguments: CommandLine.arguments,
      commands: configuration.subcommands.map {
        ($0.configuration.commandName ?? "\($0)".lowercased(), $0.helpMessage(columns: 1000))
      })
    if arguments.contains(where: { $0.hasPrefix(CompletionScript.option) }) {
      message = CompletionScript.addingTopics(to: message)
    }
    fail(TextControls.shown(message), code: command.exitCode(for: error))
  }

  /// The code of BSD's `sysexits.h` for a missing system resource.
  private static let systemError = ExitCode(71)

  /// Ends the program with a message: on standard output if it is requested help, otherwise on standard error.
  private static func fail(_ text: String, code: ExitCode) -> Never {
    let stream = code == .success ? FileHandle.standardOutput : .standardError
    // If the stream is closed, the message cannot be printed.
    if !text.isEmpty { try? stream.write(contentsOf: Data((text + "\n").utf8)) }
    // For readers of JSON, an invalid command line is a failure like others.
    if !text.isEmpty, code != .success, CommandLine.arguments.contains("--json") {
      let failure = Failure(command: nil, code: code.rawValue, messages: [text])
      try? FileHandle.standardOutput.write(contentsOf: Data(failure.text.utf8))
    }
    Foundation.exit(code.rawValue)
  }
}
