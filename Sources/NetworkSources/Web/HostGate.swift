import Synchronization
import ThreadModel

/// Lets so many requests at once through to one host, and none while its limit is used up.
final class HostGate: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct State {
    var free: Int
    var waiting: [(ticket: Int, waiter: Waiter)] = []
    var lastTicket = 0
    var cancelled: Set<Int> = []
    /// When the host takes requests again.
    var closedUntil: Timestamp?
  }

  private let state: Mutex<State>

  init(atOnce: Int) { state = Mutex(State(free: max(1, atOnce))) }

  /// Waits for a place; every place that was taken has to be given back.
  func take() async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        let outcome: Bool? = state.withLock { state in
          if state.cancelled.remove(ticket) != nil { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((ticket, waiter))
          return nil
        }
        if outcome == true { waiter.resume() }
        if outcome == false { waiter.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        guard let place = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
          state.cancelled.insert(ticket)
          return nil
        }
        return state.waiting.remove(at: place).waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  func giveBack() {
    let next: Waiter? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().waiter
    }
    next?.resume()
  }

  /// Sends nothing before a moment.
  func close(until end: Timestamp) {
    state.withLock { $0.closedUntil = max($0.closedUntil ?? end, end) }
  }

  /// Seconds until the host takes requests again; `nil` where it does.
  func secondsClosed(at now: Timestamp) -> Double? {
    state.withLock { state in
      guard let end = state.closedUntil else { return nil }
      guard end > now else {
        state.closedUntil = nil
        return nil
      }
      return Double(end.milliseconds - now.milliseconds) / 1000
    }
  }
}
