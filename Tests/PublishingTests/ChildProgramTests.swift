import Foundation
import Publishing
import Synchronization
import Testing

/// Child processes.
@Suite struct ChildProgramTests {
  private static func shell() throws -> ChildProgram {
    try ChildProgram("sh", in: "/", environment: ["PATH": "/usr/bin:/bin"], advice: "")
  }

  private static func run(_ script: String, input: [UInt8]) throws -> ChildProgram.Outcome {
    try shell().run(
      ["-c", script], in: "/", environment: ["PATH": "/usr/bin:/bin"], input: input, timeLimit: 600)
  }

  @Test func passesInputOutputAndExitCode() throws {
    let outcome = try Self.run("cat; echo why >&2; exit 3", input: Array("words".utf8))
    #expect(outcome.code == 3 && outcome.complaint == "why")
    #expect(String(decoding: outcome.output, as: UTF8.self) == "words")
  }

  @Test func programMayLeaveItsInputUnread() throws {
    #expect(try Self.run("exit 0", input: Array(repeating: 65, count: 1 << 20)).code == 0)
  }

  /// Some programs end at once, others when those have ended. If a program inherited another one's pipes, all
  /// would wait until their time limit.
  @Test func programsDoNotWaitForEachOther() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Opening it for reading waits until another program opens it for writing.
    let barrier = folder.appending(path: "barrier").path
    #expect(try Self.run("mkfifo '\(barrier)'", input: []).code == 0)

    let codes = Mutex<[Int32]>([])
    let (short, long) = (DispatchGroup(), DispatchGroup())
    let ended = DispatchSemaphore(value: 0)
    func start(_ script: String, times: Int, in group: DispatchGroup) {
      group.enter()
      Thread.detachNewThread {
        for _ in 0..<times {
          let outcome = try? Self.run(script, input: Array("words".utf8))
          codes.withLock { $0.append(outcome?.code ?? -1) }
          ended.signal()
        }
        group.leave()
      }
    }
    for _ in 0..<8 { start("cat > /dev/null", times: 60, in: short) }
    // The long ones start between the short ones.
    for _ in 0..<30 {
      for _ in 0..<12 { ended.wait() }
      start(": < '\(barrier)'", times: 1, in: long)
    }
    short.wait()
    let writer = FileHandle(forWritingAtPath: barrier)
    long.wait()
    try writer?.close()
    #expect(codes.withLock { $0 } == Array(repeating: 0, count: 8 * 60 + 30))
  }
}
