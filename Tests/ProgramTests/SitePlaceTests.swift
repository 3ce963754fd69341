import Foundation
import TestSupport
import Testing

/// The place of the site on which a command works.
@Suite struct SitePlaceTests {
  private let answer = """
    {"data":[{"id":"1001","text":"Hello","author_id":"7","conversation_id":"1001"}],\
    "includes":{"users":[{"id":"7","name":"Ada","username":"ada"}]}}
    """

  private func program(in folder: String) -> Program {
    Program(folder: folder, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
  }

  @Test(arguments: [
    ["import", "saved.json"], ["add", "https://x.com/ada/status/1001"],
    ["fetch", "https://x.com/ada/status/1001"],
  ])
  func writesNothingOutsideOfASite(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write(answer, to: "saved.json")
    let outcome = try program(in: folder.path).run(arguments)
    #expect(outcome.code == 78)
    #expect(
      outcome.errors.contains("there is no site here")
        && outcome.errors.contains("threadsite init my-threads"))
    #expect(try folder.tree(".").keys.sorted() == ["saved.json"])
  }

  @Test func findsTheSiteInAFolderAbove() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.write("title: Above\n", to: "site.yml")
    try site.folder.write(answer, to: "pages/trips/saved.json")
    let below = program(in: site.path + "/pages/trips")
    #expect(try below.run(["import", "saved.json"]).code == 0)
    #expect(site.folder.exists("threads/x/ada/1001.json") && !site.folder.exists("pages/trips/threads"))
    let built = try below.run(["build"])
    #expect(built.code == 0, "\(built.errors)")
    #expect(try site.page("index.html").contains("Above"))
    // Messages name the file as seen from the current folder.
    try site.folder.write("titel: Above\n", to: "site.yml")
    #expect(try below.run(["build"]).errors.hasPrefix("../../site.yml:1:1: error: "))
  }

  /// A store without site.yml is a site of its own, also below another site.
  @Test func nearestSiteIsUsed() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.write("title: Outer\n", to: "site.yml")
    try site.folder.write("title: Inner\n", to: "inner/site.yml")
    try site.folder.write("{}", to: "inner/pages/x.txt")
    try FileManager.default.createDirectory(
      atPath: site.path + "/inner/threads", withIntermediateDirectories: true)
    #expect(try program(in: site.path + "/inner/pages").run(["build"]).code == 0)
    #expect(site.folder.exists("inner/site/index.html") && !site.folder.exists("site/index.html"))
  }

  @Test(arguments: [
    ["-C", "SITE", "build"], ["build", "-C", "SITE"], ["--directory=SITE", "build"],
    ["build", "--directory", "SITE"],
  ])
  func runsInTheGivenFolder(_ arguments: [String]) throws {
    let site = try TemporarySite("thread-list")
    let elsewhere = try TemporaryFolder()
    let outcome = try program(in: elsewhere.path).run(arguments.map { $0.replacing("SITE", with: site.path) })
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(site.folder.exists("site/index.html"))
  }

  @Test func rejectsAMissingFolder() throws {
    let program = program(in: "/")
    let missing = try program.run(["-C", "/no/such/folder", "build"])
    #expect(missing.code == 64 && missing.errors.contains("the folder \"/no/such/folder\" does not exist"))
    #expect(try program.run(["build", "-C"]).code == 64)
  }

  @Test func createsASiteInTheGivenFolder() throws {
    let folder = try TemporaryFolder()
    let outcome = try program(in: folder.path).run(["init", "notes"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try program(in: folder.path).run(["-C", "notes", "init", "deeper", "-q"]).code == 0)
    #expect(folder.exists("notes/deeper/site.yml"))
  }
}
