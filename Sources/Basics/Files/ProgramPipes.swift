package import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes pipes that only the program inherits that they are made for.
///
/// Foundation's `Pipe` is not close-on-exec on Linux (swift-corelibs-foundation 6.3), so that every program started while a pipe is open inherits both
/// ends of it: whoever reads from the pipe then waits until that other program ends, and two programs that read their input may wait for each other.
package enum ProgramPipes {
  /// Held while a pipe is open that is not marked yet, and while a program is started.
  private static let starting = NSLock()

  /// Returns a pipe for a program's input or output.
  package static func make() -> Pipe {
    starting.withLock {
      let pipe = Pipe()
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      return pipe
    }
  }

  /// Starts a program; `Process` opens the ends that are its own again in the program.
  package static func start(_ process: Process) throws {
    try starting.withLock { try process.run() }
  }
}
