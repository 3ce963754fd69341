import Basics
import Foundation
import Intake
import LoopbackServer
import MastodonStub
import SiteWorkspace
import TestSupport
import Testing

/// The limit of a command that reads data of strangers, tested with a library that replaces functions of libarchive and libcurl and attacks
/// from there.
@Suite(
  "Confinement of commands", .enabled(if: Attack.isPossible, "the system has no Landlock or no C compiler"),
  .fewAtOnce)
struct ConfinementTests {
  private let folder: TemporaryFolder
  private let attack: Attack

  init() throws {
    folder = try TemporaryFolder()
    attack = try Attack(in: folder)
  }

  /// A command, and the attempts that it permits.
  struct Command: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    var site = "site"
    /// The folder in which the command writes.
    var store = "site/threads"
    var permitted: Set<String> = ["write into the store"]

    var testDescription: String { arguments.joined(separator: " ") }

    static let connecting: Set<String> = ["write into the store", "open a socket", "connect to a server"]
    static let all = [
      Command(arguments: ["import", "../archive.zip"]),
      Command(arguments: ["fetch"], permitted: connecting),
      Command(
        arguments: ["add", "https://social.example/@ada/1"], permitted: connecting.union(["change site.yml"])),
      // In a new site, the store does not exist yet.
      Command(
        arguments: ["init", "../new", "--from", "../archive.zip"], site: "new", store: "new",
        permitted: ["write into the store", "change site.yml"]),
      Command(
        arguments: ["init", "../new", "--from", "https://social.example/@ada/1"], site: "new", store: "new",
        permitted: connecting.union(["change site.yml"])),
    ]
  }

  @Test(arguments: Command.all) func attacksReachOnlyWhatTheCommandNeeds(command: Command) throws {
    let outcome = try attack.run(
      try #require(Program.executable), command.arguments, site: command.site, store: command.store)
    let results = Attack.results(in: outcome.errors)
    #expect(outcome.code == 9, "\(outcome.errors)")
    #expect(results.count == 2, "the attack ran on two threads")
    for result in results {
      for (attempt, state) in result {
        if command.permitted.contains(attempt) {
          #expect(state == "done", "\(attempt)")
        } else {
          #expect(["EACCES", "EPERM"].contains(state), "\(attempt)")
        }
      }
      #expect(command.permitted.isSubset(of: result.keys))
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
    #expect(result.count == 18)
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

  @Test func permitsTheFilesThatTheConfigurationNames() throws {
    try folder.write(
      """
      title: Threads
      base_url: https://a.example/
      sources: [{ archive: ../archive.zip }]
      x: { token_file: ../outside/secret }
      webmention: { inbox: ../mentions.json, token_file: ../token }
      publish: { neocities: { key_file: ../key } }
      """, to: "site/site.yml")
    let site = try SiteFolder.open(
      configFile: folder.path + "/site/site.yml", isDefault: false, progress: { _ in })
    // Fetching needs no credential for publishing.
    #expect(
      SiteFetch.inputs(of: site).sorted()
        == ["archive.zip", "mentions.json", "outside/secret", "token"].map { "\(folder.path)/\($0)" })
    #expect(SiteFetch.outputs(of: site) == ["threads", ".threadsite"].map { "\(folder.path)/site/\($0)" })
  }

  /// The token is in a folder that the command may otherwise not read.
  @Test func fetchesUnderTheLimit() async throws {
    var world = MastodonStub.longThread()
    world.token = "sesame-9f8e7d6c"
    let fetching = try MastodonSite(world)
    try folder.write("sesame-9f8e7d6c\n", to: "outside/token")
    try fetching.configure("", server: "      token_file: \(folder.path)/outside/token\n")
    for arguments in [["add", "https://social.example/@ada/1010"], ["fetch", "--all"]] {
      let outcome = try await fetching.run(arguments + ["--verbose"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("cannot limit") && !outcome.errors.contains("already running"))
    }
    #expect(try fetching.conversations().count == 1)
    fetching.stub.stop()
  }
}

/// A library with an attack, a site, a folder outside of it, and a server.
private struct Attack {
  private let folder: TemporaryFolder
  private let library: String
  private let server: LoopbackServer

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
    server = try LoopbackServer()
    try folder.write("secret", to: "outside/secret")
    try folder.write("victim", to: "outside/victim")
    try folder.write("title: Threads\n", to: "site/site.yml")
    // If these folders are missing, a command may create them, and so write into the site's folder.
    for name in ["threads", ".threadsite"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/site/\(name)", withIntermediateDirectories: true)
    }
    let archive = ZipWriter.zip([ZipWriter.Entry("data/account.js", "window.YTD.account.part0 = []")])
    try folder.write(Data(archive), to: "archive.zip")
    let source = ProjectFolders.fixtures(of: "ProgramTests").appending(path: "Escape/escape.c").path
    let outcome = try Program(folder: folder.path, executable: Self.compiler).run([
      "-shared", "-fPIC", "-w", "-o", library, source, "-lpthread",
    ])
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  /// Runs a program in the site's folder.
  ///
  /// - Parameters:
  ///   - site: the folder of the attacked site, relative to the temporary folder.
  ///   - store: the folder in which the program may write.
  func run(
    _ executable: URL, _ arguments: [String], site: String = "site", store: String = "site/threads",
    environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    let own = [
      "LD_PRELOAD": library, "ESCAPE_FOLDER": folder.path + "/outside",
      "ESCAPE_SITE": "\(folder.path)/\(site)", "ESCAPE_STORE": "\(folder.path)/\(store)",
      "ESCAPE_PORT": "\(server.port)", "THREADSITE_SHARE": ProjectFolders.repository.path,
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
