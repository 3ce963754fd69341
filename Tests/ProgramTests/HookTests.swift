import Basics
import Foundation
import TestSupport
import Testing

/// `hooks` in site.yml.
@Suite struct HookTests {
  private let site: TemporarySite
  private let program: Program

  init() throws {
    site = try TemporarySite("defaults")
    program = Program(
      folder: site.path,
      environment: [
        "THREADSITE_SHARE": ProjectFolders.repository.path, "X_TOKEN": "secret-of-the-network",
        "OTHER": "passed on",
      ])
  }

  private func write(_ hooks: String) throws {
    try site.folder.write("title: A\nx: {token_env: X_TOKEN}\nhooks:\n\(hooks)\n", to: "site.yml")
  }

  private func build(_ arguments: [String] = []) throws -> Program.Outcome {
    try program.run(["build", "--offline"] + arguments)
  }

  /// The JSON that a hook wrote to a file.
  private func input(_ file: String) throws -> JSONValue {
    try JSONValue(parsing: Array(site.folder.text(file).utf8))
  }

  @Test func programsGetTheBuildAsJSON() throws {
    try write(
      """
        before_build: [sh, -c, "cat > before.json; env > variables"]
        after_build: [sh, -c, "cat > after.json; ls \\"$THREADSITE_OUTPUT\\" > listing"]
      """)
    let outcome = try build(["--drafts"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let schema = JSONSchema(
      root:
        try JSONValue(
          parsing: FileBytes.read(
            ProjectFolders.repository.appending(path: "docs/schemas/hook.schema.json").path)))
    for (file, event) in [("before.json", "before_build"), ("after.json", "after_build")] {
      let value = try input(file)
      #expect(schema.problems(of: value).isEmpty)
      #expect(value["event"]?.string == event)
      #expect(value["drafts"]?.bool == true)
      #expect(value["site"]?.string == FileSystem.withoutLinks(site.path))
    }
    #expect(try input("before.json")["threads"] == nil)
    let folders = try FileManager.default.contentsOfDirectory(atPath: site.path + "/site/x/ada")
    #expect(try input("after.json")["threads"]?.int ?? 0 >= folders.count)
    #expect(try site.folder.text("listing").contains("index.html"))
    let variables = try site.folder.text("variables")
    #expect(variables.contains("OTHER=passed on") && !variables.contains("secret-of-the-network"))
  }

  @Test func pagesThatAHookWritesAreBuilt() throws {
    try write("  before_build: [sh, -c, \"mkdir -p pages; echo '# Made' > pages/made.md\"]")
    #expect(try build().code == 0)
    #expect(try site.page("made/index.html").contains("Made"))
  }

  @Test func aFailedHookKeepsThePreviousSite() throws {
    try write("  after_build: [\"true\"]")
    #expect(try build().code == 0)
    let before = try site.folder.tree("site")
    try site.folder.write("# New", to: "pages/new.md")
    try write("  before_build: [sh, -c, \"echo broken >&2; exit 3\"]")
    let failed = try build()
    #expect(failed.code == 65)
    #expect(failed.errors.contains("broken\n"))
    #expect(
      failed.errors.contains("site.yml:4:17: error: hooks.before_build: sh ended with exit code 3"),
      "\(failed.errors)")
    #expect(try site.folder.tree("site") == before)
    #expect(try build(["--no-hooks"]).code == 0)
    #expect(site.folder.exists("site/new/index.html"))
  }

  @Test func aFailureAfterTheBuildIsReported() throws {
    try write("  after_build: [\"false\"]")
    #expect(try build().code == 65)
    #expect(site.folder.exists("site/index.html"))
  }

  @Test func aMissingProgramIsAnError() throws {
    try write("  before_build: [no-such-program]")
    let outcome = try build()
    #expect(outcome.code == 74)
    #expect(
      outcome.errors.contains("program no-such-program not found. Check hooks.before_build in site.yml."))
  }

  /// A theme cannot name programs.
  @Test func themesHaveNoHooks() throws {
    try site.folder.write("title: A\ntheme: mine\n", to: "site.yml")
    try site.folder.write(
      "name: mine\nextends: paper\nhooks: {before_build: [touch, ran]}\n", to: "themes/mine/theme.yml")
    let outcome = try build()
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("unknown key \"hooks\""))
    #expect(!site.folder.exists("ran"))
  }
}
