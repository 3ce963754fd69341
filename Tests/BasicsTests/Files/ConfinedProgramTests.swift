import Basics
import Foundation
import Testing

/// Programs that decode data of strangers. The attacks on their limits are in `ScaledImagesTests`.
@Suite struct ConfinedProgramTests {
  private static let path = "/usr/bin:/bin"

  private func run(
    _ script: String, input: [UInt8] = [], timeLimit: Double = 600
  ) throws -> ConfinedProgram.Outcome {
    let shell = try #require(ConfinedProgram("sh", searchPath: Self.path))
    return try shell.run(
      ["-c", script], environment: ["PATH": Self.path, "WORD": "a b"], input: input, timeLimit: timeLimit)
  }

  @Test func passesInputOutputAndExitCode() throws {
    let outcome = try run("cat; echo \"$WORD\" >&2; exit 3", input: Array("words".utf8))
    #expect(outcome.code == 3)
    #expect(String(decoding: outcome.output, as: UTF8.self) == "words")
    #expect(String(decoding: outcome.errors, as: UTF8.self) == "a b\n")
  }

  /// The pipes are full in both directions, so neither side may wait for the other.
  @Test func passesMuchDataInBothDirections() throws {
    let input = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try run("cat", input: input).output == input)
  }

  @Test func programMayLeaveItsInputUnread() throws {
    #expect(try run("exit 0", input: Array(repeating: 65, count: 1 << 20)).code == 0)
  }

  @Test func endsAtItsTimeLimit() throws {
    #expect(try run("sleep 600", timeLimit: 0.1).code == 128 + SIGKILL)
    // A program that has closed its outputs is ended as well.
    #expect(try run("exec 1>&- 2>&-; sleep 600", timeLimit: 0.1).code == 128 + SIGKILL)
  }

  /// The test opens a file that programs would inherit.
  @Test func inheritsNoFiles() throws {
    let file = open("/dev/null", O_RDONLY)
    try #require(file >= 3)
    defer { close(file) }
    let bash = try #require(ConfinedProgram("bash", searchPath: Self.path))
    // Tests run together and hold several hundred files, so the number of this one may be large.
    let script = "for n in {3..\(max(255, file))}; do (true <&$n) 2>/dev/null && echo $n; done; echo 0"
    let outcome = try bash.run(
      ["-c", script], environment: ["PATH": Self.path], input: [], timeLimit: 600)
    #expect(String(decoding: outcome.output, as: UTF8.self) == "0\n")
  }

  @Test func findsOnlyExecutableFiles() throws {
    #expect(ConfinedProgram("sh", searchPath: "/nowhere:\(Self.path)") != nil)
    #expect(ConfinedProgram("passwd", searchPath: "/etc") == nil)
    #expect(ConfinedProgram("bin", searchPath: "/usr") == nil)
    #expect(ConfinedProgram("sh", searchPath: "") == nil)
  }
}
