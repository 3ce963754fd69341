import Basics
import Foundation
import Synchronization
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XStub

/// A site whose threads come from the stub, by the program itself.
///
/// Whatever the program writes anywhere is searched for the credentials when the value goes (`finish`).
final class FetchingSite: Sendable {
  let site: TemporarySite
  let stub: XStub
  let sample: SampleThread
  private let said = Mutex<[String]>([])
  private let environment: Mutex<[String: String]>

  init(
    days: Double = 2, configuration: String = "",
    _ change: (inout StubBehaviour) -> Void = { _ in }
  ) async throws {
    sample = StubWorld.sampleThread(startingAt: Date(timeIntervalSinceNow: -days * 86_400))
    var behaviour = StubBehaviour()
    change(&behaviour)
    stub = try XStub(sample.world, behaviour: behaviour)
    site = try TemporarySite()
    environment = Mutex([
      "X_BEARER_TOKEN": behaviour.bearerToken, "THREADSITE_SHARE": ProjectFolders.repository.path,
    ])
    try configure(configuration)
  }

  /// Writes site.yml: how to reach the stub, and what the test adds. Keys of `x` can be given by `x`.
  func configure(_ text: String, x: String = "") throws {
    try site.folder.write("title: Fetched\nx:\n  api_url: \(stub.baseURL)\n\(x)\(text)\n", to: "site.yml")
  }

  func setEnvironment(_ name: String, _ value: String?) { environment.withLock { $0[name] = value } }

  private func onItsOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  /// X's published document; `nil` where it is missing.
  static let document: OpenAPIDocument? = ProjectFolders.sharedReference.flatMap { folder in
    try? OpenAPIDocument(at: folder.appending(path: "x-openapi-2.166.json"))
  }

  /// Runs the program and waits for it.
  @discardableResult
  func run(_ arguments: String...) async throws -> Program.Outcome {
    let program = Program(folder: site.path, environment: environment.withLock { $0 })
    let outcome = try await program.runAside(arguments)
    said.withLock { $0 += [outcome.output, outcome.errors] }
    return outcome
  }

  /// Runs the program on a terminal, and gives all that was drawn there.
  func runOnATerminal(_ arguments: String) async throws -> String {
    let program = try #require(Program.executable)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/script")
    process.arguments = ["-qec", "'\(program.path)' \(arguments)", "/dev/null"]
    process.currentDirectoryURL = URL(filePath: site.path, directoryHint: .isDirectory)
    process.environment = environment.withLock { $0 }.merging(["TERM": "xterm"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = ProcessLauncher.makePipe()
    process.standardOutput = output
    process.standardError = output
    try ProcessLauncher.start(process)
    let shown = await onItsOwnThread {
      let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }
    said.withLock { $0.append(shown) }
    return shown
  }

  /// Starts the program and leaves it running.
  func start(_ arguments: String...) throws -> Process {
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: site.path, directoryHint: .isDirectory)
    process.environment = environment.withLock { $0 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try ProcessLauncher.start(process)
    return process
  }

  /// Waits for the end of a program that was started.
  func end(of process: Process) async { await onItsOwnThread { process.waitUntilExit() } }

  var store: ThreadStore { ThreadStore(folder: site.path + "/threads") }

  /// The one conversation in the store.
  func conversation() throws -> Conversation {
    let files = try store.list()
    try #require(files.count == 1, "one thread is in the store")
    return try store.read(files[0])
  }

  /// The page of the one thread on the site.
  func page() throws -> String {
    let pages = try site.folder.tree("site").keys.filter {
      $0.hasPrefix("x/") && $0.hasSuffix("/index.html") && $0.split(separator: "/").count == 4
    }
    try #require(pages.count == 1, "one page: \(pages.sorted())")
    return try site.page(pages[0])
  }

  /// Stops the stub; checks that no request was against X's rules, and that no credential is anywhere.
  func finish() async throws {
    #expect(stub.violations.isEmpty)
    // Every request of every test, by X's own document, where it is at hand.
    if let document = Self.document { #expect(stub.problems(by: document).isEmpty) }
    stub.stop()
    let behaviour = stub.behaviour
    for secret in [behaviour.bearerToken, behaviour.consumerSecret, behaviour.consumerKey] {
      let encoded = Data(secret.utf8).base64EncodedString()
      for text in said.withLock({ $0 }) {
        #expect(!text.contains(secret) && !text.contains(encoded), "the output holds a secret")
      }
      for (name, data) in try site.folder.tree(".") {
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(name) holds a secret")
        #expect(data.range(of: Data(encoded.utf8)) == nil, "\(name) holds a secret")
      }
    }
  }
}

extension StubID {
  var post: PostID { PostID(description, on: .x) }
}
