import Basics
import Foundation
import SiteWorkspace

/// What the program asks of the machine that it runs on.
enum Machine {
  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// Why the program cannot run on this machine; `nil` if it can.
  ///
  /// libdispatch waits without end and without a message for room for the stacks of its threads, of 8 MB each (`_dispatch_root_queue_poke_slow`), so a
  /// limit that leaves no room for them is refused. A build needs about 200 MB on two processors.
  static var shortage: String? {
    guard let limit = AddressSpace.limit else { return nil }
    let needed = UInt64(256 + 16 * cores) << 20
    guard limit < needed else { return nil }
    return
      "the address space of programs is limited to \(limit >> 20) MB, and threadsite needs \(needed >> 20) MB: `ulimit -v \(needed >> 10)` sets that"
  }

  static var environment: [String: String] { ProcessInfo.processInfo.environment }

  /// All of standard input.
  static func standardInput() throws -> [UInt8] { Array(try FileHandle.standardInput.readToEnd() ?? Data()) }

  /// The templates and themes that came with this program.
  static var installation: Installation? {
    Installation.find(
      executable: Bundle.main.executablePath ?? CommandLine.arguments[0],
      environment: environment)
  }
}
