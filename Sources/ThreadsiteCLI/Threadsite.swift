import ArgumentParser
import Basics
import Foundation
import SiteConfig

/// The program. Its subcommands are the whole interface for users.
@main
struct Threadsite: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "threadsite",
    abstract: "Turn threads into a site of your own.",
    discussion: """
      Threads in the store (threads/) become Markdown, HTML and an indexed, themed static site. `threadsite help` lists the pages of \
      the documentation, too, and shows them.

      Exit codes: 0 done; 64 wrong usage; 65 something wrong with a thread or an imported file; 69 no answer from a \
      network; 71 too little memory; 74 a file could not be read or written; 75 what may be asked or spent is used up; 77 a token is missing or not \
      allowed to; 78 something wrong with site.yml, a theme or a template.
      """,
    version: version,
    subcommands: [
      Init.self, Add.self, Fetch.self, Import.self, Build.self, Publish.self, Export.self, Serve.self,
      List.self, Show.self,
      Remove.self,
      Hide.self, Check.self, Review.self,
      Tag.self, Title.self, Draft.self, Exclude.self,
    ])

  /// The message for a first argument that is neither a command nor an option. The parser would only call it unexpected.
  private static func unknownCommand(_ name: String?) -> String? {
    guard let name, !name.isEmpty, !name.hasPrefix("-") else { return nil }
    let names =
      configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() } + ["help"]
    guard !names.contains(name) else { return nil }
    return
      "there is no command \(quoted(name))\(Suggestion.phrase(for: name, among: names))\nThe commands are \(names.joined(separator: ", "))."
  }

  /// Like the argument parser's `main()`, but strips control characters from quoted arguments. A URL that was copied from somewhere may
  /// contain characters that control a terminal.
  static func main() async {
    if let shortage = Machine.shortage { fail("error: \(shortage)", code: systemError) }
    do {
      if let mistake = unknownCommand(CommandLine.arguments.dropFirst().first) {
        throw ValidationError(mistake)
      }
      if CommandLine.arguments.dropFirst().first == "help" {
        return try Help.parse(Array(CommandLine.arguments.dropFirst(2))).run()
      }
      var command = try parseAsRoot()
      if var waiting = command as? any AsyncParsableCommand {
        try await waiting.run()
      } else {
        try command.run()
      }
    } catch {
      let isHelp = CommandLine.arguments.dropFirst().first == "help"
      let command: any ParsableCommand.Type = isHelp ? Help.self : Threadsite.self
      fail(TextControls.shown(command.fullMessage(for: error)), code: command.exitCode(for: error))
    }
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
