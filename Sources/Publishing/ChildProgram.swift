import Dispatch
import Foundation
import Synchronization

/// A program of others, started with words and without a shell.
package struct ChildProgram: Sendable {
  package let name: String
  private let path: String

  package struct Outcome: Sendable {
    package let code: Int32
    package let output: [UInt8]
    package let errors: [UInt8]

    var text: String { String(decoding: output, as: UTF8.self) }
    /// What it said on standard error, without blanks around it.
    package var complaint: String {
      String(decoding: errors, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Finds a program as a shell would.
  ///
  /// - Parameters:
  ///   - folder: what a relative path with a slash in it is seen from.
  ///   - advice: what to do where there is none.
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
      throw PublishError(.io, "error: there is no program \(name) here. \(advice)")
    }
    self.path = path
  }

  /// Whose output goes where.
  enum Output {
    /// To whoever asks.
    case captured
    /// To standard error, where the user sees it.
    case shown
  }

  /// What is given to a program on standard input, from a thread of its own.
  typealias Input = @Sendable (FileHandle) throws -> Void

  /// Runs it, and waits; where the task is cancelled, it is asked to end.
  ///
  /// - Parameters:
  ///   - environment: all that it gets.
  ///   - input: what fails there fails the run; a program that does not read all of it says by its exit code why.
  func run(
    _ arguments: [String], in folder: String, environment: [String: String], output: Output = .captured,
    input: Input? = nil
  ) async throws(PublishError) -> Outcome {
    let process = process(arguments, in: folder, environment: environment)
    let (out, errors, incoming) = (Pipe(), Pipe(), Pipe())
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

  /// Runs it with all that it reads, and waits on this thread.
  ///
  /// - Parameters:
  ///   - environment: all that it gets.
  ///   - timeLimit: in seconds; after that it is asked to end.
  package func run(
    _ arguments: [String], in folder: String, environment: [String: String], input: [UInt8],
    timeLimit: Double
  ) throws(PublishError) -> Outcome {
    let process = process(arguments, in: folder, environment: environment)
    let (out, errors, incoming) = (Pipe(), Pipe(), Pipe())
    (process.standardOutput, process.standardError, process.standardInput) = (out, errors, incoming)
    let running = Running(process)
    let end = DispatchWorkItem { running.cancel() }
    DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit, execute: end)
    defer { end.cancel() }
    return try running.run(name, path, .captured, out, errors, incoming) { handle in
      try handle.write(contentsOf: input)
    }.get()
  }

  private func process(
    _ arguments: [String], in folder: String, environment: [String: String]
  ) -> Process {
    // A program that ends before it has read all must not end this one.
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

  /// A process that may be stopped from another thread.
  ///
  /// Unchecked, as `Process` and pipes are not `Sendable`: the process is set up before, run on one thread, and only ended from another, under
  /// the lock.
  private final class Running: @unchecked Sendable {
    private let process: Process
    private let state = Mutex((isRunning: false, isCancelled: false))

    init(_ process: Process) { self.process = process }

    func cancel() {
      state.withLock { state in
        state.isCancelled = true
        if state.isRunning { process.terminate() }
      }
    }

    func run(
      _ name: String, _ path: String, _ output: Output, _ out: Pipe, _ errors: Pipe, _ incoming: Pipe,
      _ input: Input?
    ) -> Result<Outcome, PublishError> {
      do {
        try state.withLock { state in
          guard !state.isCancelled else { return }
          try process.run()
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
          // It has closed its input: its exit code says why.
        }
        try? incoming.fileHandleForWriting.close()
      }
      process.waitUntilExit()
      state.withLock { $0.isRunning = false }
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

  /// Unchecked: read from by one thread alone.
  private struct Handle: @unchecked Sendable {
    let handle: FileHandle
    init(_ handle: FileHandle) { self.handle = handle }
    func readAll() -> [UInt8] { Array((try? handle.readToEnd()) ?? Data()) }
  }
}
