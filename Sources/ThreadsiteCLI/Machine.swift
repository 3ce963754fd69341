import Foundation
import SitePipeline

/// What the program asks of the machine that it runs on.
enum Machine {
  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  static var environment: [String: String] { ProcessInfo.processInfo.environment }

  /// The templates and themes that came with this program.
  static var installation: Installation? {
    Installation.find(
      executable: Bundle.main.executablePath ?? CommandLine.arguments[0],
      environment: environment)
  }
}
