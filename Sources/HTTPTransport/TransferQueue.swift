import CCurl
import Synchronization

/// Whose turn it is: as many transfers at once as are allowed, as many to each host as are allowed, hosts taking turns, and
/// each host's transfers in the order in which they came.
package struct TransferQueue {
  private struct Host {
    var running = 0
    var waiting: [UInt64] = []
    /// Where the waiting ones begin.
    var next = 0
    /// Whether it stands in `ready`.
    var isReady = false

    var hasWaiting: Bool { next < waiting.count }
  }

  package let limit: Int
  package let limitPerHost: Int
  package private(set) var running = 0
  private var hosts: [String: Host] = [:]
  /// Hosts that have somebody waiting and room for them, in turn; and where they begin.
  private var ready: [String] = []
  private var nextReady = 0
  /// Waiting ones that are passed over when their turn comes.
  private var withdrawn: Set<UInt64> = []

  package init(limit: Int, limitPerHost: Int) {
    self.limit = max(limit, 1)
    self.limitPerHost = max(limitPerHost, 1)
  }

  package mutating func enqueue(_ id: UInt64, host name: String) {
    hosts[name, default: Host()].waiting.append(id)
    makeReady(name)
  }

  /// The next that may start, which counts as running from here on; `nil` where none may.
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

  /// Withdraws one that waits.
  package mutating func withdraw(_ id: UInt64) { withdrawn.insert(id) }

  /// One that was given out by `next` has ended.
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

  /// Forgets a host that nothing is left of, or lets it have its next turn.
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
