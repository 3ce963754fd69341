import Foundation
import TestSupport
import Testing

/// Follows every tutorial and how-to literally.
@Suite(.fewAtOnce) struct InstructionsTests {
  /// Other tests run the commands of these pages.
  private static let testedElsewhere = [
    // `make test-deb` installs, removes and uses the packages.
    "how-to/installing.md"
  ]

  /// Tests below run these pages and then inspect the result.
  private static let inspectedPages = [
    "tutorials/x-archive.md", "tutorials/updating-site.md", "tutorials/own-theme.md",
  ]

  /// The built site of an archive's threads, from which most how-tos start: its files by their paths.
  private static let startingSite = Task {
    let machine = try await ReadersMachine()
    let made = try await machine.run(
      "threadsite init my-threads && cd my-threads && threadsite import ~/Downloads/twitter-2026-01-31.zip && threadsite build",
      in: "work")
    try #require(made.code == 0, "\(made.errors)")
    return try machine.folder.tree("work/my-threads")
  }

  /// The command lines of each page run in order, in one shell. A page that creates a site begins in an
  /// empty folder, and any other page in the folder of a site with the threads of an archive.
  @Test(arguments: try Instructions.pages())
  func everyCommandLineRuns(_ page: String) async throws {
    guard !Self.testedElsewhere.contains(page) else { return }
    let instructions = try Instructions(page: page)
    #expect(instructions.strays.isEmpty, "not in a block of the language sh: \(instructions.strays)")
    for command in instructions.commands where command.need != nil {
      #expect(
        !command.text.contains("\n"), "\(page):\(command.line): a command that does not run has one line")
    }
    guard instructions.commands.contains(where: { $0.need == nil }), !Self.inspectedPages.contains(page)
    else { return }
    let machine = try await ReadersMachine()
    var place = "work"
    if !instructions.commands.contains(where: { $0.text.hasPrefix("threadsite init my-threads") }) {
      place += "/my-threads"
      for (path, data) in try await Self.startingSite.value {
        try machine.folder.write(data, to: "\(place)/\(path)")
      }
    }
    let outcome = try await machine.run(instructions.script, in: place)
    #expect(outcome.code == 0, "\(outcome.output)\n\(outcome.errors)")
  }

  /// The test above can fail: at a command before `&&`, in the middle of a page, in a pipe.
  @Test func failingCommandFails() async throws {
    let machine = try await ReadersMachine()
    let page = ProjectFolders.repository.appending(path: "docs")
    let written = try TemporaryFolder()
    let up = page.pathComponents.dropFirst().map { _ in ".." }.joined(separator: "/")
    for commands in ["false && true", "true\nfalse\ntrue", "false | cat"] {
      try written.write("# A page\n\n```sh\n\(commands)\n```\n", to: "page.md")
      let instructions = try Instructions(page: up + written.path + "/page.md")
      #expect(try await machine.run(instructions.script, in: "work").code == 1, "\(commands)")
    }
  }

  /// Commands in other blocks, and markers on commands with several lines, are found.
  @Test func findsCommandsThatDoNotRun() throws {
    let written = try TemporaryFolder()
    try written.write(
      """
      # A page

      ```
      threadsite build
      ```

      ```sh
      # a comment
      threadsite add URL    # needs the network
      cat > a <<'END'
      ```
      END
      one \\
        two
      ```

      """, to: "page.md")
    let docs = ProjectFolders.repository.appending(path: "docs")
    let up = docs.pathComponents.dropFirst().map { _ in ".." }.joined(separator: "/")
    let instructions = try Instructions(page: up + written.path + "/page.md")
    #expect(instructions.strays.count == 1)
    #expect(instructions.commands.map(\.need) == ["the network", nil, nil])
    #expect(instructions.commands.map(\.text).dropFirst() == ["cat > a <<'END'\n```\nEND", "one \\\n  two"])
  }

  /// The first tutorial: nothing that its reader removed is in the site, and the archive does not bring it back.
  @Test func archiveTutorialPublishesTheRest() async throws {
    let machine = try await ReadersMachine()
    let folder = machine.folder
    let page = "tutorials/x-archive.md"
    let outcome = try await machine.run(try Instructions(page: page).script, in: "work")
    try #require(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.contains("hide https://x.com/i/status/1346889436626259940"), "the review did not find it"
    )
    let thread = "work/my-threads/site/x/ada/how-clocks-lie-1346889436626259938/index.html"
    let html = try folder.text(thread)
    #expect(html.contains("Not even sundials.") && html.contains("How clocks lie"))
    #expect(html.contains(">About</a></li>"))
    #expect(try folder.text("work/my-threads/site/about/index.html").contains("I write about clocks."))

    // The lines that readers add to site.yml by hand.
    let text = try String(
      contentsOf: ProjectFolders.repository.appending(path: "docs/" + page), encoding: .utf8)
    let yaml = try #require(text.firstMatch(of: /(?s)```yaml\n(.*?)```/)).output.1
    let lines = yaml.split(separator: "\n").drop { !$0.hasPrefix("    intro:") }.joined(separator: "\n")
    let config = try folder.text("work/my-threads/site.yml")
    let title = try #require(config.range(of: "    title: \"How clocks lie\"\n"))
    try folder.write(
      config[..<title.upperBound] + lines + "\n" + config[title.upperBound...], to: "work/my-threads/site.yml"
    )
    let again = try await machine.run(
      "threadsite import ~/Downloads/twitter-2026-01-31.zip && threadsite build && threadsite check && threadsite export epub && threadsite publish",
      in: "work/my-threads")
    #expect(again.code == 0, "\(again.errors)")
    let shown = try folder.text(thread)
    #expect(shown.contains("before I owned a clock") && shown.contains("Neither are they always wrong"))
    let alias = try folder.text("work/my-threads/site/2019/clocks/index.html")
    #expect(alias.contains("url=../../x/ada/how-clocks-lie-1346889436626259938/"))

    // Hidden posts are in no file of the site, and removed threads also in no file of the store.
    for (path, content) in try folder.tree("work/my-threads/site") {
      #expect(!content.contains("ada@example.org"), "\(path)")
      #expect(!content.contains("marmoset"), "\(path)")
    }
    for (path, content) in try folder.tree("work/my-threads/threads") {
      #expect(!content.contains("marmoset"), "\(path)")
    }
    #expect(try folder.text("work/my-threads/threads/removed.json").contains("1421234567890123456"))
    let book = try UnpackedBook(
      Data(contentsOf: URL(filePath: folder.path + "/work/my-threads/threads.epub")))
    let texts = book.files.values.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.contains { $0.contains("before I owned a clock") })
    #expect(!texts.contains { $0.contains("ada@example.org") || $0.contains("marmoset") })
    // The branch that GitHub Pages serves has the page, and the repository has no archive.
    let published = try await machine.run(
      "git ls-tree -r --name-only gh-pages && git ls-tree -r --name-only main", in: "forge/ada/my-threads.git"
    )
    #expect(published.output.contains("x/ada/how-clocks-lie-1346889436626259938/index.html"))
    #expect(!published.output.contains(".zip"))
  }

  /// The second tutorial fetches the account's threads, and commits them.
  @Test func accountTutorialStoresItsThreads() async throws {
    let machine = try await ReadersMachine()
    let outcome = try await machine.run(
      try Instructions(page: "tutorials/updating-site.md").script, in: "work")
    try #require(outcome.code == 0, "\(outcome.errors)")
    let stored = try await machine.run("git ls-tree -r --name-only main", in: "forge/ada/my-threads.git")
      .output
    #expect(stored.contains("threads/bluesky/") && stored.contains(".github/workflows/threadsite.yml"))
  }

  /// The third tutorial changes colors, footer, times and an option.
  @Test func themeTutorialChangesThePages() async throws {
    let machine = try await ReadersMachine()
    let outcome = try await machine.run(try Instructions(page: "tutorials/own-theme.md").script, in: "work")
    try #require(outcome.code == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("warning:"), "\(outcome.errors)")
    let html = try machine.folder.text(
      "work/my-threads/site/x/ada/clocks-are-never-right-1346889436626259938/index.html")
    #expect(html.contains("set in plum") && html.contains("Written <a") && html.contains("class=\"calm\""))
    let style = try machine.folder.tree("work/my-threads/site/assets").first { $0.key.hasPrefix("style.") }
    let css = String(decoding: try #require(style).value, as: UTF8.self)
    #expect(css.contains("#7a1f5c") && css.contains("#7a1f5c"))
  }
}
