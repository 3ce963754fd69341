import Foundation
package import ThreadModel

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
