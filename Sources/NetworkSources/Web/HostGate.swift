import HTTPTransport
import Synchronization
import ThreadModel

/// Limits the number of simultaneous requests to one host, and stores when the host's used-up rate limit ends.
package final class HostGate: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct State {
    var free: Int
    var waiting: [(ticket: Int, waiter: Waiter)] = []
    var lastTicket = 0
    var cancelled: Set<Int> = []
    /// The time at which the host accepts requests again.
    var closedUntil: Timestamp?
  }

  private let state: Mutex<State>

  package init(atOnce: Int) { state = Mutex(State(free: max(1, atOnce))) }

  /// Waits until one more request is allowed. Each successful call must be followed by ``giveBack()``.
  ///
  /// - Throws: `CancellationError` if the task is canceled while it waits.
  package func take() async throws {
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

  package func giveBack() {
    let next: Waiter? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().waiter
    }
    next?.resume()
  }

  /// Records that the host accepts no requests before a time.
  func close(until end: Timestamp) {
    state.withLock { $0.closedUntil = max($0.closedUntil ?? end, end) }
  }

  /// Returns the seconds until the host accepts requests again; `nil` if it accepts them now.
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

/// Sends requests when their host accepts them: a few at the same time, and none while its rate limit is used up.
///
/// The transport that repeats requests wraps this one, so that every attempt waits for its turn and is counted. Downloads and
/// WebSockets neither wait nor count.
struct GatedTransport: HTTPTransport {
  let base: any HTTPTransport
  let gate: HostGate
  let host: String
  let timing: RetryTiming
  /// The maximum pause in seconds, even if a server asks for a longer one.
  let longestPause: Double
  let announce: @Sendable (_ reason: String, _ secondsLeft: Int) -> Void
  let count: @Sendable () -> Void

  private var now: Timestamp { Timestamp(milliseconds: Int64(timing.now() * 1000)) }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    do {
      try await gate.take()
    } catch {
      throw HTTPError(.cancelled, "it was canceled while it waited for its turn", url: request.url)
    }
    defer { gate.giveBack() }
    try await waitWhileClosed(request.url)
    count()
    let response = try await base.send(request)
    note(response)
    return response
  }

  /// Closes the gate for all requests to the host if the response shows that the rate limit is used up.
  private func note(_ response: HTTPResponse) {
    let limit = RateLimit(response.headers, at: now)
    if response.status == 429, let seconds = limit.wait(at: now) {
      close(for: seconds)
    } else if limit.remaining.map({ $0 <= 0 }) == true, let end = limit.end {
      close(for: Double(end.milliseconds - now.milliseconds) / 1000)
    }
  }

  private func close(for seconds: Double) {
    guard seconds > 0 else { return }
    gate.close(until: Timestamp(milliseconds: now.milliseconds + Int64(min(seconds, longestPause) * 1000)))
  }

  private func waitWhileClosed(_ url: String) async throws(HTTPError) {
    let reason = "\(host) accepts no more requests for now"
    // Meanwhile, another response may have closed the gate for longer.
    while let seconds = gate.secondsClosed(at: now), seconds > 0 {
      do {
        let whole = Int(seconds.rounded(.up))
        for left in stride(from: whole, to: 0, by: -1) {
          if seconds >= 3 { announce(reason, left) }
          // The fraction of a second comes first, so that the countdown continues in whole seconds.
          try await timing.sleep(left == whole ? seconds - Double(whole - 1) : 1)
        }
      } catch {
        throw HTTPError(.cancelled, "it was canceled while it waited (\(reason))", url: url)
      }
    }
  }
}
