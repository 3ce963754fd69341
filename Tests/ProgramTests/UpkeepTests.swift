import Foundation
import TestSupport
import Testing
import ThreadModel

/// Maintenance of a site: listing the store's content, and removing content from the store and the site.
@Suite struct UpkeepTests {
  private func program(_ site: TemporarySite) -> Program {
    Program(folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func threads(_ outcome: Program.Outcome) throws -> [[String: Any]] {
    try #require(try object(outcome.output)["threads"] as? [[String: Any]])
  }

  /// Saved responses: a thread of two posts per number, by the named author.
  private func answers(_ threads: [(id: Int, author: String)], media: String? = nil) -> String {
    threads.map { id, author in
      let user = author.utf8.reduce(0) { $0 * 31 + Int($1) }
      func post(_ number: Int, answers: Int?) -> String {
        let reference =
          answers.map { ",\"referenced_tweets\":[{\"type\":\"replied_to\",\"id\":\"\($0)\"}]" } ?? ""
        return
          "{\"id\":\"\(number)\",\"text\":\"Number \(number) #tag\(id)\",\"author_id\":\"\(user)\",\"conversation_id\":\"\(id)\","
          + "\"created_at\":\"20\(id % 50 + 10)-03-04T05:06:07.000Z\",\"entities\":{\"hashtags\":[{\"start\":\(8 + "\(number)".count),\"end\":\(12 + "\(number)\(id)".count),\"tag\":\"tag\(id)\"}]}\(reference)}"
      }
      return "{\"data\":[\(post(id, answers: nil)),\(post(id + 1, answers: id))],"
        + "\"includes\":{\"users\":[{\"id\":\"\(user)\",\"name\":\"\(author)\",\"username\":\"\(author)\"}]}}"
    }.joined(separator: "\n")
  }

  private func site(_ yaml: String = "title: A\n") throws -> (TemporarySite, Program) {
    let site = try TemporarySite()
    try site.folder.write(yaml, to: "site.yml")
    try site.folder.write(
      answers([(1000, "ada"), (1010, "ada"), (1020, "bob"), (1030, "bob")]), to: "saved.jsonl")
    let program = program(site)
    #expect(try program.run(["import", "saved.jsonl"]).code == 0)
    return (site, program)
  }

  private func write(_ data: Data, to path: String, in site: TemporarySite) throws {
    let file = URL(filePath: site.path + "/" + path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  // MARK: Listing

  /// A thread without a page is called excluded only if site.yml excludes it.
  @Test func listsConversationsWithoutAPageWithTheReason() throws {
    let (site, program) = try site(
      "title: A\nthreads:\n  - url: 1030\n    hide: [1030, 1031]\n  - url: 1020\n    exclude: true\n")
    defer { withExtendedLifetime(site) {} }
    let states = try threads(try program.run(["list", "--json"])).map { $0["state"] as? String }
    #expect(states == ["empty", "excluded", "published", "published"])
    #expect(try threads(try program.run(["list", "--json", "--state", "empty"])).count == 1)
  }

  @Test func listsThreads() throws {
    let (site, program) = try site(
      "title: A\nthreads:\n  - url: 1001\n    draft: true\n    tags: [Mine]\n  - url: 1020\n    exclude: true\n"
    )
    defer { withExtendedLifetime(site) {} }
    let all = try threads(try program.run(["list", "--json"]))
    #expect(all.map { $0["id"] as? String } == ["x/1030", "x/1020", "x/1010", "x/1000"])
    #expect(all.map { $0["state"] as? String } == ["published", "excluded", "published", "draft"])
    #expect(all.allSatisfy { $0["posts"] as? Int == 2 })
    func ids(_ arguments: String...) throws -> [String] {
      try threads(try program.run(["list", "--json"] + arguments)).compactMap { $0["id"] as? String }
    }
    #expect(try ids("--author", "@ADA") == ["x/1010", "x/1000"])
    #expect(try ids("--tag", "mine") == ["x/1000"])
    #expect(try ids("--tag", "#tag1010") == ["x/1010"])
    #expect(try ids("--state", "draft", "--state", "excluded") == ["x/1020", "x/1000"])
    #expect(
      try Set(ids("--state", "draft", "--state", "incomplete"))
        == Set(ids("--state", "draft")).union(ids("--state", "incomplete")))
    // 1000 % 50 + 10: the year 2010; 1030: 2040.
    #expect(try ids("--since", "2020-03-04", "--until", "2030-03-04") == ["x/1020", "x/1010"])
    #expect(try ids("--since", "2020-03-05", "--until", "2030-03-03").isEmpty)
    let table = try program.run(["list", "--author", "ada"])
    #expect(table.output.contains("  2020-03-04  2  published  Number 1010"))
    #expect(table.output.contains("  x/ada/number-1010-tag1010-1010/\n"), "\(table.output)")
    #expect(try ids("--search", "NUMBER 1021") == ["x/1020"])
    #expect(try ids("--search", "bob tag1030") == ["x/1030"])
    #expect(try ids("--search", "bob tag1010").isEmpty)
    #expect(try ids("--limit", "3") == ["x/1030", "x/1020", "x/1010"])
    let limited = try program.run(["list", "--limit", "1"])
    #expect(limited.errors == "1 thread, 2 posts. 3 more threads not shown (--limit).\n")
    #expect(try program.run(["list", "--limit", "0"]).code == 64)
    #expect(try program.run(["list", "--search", " "]).code == 64)
    let typo = try program.run(["list", "--author", "adda"])
    #expect(typo.code == 65 && typo.errors.contains("did you mean \"ada\"?"))
  }

  @Test func listsEachThreadAsALineOfJSON() throws {
    let (site, program) = try site()
    defer { withExtendedLifetime(site) {} }
    let whole = try threads(try program.run(["list", "--json"]))
    let outcome = try program.run(["list", "--json-lines"])
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(outcome.code == 0 && lines.count == 4)
    for (line, thread) in zip(lines, whole) {
      #expect(try NSDictionary(dictionary: object(line)) == NSDictionary(dictionary: thread))
    }
    #expect(try program.run(["list", "--json", "--json-lines"]).code == 64)
  }

  /// On a terminal, each thread is on one line.
  @Test(.enabled(if: Program.hasTerminal)) func listFitsTheTerminal() throws {
    let (site, program) = try site()
    defer { withExtendedLifetime(site) {} }
    try site.folder.write(
      "title: A\nthreads:\n  - url: 1030\n    title: \(String(repeating: "時計 clock ", count: 20))\n",
      to: "site.yml")
    for width in [60, 100] {
      let outcome = try program.run(onTerminal: ["list"], width: width)
      try #require(outcome.code == 0, "\(outcome.output)")
      let lines = outcome.output.split(whereSeparator: \.isNewline).map(String.init)
      let title = try #require(lines.first { $0.contains("時計") })
      #expect(title.hasSuffix("…"))
      let columns = title.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value >= 0x2E80 } ? 2 : 1) }
      #expect(columns <= width && columns > width - 3, "\(width): \(title)")
      #expect(!outcome.output.contains("x/bob/"), "pages are not shown")
    }
  }

  /// Any beginning of a short id that no other thread has is enough.
  @Test func acceptsShortIDs() throws {
    let (site, program) = try site()
    let listed = try threads(try program.run(["list", "--json"]))
    let ids = listed.compactMap { $0["short_id"] as? String }
    #expect(Set(ids).count == 4 && ids.allSatisfy { $0.wholeMatch(of: /[b-z]{4,}/) != nil })
    for (id, thread) in zip(ids, listed) {
      let shown = try threads(try program.run(["show", id, "--json"]))
      #expect(shown.map { $0["file"] as? String } == [thread["file"] as? String])
    }
    #expect(try program.run(["title", ids[0], "Mine"]).code == 0)
    #expect(
      try site.folder.text("site.yml").contains("title: \"Mine\"")
        || site.folder.text("site.yml").contains("title: Mine"))
    let unknown = try program.run(["show", "bbbbbbbb"])
    #expect(unknown.code == 65 && unknown.errors.contains("the store has no thread \"bbbbbbbb\""))
  }

  /// Names of a thread: any of its posts, its page or its file, in all forms in which people copy them.
  private static let namesOfAThread = [
    "1001", "https://x.com/ada/status/1000", "threads/x/ada/1000.json", "x/ada/1000",
    "x/ada/number-1000-tag1000-1000/",
    "/x/ada/number-1000-tag1000-1000", "site/x/ada/number-1000-tag1000-1000/index.html",
    "https://example.org/t/x/ada/number-1000-tag1000-1000/?a#b",
  ]

  @Test func acceptsManyNamesOfAThread() throws {
    let (site, program) = try site("title: A\nbase_url: https://example.org/t/\n")
    defer { withExtendedLifetime(site) {} }
    #expect(try program.run(["build"]).code == 0)
    for name in Self.namesOfAThread {
      let shown = try threads(try program.run(["show", name, "--json"]))
      #expect(shown.map { $0["file"] as? String } == ["x/ada/1000.json"], "\(name)")
      #expect(shown.first?["page"] as? String == "x/ada/number-1000-tag1000-1000/", "\(name)")
    }
    let text = try program.run(["show", Self.namesOfAThread[0]])
    #expect(text.output.hasPrefix("Thread:    Number 1000"))
  }

  @Test func reportsUnknownNames() throws {
    let (site, program) = try site()
    for name in ["4711", "x/ada/nothing/", "https://example.com/a"] {
      let outcome = try program.run(["show", name])
      #expect(outcome.code == 65 && outcome.output.isEmpty, "\(name)")
    }
    try site.folder.write("{", to: "threads/x/ada/1010.json")
    let listed = try program.run(["list"])
    #expect(listed.code == 65 && listed.errors.contains("1010.json:1:2: error: "))
    #expect(listed.output.contains("Number 1000"), "the others are also listed")
  }

  // MARK: Removing

  /// The user cannot confirm without a terminal.
  @Test func removesNothingWithoutConfirmation() throws {
    let (site, program) = try site("title: A\n")
    let before = try site.folder.tree("threads")
    for arguments in [["remove", "1000"], ["remove", "--forget"]] {
      let outcome = try program.run(arguments)
      #expect(outcome.code == 64 && outcome.errors.contains("add --yes"), "\(outcome.errors)")
    }
    #expect(try site.folder.tree("threads") == before)
  }

  @Test func removedThreadsStayRemoved() throws {
    let (site, program) = try site(
      "title: A\ncollections:\n  - title: C\n    slug: c\n    threads: [1000, 1020]\n")
    #expect(try program.run(["build"]).code == 0)
    #expect(try program.run(["publish", "--record"]).code == 0)
    let before = try site.folder.tree("threads")
    let removed = try program.run(["remove", "--yes", "https://x.com/ada/status/1001"])
    #expect(removed.code == 0)
    #expect(removed.errors.contains("site.yml: removed the entries of the removed threads (1 place)."))
    #expect(try site.folder.text("site.yml").hasSuffix("    threads: [1020]\n"))
    #expect(try program.run(["build"]).code == 0)
    #expect(!site.folder.exists("threads/x/ada/1000.json"))
    #expect(!(try site.folder.text("threads/permalinks.json").contains("1000")))
    #expect(site.folder.exists(".threadsite/removed/x/ada/1000.json"))
    // Neither the same file nor one with another conversation ID brings it back.
    let again = try program.run(["import", "saved.jsonl", "--json"])
    #expect(try object(again.output)["stay_removed"] as? Int == 1)
    #expect(try object(again.output)["unchanged"] as? Int == 3)
    try site.folder.write(
      answers([(1000, "ada")]).replacing("\"conversation_id\":\"1000\"", with: "\"conversation_id\":\"900\""),
      to: "other.jsonl")
    #expect(try program.run(["import", "other.jsonl"]).code == 0)
    #expect(try site.folder.tree("threads").keys.filter { $0.hasPrefix("x/ada/") } == ["x/ada/1010.json"])
    let named = try program.run(["add", "https://x.com/ada/status/1000"])
    #expect(named.code == 65 && named.errors.contains("this thread was removed from the store"))

    let back = try program.run(["remove", "--undo", "1000"])
    #expect(back.code == 0, "\(back.errors)")
    #expect(try site.folder.tree("threads") == before, "the store is unchanged")
    #expect(try site.folder.text("site.yml").hasSuffix("    threads: [1000, 1020]\n"))
    #expect(
      try object(try program.run(["import", "saved.jsonl", "--json"]).output)["unchanged"] as? Int == 4)
  }

  /// Removing a thread also removes the lines of site.yml that would make a build fail. Comments and the rest
  /// stay, and `--undo` restores the lines.
  @Test func removesLinesOfSiteYMLWithTheThread() throws {
    let yaml = """
      # mine
      title: A # the title
      sources:
        - 1000 # the first one
        - account: https://x.com/bob
      threads:
        # about the second
        - url: 1010
          title: "Ten: ten"
          tags: [a,
                 b]

        # about the first
        - url: https://x.com/ada/status/1001
          same_as: [1030]
        - 1020
      collections:
        - title: C
          slug: c
          threads:
            - 1000
            - "1020"   # last
      """
    let (site, program) = try site(yaml + "\n")
    let built = try program.run(["build", "--offline"])
    #expect(built.code == 0, "\(built.errors)")
    #expect(try program.run(["remove", "--yes", "1000", "1010"]).code == 0)
    #expect(
      try site.folder.text("site.yml") == """
        # mine
        title: A # the title
        sources:
          - account: https://x.com/bob
        threads:
          # about the second

          # about the first
          - 1020
        collections:
          - title: C
            slug: c
            threads:
              - "1020"   # last

        """)
    #expect(try program.run(["build", "--offline"]).code == 0)
    #expect(try program.run(["remove", "--undo", "--all"]).code == 0)
    #expect(try site.folder.text("site.yml") == yaml + "\n")
    // An account is removed with its source. An entry that the collection needs stays and is reported.
    let account = try program.run(["remove", "--author", "bob", "--yes"])
    #expect(!(try site.folder.text("site.yml").contains("bob")))
    #expect(account.code == 0, "\(account.errors)")
    #expect(try program.run(["build", "--offline"]).code == 0)
    // If the file changed since, the entries are restored at the ends of their lists.
    let changed = try site.folder.text("site.yml").replacing("title: A", with: "title: B")
    try site.folder.write(changed, to: "site.yml")
    let back = try program.run(["remove", "--undo", "--all"])
    #expect(back.code == 0, "\(back.errors)")
    let text = try site.folder.text("site.yml")
    #expect(text.contains("title: B") && text.contains("- account: https://x.com/bob"))
    #expect(text.contains("  - 1020\n"))
    #expect(try program.run(["build", "--offline"]).code == 0)
  }

  /// Each thread comes back with its own lines, whatever the other threads of the same removal do.
  @Test func restoresLinesOfEachThread() throws {
    let yaml = """
      title: A
      threads:
        - url: 1000
          title: Mine
        - url: 1020
          tags: [b]
        - 1030
      collections:
        - title: C
          slug: c
          threads: [1000, 1020, 1030]

      """
    let (site, program) = try site(yaml)
    #expect(try program.run(["remove", "--yes", "1000", "1020"]).code == 0)
    let first = try program.run(["remove", "--undo", "1000"])
    #expect(first.code == 0 && !first.errors.contains("add these lines"), "\(first.errors)")
    let text = try site.folder.text("site.yml")
    #expect(text.contains("title: Mine") && text.contains("threads: [1000, 1030]") && !text.contains("1020"))
    #expect(try program.run(["remove", "--undo", "1020"]).code == 0)
    #expect(try site.folder.text("site.yml") == yaml)
    #expect(!site.folder.exists(".threadsite/removed/site.yml.json"))
    // If the file has changed since, entries of other lists are printed.
    #expect(try program.run(["remove", "--yes", "1000"]).code == 0)
    try site.folder.write(
      site.folder.text("site.yml").replacing("title: A", with: "title: B"), to: "site.yml")
    let second = try program.run(["remove", "--undo", "1000"])
    #expect(
      second.errors.contains("collections:\n  - slug: c\n    threads:\n      - "), "\(second.errors)")
    #expect(try site.folder.text("site.yml").contains("title: Mine"))
  }

  /// The other removals keep no former contents of site.yml with the words of the thread.
  @Test func forgetsLinesOfSiteYML() throws {
    let (site, program) = try site(
      "title: A\nthreads:\n  - 1010\n  - url: 1000\n    title: Quixotic\n  - url: 1020\n    title: Other\n")
    #expect(try program.run(["remove", "--yes", "1020"]).code == 0)
    #expect(try program.run(["remove", "--yes", "1000"]).code == 0)
    #expect(try site.folder.text(".threadsite/removed/site.yml.json").contains("Quixotic"))
    #expect(try program.run(["remove", "--forget", "--yes", "1000"]).code == 0)
    #expect(try !site.folder.text(".threadsite/removed/site.yml.json").contains("Quixotic"))
    #expect(!site.folder.exists(".threadsite/removed/x/ada"))
    #expect(try program.run(["remove", "--undo", "1020"]).code == 0)
    #expect(try site.folder.text("site.yml").contains("title: Other"))
    // Also if both were removed by one run.
    try site.folder.write(
      "title: A\nthreads:\n  - 1010\n  - url: 1020\n    title: Other\n  - url: 1030\n    title: Quixotic\n",
      to: "site.yml")
    #expect(try program.run(["remove", "--yes", "1020", "1030"]).code == 0)
    #expect(try program.run(["remove", "--forget", "--yes", "1030"]).code == 0)
    #expect(try !site.folder.text(".threadsite/removed/site.yml.json").contains("Quixotic"))
  }

  @Test func reportsNamesWithoutKeptFilesToForget() throws {
    let (site, program) = try site()
    let empty = try program.run(["remove", "--forget", "--yes", "1000"])
    #expect(empty.code == 65 && empty.errors.contains("has no files of \"1000\""), "\(empty.errors)")
    #expect(try program.run(["remove", "--yes", "1000", "1020"]).code == 0)
    let outcome = try program.run(
      ["remove", "--forget", "--yes", "--json", "https://x.com/ada/status/1", "1020"])
    #expect(outcome.code == 65 && outcome.errors.contains("status/1"), "\(outcome.errors)")
    #expect(try object(outcome.output)["threads"] as? [String] == ["x/bob/1020.json"])
    #expect(site.folder.exists(".threadsite/removed/x/ada/1000.json"))
  }

  /// The states after runs that were killed after they moved the files of all or of some threads.
  @Test(arguments: [["remove", "--yes", "1020", "1030"], ["remove", "--yes", "--author", "bob"]], [1, 2])
  func completesAnInterruptedRemoval(command: [String], moved: Int) throws {
    let (site, program) = try site("title: A\nthreads:\n  - 1000\n  - url: 1020\n    title: Quixotic\n")
    #expect(try program.run(["build"]).code == 0)
    #expect(try program.run(["publish", "--record"]).code == 0)
    #expect(try site.folder.text("threads/permalinks.json").contains("quixotic"))
    for number in [1020, 1030].prefix(moved) {
      let text = try site.folder.text("threads/x/bob/\(number).json")
      try site.folder.write(text, to: ".threadsite/removed/x/bob/\(number).json")
      try site.folder.remove("threads/x/bob/\(number).json")
    }
    let outcome = try program.run(command)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try !site.folder.text("threads/permalinks.json").contains("bob"))
    #expect(try !site.folder.text("site.yml").contains("Quixotic"))
    #expect(!site.folder.exists("threads/x/bob") && !site.folder.exists(".threadsite/build"))
    #expect(
      try object(try program.run(["import", "saved.jsonl", "--json"]).output)["stay_removed"] as? Int == 2)
    #expect(try program.run(["remove", "--undo", "--all"]).code == 0)
    #expect(site.folder.exists("threads/x/bob/1020.json") && site.folder.exists("threads/x/bob/1030.json"))
    #expect(try site.folder.text("threads/permalinks.json").contains("quixotic"))
    #expect(try site.folder.text("site.yml").contains("Quixotic"))
  }

  /// The state after a run that was killed before it moved the files of the threads, which it does after everything else in the store.
  @Test func completesARemovalBeforeItsThreads() throws {
    let yaml = "title: A\nthreads:\n  - 1000\n  - url: 1020\n    title: Quixotic\n"
    let (site, program) = try site(yaml)
    #expect(try program.run(["build"]).code == 0)
    #expect(try program.run(["publish", "--record"]).code == 0)
    #expect(try program.run(["remove", "--yes", "1020"]).code == 0)
    let text = try site.folder.text(".threadsite/removed/x/bob/1020.json")
    try site.folder.write(text, to: "threads/x/bob/1020.json")
    try site.folder.remove(".threadsite/removed/x/bob/1020.json")
    try site.folder.remove(".threadsite/removed/site.yml.json")
    try site.folder.write(yaml, to: "site.yml")
    let outcome = try program.run(["remove", "--yes", "1020"])
    #expect(outcome.code == 0 && !site.folder.exists("threads/x/bob/1020.json"), "\(outcome.errors)")
    #expect(try !site.folder.text("site.yml").contains("Quixotic"))
    #expect(try program.run(["remove", "--undo", "1020"]).code == 0)
    #expect(site.folder.exists("threads/x/bob/1020.json"))
    #expect(try site.folder.text("threads/permalinks.json").contains("quixotic"))
    #expect(try site.folder.text("site.yml") == yaml)
  }

  /// Entries that are in the file again are neither added nor printed.
  @Test func restoresNoLineTwice() throws {
    let (site, program) = try site("title: A\nthreads:\n  - 1000\n  - url: 1020\n    title: Mine\n")
    #expect(try program.run(["remove", "--yes", "1020"]).code == 0)
    let text = "title: B\nthreads:\n  - 1000\n  - title: Mine\n    url: 1020\n"
    try site.folder.write(text, to: "site.yml")
    let outcome = try program.run(["remove", "--undo", "1020"])
    #expect(outcome.code == 0 && !outcome.errors.contains("add these lines"), "\(outcome.errors)")
    #expect(try site.folder.text("site.yml") == text)
  }

  @Test func restoresNothingIfAFileExistsAgain() throws {
    let (site, program) = try site("title: A\nthreads:\n  - 1020\n  - url: 1000\n    title: Mine\n")
    #expect(try program.run(["remove", "--yes", "1000", "1010"]).code == 0)
    let kept = try site.folder.text(".threadsite/removed/x/ada/1010.json")
    try site.folder.write("{}", to: "threads/x/ada/1010.json")
    let before = try site.folder.tree()
    let outcome = try program.run(["remove", "--undo", "--all"])
    #expect(outcome.code == 65 && outcome.errors.contains("exists again"), "\(outcome.errors)")
    #expect(try site.folder.tree() == before)
    // The same file is restored from version control.
    try site.folder.write(kept, to: "threads/x/ada/1010.json")
    #expect(try program.run(["remove", "--undo", "--all"]).code == 0)
    #expect(site.folder.exists("threads/x/ada/1000.json") && !site.folder.exists("threads/removed.json"))
    #expect(try site.folder.text("site.yml").contains("title: Mine"))
  }

  @Test func removesAnAccountPermanently() throws {
    let (site, program) = try site()
    #expect(try program.run(["remove", "--author", "bob", "--yes"]).code == 0)
    #expect(
      try site.folder.tree("threads").keys.filter { $0.hasPrefix("x/") }.sorted() == [
        "x/ada/1000.json", "x/ada/1010.json",
      ])
    // Their later posts are also skipped.
    try site.folder.write(answers([(1040, "bob")]), to: "later.jsonl")
    #expect(
      try object(try program.run(["import", "later.jsonl", "--json"]).output)["stay_removed"] as? Int == 1)
    #expect(!site.folder.exists("threads/x/bob"))
    #expect(try program.run(["remove", "--forget", "--yes"]).code == 0)
    #expect(!site.folder.exists(".threadsite/removed"))
    #expect(
      try object(try program.run(["import", "saved.jsonl", "--json"]).output)["stay_removed"] as? Int == 2)
    #expect(try program.run(["remove", "--undo", "--all"]).code == 0)
    #expect(!site.folder.exists("threads/removed.json"))
    #expect(try object(try program.run(["import", "saved.jsonl", "--json"]).output)["added"] as? Int == 2)
  }

  /// An image of two threads stays until the second one is removed.
  @Test func removesMediaWithTheLastThreadThatShowsThem() throws {
    let (site, program) = try site()
    for name in ["a.png", "b.png"] { try write(SampleMedia.png(), to: "threads/media/\(name)", in: site) }
    for (file, names) in [("ada/1000", ["a"]), ("bob/1020", ["a", "b"])] {
      let path = "threads/x/\(file).json"
      var conversation = try object(try site.folder.text(path))
      var posts = try #require(conversation["posts"] as? [[String: Any]])
      posts[0]["media"] = names.map { ["id": $0, "kind": "photo", "file": $0 + ".png"] }
      conversation["posts"] = posts
      try write(try JSONSerialization.data(withJSONObject: conversation), to: path, in: site)
    }
    #expect(try program.run(["build"]).code == 0)
    let first = try object(try program.run(["remove", "--yes", "1020", "--json"]).output)
    #expect(first["media"] as? [String] == ["b.png"])
    #expect(site.folder.exists("threads/media/a.png") && !site.folder.exists("threads/media/b.png"))
    #expect(
      try object(try program.run(["remove", "--yes", "1000", "--json"]).output)["media"] as? [String] == [
        "a.png"
      ])
    #expect(try object(try program.run(["remove", "--undo", "1020", "--json"]).output)["media"] as? Int == 2)
    #expect(site.folder.exists("threads/media/a.png") && site.folder.exists("threads/media/b.png"))
  }

  @Test func damagedRecordStopsTheImport() throws {
    let (site, program) = try site()
    try site.folder.write("{\"format\":1,\"threads\":[{}]}", to: "threads/removed.json")
    let outcome = try program.run(["import", "saved.jsonl"])
    #expect(
      outcome.code == 65 && outcome.errors.contains("threads/removed.json: error: "), "\(outcome.errors)")
    try site.folder.write("{\"format\":2}", to: "threads/removed.json")
    #expect(try program.run(["import", "saved.jsonl"]).errors.contains("update threadsite"))
  }

  // MARK: Editing

  @Test func commandsEditTheConfiguration() throws {
    let (site, program) = try site("# mine\ntitle: A # the title\nthreads:\n  - 1000 # first\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: site.path + "/site.yml")
    for arguments in [
      ["title", "1001", "A better  title"], ["tag", "x/ada/1000", "#one", "two words"],
      ["hide", "https://x.com/ada/status/1001"], ["draft", "1010"], ["draft", "1010"],
      ["exclude", "1020", "1030"],
      ["exclude", "1030", "--undo"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
    }
    #expect(
      try site.folder.text("site.yml")
        == """
        # mine
        title: A # the title
        threads:
          - url: 1000 # first
            title: "A better title"
            tags: [one, "two words"]
            hide:
              - https://x.com/i/status/1001
          - url: https://x.com/ada/status/1010
            draft: true
          - url: https://x.com/bob/status/1020
            exclude: true
          - url: https://x.com/bob/status/1030

        """.replacing("https://x.com/i/status/1001", with: "https://x.com/ada/status/1001"))
    let mode =
      try FileManager.default.attributesOfItem(atPath: site.path + "/site.yml")[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try program.run(["build"]).code == 0)
    let shown = try threads(try program.run(["show", "1000", "--json"]))
    #expect(shown[0]["title"] as? String == "A better title" && shown[0]["posts"] as? Int == 1)
  }

  /// The opposite of each edit restores the file.
  @Test func everyEditHasAnOpposite() throws {
    let yaml = "title: A\nthreads:\n  - url: 1000\n    slug: clocks # stays\n"
    let (site, program) = try site(yaml)
    for (edit, opposite) in [
      (["title", "1001", "Another"], ["title", "--undo", "1001"]),
      (["tag", "1001", "one", "two words"], ["tag", "--remove", "1001", "#ONE", "two  words"]),
      (["hide", "https://x.com/ada/status/1001"], ["hide", "--undo", "https://x.com/ada/status/1001"]),
      (["draft", "1001"], ["draft", "--undo", "1001"]),
      (["exclude", "1001"], ["exclude", "--undo", "1001"]),
    ] {
      for arguments in [edit, opposite] {
        let outcome = try program.run(arguments)
        #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
        #expect(outcome.errors.contains("changed the entry in site.yml"), "\(arguments): \(outcome.errors)")
      }
      #expect(try site.folder.text("site.yml") == yaml, "\(opposite)")
      // Again, there is nothing to undo. A tag may be a typing error, so its name is refused.
      let again = try program.run(opposite)
      let isTag = opposite[0] == "tag"
      #expect(again.code == (isTag ? 65 : 0) && again.errors.contains(isTag ? "has no tag" : "no change"))
    }
    // A thread without an entry gets none.
    #expect(try program.run(["title", "--undo", "1010"]).code == 0)
    #expect(try site.folder.text("site.yml") == yaml)
    // Some of several values.
    for arguments in [
      ["tag", "1000", "a", "b", "c"], ["tag", "--remove", "1000", "b"], ["hide", "1000", "1001"],
      ["hide", "--undo", "1000"],
    ] { #expect(try program.run(arguments).code == 0, "\(arguments)") }
    #expect(
      try site.folder.text("site.yml")
        == yaml + "    tags: [a, c]\n    hide:\n      - https://x.com/i/status/1001\n"
        || site.folder.text("site.yml").hasSuffix("tags: [a, c]\n    hide:\n      - 1001\n"))
  }

  @Test func emptyArgumentsAreAnsweredPlainly() throws {
    let (site, program) = try site()
    defer { withExtendedLifetime(site) {} }
    let cases: [(arguments: [String], code: Int32, message: String)] = [
      (["tag", "1000", ""], 64, "A tag must not be empty."),
      (["tag", "1000", "#"], 64, "A tag must not be empty."),
      (
        ["title", "1000", " "], 64,
        "error: the title must not be empty. To restore the title that is made from the thread, use `threadsite title --undo THREAD`."
      ),
      (["title", "1000"], 64, "error: the title is missing."),
      (["title", "--undo", "1000", "A"], 64, "--undo takes no title."),
      (["alt", "a.jpg", ""], 64, "error: the alt text must not be empty."),
      (["alt", "a.jpg"], 64, "error: the alt text is missing."),
      (
        ["tag", "1000", String(repeating: "x", count: 101)], 78,
        "error: expected a tag of 1 to 100 characters"
      ),
      (
        ["title", "1000", String(repeating: "x", count: 301)], 78,
        "error: expected at most 300 characters, found 301"
      ),
      (["tag", "--remove", "1000", "tag1000"], 65, "is a hashtag in the thread's text"),
      (["hide", "--undo", "4711"], 65, "no thread in the store contains the post"),
    ]
    for (arguments, code, message) in cases {
      let outcome = try program.run(arguments)
      #expect(outcome.code == code && outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
    }
    #expect(try site.folder.text("site.yml") == "title: A\n")
  }

  @Test func addsAltText() throws {
    let site = try TemporarySite()
    try site.folder.write(
      "title: A\nthreads:\n  - url: 100\n    alt:\n      # mine\n      other.png: Old\n", to: "site.yml")
    let author = AuthorID("7", on: .x)
    func picture(_ file: String, _ alt: String? = nil) -> Media {
      var media = Media(id: file, kind: .photo, url: "https://media.example/\(file)")
      media.file = file
      media.altText = alt
      return media
    }
    for (id, media) in [
      ("100", [picture("one.png"), picture("described.png", "By the author")]), ("200", [picture("one.png")]),
    ] {
      var conversation = Conversation(id: PostID(id, on: .x), authorID: author)
      conversation.authors = [Author(id: author, handle: "ada", name: "Ada")]
      var post = Post(id: PostID(id, on: .x), authorID: author, text: InlineText("A picture."))
      post.media = media
      conversation.posts = [post]
      try site.save(conversation)
    }
    for file in ["one.png", "described.png"] {
      try site.folder.write(SampleMedia.png(), to: "threads/media/\(file)")
    }
    let program = program(site)
    let before = try site.folder.text("site.yml")
    #expect(try program.run(["alt", "site/media/one.png", "A plate:", "  of soup"]).code == 64)
    let added = try program.run(["alt", "threads/media/one.png", "A plate:  of soup"])
    #expect(added.code == 0 && added.errors.contains("x/ada/200.json: added an entry"), "\(added.errors)")
    #expect(
      try site.folder.text("site.yml") == before + "      one.png: \"A plate: of soup\"\n"
        + "  - url: https://x.com/ada/status/200\n    alt:\n      one.png: \"A plate: of soup\"\n")
    #expect(try program.run(["alt", "one.png", "Soup"]).code == 0)
    #expect(try program.run(["build"]).code == 0)
    #expect(try site.tree().values.contains { String(decoding: $0, as: UTF8.self).contains("alt=\"Soup\"") })
    #expect(try program.run(["alt", "--undo", "one.png"]).code == 0)
    #expect(try site.folder.text("site.yml") == before + "  - url: https://x.com/ada/status/200\n")
    #expect(try program.run(["alt", "https://x.com/ada/status/200", "Soup"]).code == 0)
    #expect(
      try site.folder.text("site.yml").hasSuffix("    alt:\n      https://x.com/ada/status/200: Soup\n")
        || site.folder.text("site.yml").hasSuffix("    alt:\n      https://x.com/i/status/200: Soup\n"))
    for (image, message) in [
      ("onne.png", "no thread in the store shows the picture \"onne.png\"; did you mean \"one.png\"?"),
      ("described.png", "the author of x/ada/100.json has described described.png: \"By the author\""),
      ("nonsense", "use the file of a picture"),
    ] {
      let outcome = try program.run(["alt", image, "Soup"])
      #expect(outcome.code == 65 && outcome.errors.contains(message), "\(image): \(outcome.errors)")
    }
  }

  @Test func doesNotEditUnsupportedConfigurations() throws {
    let yaml = "title: A\nthreads: [1000]\n"
    let (site, program) = try site(yaml)
    let outcome = try program.run(["draft", "1000"])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("site.yml:2:11: error: ") && outcome.errors.contains("    draft: true\n"))
    #expect(try site.folder.text("site.yml") == yaml)
    #expect(try program.run(["hide", "4711"]).code == 65)
    #expect(try program.run(["hide", "nonsense"]).code == 64)
  }
}
