import Foundation
import TestSupport
import Testing

/// `build --manifest` records a build, and `check --manifest` verifies it.
@Suite struct ManifestTests {
  private let site: TemporarySite
  private let program: Program

  init() throws {
    site = try TemporarySite("thread-list")
    program = Program(folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(["build", "--offline", "--manifest", "manifest.json"])
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  /// Returns the exit code and the differences: names with messages.
  private func check(_ arguments: [String] = []) throws -> (code: Int32, differences: [String: String]) {
    let outcome = try program.run(
      ["check", "--json", "--kind", "manifest", "--manifest", "manifest.json"] + arguments)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let findings = try #require(json["findings"] as? [[String: String]], "\(outcome.errors)")
    return (
      outcome.code,
      Dictionary(findings.map { ($0["subject"] ?? "", $0["message"] ?? "") }) { first, _ in first }
    )
  }

  private func change(_ file: String, _ old: String, _ new: String) throws {
    let text = try site.folder.text(file)
    try #require(text.contains(old))
    try site.folder.write(text.replacing(old, with: new), to: file)
  }

  @Test func acceptsTheInputsThatItRecords() throws {
    let (code, differences) = try check()
    #expect(code == 0 && differences.isEmpty, "\(differences)")
  }

  /// A copy in another folder, without the site and the cache, gives the same result.
  @Test func acceptsACopyWithoutTheSite() throws {
    let copy = try TemporarySite(
      files: site.folder.tree().filter { !$0.key.hasPrefix("site/") && !$0.key.hasPrefix(".threadsite/") })
    let elsewhere = Program(folder: copy.path, environment: program.environment)
    let built = try elsewhere.run(["build", "--offline", "--manifest", "again.json"])
    #expect(built.code == 0, "\(built.errors)")
    #expect(try copy.folder.text("again.json") == site.folder.text("manifest.json"))
  }

  @Test func recordsTheDigestOfEveryFile() throws {
    let json = try JSONSerialization.jsonObject(with: Data(site.folder.text("manifest.json").utf8))
    let files = try #require((json as? [String: Any])?["files"] as? [String: String])
    let built = try site.folder.tree("site").filter { !$0.key.hasPrefix(".") }
    #expect(Set(files.keys) == Set(built.keys))
    #expect(!files.isEmpty && files.values.allSatisfy { $0.count == 64 })
  }

  @Test func namesAChangedInput() throws {
    try site.folder.write(site.folder.text("site.yml") + "\ndescription: Another\n", to: "site.yml")
    try site.folder.write("# Added", to: "pages/added.md")
    let (code, differences) = try check()
    #expect(code == 1)
    #expect(differences.keys.sorted() == ["pages", "site.yml"])
  }

  @Test func namesEachFileThatTheInputsDoNotProduce() throws {
    try change("manifest.json", "\"404.html\": \"", "\"forged.html\": \"0\",\n    \"404.html\": \"0")
    let (code, differences) = try check()
    #expect(code == 1)
    #expect(differences.keys.sorted() == ["404.html", "forged.html"])
    #expect(differences["404.html"]?.contains("a different file") == true)
    #expect(differences["forged.html"]?.contains("do not produce this file") == true)
  }

  /// A site.yml that was delivered with a manifest cannot hide the differences.
  @Test func ignoredKindsDoNotHideDifferences() throws {
    try site.folder.write(site.folder.text("site.yml") + "\ncheck: {ignore: [manifest]}\n", to: "site.yml")
    #expect(try check().differences.keys.sorted() == ["site.yml"])
  }

  @Test func rejectsAnotherVersion() throws {
    try change("manifest.json", "\"program\": \"", "\"program\": \"9")
    let (code, differences) = try check()
    #expect(code == 1 && differences.keys.sorted() == ["program"])
  }

  /// A thread that was scheduled during the build is not published by the verification, although its time has come.
  @Test func verifiesWithTheTimeOfTheBuild() throws {
    try change("site.yml", "    slug: on-seeing", "    publish_at: 2030-01-01\n    slug: on-seeing")
    func run(at seconds: Int, _ arguments: [String]) throws -> Program.Outcome {
      var program = self.program
      program.environment["SOURCE_DATE_EPOCH"] = "\(seconds)"
      return try program.run(arguments)
    }
    let built = try run(at: 1_800_000_000, ["build", "--offline", "--manifest", "manifest.json"])
    #expect(built.code == 0, "\(built.errors)")
    #expect(try site.folder.text("manifest.json").contains("\"time\": \"2027-01-15T08:00:00Z\""))
    let checked = try run(
      at: 1_900_000_000,
      [
        "check", "--kind", "manifest", "--manifest", "manifest.json",
      ])
    #expect(checked.code == 0, "\(checked.errors)\(checked.output)")
  }

  @Test func verifyingChangesNothing() throws {
    let before = try site.folder.tree()
    _ = try check()
    #expect(try site.folder.tree() == before)
  }

  @Test func rejectsAManifestWithinTheSite() throws {
    let outcome = try program.run(["build", "--offline", "--manifest", "site/manifest.json"])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("outside of"))
  }

  @Test(arguments: ["{}", "[", ""]) func rejectsOtherFiles(content: String) throws {
    try site.folder.write(content, to: "manifest.json")
    let outcome = try program.run(["check", "--manifest", "manifest.json"])
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("manifest.json"))
  }
}
