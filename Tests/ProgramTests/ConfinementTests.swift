import Basics
import Foundation
import TestSupport
import Testing

/// The limit of an import's access to files, tested with a library that replaces a function of libarchive and attacks from there.
@Suite(
  "Confinement of imports", .enabled(if: Attack.isPossible, "the system has no Landlock or no C compiler"))
struct ConfinementTests {
  private let folder: TemporaryFolder
  private let attack: Attack

  init() throws {
    folder = try TemporaryFolder()
    attack = try Attack(in: folder)
  }

  @Test func attacksWithinLibarchiveReachNothingOutsideOfTheSite() throws {
    let outcome = try attack.run(try #require(Program.executable), ["import", "../archive.zip"])
    let results = Attack.results(in: outcome.errors)
    #expect(outcome.code == 9, "\(outcome.errors)")
    #expect(results.count == 2, "the attack ran on two threads")
    for result in results {
      for (attempt, state) in result where attempt != Attack.allowed {
        #expect(["EACCES", "EPERM"].contains(state), "\(attempt)")
      }
      #expect(result[Attack.allowed] == "done")
    }
    #expect(try folder.text("outside/secret") == "secret")
    #expect(try folder.text("outside/victim") == "victim")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/outside/planted"))
  }

  /// The attempts are real: a program without the limit succeeds with all of them.
  @Test func theSameAttacksSucceedWithoutTheLimit() throws {
    let outcome = try attack.run(URL(filePath: "/bin/true"), [], environment: ["ESCAPE_AT_START": "1"])
    let result = try #require(Attack.results(in: outcome.errors).first)
    // The rights of the user who runs the tests decide about other users' processes, and the system about queues of calls.
    for (attempt, state) in result where !["read another process", "make a queue of calls"].contains(attempt)
    {
      #expect(state == "done", "\(attempt)")
    }
    #expect(try folder.text("outside/planted") == "")
  }

  /// The paths that the user names are readable wherever they are.
  @Test func readsArchivesAndListsOutsideOfTheSite() throws {
    try folder.write("../answers.json\n", to: "list")
    try folder.write(#"{"data":{"id":"101","text":"one","author_id":"7"}}"#, to: "answers.json")
    let program = Program(folder: folder.path + "/site")
    let outcome = try program.run(["import", "--files-from", "../list", "--verbose"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("cannot limit") && !outcome.errors.contains("already running"))
  }
}

/// A library with an attack, a site, and a folder outside of it.
private struct Attack {
  static let allowed = "write into the site"

  private let folder: TemporaryFolder
  private let library: String

  private static var compiler: URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .flatMap { ["\($0)/cc", "\($0)/clang"] }.first(where: FileManager.default.isExecutableFile(atPath:))
      .map { URL(filePath: $0) }
  }

  static var isPossible: Bool {
    do {
      return try Confinement() != nil && compiler != nil
    } catch {
      return false
    }
  }

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    library = folder.path + "/escape.so"
    try folder.write("secret", to: "outside/secret")
    try folder.write("victim", to: "outside/victim")
    try folder.write("title: Threads\n", to: "site/site.yml")
    let archive = ZipWriter.zip([ZipWriter.Entry("data/account.js", "window.YTD.account.part0 = []")])
    try folder.write(Data(archive), to: "archive.zip")
    let source = ProjectFolders.fixtures(of: "ProgramTests").appending(path: "Escape/escape.c").path
    let outcome = try Program(folder: folder.path, executable: Self.compiler).run([
      "-shared", "-fPIC", "-w", "-o", library, source, "-lpthread",
    ])
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  func run(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws
    -> Program.Outcome
  {
    let own = [
      "LD_PRELOAD": library, "ESCAPE_FOLDER": folder.path + "/outside", "ESCAPE_SITE": folder.path + "/site",
    ]
    return try Program(
      folder: folder.path + "/site", environment: environment.merging(own) { $1 }, executable: executable
    ).run(arguments)
  }

  /// Returns the result of each attempt by its name, for each thread that ran the attack.
  static func results(in errors: String) -> [[String: String]] {
    var results: [[String: String]] = []
    for line in errors.split(separator: "\n") {
      let parts = line.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 3, parts[0] == "escape" else { continue }
      if results.last?[parts[1]] != nil || results.isEmpty { results.append([:]) }
      results[results.count - 1][parts[1]] = parts[2]
    }
    return results
  }
}
