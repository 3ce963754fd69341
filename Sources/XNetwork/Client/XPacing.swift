import Foundation
package import HTTPTransport
import NetworkSources
import Synchronization
package import ThreadModel

/// Sends the requests of one endpoint as soon as X's rate limits allow.
///
/// The transport that repeats requests wraps this one. So every attempt waits for its turn and is counted, not only the first.
struct PacedTransport: HTTPTransport {
  let base: any HTTPTransport
  let endpoint: XEndpoint
  let windows: XRateWindows
  let clock: XClock
  let budget: XBudget

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await waitForTurn(request.url)
    budget.count(endpoint)
    let response = try await base.send(request)
    windows.note(response.headers, for: endpoint, at: clock.now())
    return response
  }

  /// Waits for the endpoint's window and for its minimum interval.
  private func waitForTurn(_ url: String) async throws(HTTPError) {
    // Other requests may have waited for the same window and used it up.
    for _ in 0..<3 {
      guard let seconds = windows.closed(endpoint, at: clock.now()) else { break }
      try await pause(seconds, "X's limit for \(endpoint.rawValue) is reached", url)
    }
    let seconds = windows.takeSlot(endpoint, at: clock.now())
    if seconds > 0 { try await pause(seconds, "X accepts one such request per second", url) }
  }

  private func pause(_ seconds: Double, _ reason: String, _ url: String) async throws(HTTPError) {
    do {
      try await clock.pause(seconds, reason)
    } catch {
      throw HTTPError(.cancelled, "it was canceled while it waited (\(reason))", url: url)
    }
  }
}

extension RetryingTransport {
  /// Returns a transport that waits and repeats requests by X's rules, with a client's clock.
  init(forX base: any HTTPTransport, policy: RetryPolicy, clock: XClock) {
    self.init(
      base, policy: policy,
      timing: RetryTiming(
        sleep: clock.sleep, random: RetryTiming.live.random,
        now: { Double(clock.now().milliseconds) / 1000 }),
      judge: { RetryVerdict.x($0, at: clock.now()) },
      announce: { clock.announce($0.reason, $0.secondsLeft) })
  }
}

extension RetryVerdict {
  /// Decides by X's rules: waits if a window is used up, but not if credits or caps are used up or the request is invalid. Other results
  /// are handled by HTTP's rules.
  package static func x(_ result: Result<HTTPResponse, HTTPError>, at now: Timestamp) -> RetryVerdict {
    if case .success(let response) = result, response.status == 429 { return judge(response, at: now) }
    return standard(result, now: Double(now.milliseconds) / 1000)
  }

  private static func judge(_ response: HTTPResponse, at now: Timestamp) -> RetryVerdict {
    if XRefusal(response, endpoint: "").isUsageCap { return .accept }
    return .retry(after: windowWait(response.headers, at: now), reason: "X's request limit is reached")
  }

  /// If requests are left in the window, the limit was one request per second. Otherwise the wait lasts until the end of the window.
  private static func windowWait(_ headers: HTTPHeaders, at now: Timestamp) -> Double? {
    // X's windows end by X's clock, which is in the response. This machine's clock may be wrong by minutes.
    let now = headers["Date"].flatMap { Timestamp(httpDate: $0) } ?? now
    let asked = retryAfter(headers, now: Double(now.milliseconds) / 1000)
    if (headers.remainingRequests ?? 0) > 0 { return asked ?? 2 }
    return headers.windowEnd.map { XRateWindows.wait(until: $0, at: now) } ?? asked
  }
}

/// X's rate limit windows of 15 minutes. They let a request that would be refused wait before it is sent.
final class XRateWindows: Sendable {
  /// No window is longer than 15 minutes. A wrong clock must not make a run wait for hours.
  private static let longestWait = 16.0 * 60

  private struct State {
    var remaining: [XEndpoint: Int] = [:]
    /// Seconds since 1970.
    var ends: [XEndpoint: Int64] = [:]
    /// The time of the next request to an endpoint with a minimum interval, in milliseconds since 1970.
    var nextSlots: [XEndpoint: Int64] = [:]
    /// The difference of X's clock to this machine's, in milliseconds; positive if X's is ahead.
    var lead: Int64 = 0

    func serverTime(_ now: Timestamp) -> Timestamp { Timestamp(milliseconds: now.milliseconds + lead) }
  }

  /// Smaller clock differences are ignored: a response's date has whole seconds, and responses take time.
  private static let clockTolerance: Int64 = 3000

  private let state = Mutex(State())

  /// Records the endpoint's window and X's clock from a response.
  ///
  /// - Parameter now: the time of arrival by this machine's clock.
  func note(_ headers: HTTPHeaders, for endpoint: XEndpoint, at now: Timestamp) {
    if let date = headers["Date"].flatMap({ Timestamp(httpDate: $0) }) {
      let lead = date.milliseconds - now.milliseconds
      state.withLock { $0.lead = abs(lead) > Self.clockTolerance ? lead : 0 }
    }
    guard let remaining = headers.remainingRequests, let end = headers.windowEnd else { return }
    state.withLock { state in
      // Responses may arrive in a different order. Within one window, the remaining number only decreases.
      let known = state.ends[endpoint] == end ? state.remaining[endpoint] : nil
      state.remaining[endpoint] = min(remaining, known ?? remaining)
      state.ends[endpoint] = end
    }
  }

  /// Returns the seconds until the endpoint's next window if this one is used up; `nil` if a request may be sent.
  func closed(_ endpoint: XEndpoint, at now: Timestamp) -> Double? {
    state.withLock { state in
      let now = state.serverTime(now)
      guard let remaining = state.remaining[endpoint], let end = state.ends[endpoint] else { return nil }
      guard end > now.seconds else {
        // A new window, whose limits are unknown.
        state.remaining[endpoint] = nil
        state.ends[endpoint] = nil
        return nil
      }
      guard remaining <= 0 else {
        state.remaining[endpoint] = remaining - 1
        return nil
      }
      return Self.wait(until: end, at: now)
    }
  }

  /// Reserves the next time slot of an endpoint with a minimum interval; returns the seconds until then.
  func takeSlot(_ endpoint: XEndpoint, at now: Timestamp) -> Double {
    guard endpoint.pace > 0 else { return 0 }
    return state.withLock { state in
      let slot = max(now.milliseconds, state.nextSlots[endpoint] ?? 0)
      state.nextSlots[endpoint] = slot + Int64(endpoint.pace * 1000)
      return Double(slot - now.milliseconds) / 1000
    }
  }

  /// Returns the seconds until the end of a window, plus one because X's times are whole seconds; at least 1 second, at most 16 minutes.
  static func wait(until end: Int64, at now: Timestamp) -> Double {
    min(max(Double(end) + 1 - Double(now.milliseconds) / 1000, 1), longestWait)
  }
}

/// The clock and the function that waits. Tests replace them, so that they need not wait.
package struct XClock: Sendable {
  package var now: @Sendable () -> Timestamp
  /// Waits for a number of seconds; throws if the task is canceled.
  package var sleep: @Sendable (_ seconds: Double) async throws -> Void
  /// Called once per second during long pauses, with the reason as a clause and the remaining seconds.
  package var announce: @Sendable (_ reason: String, _ secondsLeft: Int) -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
    announce: @escaping @Sendable (_ reason: String, _ secondsLeft: Int) -> Void = { _, _ in }
  ) {
    self.now = now
    self.sleep = sleep
    self.announce = announce
  }

  /// Waits, with a countdown if it takes long.
  func pause(_ seconds: Double, _ reason: String) async throws {
    guard seconds >= 3 else { return try await sleep(seconds) }
    let whole = Int(seconds)
    // The fraction of a second comes first, so that the countdown continues in whole seconds.
    try await sleep(seconds - Double(whole))
    for left in stride(from: whole, to: 0, by: -1) {
      announce(reason, left)
      try await sleep(1)
    }
  }
}
