import Basics
import Foundation
import SiteWorkspace

/// The machine's resources for the program.
enum Machine {
  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// The reason why the program cannot run on this machine; `nil` if it can.
  ///
  /// libdispatch waits endlessly and without a message for room for the stacks of its threads, of 8 MB each
  /// (`_dispatch_root_queue_poke_slow`). So a limit that leaves no room for them is refused. A build needs about 200 MB on two processors.
  static var shortage: String? {
    guard let limit = AddressSpace.limit else { return nil }
    let needed = UInt64(256 + 16 * cores) << 20
    guard limit < needed else { return nil }
    return
      "the address space is limited to \(limit >> 20) MB, but threadsite needs \(needed >> 20) MB; raise the limit with `ulimit -v \(needed >> 10)`"
  }

  static var environment: [String: String] { ProcessInfo.processInfo.environment }

  /// All of standard input.
  static func standardInput() throws -> [UInt8] { Array(try FileHandle.standardInput.readToEnd() ?? Data()) }

  /// The templates and themes that were installed with this program.
  static var installation: Installation? {
    Installation.find(
      executable: Bundle.main.executablePath ?? CommandLine.arguments[0],
      environment: environment)
  }
}
