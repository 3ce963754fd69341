import ArgumentParser
import Foundation
import SiteWorkspace

extension MessageOptions {
  /// Runs a command's work. Errors are written to standard error (with `--json` also to standard output) and become an exit code.
  ///
  /// The codes are those of BSD's `sysexits.h`: 64 usage (from the argument parser), 65 content, 69 network, 74 input and output, 75 quota,
  /// 77 access, 78 configuration. 130 is the shells' code for SIGINT.
  func run(command: String, _ work: (Console) throws -> Void) throws {
    let console = begin()
    defer { console.close() }
    do {
      try work(console)
    } catch let error as PipelineError {
      for message in error.messages { console.error(message) }
      console.fail(command, code: error.kind.exitCode)
      throw ExitCode(error.kind.exitCode)
    } catch let code as ExitCode {
      // The errors were already printed.
      if !code.isSuccess { console.fail(command, code: code.rawValue) }
      throw code
    }
  }

  /// The same for asynchronous work.
  func run(command: String, _ work: (Console) async throws -> Void) async throws {
    let console = begin()
    defer { console.close() }
    do {
      try await work(console)
    } catch let error as PipelineError {
      for message in error.messages { console.error(message) }
      console.fail(command, code: error.kind.exitCode)
      throw ExitCode(error.kind.exitCode)
    } catch let code as ExitCode {
      // The errors were already printed.
      if !code.isSuccess { console.fail(command, code: code.rawValue) }
      throw code
    }
  }

  private func begin() -> Console {
    // A file that exceeds the system's size limit is an error, like a full disk, and must not end the program.
    signal(SIGXFSZ, SIG_IGN)
    return Console(self)
  }
}

extension PipelineError.Kind {
  var exitCode: Int32 {
    switch self {
    case .content: 65
    case .io: 74
    case .configuration: 78
    case .network: 69
    case .access: 77
    case .quota: 75
    // 128 plus the number of SIGINT, as in shells.
    case .interrupted: 130
    }
  }
}
