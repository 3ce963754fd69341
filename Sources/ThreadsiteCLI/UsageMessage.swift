import Basics
import SiteConfig

/// The message for an invalid command line, in the form of the program's other messages, with advice on common mistakes.
enum UsageMessage {
  /// Commands of other programs, and common names for what the program's own commands do.
  private static let synonyms = [
    "new": "init", "create": "init", "start": "init", "setup": "init",
    "get": "add", "download": "add", "save": "add",
    "update": "fetch", "sync": "fetch", "pull": "fetch", "refresh": "fetch",
    "generate": "build", "make": "build", "render": "build", "compile": "build",
    "preview": "serve", "dev": "serve", "watch": "serve", "run": "serve", "open": "serve",
    "deploy": "publish", "upload": "publish", "push": "publish",
    "ls": "list", "threads": "list", "info": "show", "view": "show",
    "validate": "check", "lint": "check", "test": "check",
    "delete": "remove", "rm": "remove", "rename": "title", "version": "--version",
  ]

  /// Returns the message for a first argument that is neither a command nor an option. The parser would only call it unexpected.
  ///
  /// - Parameter names: the names of all commands.
  static func unknownCommand(_ name: String?, among names: [String]) -> String? {
    guard let name, !name.isEmpty, !name.hasPrefix("-"), !names.contains(name) else { return nil }
    let suggestion =
      synonyms[name.lowercased()].map { "; did you mean \(quoted($0))?" }
      ?? (name.contains("://")
        ? "; to fetch a thread, run `threadsite add \(TextControls.shownOnOneLine(name))`"
        : Suggestion.phrase(for: name, among: names))
    return "unknown command \(quoted(name))\(suggestion)\nCommands: \(names.joined(separator: ", "))."
  }

  /// Returns the parser's message with the prefix `error:`, in lower case, and with advice.
  ///
  /// - Parameters:
  ///   - text: the whole message: the mistake on its first line, and the usage after it.
  ///   - commands: the commands with their help, to find the commands of an option.
  static func text(
    _ text: String, arguments: [String], commands: @autoclosure () -> [(name: String, help: String)]
  ) -> String {
    guard text.hasPrefix("Error: ") else { return text }
    var lines = text.dropFirst("Error: ".count).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    var first = lines[0]
    if let letter = first.first, letter.isUppercase, first.dropFirst().first?.isLowercase ?? false {
      first = letter.lowercased() + first.dropFirst()
    }
    if let option = first.firstMatch(of: /^unknown option '(--[a-z-]+)'/)?.1 {
      let owners = commands().filter { $0.help.contains(" \(option) ") || $0.help.contains(" \(option)\n") }
        .map(\.name)
      if !owners.isEmpty {
        first = "\(option) is not an option of this command, but of \(owners.joined(separator: ", "))"
      }
    }
    lines[0] = "error: " + first + advice(on: first, arguments)
    return lines.joined(separator: "\n")
  }

  private static func advice(on message: String, _ arguments: [String]) -> String {
    guard message.contains("unexpected argument") else { return "" }
    let rest = arguments.dropFirst()
    // Word processors and web pages replace two hyphens with a dash.
    if let dashed = rest.first(where: { $0.hasPrefix("–") || $0.hasPrefix("—") }) {
      let name = String(dashed.drop { $0 == "–" || $0 == "—" || $0 == "-" })
      return "; options begin with two hyphens: --\(TextControls.shownOnOneLine(name))"
    }
    let takesText = rest.first.map { ["title", "alt"].contains($0) } ?? false
    if takesText { return "; put a text with spaces in quotation marks" }
    if rest.contains(where: { $0.contains("://") }) {
      return "; to fetch a URL, use `threadsite add`"
    }
    return message.contains("unexpected arguments") ? "; put a text with spaces in quotation marks" : ""
  }
}
