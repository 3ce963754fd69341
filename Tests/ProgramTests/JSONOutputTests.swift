import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel

/// The JSON output of commands follows docs/schemas/, for success and failure.
@Suite struct JSONOutputTests {
  private static let folder = ProjectFolders.repository.appending(path: "docs/schemas")

  /// Runs a command and validates its output against its schema.
  @discardableResult
  private func run(_ program: Program, _ arguments: [String], fails: Bool = false) throws -> JSONValue {
    let outcome = try program.run(arguments + ["--json"])
    let name = "\(arguments[0]).schema.json"
    let schema = JSONSchema(
      root: try JSONValue(parsing: Array(try Data(contentsOf: Self.folder.appending(path: name)))))
    let output = try JSONValue(parsing: Array(outcome.output.utf8))
    for problem in schema.problems(of: output) { Issue.record("\(arguments): \(problem)") }
    #expect((outcome.code != 0) == fails, "\(arguments): \(outcome.code) \(outcome.errors)")
    if fails, let error = output["error"] {
      #expect(error["exit_code"]?.integer == Int64(outcome.code))
      for message in error["messages"]?.array ?? [] {
        #expect(outcome.errors.contains(message.string ?? "?"), "the text output differs from the JSON")
      }
    }
    return output
  }

  @Test func outputFollowsTheSchemas() throws {
    let exported = try ExportedSite()
    let program = Program(
      folder: exported.site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let files = exported.site.folder
    try run(program, ["init", "new"])
    try files.remove("threads/x/ada/5001.json")
    try files.write("title: Kept\n", to: "site.yml")
    try files.write(
      """
      {"data":[{"id":"7001","text":"Hello","author_id":"11","conversation_id":"7001"}],\
      "includes":{"users":[{"id":"11","name":"Ada","username":"ada"}]}}
      """, to: "saved.json")
    try run(program, ["import", "saved.json"])
    let likes = "window.YTD.like.part0 = [ {\"like\":{\"tweetId\":\"20\"}} ]"
    try files.write("window.YTD.tweets.part0 = [ ]", to: "archive/data/tweets.js")
    try files.write(likes, to: "archive/data/like.js")
    try run(program, ["import", "--likes", "archive"])
    try run(program, ["list"])
    for arguments in [["list"], ["show"], ["show", "zettel"], ["new", "mine"]] {
      try run(program, ["theme"] + arguments)
    }
    try run(program, ["theme", "new", "mine"], fails: true)
    try run(program, ["show", "https://x.com/ada/status/3001"])
    // Values are computed as by a build, which needs a site without errors.
    let complete = try TemporarySite("thread-list")
    try run(Program(folder: complete.path, environment: program.environment), ["show", "--values", "home"])
    for options in [["--shard", "1/2"], ["--shard", "2/2"], ["--join"]] {
      try run(Program(folder: complete.path, environment: program.environment), ["build"] + options)
    }
    // The image is invalid, so its thread cannot be built.
    try run(program, ["build", "--offline"], fails: true)
    let built = try run(program, ["build", "--offline", "--keep-going"], fails: true)
    #expect(built["left_out"]?.array?.isEmpty == false)
    for format in ["epub", "html", "markdown", "sqlite"] { try run(program, ["export", format]) }
    try run(program, ["check"], fails: true)
    // No target is configured.
    try run(program, ["publish"], fails: true)
    try files.write("title: Kept\npublish: { folder: www }\n", to: "site.yml")
    try run(program, ["publish", "--no-check", "--dry-run"])
    try run(program, ["publish", "--no-check"])
    try files.write("title: Kept\npublish: { command: [\"true\"] }\n", to: "site.yml")
    try run(program, ["publish", "--no-check"])
    try files.write("title: Kept\n", to: "site.yml")
    try run(program, ["review"])
    try run(program, ["fetch", "--dry-run"])
    try run(program, ["add", "--dry-run", "https://x.com/ada/status/9001"])
    // There is no token here.
    try run(program, ["fetch"], fails: true)
    try run(program, ["hide", "https://x.com/ada/status/1002"])
    for command in ["draft", "exclude"] { try run(program, [command, "https://x.com/ada/status/3001"]) }
    for command in ["tag", "title"] { try run(program, [command, "https://x.com/ada/status/3001", "word"]) }
    try run(program, ["alt", "--undo", "https://x.com/ada/status/3001"])
    try run(program, ["remove", "--yes", "https://x.com/ada/status/1001"])
    try run(program, ["remove", "--undo", "https://x.com/ada/status/1001"])
    try run(program, ["remove", "--yes", "https://x.com/ada/status/1001"])
    try run(program, ["remove", "--forget", "--yes", "https://x.com/ada/status/1001"])
  }

  @Test func failuresAreObjects() throws {
    let exported = try ExportedSite()
    let program = Program(
      folder: exported.site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    func kind(_ arguments: [String]) throws -> String? {
      try run(program, arguments, fails: true)["error"]?["kind"]?.string
    }
    #expect(try kind(["export", "epub", "--author", "nobody"]) == "content")
    #expect(try kind(["export", "epub", "--collection", "none"]) == "configuration")
    #expect(try kind(["export", "word"]) == "usage")
    #expect(try kind(["export", "html", "--output", "."]) == "io")
    #expect(try kind(["build", "--jobs", "0"]) == "usage")
    #expect(try kind(["show", "4711"]) == "content")
    #expect(try kind(["import", "nothing.json"]) == "io")
    #expect(try kind(["add", "nonsense"]) == "usage")
    #expect(try kind(["init", "."]) != nil)
    try exported.site.folder.write("titel: x\n", to: "site.yml")
    for command in ["build", "fetch", "list", "check"] {
      #expect(try kind([command]) == "configuration", "\(command)")
    }
  }

  /// A command without a schema would be undocumented.
  @Test func everyCommandHasASchema() throws {
    let help = try Program(folder: "/").run(["--help"]).output
    let commands = help.split(separator: "\n").drop { !$0.hasSuffix("SUBCOMMANDS:") }.dropFirst()
      .compactMap { line -> String? in
        guard line.hasPrefix("  "), line.dropFirst(2).first?.isLowercase == true else { return nil }
        return line.split(separator: " ").first.map(String.init)
      }
    let schemas = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(commands.count > 10)
    // Hooks receive JSON as well.
    #expect(Set(schemas) == Set((commands + ["hook"]).map { "\($0).schema.json" }))
  }
}
