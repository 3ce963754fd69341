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

  /// The machine's clock; pauses are silent.
  package static let system = XClock(
    now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
    pause: { seconds, _ in try await Task.sleep(for: .seconds(seconds)) })
}
