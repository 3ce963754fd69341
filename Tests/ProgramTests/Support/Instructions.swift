import Foundation
import TestSupport

/// The command lines of a page of the documentation.
struct Instructions {
  /// A command with everything that belongs to it: continued lines and here-documents.
  struct Command {
    /// The line of the page, from 1.
    let line: Int
    let text: String
    /// The missing requirement of a command that does not run, from the comment `# needs …` at its end.
    let need: String?
  }

  /// The path below docs/.
  let page: String
  private(set) var commands: [Command] = []
  /// Lines that look like commands but are not in a block that runs.
  private(set) var strays: [String] = []

  /// The pages that instruct: the tutorials and the how-tos.
  static func pages() throws -> [String] {
    let docs = ProjectFolders.repository.appending(path: "docs")
    return try ["tutorials", "how-to"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: docs.appending(path: folder).path)
        .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }.sorted()
  }

  init(page: String) throws {
    self.page = page
    let url = ProjectFolders.repository.appending(path: "docs/" + page)
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    var block: (language: String, indentation: Int)?
    var ending: String?
    var command: (line: Int, lines: [String])?
    for (number, whole) in lines.enumerated() {
      let trimmed = whole.trimmingCharacters(in: .whitespaces)
      if ending == nil, trimmed.hasPrefix("```") {
        if let (line, _) = command { strays.append("\(page):\(line): the block ends within the command") }
        command = nil
        block =
          block == nil
          ? (String(trimmed.dropFirst(3)), whole.prefix { $0 == " " }.count) : nil
        continue
      }
      guard let block else { continue }
      let text = String(whole.dropFirst(min(block.indentation, whole.prefix { $0 == " " }.count)))
      guard block.language == "sh" else {
        if Self.looksLikeACommand(text) { strays.append("\(page):\(number + 1): \(text)") }
        continue
      }
      if command == nil, text.isEmpty || text.hasPrefix("#") { continue }
      command = (command?.line ?? number + 1, (command?.lines ?? []) + [text])
      if let end = ending {
        if text == end { ending = nil }
      } else if let start = text.firstMatch(of: /<<'?([A-Z]+)'?/) {
        ending = String(start.output.1)
      }
      guard ending == nil, !text.hasSuffix("\\"), let (line, all) = command else { continue }
      commands.append(
        Command(
          line: line, text: all.joined(separator: "\n"),
          need: all.last?.firstMatch(of: /\s# needs (\S.*)$/).map { String($0.output.1) }))
      command = nil
    }
  }

  /// Indented lines are output, in which the program suggests commands.
  private static func looksLikeACommand(_ text: String) -> Bool {
    text.contains(#/^(\$ |(threadsite|git|cd|make|sudo|npm|npx|curl|sh|cat|echo|mkdir|cp|sed) )/#)
  }

  /// A script for bash that runs all commands that can run, in one shell, and stops at the first one that fails.
  ///
  /// `set -e` would ignore a failure before `&&`.
  var script: String {
    var script = "set -o pipefail\n"
    for command in commands where command.need == nil {
      script += """
        \(command.text)
        code=$?; [ $code = 0 ] || { echo "\(page):\(command.line): exit code $code" >&2; exit 1; }

        """
    }
    return script
  }
}
