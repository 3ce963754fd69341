import Basics
import Foundation
import Synchronization
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XStub

/// A site that fetches its threads from the stub with the actual program.
///
/// `finish` searches everything that the program wrote for the credentials.
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

  /// Writes site.yml with the stub's URL and the test's text. `x` adds members to the key `x`.
  func configure(_ text: String, x: String = "") throws {
    try site.folder.write("title: Fetched\nx:\n  api_url: \(stub.baseURL)\n\(x)\(text)\n", to: "site.yml")
  }

  func setEnvironment(_ name: String, _ value: String?) { environment.withLock { $0[name] = value } }

  private func onItsOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  /// X's published OpenAPI document; `nil` if it is missing.
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

  /// Runs the program on a terminal and returns everything it drew.
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

  /// Starts the program without waiting for it.
  func start(_ arguments: String...) throws -> Process { try start(arguments) }

  private func start(_ arguments: [String]) throws -> Process {
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

  /// Starts the program, sends it a signal when a number of requests have arrived, and waits for it to exit.
  ///
  /// This happens on a thread of its own. A test on a busy machine can wait minutes for a thread to continue on, and the program would
  /// meanwhile give up a request without a response.
  ///
  /// - Returns: the exit code, or the number of the signal that ended the program.
  func run(
    _ arguments: String..., sending signal: Int32, after requests: Int, to endpoint: StubEndpoint? = nil
  ) async throws -> Int32 {
    let process = try start(arguments)
    let stub = stub
    let haveArrived = await onItsOwnThread {
      let end = Date(timeIntervalSinceNow: 300)
      func haveArrived() -> Bool {
        stub.requests.count { endpoint == nil || $0.endpoint == endpoint } >= requests
      }
      while !haveArrived(), process.isRunning, Date() < end { usleep(10_000) }
      if process.isRunning { kill(process.processIdentifier, signal) }
      process.waitUntilExit()
      return haveArrived()
    }
    #expect(haveArrived, "fewer than \(requests) requests arrived")
    return process.terminationStatus
  }

  var store: ThreadStore { ThreadStore(folder: site.path + "/threads") }

  /// The only conversation in the store.
  func conversation() throws -> Conversation {
    let files = try store.list()
    try #require(files.count == 1, "the store has not exactly one thread")
    return try store.read(files[0])
  }

  /// The page of the site's only thread.
  func page() throws -> String {
    let pages = try site.folder.tree("site").keys.filter {
      $0.hasPrefix("x/") && $0.hasSuffix("/index.html") && $0.split(separator: "/").count == 4
    }
    try #require(pages.count == 1, "not exactly one page: \(pages.sorted())")
    return try site.page(pages[0])
  }

  /// Stops the stub and checks that every request followed X's rules and that no credential was written.
  func finish() async throws {
    #expect(stub.violations.isEmpty)
    // Checks every request against X's own document, if it is available.
    if let document = Self.document { #expect(stub.problems(by: document).isEmpty) }
    stub.stop()
    let behaviour = stub.behaviour
    let secrets = [behaviour.bearerToken, behaviour.consumerSecret, behaviour.consumerKey].flatMap {
      [$0, Data($0.utf8).base64EncodedString()]
    }
    for text in said.withLock({ $0 }) {
      #expect(!secrets.contains { text.contains($0) }, "the output contains a secret")
    }
    for (name, data) in try site.folder.tree(".") {
      #expect(!secrets.contains { data.contains($0) }, "\(name) contains a secret")
    }
  }
}

extension StubID {
  var post: PostID { PostID(description, on: .x) }
}
