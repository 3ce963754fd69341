import Foundation
import TestSupport
import Testing

/// The documentation in the terminal and as man pages.
@Suite struct HelpTests {
  private let program = Program(
    folder: "/", environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])

  /// The pages in the repository, by their paths below docs/.
  private func pages() throws -> [(path: String, text: String)] {
    let docs = ProjectFolders.repository.appending(path: "docs")
    let files = try #require(FileManager.default.enumerator(atPath: docs.path))
    return try files.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".md") && !$0.hasSuffix("README.md")
    }.map {
      ($0, try String(contentsOf: docs.appending(path: $0), encoding: .utf8))
    }
  }

  /// The name under which the help lists a page: its path without the folder of its part.
  private func name(of page: String) -> String {
    let name = page.dropLast(3).lowercased()
    for part in ["tutorials/", "how-to/", "reference/", "explanation/"] where name.hasPrefix(part) {
      return String(name.dropFirst(part.count))
    }
    return name
  }

  /// The words of a line of Markdown.
  private func words(_ markdown: Substring) -> String {
    markdown.replacing(/\[([^\]]*)\]\([^)]*\)/) { "\($0.output.1)" }.filter { !"`*\\#_".contains($0) }
      .trimmingCharacters(in: .whitespaces)
  }

  @Test func listsEveryPageWithItsTitle() throws {
    let help = try program.run(["help"])
    #expect(help.code == 0 && help.errors.isEmpty)
    for command in ["init", "build", "publish", "exclude"] {
      #expect(help.output.contains("\n  \(command) "), "\(command)")
    }
    let pages = try pages()
    #expect(pages.count > 10)
    for page in pages {
      let name = name(of: page.path)
      let title = try #require(page.text.split(separator: "\n").first { $0.hasPrefix("# ") })
      let listed = help.output.split(separator: "\n").contains {
        $0.hasPrefix("  \(name) ") && $0.hasSuffix(" " + words(title))
      }
      #expect(listed, "\(name)")
    }
  }

  /// Each word of a page is shown in order, and no line is wider than the terminal, except for text that must
  /// not be broken.
  @Test func showsWholePages() throws {
    for page in try pages() {
      let name = String(page.path.dropLast(3)) + ".md"
      let shown = try program.run(["help", name])
      #expect(shown.code == 0, "\(name): \(shown.errors)")
      #expect(!shown.output.contains("\u{1B}"), "\(name): escape sequences without a terminal")
      let titles = page.text.split(separator: "\n").filter { $0.hasPrefix("## ") }
      var rest = shown.output.filter { !"`*\\#_".contains($0) }[...]
      var isCode = false
      let lines = Set(shown.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
      for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
          isCode.toggle()
        } else if isCode {
          let code = line.trimmingCharacters(in: .whitespaces)
          #expect(
            code.isEmpty || lines.contains(code) || shown.output.contains(code), "\(name): \(line)")
        }
      }
      guard !isCode else { continue }
      for title in titles {
        // Long headings are wrapped, so only the first words are compared.
        let start = words(title).split(separator: " ").prefix(3).joined(separator: " ")
        guard let found = rest.range(of: start) else {
          Issue.record("\(name): \(title)")
          continue
        }
        rest = rest[found.upperBound...]
      }
      for line in shown.output.split(separator: "\n") where line.count > 80 {
        let isBroken = !line.hasPrefix("    ") && line.split(separator: " ").allSatisfy { $0.count < 60 }
        #expect(!isBroken, "\(name): \(line)")
      }
    }
  }

  @Test(arguments: [
    ("config", "site.yml\n"), ("rss", "site.yml\n"), ("css", "Theming\n"), ("Twitter", "Threads from X\n"),
    ("unrolled", "How threads are unrolled\n"),
  ])
  func findsPagesByBeginningsAndSynonyms(_ word: String, _ title: String) throws {
    let shown = try program.run(["help", word])
    #expect(shown.code == 0 && shown.output.hasPrefix(title), "\(shown.errors)\(shown.output.prefix(80))")
  }

  @Test func listsThePagesThatAWordMayMean() throws {
    let shown = try program.run(["help", "theme"])
    #expect(shown.code == 0 || shown.errors.contains("\n  themes "), "\(shown.errors)")
    let several = try program.run(["help", "the"])
    #expect(
      several.code == 64 && several.errors.contains("\n  themes ") && several.errors.contains("\n  theming "))
    #expect(try program.run(["help", "nosuchword"]).code == 64)
  }

  /// A README describes a folder of the repository.
  @Test func listsNoREADME() throws {
    #expect(try !program.run(["help"]).output.lowercased().contains("readme "))
    let folder = try TemporaryFolder()
    #expect(try program.run(["help", "--write-man-pages", folder.path]).code == 0)
    #expect(try folder.tree(".").keys.allSatisfy { !$0.lowercased().contains("readme") })
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScriptsOfferTheTopics(_ shell: String) throws {
    #expect(
      try program.run(["--generate-completion-script", shell]).output.contains("threadsite help --topics"))
    let topics = Set(try program.run(["help", "--topics"]).output.split(separator: "\n"))
    #expect(topics.isSuperset(of: ["build", "configuration", "theming", "x"]) && !topics.contains("readme"))
  }

  @Test func completesValuesOfTheSite() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.write(
      "title: A\ncollections:\n  - {title: Numbers, slug: numbers, threads: [https://x.com/ada/status/1010]}\n",
      to: "site.yml")
    let files = try site.folder.tree("threads").keys.filter { $0.hasPrefix("x/") }.sorted()
    let first = try #require(files.first)
    func complete(_ command: String, _ argument: String, _ words: [String]) throws -> [String] {
      let outcome = try program.run(
        ["---completion", command, "--", argument, "\(words.count - 1)", "\(words.last?.count ?? 0)"] + words)
      #expect(outcome.code == 0, "\(outcome.errors)")
      return outcome.output.split(separator: "\n").map(String.init)
    }
    let place = ["threadsite", "-C", site.path]
    #expect(try complete("show", "positional@0", place + ["show", ""]) == files)
    #expect(try complete("show", "positional@0", place + ["show", "no"]).isEmpty)
    #expect(try complete("export", "--collection", place + ["export", "--collection", "n"]) == ["numbers"])
    let author = String(first.split(separator: "/")[1])
    #expect(try complete("list", "--author", place + ["list", "--author", ""]).contains(author))
  }

  /// Checks every key of site.yml in the tables of docs/reference/configuration.md.
  @Test func tablesKeepTheirCells() throws {
    let text = try #require(try pages().first { $0.path == "reference/configuration.md" }?.text)
    let shown = try program.run(["help", "configuration"]).output
    let keys = text.matches(of: /(?m)^\| `([a-z_.\[\]]+)` \|/).map { $0.output.1 }
    #expect(keys.count > 50)
    for key in keys { #expect(shown.contains("`\(key)`"), "\(key)") }
    #expect(!shown.contains("|---") && !shown.contains("| `"))
  }

  @Test func linksShowTheirTargets() throws {
    let share = try TemporaryFolder()
    for folder in ["templates", "themes"] { try share.write("", to: folder + "/empty") }
    try share.write(
      """
      # A page with `code`

      See [the other](other/second.md#part), [the web](https://example.com/a), <https://example.com/b>,
      [below](#below), [a schema](schemas/x.json) and [elsewhere](../README.md).

      | Key | Type | Meaning |
      |---|:-:|---|
      | `a` | number | one \\| two |
      | - 1. *no* list | | \u{1B}[31m |

      ```sh
      | no | table |
      |---|---|
      ```

      ## Below

      1. First
      2. Second
         - nested

      > Quoted

      """, to: "docs/first.md")
    try share.write("# Second\n\nText\n", to: "docs/other/second.md")
    try share.write("{}", to: "docs/schemas/x.json")
    let program = Program(folder: "/", environment: ["THREADSITE_SHARE": share.path])
    let shown = try program.run(["help", "first"])
    #expect(
      shown.output == """
        A page with `code`
        ==================

        See the other (threadsite help other/second), the web (https://example.com/a),
        https://example.com/b, below, a schema (docs/schemas/x.json) and elsewhere.

        Key           Type    Meaning
        ------------  ------  ----------
        `a`           number  one | two
        - 1. no list          \\u{1B}[31m

            | no | table |
            |---|---|

        Below
        -----

        1. First
        2. Second
           - nested

        | Quoted

        """)
    // Pages are found by the last component and by every other form of their name.
    for name in ["second", "other/second", "docs/other/second.md", "Other/Second"] {
      #expect(try program.run(["help", name]).output == "Second\n======\n\nText\n", "\(name)")
    }
  }

  @Test func commandsKeepTheirHelp() throws {
    let help = try program.run(["help", "build"])
    #expect(help.code == 0)
    #expect(help.output == (try program.run(["build", "--help"]).output))
    // The command has the same name as a page, so its help mentions the page.
    let check = try program.run(["help", "check"]).output
    #expect(check.contains("USAGE: threadsite check") && check.contains("threadsite help check.md"))
    #expect(try program.run(["help", "check.md"]).output.hasPrefix("Check\n"))
    #expect(try program.run(["help", "help"]).output.contains("USAGE: threadsite help"))
    #expect(try program.run(["help", "--help"]).code == 0)
  }

  /// docs/reference/options.md contains the help of every command. `THREADSITE_RECORD=1` writes the page.
  @Test func referenceHasTheHelpOfEveryCommand() throws {
    let list = try program.run(["--help"]).output
    let commands = list.split(separator: "\n").drop { !$0.hasSuffix("SUBCOMMANDS:") }.dropFirst()
      .compactMap { $0.firstMatch(of: #/^  ([a-z]+) /#).map { String($0.output.1) } }
    #expect(commands.count > 10)
    let file = ProjectFolders.repository.appending(path: "docs/reference/options.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let introduction = page.prefix(upTo: page.range(of: "\n## ")?.lowerBound ?? page.endIndex)
    var expected = String(introduction)
    for command in commands + ["help"] {
      var help = try program.run([command, "--help"]).output
      while help.hasSuffix("\n") { help.removeLast() }
      expected += "\n## \(command)\n\n```\n\(help)\n```\n"
    }
    if ProcessInfo.processInfo.environment["THREADSITE_RECORD"] == "1", page != expected {
      try expected.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded docs/reference/options.md")
    } else {
      #expect(page == expected, "record the page with THREADSITE_RECORD=1")
    }
  }

  @Test func suggestsNamesForTypingErrors() throws {
    let slip = try program.run(["help", "configuraton"])
    #expect(slip.code == 64 && slip.output.isEmpty)
    #expect(slip.errors.contains("did you mean \"configuration\"?"))
    #expect(try program.run(["help", "biuld"]).errors.contains("did you mean \"build\"?"))
    let none = Program(folder: "/", environment: ["THREADSITE_SHARE": "/nowhere"])
    let missing = try none.run(["help", "configuration"])
    #expect(missing.code == 78 && missing.errors.contains("make install"))
    // The list of commands needs no documentation files.
    #expect(try none.run(["help"]).code == 0)
    #expect(try none.run(["help", "build"]).code == 0)
  }

  /// On a terminal, headings are bold, long pages go through the pager, and NO_COLOR is respected.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"),
      "script(1), which makes a terminal, is not installed"))
  func terminalsGetBoldHeadingsAndAPager() throws {
    let executable = try #require(Program.executable, "the program is not built")
    func run(_ arguments: String, _ environment: [String: String]) throws -> String {
      var script = program
      script.executable = URL(filePath: "/usr/bin/script")
      script.environment.merge(["TERM": "xterm"].merging(environment) { $1 }) { $1 }
      let outcome = try script.run([
        "-qec", "stty rows 24 cols 60; '\(executable.path)' help \(arguments)", "/dev/null",
      ])
      return outcome.output.replacing("\r\n", with: "\n")
    }
    let paged = try run("configuration", ["PAGER": "sed s/^/page:/"])
    #expect(paged.contains("page:\u{1B}[1m"))
    // 60 columns and five for the mark.
    let prose = paged.split(separator: "\n").filter { !$0.contains("    ") && !$0.contains("\u{1B}") }
    #expect(prose.count > 50)
    let short = try run("configuration", ["PAGER": "sed s/^/page:/", "NO_COLOR": "1"])
    #expect(short.contains("page:") && !short.contains("\u{1B}"))
    // Without its pager, the page is still shown.
    #expect(try run("configuration", ["PAGER": "/nowhere/pager"]).contains("base_url"))
    #expect(try run("configuration", ["PAGER": ""]).contains("base_url"))
  }

  @Test func everyCommandAndPageHasAManPage() throws {
    let folder = try TemporaryFolder()
    var program = program
    program.environment["SOURCE_DATE_EPOCH"] = "1790000000"
    let written = try program.run(["help", "--write-man-pages", folder.path])
    #expect(written.code == 0, "\(written.errors)")
    let tree = try folder.tree("")
    let help = try program.run(["--help"]).output
    let commands = help.split(separator: "\n").drop { !$0.hasSuffix("SUBCOMMANDS:") }.dropFirst()
      .compactMap { $0.firstMatch(of: #/^  ([a-z]+) /#).map { String($0.output.1) } }
    #expect(commands.count > 10)
    var expected = Set(commands.map { "threadsite-\($0).1" } + ["threadsite.1", "threadsite-help.1"])
    for page in try pages() {
      let name = name(of: page.path).replacing("/", with: "-")
      expected.insert("threadsite-\(name).\(name == "configuration" ? 5 : 7)")
    }
    #expect(Set(tree.keys) == expected)
    for command in commands {
      let page = try folder.text("threadsite-\(command).1")
      // 1790000000 is 2026-09-21.
      #expect(page.hasPrefix(".TH \"THREADSITE\\-\(command.uppercased())\" 1 \"2026-09-21\""))
      let options = try program.run([command, "--help"]).output.matches(of: /(?m)^  (?:-[a-z], )?--([a-z-]+)/)
      #expect(!options.isEmpty)
      for option in options {
        let name = "\\-\\-" + option.output.1.replacing("-", with: "\\-")
        #expect(page.contains("\\fB\(name)\\fR"), "\(command): \(name)")
      }
    }
    // Text lines must not begin with the character of a request.
    for name in tree.keys {
      for line in try folder.text(name).split(separator: "\n") {
        guard line.hasPrefix(".") || line.hasPrefix("'") else { continue }
        #expect(
          line.contains(/^\.(TH|SH|SS|PP|TP|IP|RS|RE|nf|fi|br|sp|nh|ad)( |$)/), "\(name): \(line)")
      }
    }
  }
}
