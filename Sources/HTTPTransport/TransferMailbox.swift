import CCurl
import Synchronization

/// A request on its way to the thread that carries it out.
struct TransferJob: Sendable {
  let id: UInt64
  let request: HTTPRequest
  let target: TransferTarget
  /// The file that the body goes to, if not to memory.
  let path: String?
  /// Called exactly once.
  let finish: @Sendable (Result<HTTPResponse, HTTPError>) -> Void
}

enum TransferCommand: Sendable {
  case start(TransferJob)
  case cancel(UInt64)
}

/// Where tasks leave commands for the thread of a transport.
final class TransferMailbox: Sendable {
  /// libcurl's own means to wake the thread: the one function that may be called from any other.
  ///
  /// Unchecked, because a raw pointer is never `Sendable`: it is used for `curl_multi_wakeup` alone, under the mailbox's lock, which the
  /// thread takes to withdraw it before it frees the handle.
  struct Waker: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer

    func wake() { curl_multi_wakeup(multi) }
  }

  private struct State {
    var lastID: UInt64 = 0
    var commands: [TransferCommand] = []
    var waker: Waker?
    var isClosed = false
    var hasEnded = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func newID() -> UInt64 {
    state.withLock {
      $0.lastID += 1
      return $0.lastID
    }
  }

  func post(_ command: TransferCommand) {
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return false }
      state.commands.append(command)
      state.waker?.wake()
      return true
    }
    if !isTaken, case .start(let job) = command { job.finish(.failure(Self.closed(job))) }
  }

  /// Nothing more is taken; the thread ends what it has.
  func close() {
    state.withLock {
      $0.isClosed = true
      $0.waker?.wake()
    }
  }

  func whenEnded(_ continuation: CheckedContinuation<Void, Never>) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.waiting.append(continuation) }
      return state.hasEnded
    }
    if hasEnded { continuation.resume() }
  }

  static func closed(_ job: TransferJob) -> HTTPError {
    HTTPError(.cancelled, "the connections were closed", url: job.request.url)
  }
}

/// The thread's side.
extension TransferMailbox {
  func open(_ waker: Waker) {
    state.withLock { $0.waker = waker }
  }

  /// What was left since the last call, in order; `nil` when the thread is to end.
  func take() -> [TransferCommand]? {
    state.withLock { state in
      if state.isClosed { return nil }
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// After this, nobody wakes the thread.
  func stopWaking() {
    state.withLock {
      $0.isClosed = true
      $0.waker = nil
    }
  }

  /// Everything of the thread is freed: fails the jobs that never reached it, and tells who waits.
  func end() {
    let (commands, waiting) = state.withLock { state in
      defer {
        state.commands = []
        state.waiting = []
      }
      state.isClosed = true
      state.hasEnded = true
      return (state.commands, state.waiting)
    }
    for case .start(let job) in commands { job.finish(.failure(Self.closed(job))) }
    for continuation in waiting { continuation.resume() }
  }
}
