import Foundation
import TestSupport
import Testing

/// The program as a process: exit codes, and the contents of standard output and standard error.
@Suite struct CommandLineTests {
  private func run(
    _ site: TemporarySite, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program(folder: site.path, environment: environment).run(arguments)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// A shell limits the length of `*.json`, and ten thousand arguments are hard to read.
  @Test func readsPathsFromAList() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    func answer(_ id: Int) -> String {
      """
      {"data":[{"id":"\(id)","text":"Number \(id)","author_id":"7","conversation_id":"\(id)"}],\
      "includes":{"users":[{"id":"7","name":"Ada","username":"ada"}]}}
      """
    }
    for id in 1001...1006 { try site.folder.write(answer(id), to: "saved/with space \(id).json") }
    let program = Program(folder: site.path, environment: [:])
    let names = (1001...1006).map { "saved/with space \($0).json" }
    try site.folder.write(names[0...1].joined(separator: "\n") + "\n", to: "lines.txt")
    try site.folder.write(names[2...3].joined(separator: "\0") + "\0", to: "zeros.txt")
    #expect(try program.run(["import", "--files-from", "lines.txt", names[5]]).code == 0)
    #expect(try program.run(["import", "--files-from", "-"], input: site.path + "/zeros.txt").code == 0)
    #expect(try program.run(["import", "-"], input: site.path + "/" + names[4]).code == 0)
    #expect(
      try site.folder.tree("threads").keys.sorted() == (1001...1006).map { "x/ada/\($0).json" })
    // Errors state their place.
    try site.folder.write("nothing", to: "bad.json")
    let bad = try program.run(["import", "-"], input: site.path + "/bad.json")
    #expect(bad.code == 65 && bad.errors.contains("standard input:1:1: error: "), "\(bad.errors)")
    #expect(try program.run(["import", "--files-from", "none.txt"]).code == 74)
    #expect(try program.run(["import", "-", "--files-from", "-"]).code == 64)
    #expect(try program.run(["import"]).code == 64)
  }

  /// A form of the option that is not recognized must not run the command on the site in the current folder.
  @Test(arguments: [
    ["list", "-C=b"], ["list", "-qC", "b"], ["list", "-C=b", "-C", "."], ["init", "new", "-C=b"],
  ])
  func rejectsOtherFormsOfTheFolderOption(arguments: [String]) throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("title: B\n", to: "b/site.yml")
    let outcome = try run(site, arguments)
    #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.contains("separate argument"), "\(outcome.errors)")
    #expect(!site.folder.exists("new"))
  }

  @Test(arguments: ["1764000000000000000", "-1", "today"])
  func rejectsAnInvalidTimeOfTheBuild(time: String) throws {
    let site = try TemporarySite("defaults")
    let outcome = try run(site, ["list"], environment: ["SOURCE_DATE_EPOCH": time])
    #expect(outcome.code == 78 && outcome.errors.contains("SOURCE_DATE_EPOCH"), "\(outcome.errors)")
  }

  @Test func buildReportsItsResult() throws {
    let site = try TemporarySite("thread-list")
    let outcome = try run(site, ["build"])
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(/2 threads, 4 posts, 1\d pages in \d+\.\d\d s: .*\/site\n/))
    #expect(site.folder.exists("site/index.html"))
  }

  @Test func filesGetNeitherColorsNorProgressBars() throws {
    let site = try TemporarySite("defaults")
    for environment in [["TERM": "xterm"], ["NO_COLOR": "1", "TERM": "xterm"], ["TERM": "dumb"]] {
      let outcome = try run(site, ["build", "--verbose"], environment: environment)
      #expect(outcome.errors.hasPrefix("warning: there is no site.yml here"))
      #expect(!outcome.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" })
    }
  }

  @Test func standardOutputIsOnlyJSON() throws {
    let site = try TemporarySite("drafts")
    let outcome = try run(site, ["build", "--json", "--quiet"])
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    let summary = try object(outcome.output)
    #expect(summary["threads"] as? Int == 1)
    #expect(summary["posts"] as? Int == 3)
    #expect(summary["drafts"] as? Int == 1)
    #expect(summary["seconds"] as? Double != nil)
    #expect(summary["output"] as? String == site.path + "/site")
  }

  @Test func quietPrintsOnlyTheSummary() throws {
    let site = try TemporarySite("defaults")
    let outcome = try run(site, ["build", "--quiet"])
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(" pages in ") && !outcome.errors.contains("warning"))
    try site.folder.write("{", to: "threads/x/ada/1020.json")
    let failure = try run(site, ["build", "--quiet"])
    #expect(failure.code == 65)
    #expect(failure.errors.contains("threads/x/ada/1020.json:1:2: error: "))
  }

  /// With a thousand damaged files, the output stays short and states the number of errors.
  @Test func limitsTheNumberOfPrintedErrors() throws {
    let site = try TemporarySite("defaults")
    for number in 0..<1000 { try site.folder.write("{", to: "threads/x/ada/9\(number).json") }
    let outcome = try run(site, ["build"])
    #expect(outcome.code == 65)
    #expect(outcome.errors.utf8.count < 50_000)
    #expect(outcome.errors.components(separatedBy: ".json:1:2: error: ").count - 1 == 100)
    #expect(outcome.errors.hasSuffix("error: 900 more errors; show all with --verbose\n"))
    let all = try run(site, ["build", "--verbose"])
    #expect(all.errors.components(separatedBy: ".json:1:2: error: ").count - 1 == 1000)
    #expect(!all.errors.contains("more errors"))
  }

  @Test func truncatesAMessageOfManyLines() throws {
    let site = try TemporarySite("defaults")
    let theme = "themes/mine/"
    try site.folder.write("theme: mine\n", to: "site.yml")
    try site.folder.write("extends: paper\n", to: theme + "theme.yml")
    for number in 0..<100 {
      try site.folder.write(
        String(repeating: "{{theme.options.nothing}}\n", count: TestDepth.cases(fast: 20, deep: 100)),
        to: theme + "partials/p\(number).mustache")
    }
    let environment = ["THREADSITE_SHARE": ProjectFolders.repository.path]
    let outcome = try run(site, ["build"], environment: environment)
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("error: "))
    #expect(outcome.errors.utf8.count < 100_000 && outcome.errors.split(separator: "\n").count < 510)
    #expect(outcome.errors.contains("show all with --verbose"))
    let all = try run(site, ["build", "--verbose"], environment: environment)
    #expect(all.errors.utf8.count > outcome.errors.utf8.count)
  }

  @Test(arguments: [
    ("damaged-threads", 65), ("everything-at-once", 65), ("foreign-output", 74), ("broken-configuration", 78),
    ("broken-component", 78), ("no-site-here", 78), ("unknown-theme", 78),
  ])
  func exitCodesDistinguishKindsOfErrors(name: String, code: Int32) throws {
    let site = try TemporarySite(name, kind: "InvalidSites")
    let outcome = try run(site, ["build", "--json"])
    #expect(outcome.code == code)
    let error = try #require(object(outcome.output)["error"] as? [String: Any])
    #expect(error["exit_code"] as? Int == Int(code) && error["command"] as? String == "build")
    #expect(outcome.errors.contains("error: "))
    #expect(!site.folder.exists("site/index.html"))
  }

  @Test(arguments: [
    ["bild"], ["build", "--outptu", "x"], ["build", "--jobs", "0"], ["build", "--jobs", "many"],
    ["build", "-q", "-v"],
    ["import"], ["init", "a", "b"],
  ])
  func wrongUsageExitsWith64(arguments: [String]) throws {
    let site = try TemporarySite("defaults")
    let before = try site.folder.tree()
    let outcome = try run(site, arguments)
    #expect(outcome.code == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("Usage: threadsite"))
    #expect(try site.folder.tree() == before)
  }

  @Test func printsHelpAndVersionToStandardOutput() throws {
    let site = try TemporarySite()
    let version = try run(site, ["--version"])
    #expect(version.code == 0)
    #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    for arguments in [["--help"], ["build", "--help"], ["import", "--help"], ["init", "--help"], []] {
      let help = try run(site, arguments)
      #expect(help.code == 0)
      #expect(help.output.contains("USAGE: threadsite"))
      #expect(help.errors.isEmpty)
    }
    // The help lists the exit codes.
    let help = try run(site, ["--help"]).output
    for code in ["64", "65", "74", "78"] { #expect(help.contains(code)) }
  }

  @Test func initCreatesASiteThatBuilds() throws {
    let site = try TemporarySite()
    let outcome = try run(site, ["init", "new", "--title", "Ada's \"threads\": #1"])
    #expect(outcome.code == 0)
    #expect(try Set(site.folder.tree("new").keys) == ["site.yml", ".gitignore"])
    let build = try run(site, ["build", "--config", "new/site.yml", "--quiet"])
    #expect(build.code == 0)
    #expect(build.errors.hasPrefix("0 threads, 0 posts"))
    #expect(
      try site.folder.text("new/site/index.html").contains(
        "<h1 dir=\"auto\">Ada&#39;s &quot;threads&quot;: #1</h1>"))
  }

  @Test func initKeepsExistingFiles() throws {
    let site = try TemporarySite("defaults")
    let before = try site.folder.tree()
    let outcome = try run(site, ["init"])
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("this folder is not empty (threads)"))
    #expect(try site.folder.tree() == before)
  }

  @Test func initKeepsAnExistingGitignore() throws {
    let site = try TemporarySite()
    try site.folder.write("*.secret\n", to: ".gitignore")
    let outcome = try run(site, ["init", "--json"])
    #expect(outcome.code == 0)
    #expect(try site.folder.text(".gitignore") == "*.secret\n")
    #expect(try object(outcome.output)["files"] as? [String] == ["site.yml", "threads/"])
  }

  @Test(arguments: ["", "  ", String(repeating: "long ", count: 100)])
  func initRejectsInvalidTitles(title: String) throws {
    let site = try TemporarySite()
    let outcome = try run(site, ["init", "new", "--title", title])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("--title: error: "))
    #expect(!site.folder.exists("new"))
  }

  @Test func importRejectsInvalidFiles() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write("\u{1B}[31m not JSON", to: "garbage.json")
    try site.folder.write(Data([0xFF, 0xFE, 0x00]), to: "binary.json")
    try site.folder.write("{\"data\": []}", to: "nothing.json")
    for file in ["garbage.json", "binary.json"] {
      let outcome = try run(site, ["import", file])
      #expect(outcome.code == 65, "\(file)")
      #expect(outcome.errors.contains("\(file)"))
      #expect(!outcome.errors.unicodeScalars.contains("\u{1B}"))
    }
    #expect(try run(site, ["import", "nowhere.json"]).code == 74)
    #expect(try site.folder.tree().keys.filter { $0.hasPrefix("threads/") }.isEmpty)
  }

  @Test func importFailsForIncompleteFiles() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    let good = #"{"data":{"id":"1","author_id":"9","conversation_id":"1","text":"a"}}"#
    try site.folder.write("\(good)\n{\"data\":{\"id\":\"2\"", to: "cut.jsonl")
    let cut = try run(site, ["import", "cut.jsonl"])
    #expect(cut.code == 65)
    #expect(cut.errors.contains("cut.jsonl:2:"))
    #expect(cut.errors.contains("1 line could not be read; the others were imported (1 post)"))
    #expect(site.folder.exists("threads/x/9/1.json"))
    let repost =
      #"{"data":{"id":"3","author_id":"9","text":"RT","referenced_tweets":[{"type":"retweeted","id":"4"}]}}"#
    try site.folder.write(repost, to: "repost.json")
    let reposts = try run(site, ["import", "repost.json"])
    #expect(reposts.code == 65)
    #expect(
      reposts.errors.contains(
        "repost.json: error: contains only reposts of others' posts (1), which are not threads"))
    try site.folder.write("\(good)\n\(repost)", to: "both.jsonl")
    let both = try run(site, ["import", "both.jsonl"])
    #expect(both.code == 0, "\(both.errors)")
    #expect((both.output + both.errors).contains("skipped in files: 1 repost of another's post"))
  }

  @Test func messagesContainNoControlCharacters() throws {
    let site = try TemporarySite()
    try site.folder.write(
      "{\"format\":1,\"platform\":\"x\",\"id\":\"1\",\"a\\u001b[2Jb\\u009b\":1}", to: "threads/x/ada/1.json")
    let outcome = try run(site, ["build"])
    #expect(outcome.code == 65)
    #expect(!outcome.errors.unicodeScalars.contains { $0.value == 0x1B || (0x80...0x9F).contains($0.value) })
    #expect(outcome.errors.contains("threads/x/ada/1.json:1:"))
  }

  /// Real responses, if they are available beside the repository.
  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func importsAndBuildsThreeThreads() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    let fixtures = try #require(ProjectFolders.sharedFixtures).appending(path: "x/threads").path
    let imported = try run(site, ["import", fixtures, "--json"])
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(try object(imported.output)["added"] as? Int == 3)
    let again = try run(site, ["import", fixtures, "--json"])
    #expect(try object(again.output)["unchanged"] as? Int == 3)
    let built = try run(site, ["build", "--json"])
    #expect(built.code == 0, "\(built.errors)")
    #expect(try object(built.output)["threads"] as? Int == 3)
    #expect(try object(built.output)["posts"] as? Int == 12)
    try SiteChecks(site).checkAll()
  }

  /// The output does not depend on the machine's time zone and language.
  @Test func ignoresTimeZoneAndLocale() throws {
    let first = try TemporarySite("time-zone")
    let second = try TemporarySite("time-zone")
    let one = try run(
      first, ["build", "--jobs", "1"], environment: ["TZ": "America/New_York", "LC_ALL": "tr_TR.UTF-8"])
    let two = try run(second, ["build", "--jobs", "4"], environment: ["TZ": "Asia/Tokyo", "LC_ALL": "C"])
    #expect((one.code, two.code) == (0, 0))
    #expect(try first.tree() == second.tree())
  }
}
