import Basics
import Dispatch
package import Foundation
import Synchronization

/// An external program. It is started with a list of arguments and without a shell.
package struct ChildProgram: Sendable {
  package let name: String
  private let path: String

  package struct Outcome: Sendable {
    package let code: Int32
    package let output: [UInt8]
    package let errors: [UInt8]

    var text: String { String(decoding: output, as: UTF8.self) }
    /// The program's standard error, without surrounding blanks.
    package var complaint: String {
      String(decoding: errors, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Finds a program as a shell would.
  ///
  /// - Parameters:
  ///   - folder: the base folder of a relative path with a slash.
  ///   - advice: advice for the user in the error if the program is missing.
  package init(
    _ name: String, in folder: String, environment: [String: String], advice: String
  ) throws(PublishError) {
    self.name = name
    let folders =
      name.contains("/")
      ? [name.hasPrefix("/") ? "" : folder]
      : (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    let candidates = folders.map { $0.isEmpty ? name : "\($0)/\(name)" }
    guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw PublishError(.io, "error: program \(name) not found. \(advice)")
    }
    self.path = path
  }

  /// The destination of a program's output.
  package enum Output: Sendable {
    /// The caller gets the output.
    case captured
    /// The output goes to standard error, where the user sees it.
    case shown
  }

  /// Writes the program's standard input, on a separate thread.
  package typealias Input = @Sendable (FileHandle) throws -> Void

  /// Runs the program and waits for its end. If the task is canceled, the program and the programs that it started are terminated, and
  /// killed if they still run after some seconds.
  ///
  /// - Parameters:
  ///   - environment: all environment variables of the program.
  ///   - input: writes the input. A `PublishError` that it throws fails the run; other errors are ignored, because the exit code shows why
  ///     the program closed its input early.
  package func run(
    _ arguments: [String], in folder: String, environment: [String: String], output: Output = .captured,
    input: Input? = nil
  ) async throws(PublishError) -> Outcome {
    let process = process(arguments, in: folder, environment: environment)
    let (out, errors, incoming) = (
      ProcessLauncher.makePipe(), ProcessLauncher.makePipe(), ProcessLauncher.makePipe()
    )
    switch output {
    case .captured: (process.standardOutput, process.standardError) = (out, errors)
    case .shown:
      (process.standardOutput, process.standardError) = (FileHandle.standardError, FileHandle.standardError)
    }
    process.standardInput = input == nil ? FileHandle.nullDevice : incoming
    let running = Running(process)
    let result: Result<Outcome, PublishError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (name, path) = (name, path)
        let thread = Thread {
          continuation.resume(returning: running.run(name, path, output, out, errors, incoming, input))
        }
        thread.start()
      }
    } onCancel: {
      running.cancel()
    }
    if Task.isCancelled { throw PublishError(.interrupted, "error: \(name) was stopped.") }
    return try result.get()
  }

  private func process(
    _ arguments: [String], in folder: String, environment: [String: String]
  ) -> Process {
    // Writing to a program that ended before it read all its input must not end this process.
    _ = Self.ignoresBrokenPipes
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory)
    process.environment = environment
    return process
  }

  private static let ignoresBrokenPipes: Bool = {
    signal(SIGPIPE, SIG_IGN)
    return true
  }()

  /// A process that can be terminated from another thread.
  ///
  /// `@unchecked` because `Process` and pipes are not `Sendable`. The process is set up first, runs on one thread, and is only terminated
  /// from another thread, under the lock.
  private final class Running: @unchecked Sendable {
    private let process: Process
    private let state = Mutex((isRunning: false, isCancelled: false))
    /// The number of seconds in which a terminated program must end.
    private static let patience = 5.0
    /// Held while a program starts, because the actions of signals are those of the whole process.
    private static let starting = Mutex(())

    init(_ process: Process) { self.process = process }

    func cancel() {
      state.withLock { state in
        state.isCancelled = true
        if state.isRunning { send(SIGTERM) }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [self] in
        state.withLock { state in
          // The program ignores the signal.
          if state.isRunning, process.isRunning { send(SIGKILL) }
        }
      }
    }

    /// Sends a signal to the process group of the program, which contains the programs that it started. Without a process group, only the
    /// program receives the signal.
    private func send(_ signal: Int32) {
      let number = process.processIdentifier
      if kill(-number, signal) != 0, process.isRunning { kill(number, signal) }
    }

    /// Starts the program with the default actions of signals. Otherwise it would inherit that this process ignores them (`Interruption`),
    /// or that this thread blocks them, and could not be terminated.
    ///
    /// A signal that arrives meanwhile ends this process.
    private func launch() throws {
      try Self.starting.withLock { _ in
        let numbers = [SIGINT, SIGTERM]
        let actions = numbers.map { signal($0, SIG_DFL) }
        var none = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer {
          pthread_sigmask(SIG_SETMASK, &blocked, nil)
          for (number, action) in zip(numbers, actions) { signal(number, action) }
        }
        try ProcessLauncher.start(process)
      }
    }

    func run(
      _ name: String, _ path: String, _ output: Output, _ out: Pipe, _ errors: Pipe, _ incoming: Pipe,
      _ input: Input?
    ) -> Result<Outcome, PublishError> {
      // The run loop of a thread retains the thread's processes with their pipes. So a thread that runs many programs would run out of file
      // descriptors. Ends that are already closed throw.
      defer {
        for pipe in [out, errors, incoming] {
          try? pipe.fileHandleForReading.close()
          try? pipe.fileHandleForWriting.close()
        }
      }
      do {
        try state.withLock { state in
          guard !state.isCancelled else { return }
          try launch()
          state.isRunning = true
        }
      } catch {
        return .failure(
          PublishError(.io, "\(path): error: could not start \(name): \(error.localizedDescription)"))
      }
      guard state.withLock({ $0.isRunning }) else {
        return .failure(PublishError(.interrupted, "error: \(name) was stopped."))
      }
      let group = DispatchGroup()
      let read = Mutex<(output: [UInt8], errors: [UInt8])>(([], []))
      if case .captured = output {
        let (outgoing, complaints) = (Handle(out.fileHandleForReading), Handle(errors.fileHandleForReading))
        Self.start(group) {
          let bytes = outgoing.readAll(); read.withLock { $0.output = bytes }
        }
        Self.start(group) {
          let bytes = complaints.readAll(); read.withLock { $0.errors = bytes }
        }
      }
      var failure: PublishError?
      if let input {
        do {
          try input(incoming.fileHandleForWriting)
        } catch let error as PublishError {
          failure = error
          process.terminate()
        } catch {
          // The program closed its input; its exit code shows why.
        }
        try? incoming.fileHandleForWriting.close()
      }
      process.waitUntilExit()
      let isCancelled = state.withLock { state in
        state.isRunning = false
        return state.isCancelled
      }
      // The programs that it started may ignore the signal, and keep its pipes open.
      if isCancelled { kill(-process.processIdentifier, SIGKILL) }
      group.wait()
      if let failure { return .failure(failure) }
      let code =
        process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
      return .success(read.withLock { Outcome(code: code, output: $0.output, errors: $0.errors) })
    }

    private static func start(_ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
      group.enter()
      Thread {
        work()
        group.leave()
      }.start()
    }
  }

  /// `@unchecked` because only one thread reads from the handle.
  private struct Handle: @unchecked Sendable {
    let handle: FileHandle
    init(_ handle: FileHandle) { self.handle = handle }
    func readAll() -> [UInt8] { Array((try? handle.readToEnd()) ?? Data()) }
  }
}
