import Foundation
import SitePipeline

/// What the program asks of the machine that it runs on.
enum Machine {
  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

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
