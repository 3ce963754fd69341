import Foundation
package import ThreadModel

/// The time, and how to let some of it pass; handed in, so that tests need not wait.
package struct XClock: Sendable {
  package var now: @Sendable () -> Timestamp
  /// Pauses for so many seconds; the reason, a clause, is for whoever watches. Throws where the task is cancelled.
  package var pause: @Sendable (_ seconds: Double, _ reason: String) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp,
    pause: @escaping @Sendable (_ seconds: Double, _ reason: String) async throws -> Void
  ) {
    self.now = now
    self.pause = pause
  }

  /// The machine's clock.
  ///
  /// - Parameter announce: told of pauses of three seconds and more, each second, with what is left of them.
  package static func system(
    announce: @escaping @Sendable (_ reason: String, _ secondsLeft: Int) -> Void = { _, _ in }
  ) -> XClock {
    XClock(
      now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
      pause: { seconds, reason in
        guard seconds >= 3 else { return try await Task.sleep(for: .seconds(seconds)) }
        let whole = Int(seconds)
        // The odd part of a second comes first, so that the countdown keeps to whole ones.
        try await Task.sleep(for: .seconds(seconds - Double(whole)))
        for left in stride(from: whole, to: 0, by: -1) {
          announce(reason, left)
          try await Task.sleep(for: .seconds(1))
        }
      })
  }
}
