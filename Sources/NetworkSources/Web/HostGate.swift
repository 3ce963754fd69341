import HTTPTransport
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

/// Sends requests when their host takes them: a few at once, and none while its limit is used up.
///
/// It stands behind the transport that tries again, so that every try waits for its turn and is counted.
struct GatedTransport: HTTPTransport {
  let base: any HTTPTransport
  let gate: HostGate
  let host: String
  let timing: RetryTiming
  /// No pause is longer, whatever a server says.
  let longestPause: Double
  let announce: @Sendable (_ reason: String, _ secondsLeft: Int) -> Void
  let count: @Sendable () -> Void

  private var now: Timestamp { Timestamp(milliseconds: Int64(timing.now() * 1000)) }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    do {
      try await gate.take()
    } catch {
      throw HTTPError(.cancelled, "it was cancelled while it waited for its turn", url: request.url)
    }
    defer { gate.giveBack() }
    try await waitWhileClosed(request.url)
    count()
    let response = try await base.send(request)
    note(response)
    return response
  }

  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await base.download(request, to: path)
  }

  /// A window that is used up is remembered for all requests to the host, those that are sent meanwhile too.
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
    let reason = "\(host) takes no more requests for now"
    // Another response may have closed the gate for longer meanwhile.
    while let seconds = gate.secondsClosed(at: now), seconds > 0 {
      do {
        let whole = Int(seconds.rounded(.up))
        for left in stride(from: whole, to: 0, by: -1) {
          if seconds >= 3 { announce(reason, left) }
          // The odd part of a second comes first, so that the countdown keeps to whole ones.
          try await timing.sleep(left == whole ? seconds - Double(whole - 1) : 1)
        }
      } catch {
        throw HTTPError(.cancelled, "it was cancelled while it waited (\(reason))", url: url)
      }
    }
  }
}
