import CCurl
import Synchronization

/// The queue of waiting transfers. It limits the number of running transfers in total and per host. The hosts take turns, and each host's
/// transfers run in the order in which they were added.
package struct TransferQueue {
  private struct Host {
    var running = 0
    var waiting: [UInt64] = []
    /// The index of the first waiting transfer.
    var next = 0
    /// Whether the host is in `ready`.
    var isReady = false

    var hasWaiting: Bool { next < waiting.count }
  }

  package let limit: Int
  package let limitPerHost: Int
  package private(set) var running = 0
  private var hosts: [String: Host] = [:]
  /// The hosts with waiting transfers that may start, in turn, and the index of the first.
  private var ready: [String] = []
  private var nextReady = 0
  /// Canceled transfers, which are skipped when it is their turn.
  private var withdrawn: Set<UInt64> = []

  package init(limit: Int, limitPerHost: Int) {
    self.limit = max(limit, 1)
    self.limitPerHost = max(limitPerHost, 1)
  }

  package mutating func enqueue(_ id: UInt64, host name: String) {
    hosts[name, default: Host()].waiting.append(id)
    makeReady(name)
  }

  /// Returns the next transfer that may start, which then counts as running; `nil` if no transfer may start.
  package mutating func next() -> UInt64? {
    while running < limit, nextReady < ready.count {
      let name = ready[nextReady]
      nextReady += 1
      if nextReady > 256, nextReady * 2 > ready.count {
        ready.removeFirst(nextReady)
        nextReady = 0
      }
      if let id = startNext(of: name) { return id }
    }
    return nil
  }

  /// Removes a waiting transfer.
  package mutating func withdraw(_ id: UInt64) { withdrawn.insert(id) }

  /// Records that a transfer returned by `next` has ended.
  package mutating func finished(host name: String) {
    running -= 1
    hosts[name]?.running -= 1
    settle(name)
  }

  private mutating func startNext(of name: String) -> UInt64? {
    guard var host = hosts[name] else { return nil }
    defer { settle(name) }
    host.isReady = false
    var started: UInt64?
    while started == nil, host.hasWaiting {
      let id = host.waiting[host.next]
      host.next += 1
      if withdrawn.remove(id) == nil { started = id }
    }
    if host.next > 256, host.next * 2 > host.waiting.count {
      host.waiting.removeFirst(host.next)
      host.next = 0
    }
    if started != nil {
      host.running += 1
      running += 1
    }
    hosts[name] = host
    return started
  }

  /// Removes a host without transfers, or gives it its next turn.
  private mutating func settle(_ name: String) {
    if let host = hosts[name], host.running == 0, !host.hasWaiting { hosts[name] = nil }
    makeReady(name)
  }

  private mutating func makeReady(_ name: String) {
    guard let host = hosts[name], !host.isReady, host.hasWaiting, host.running < limitPerHost else { return }
    hosts[name]?.isReady = true
    ready.append(name)
  }
}

/// A request on its way to the transport's thread.
struct TransferJob: Sendable {
  let id: UInt64
  let request: HTTPRequest
  let target: TransferTarget
  /// The file to which the body is written; `nil` for memory.
  let path: String?
  /// Whether the response opens a WebSocket, which then has the job's number.
  let opensWebSocket: Bool
  /// Called exactly once.
  let finish: @Sendable (Result<HTTPResponse, HTTPError>) -> Void
}

enum TransferCommand: Sendable {
  case start(TransferJob)
  case step(WebSocketStep)
  /// Ends a transfer or a WebSocket.
  case cancel(UInt64)

  /// Fails a command that the thread does not carry out.
  func refuse() {
    switch self {
    case .start(let job): job.finish(.failure(TransferMailbox.closed(job.request.url)))
    case .step(let step): step.finish(.failure(TransferMailbox.closed(step.url)))
    case .cancel: break
    }
  }
}

/// The queue of commands from tasks to a transport's thread.
final class TransferMailbox: Sendable {
  /// The handle for waking the thread by `curl_multi_wakeup`, the only function that may be called from another thread.
  ///
  /// `@unchecked` because a raw pointer is never `Sendable`. It is used only for `curl_multi_wakeup`, under the mailbox's lock. The thread
  /// removes it under the same lock before it frees the handle.
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
    if !isTaken { command.refuse() }
  }

  /// Refuses further commands. The thread then ends the transfers that it has.
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

  static func closed(_ url: String) -> HTTPError {
    HTTPError(.cancelled, "the connections were closed", url: url)
  }
}

/// The methods for the thread.
extension TransferMailbox {
  func open(_ waker: Waker) {
    state.withLock { $0.waker = waker }
  }

  /// Returns the commands since the last call, in order; `nil` if the thread must end.
  func take() -> [TransferCommand]? {
    state.withLock { state in
      if state.isClosed { return nil }
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Removes the handle, so that the thread is no longer woken.
  func stopWaking() {
    state.withLock {
      $0.isClosed = true
      $0.waker = nil
    }
  }

  /// Called when the thread has freed its objects. Fails the commands that the thread never received, and notifies waiting callers.
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
    for command in commands { command.refuse() }
    for continuation in waiting { continuation.resume() }
  }
}
