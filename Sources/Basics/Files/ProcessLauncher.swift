package import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Starts programs so that no program inherits a file descriptor that belongs to another.
///
/// On Linux, Foundation's `Process` closes in the new program the file descriptors that were open when it listed them
/// (swift-corelibs-foundation 6.3, `run()`). A descriptor that another thread opens between that list and the start is inherited. It may be
/// the end of a pipe, whose reader then waits for an unrelated program, or the socket by which `waitUntilExit` detects the end of a
/// program. Every program of this process is therefore started here, with pipes created here.
///
/// swift-subprocess 1.0.2 closes all descriptors, but would not replace this code: a program that closes its input early still ends this
/// process by SIGPIPE. It adds 19 s of processor time to a clean debug build and 0.8 MB
/// to the program, and saves 40 lines.
package enum ProcessLauncher {
  /// Held while a pipe is open that is not yet marked, and while a program is started.
  private static let lock = NSLock()

  /// Returns a pipe for a program's input or output. Only that program inherits it.
  package static func makePipe() -> Pipe {
    lock.withLock {
      let pipe = Pipe()
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      return pipe
    }
  }

  /// Starts a program, as `Process.run` does.
  package static func start(_ process: Process) throws {
    try lock.withLock { try process.run() }
  }
}
