import Foundation
import Testing

extension Program {
  /// Whether `run(onTerminal:)` works here: the options of script(1) differ between systems.
  static let hasTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/script") && isLinux

  #if os(Linux)
    private static let isLinux = true
  #else
    private static let isLinux = false
  #endif

  /// Runs the program on a pseudo-terminal of script(1).
  ///
  /// - Parameters:
  ///   - width: the number of columns.
  ///   - keys: the file with the keys that a person types. The output also shows them.
  /// - Returns: the exit code, and standard output and standard error together.
  func run(onTerminal arguments: [String], width: Int = 80, keys: String? = nil) throws -> Outcome {
    let built = executable == nil ? Self.executable : executable
    let program = try #require(built, "the program is not built").path
    let words = ([program] + arguments).map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }
    var terminal = self
    terminal.executable = URL(filePath: "/usr/bin/script")
    terminal.environment.merge(["TERM": "xterm", "NO_COLOR": "1", "SHELL": "/bin/sh"]) { own, _ in own }
    let outcome = try terminal.run(
      ["-qec", "stty cols \(width) rows 40; " + words.joined(separator: " "), "/dev/null"], input: keys)
    return Outcome(
      code: outcome.code, output: outcome.output.replacing("\r\n", with: "\n"), errors: outcome.errors)
  }
}
