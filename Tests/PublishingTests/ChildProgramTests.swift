import Foundation
import Publishing
import Synchronization
import Testing

/// Programs of others.
@Suite struct ChildProgramTests {
  private static func shell() throws -> ChildProgram {
    try ChildProgram("sh", in: "/", environment: ["PATH": "/usr/bin:/bin"], advice: "")
  }

  private static func run(_ script: String, input: [UInt8]) throws -> ChildProgram.Outcome {
    try shell().run(
      ["-c", script], in: "/", environment: ["PATH": "/usr/bin:/bin"], input: input, timeLimit: 30)
  }

  @Test func inputOutputAndCodeGoTheirWays() throws {
    let outcome = try Self.run("cat; echo why >&2; exit 3", input: Array("words".utf8))
    #expect(outcome.code == 3 && outcome.complaint == "why")
    #expect(String(decoding: outcome.output, as: UTF8.self) == "words")
  }

  @Test func aProgramMayLeaveItsInputUnread() throws {
    #expect(try Self.run("exit 0", input: Array(repeating: 65, count: 1 << 20)).code == 0)
  }

  /// The first program's input is open when the second starts, which must not keep it open.
  @Test func programsDoNotWaitForEachOther() throws {
    let ended = Mutex<[String]>([])
    let codes = Mutex<[Int32]>([])
    let group = DispatchGroup()
    // More than a pipe holds, so that it is written until it is read.
    let input = [UInt8](repeating: 65, count: 1 << 20)
    for (name, script, delay) in [("reader", "sleep 1; cat > /dev/null", 0.0), ("sleeper", "sleep 6", 0.4)] {
      group.enter()
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: delay)
        let outcome = try? Self.run(script, input: name == "reader" ? input : [])
        ended.withLock { $0.append(name) }
        codes.withLock { $0.append(outcome?.code ?? -1) }
        group.leave()
      }
    }
    group.wait()
    #expect(ended.withLock { $0 } == ["reader", "sleeper"])
    #expect(codes.withLock { $0 } == [0, 0])
  }
}
