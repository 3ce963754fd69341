import ArgumentParser
import SitePipeline

extension MessageOptions {
  /// Runs a command's work; what goes wrong is written to standard error and becomes an exit code.
  ///
  /// The codes are those of BSD's `sysexits.h`: 64 usage (the argument parser's own), 65 content, 74 input and output,
  /// 78 configuration.
  func run(command: String, _ work: (Console) throws -> Void) throws {
    let console = Console(self)
    do {
      try work(console)
    } catch let error as PipelineError {
      for message in error.messages { console.error(message) }
      throw ExitCode(error.kind.exitCode)
    }
  }
}

extension PipelineError.Kind {
  var exitCode: Int32 {
    switch self {
    case .content: 65
    case .io: 74
    case .configuration: 78
    }
  }
}
