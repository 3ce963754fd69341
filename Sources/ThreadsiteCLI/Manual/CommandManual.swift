package import Foundation

/// The commands as the argument parser describes them (`--experimental-dump-help`), converted to pages for man(1).
///
/// The parser's own `generate-manual` omits exit codes, files, environment variables, defaults, groups of options and links to the
/// documentation.
package struct CommandManual {
  private let root: Command
  private let date: String
  private let version: String

  /// - Parameters:
  ///   - dump: the output of `--experimental-dump-help`.
  ///   - help: the same output for the command `help`, which the parser would otherwise describe as its own.
  ///   - date: in the form 2026-11-22; empty if it is unknown.
  package init(dump: Data, help: Data, date: String, version: String) throws(ManualError) {
    do {
      var root = try JSONDecoder().decode(Dump.self, from: dump).command
      var help = try JSONDecoder().decode(Dump.self, from: help).command
      help.superCommands = [root.commandName]
      root.subcommands = (root.subcommands ?? []).filter { $0.commandName != help.commandName } + [help]
      self.root = root
    } catch {
      throw ManualError(message: "the argument parser's description of itself cannot be read: \(error)")
    }
    self.date = date
    self.version = version
  }

  // The part of the parser's output that is used here.

  private struct Dump: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    var superCommands: [String]?
    let commandName: String
    let abstract: String?
    let discussion: String?
    var subcommands: [Command]?
    let arguments: [Argument]?

    var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }
    var pageName: String { ((superCommands ?? []) + [commandName]).joined(separator: "-") }
    var shown: [Argument] { (arguments ?? []).filter { $0.shouldDisplay ?? true } }
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    let kind: String
    let shouldDisplay: Bool?
    let sectionTitle: String?
    let isOptional: Bool?
    let isRepeating: Bool?
    let names: [Name]?
    let preferredName: Name?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?

    /// As roff.
    var value: String { "\\fI\(ManPage.escaped(valueName ?? "value"))\\fR" }

    /// In the form of the synopsis.
    var usage: String {
      let name = preferredName.map { "\\fB\(ManPage.escaped($0.text))\\fR" } ?? ""
      let text =
        switch kind {
        case "positional": value + (isRepeating == true ? " ..." : "")
        case "option": "\(name) \(value)" + (isRepeating == true ? " ..." : "")
        default: name
        }
      return isOptional == true ? "[\(text)]" : text
    }

    /// In the form of a term before its description.
    var term: String {
      guard kind != "positional" else { return value }
      // Short names first, by convention.
      let names = (names ?? []).sorted { $0.text.count < $1.text.count }
        .map { "\\fB\(ManPage.escaped($0.text))\\fR" }.joined(separator: ", ")
      return kind == "option" ? "\(names) \(value)" : names
    }

    var explanation: String {
      var text = abstract ?? ""
      if let allValues, !allValues.isEmpty, !allValues.allSatisfy(text.contains) {
        text += " One of: \(allValues.joined(separator: ", "))."
      }
      if let defaultValue, !defaultValue.isEmpty { text += " The default is \(defaultValue)." }
      return text.isEmpty ? "\\&" : ManPage.escapedLine(text)
    }
  }

  // MARK: Pages

  /// Returns the program's own page, and one page per command.
  ///
  /// - Parameter topics: the pages of the documentation, to which the program's page refers.
  package func pages(topics: HelpTopics) -> [ManPage] {
    let commands = root.subcommands ?? []
    return [rootPage(commands, topics: topics)] + commands.map { page($0, topics: topics) }
  }

  private func rootPage(_ commands: [Command], topics: HelpTopics) -> ManPage {
    var page = begin(root)
    page.heading("SYNOPSIS")
    page.line("\\fBthreadsite\\fR \\fIcommand\\fR [\\fIoption\\fR ...]")
    // The list of exit codes in the discussion has a separate section here.
    var paragraphs = (root.discussion ?? "").components(separatedBy: "\n\n")
    let codes = paragraphs.last.flatMap {
      $0.hasPrefix("Exit codes:\n") ? $0.split(separator: "\n").dropFirst() : nil
    }
    if codes != nil { paragraphs.removeLast() }
    page.heading("DESCRIPTION")
    page.paragraphs(([root.abstract ?? ""] + paragraphs).joined(separator: "\n\n"))
    page.heading("COMMANDS")
    for command in commands {
      page.item(
        "\\fB\(ManPage.escaped(command.pageName))\\fR(1)", ManPage.escapedLine(command.abstract ?? ""))
    }
    add("OPTIONS", root.shown, to: &page)
    page.heading("FILES")
    page.item("\\fIsite.yml\\fR", "The settings of the site; see \\fBthreadsite\\-configuration\\fR(5).")
    page.item(
      "\\fIthreads/\\fR", "The store: one JSON file per thread, and media. Keep it in version control.")
    page.item("\\fIsite/\\fR", "The built site.")
    page.heading("ENVIRONMENT")
    page.item("\\fBX_BEARER_TOKEN\\fR", "The bearer token for X's API.")
    page.item(
      "\\fBTHREADSITE_SHARE\\fR",
      "The folder with templates, themes and documentation, instead of the installed one.")
    page.item("\\fBNO_COLOR\\fR", "If set and not empty, output has no color.")
    page.item("\\fBPAGER\\fR", "The pager for documentation on a terminal; the default is \\fBless \\-R\\fR.")
    if let codes {
      page.heading("EXIT STATUS")
      for line in codes {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { continue }
        page.item("\\fB\(words[0])\\fR", ManPage.escapedLine(words[1].drop { $0 == " " }))
      }
    }
    page.heading("SEE ALSO")
    let pages = topics.topics.map { ManPage.name(of: $0) }
    page.line(pages.map { "\\fB\(ManPage.escaped($0.name))\\fR(\($0.section))" }.joined(separator: ",\n"))
    return page
  }

  private func page(_ command: Command, topics: HelpTopics) -> ManPage {
    var page = begin(command)
    page.heading("SYNOPSIS")
    page.line("\\fB\(ManPage.escaped(command.fullName))\\fR")
    for argument in command.shown { page.line(argument.usage) }
    page.heading("DESCRIPTION")
    page.paragraphs([command.abstract, command.discussion].compactMap(\.self).joined(separator: "\n\n"))
    add("ARGUMENTS", command.shown.filter { $0.kind == "positional" }, to: &page)
    let options = command.shown.filter { $0.kind != "positional" }
    add("OPTIONS", options.filter { $0.sectionTitle == nil }, to: &page)
    var titles: [String] = []
    for title in options.compactMap(\.sectionTitle) where !titles.contains(title) { titles.append(title) }
    for title in titles { add(title.uppercased(), options.filter { $0.sectionTitle == title }, to: &page) }
    page.heading("EXIT STATUS")
    page.line("See \\fBthreadsite\\fR(1).")
    page.heading("SEE ALSO")
    var others = ["\\fBthreadsite\\fR(1)"]
    if let topic = topics.topic(command.commandName).map({ ManPage.name(of: $0) }) {
      others.append("\\fB\(ManPage.escaped(topic.name))\\fR(\(topic.section))")
    }
    page.line(others.joined(separator: ",\n"))
    return page
  }

  private func begin(_ command: Command) -> ManPage {
    var summary = command.abstract ?? ""
    if summary.hasSuffix(".") { summary.removeLast() }
    return ManPage(
      name: command.pageName, section: 1, date: date, version: version, summary: summary.lowercasedFirst)
  }

  private func add(_ title: String, _ arguments: [Argument], to page: inout ManPage) {
    guard !arguments.isEmpty else { return }
    page.heading(title)
    for argument in arguments { page.item(argument.term, argument.explanation) }
  }
}

extension String {
  /// A sentence as a part of another sentence.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
