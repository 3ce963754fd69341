import Foundation
import HTTPTransport
import Synchronization
package import ThreadModel

/// What X said about its windows of 15 minutes, so that a request which would be refused waits before it is sent.
final class XRateWindows: Sendable {
  /// No window is longer than 15 minutes; a clock that is wrong must not make a run wait for hours.
  private static let longestWait = 16.0 * 60

  private struct State {
    var remaining: [XEndpoint: Int] = [:]
    /// Seconds since 1970.
    var ends: [XEndpoint: Int64] = [:]
    /// When the next request of an endpoint with a pace of its own may go, in milliseconds since 1970.
    var nextSlots: [XEndpoint: Int64] = [:]
    /// What X's clock is ahead of this machine's, in milliseconds.
    var lead: Int64 = 0

    func serverTime(_ now: Timestamp) -> Timestamp { Timestamp(milliseconds: now.milliseconds + lead) }
  }

  /// Differences of the clocks up to this are none: an answer's date has whole seconds, and answers take time.
  private static let clockTolerance: Int64 = 3000

  private let state = Mutex(State())

  /// Takes what an answer says of its endpoint's window and of X's clock.
  ///
  /// - Parameter now: when it arrived, by this machine's clock.
  func note(_ headers: HTTPHeaders, for endpoint: XEndpoint, at now: Timestamp) {
    if let date = headers["Date"].flatMap({ Timestamp(httpDate: $0) }) {
      let lead = date.milliseconds - now.milliseconds
      state.withLock { $0.lead = abs(lead) > Self.clockTolerance ? lead : 0 }
    }
    guard let remaining = headers.remainingRequests, let end = headers.windowEnd else { return }
    state.withLock { state in
      // Answers may overtake each other: within one window what remains only shrinks.
      let known = state.ends[endpoint] == end ? state.remaining[endpoint] : nil
      state.remaining[endpoint] = min(remaining, known ?? remaining)
      state.ends[endpoint] = end
    }
  }

  /// Seconds until the endpoint's next window, where this one is used up; `nil` where a request may go.
  func closed(_ endpoint: XEndpoint, at now: Timestamp) -> Double? {
    state.withLock { state in
      let now = state.serverTime(now)
      guard let remaining = state.remaining[endpoint], let end = state.ends[endpoint] else { return nil }
      guard end > now.seconds else {
        // A new window, of which nothing is known.
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

  /// Takes the next place in the endpoint's pace; seconds until then.
  func takeSlot(_ endpoint: XEndpoint, at now: Timestamp) -> Double {
    guard endpoint.pace > 0 else { return 0 }
    return state.withLock { state in
      let slot = max(now.milliseconds, state.nextSlots[endpoint] ?? 0)
      state.nextSlots[endpoint] = slot + Int64(endpoint.pace * 1000)
      return Double(slot - now.milliseconds) / 1000
    }
  }

  /// From now to the end of a window and a second more, as X's seconds are whole; at least a second, at most 16 minutes.
  static func wait(until end: Int64, at now: Timestamp) -> Double {
    min(max(Double(end) + 1 - Double(now.milliseconds) / 1000, 1), longestWait)
  }
}

/// The time, and how some of it is let pass; handed in, so that tests need not wait.
package struct XClock: Sendable {
  package var now: @Sendable () -> Timestamp
  /// Waits for so many seconds; throws where the task is cancelled.
  package var sleep: @Sendable (_ seconds: Double) async throws -> Void
  /// Told of long pauses each second: why, in a clause, and how many seconds are left.
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

  /// The machine's clock.
  package static func system(
    announce: @escaping @Sendable (_ reason: String, _ secondsLeft: Int) -> Void = { _, _ in }
  ) -> XClock {
    XClock(
      now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
      sleep: { try await Task.sleep(for: .seconds($0)) }, announce: announce)
  }

  /// Pauses, with a countdown where it takes long.
  func pause(_ seconds: Double, _ reason: String) async throws {
    guard seconds >= 3 else { return try await sleep(seconds) }
    let whole = Int(seconds)
    // The odd part of a second comes first, so that the countdown keeps to whole ones.
    try await sleep(seconds - Double(whole))
    for left in stride(from: whole, to: 0, by: -1) {
      announce(reason, left)
      try await sleep(1)
    }
  }
}
