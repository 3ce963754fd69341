import Basics
import Foundation

/// A program that runs until the value is deinitialized.
///
/// Unchecked because pipes are not `Sendable`; this one is only stored.
package final class PeerServer: @unchecked Sendable {
  private let process: Int32
  private let input = ProcessLauncher.makePipe()

  package init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: String
  )
    throws
  {
    let process = Process()
    // Servers close the descriptors that they inherit, and Foundation then believes that they ended and
    // blocks while it waits for them. A shell around the server avoids this. The shell also ends the server
    // with the tests, when its input ends.
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", "trap 'kill -9 $server' TERM EXIT; \"$@\" < /dev/null & server=$!; read line", "sh", program]
      + arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder].merging(
      environment
    ) {
      _, new in new
    }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try ProcessLauncher.start(process)
    self.process = process.processIdentifier
  }

  deinit { kill(process, SIGTERM) }
}
