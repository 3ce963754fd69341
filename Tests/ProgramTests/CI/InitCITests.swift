import Basics
import Foundation
import TestSupport
import Testing

/// Tests of `threadsite init --ci`.
@Suite struct InitCITests {
  private let folder: TemporaryFolder
  private let program: Program

  init() throws {
    folder = try TemporaryFolder()
    program = Program(
      folder: folder.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
  }

  private static let files = [
    "github": [".github/ISSUE_TEMPLATE/add-a-thread.yml", ".github/workflows/threadsite.yml"],
    "gitlab": [".gitlab-ci.yml"],
    "forgejo": [".forgejo/issue_template/add-a-thread.yml", ".forgejo/workflows/threadsite.yml"],
    "codeberg": [".forgejo/issue_template/add-a-thread.yml", ".forgejo/workflows/threadsite.yml"],
    "gitea": [".gitea/issue_template/add-a-thread.yml", ".gitea/workflows/threadsite.yml"],
  ]

  @Test(arguments: ["github", "gitlab", "forgejo", "codeberg", "gitea"])
  func addsWorkflowsToANewSite(_ forge: String) throws {
    let outcome = try program.run(["init", "new", "--ci", forge, "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: threadsite 0.1.0 is not released yet"))
    let files = try folder.tree("new")
    #expect(
      files.keys.sorted() == ([".gitignore", "site.yml"] + (Self.files[forge] ?? [])).sorted())
    let version = try program.run(["--version"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
    for path in Self.files[forge] ?? [] {
      let text = try folder.text("new/" + path)
      #expect(!text.contains("@VERSION@"))
      #expect(path.contains("add-a-thread") || text.contains(version))
      #expect(forge != "gitea" || !text.contains(".forgejo/"), "\(path)")
      let runners = ["forgejo": "docker", "codeberg": "codeberg-small", "gitea": "ubuntu-latest"]
      if let name = runners[forge], !path.contains("add-a-thread") {
        #expect(text.contains("runs-on: \(name)\n"))
      }
    }
    #expect(
      try Program(folder: folder.path + "/new", environment: program.environment).run(["build"]).code == 0)
  }

  @Test func addsOnlyWorkflowsToAnExistingSite() throws {
    try folder.write("title: Mine\n", to: "site.yml")
    try folder.write("{}", to: "own.json")
    #expect(try program.run(["init"]).code == 74, "init rejects a folder with files")
    let first = try program.run(["init", "--ci", "github", "--json"])
    #expect(first.code == 0, "\(first.errors)")
    #expect(
      try JSONValue(parsing: Array(first.output.utf8))["files"]?.array?.compactMap(\.string).sorted()
        == Self.files["github"])
    #expect(try folder.text("site.yml") == "title: Mine\n")
    #expect(!folder.exists("threads") && !folder.exists(".gitignore"))
    // A second run has nothing to do.
    let again = try program.run(["init", "--ci", "github", "--json"])
    #expect(try JSONValue(parsing: Array(again.output.utf8))["files"]?.array?.isEmpty == true)
  }

  @Test func keepsFilesThatTheOwnerChanged() throws {
    let (form, workflow) = (".github/ISSUE_TEMPLATE/add-a-thread.yml", ".github/workflows/threadsite.yml")
    try folder.write("title: Mine\n", to: "site.yml")
    try folder.write("mine\n", to: workflow)
    let refused = try program.run(["init", "--ci", "github"])
    #expect(refused.code == 74 && refused.errors.contains("\(workflow): error: "), "\(refused.errors)")
    #expect(try folder.text(workflow) == "mine\n")
    #expect(!folder.exists(form), "no file was written")
    #expect(try program.run(["init", "--ci", "github", "--force"]).code == 0)
    #expect(try folder.text(workflow).contains("jobs:"))
    // A symbolic link may lead anywhere.
    try folder.remove(".github")
    try folder.write("", to: "elsewhere/.keep")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/.github", withDestinationPath: folder.path + "/elsewhere")
    let linked = try program.run(["init", "--ci", "github", "--force"])
    #expect(linked.code == 74 && linked.errors.contains("is not a regular file"), "\(linked.errors)")
    #expect(!linked.errors.contains("Use --force"))
    #expect(try folder.tree("elsewhere").keys.sorted() == [".keep"])
  }

  @Test func rejectsWrongUsage() throws {
    #expect(try program.run(["init", "new", "--force"]).code == 64)
    #expect(try program.run(["init", "new", "--ci", "sourcehut"]).code == 64)
    #expect(!folder.exists("new"))
    let bare = Program(folder: folder.path, environment: ["THREADSITE_SHARE": folder.path])
    #expect(try bare.run(["init", "new", "--ci", "github"]).code == 78)
    #expect(!folder.exists("new"))
  }
}
