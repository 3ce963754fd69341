import Foundation
import Publishing
import Testing

/// Child processes.
@Suite struct ChildProgramTests {
  private static func shell() throws -> ChildProgram {
    try ChildProgram("sh", in: "/", environment: ["PATH": "/usr/bin:/bin"], advice: "")
  }

  private static func run(_ script: String, input: [UInt8]) async throws -> ChildProgram.Outcome {
    try await shell().run(
      ["-c", script], in: "/", environment: ["PATH": "/usr/bin:/bin"],
      input: { try $0.write(contentsOf: input) })
  }

  @Test func passesInputOutputAndExitCode() async throws {
    let outcome = try await Self.run("cat; echo why >&2; exit 3", input: Array("words".utf8))
    #expect(outcome.code == 3 && outcome.complaint == "why")
    #expect(String(decoding: outcome.output, as: UTF8.self) == "words")
  }

  /// This process ignores the signals that cancel a publication. The program reports that it was terminated and not killed.
  @Test(.timeLimit(.minutes(1))) func cancellationTerminatesTheProgram() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = folder.appending(path: "report").path
    try await cancel("trap 'echo ended > \(report); exit' TERM; echo ready; sleep 600 & wait")
    #expect(FileManager.default.fileExists(atPath: report))
  }

  /// The programs that it started keep its pipes open.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "trap '' TERM; echo ready; while :; do sleep 600; done",
      "(trap '' TERM; echo ready; exec sleep 600) & wait",
    ])
  func cancellationKillsProgramsThatIgnoreIt(script: String) async throws {
    try await cancel(script)
  }

  /// Runs a script that prints a line when it is ready, and cancels it.
  private func cancel(_ script: String) async throws {
    let action = signal(SIGTERM, SIG_IGN)
    defer { signal(SIGTERM, action) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "ready-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let ready = folder.appending(path: "ready").path
    let task = Task {
      try await Self.shell().run(
        ["-c", script.replacing("echo ready", with: ": > '\(ready)'")], in: "/",
        environment: ["PATH": "/usr/bin:/bin"])
    }
    while !FileManager.default.fileExists(atPath: ready) { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let error = await #expect(throws: PublishError.self) { _ = try await task.value }
    #expect(error?.kind == .interrupted)
  }

  @Test func programMayLeaveItsInputUnread() async throws {
    #expect(try await Self.run("exit 0", input: Array(repeating: 65, count: 1 << 20)).code == 0)
  }

  /// Some programs end at once, others when those have ended. If a program inherited another one's pipes, all
  /// would wait forever.
  @Test func programsDoNotWaitForEachOther() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Opening it for reading waits until another program opens it for writing.
    let barrier = folder.appending(path: "barrier").path
    #expect(try await Self.run("mkfifo '\(barrier)'", input: []).code == 0)

    let (ended, signal) = AsyncStream<Void>.makeStream()
    func start(_ script: String, times: Int) -> Task<[Int32], any Error> {
      Task {
        var codes: [Int32] = []
        for _ in 0..<times {
          codes.append(try await Self.run(script, input: Array("words".utf8)).code)
          signal.yield()
        }
        return codes
      }
    }
    let short = (0..<8).map { _ in start("cat > /dev/null", times: 60) }
    // The long ones start between the short ones.
    var long: [Task<[Int32], any Error>] = []
    var ends = ended.makeAsyncIterator()
    for _ in 0..<30 {
      for _ in 0..<12 { await ends.next() }
      long.append(start(": < '\(barrier)'", times: 1))
    }
    var codes: [Int32] = []
    for task in short { codes += try await task.value }
    let writer = FileHandle(forWritingAtPath: barrier)
    for task in long { codes += try await task.value }
    try writer?.close()
    #expect(codes == Array(repeating: 0, count: 8 * 60 + 30))
  }
}
