/// How often a request is made, and how long the pauses are.
package struct RetryPolicy: Sendable, Hashable {
  /// The first included.
  package var maximumTries = 5
  /// Seconds that the first pause has at most; each further one may have twice as many.
  package var firstPause = 1.0
  /// Where the doubling ends, in seconds.
  package var longestGrowingPause = 60.0
  /// The longest pause, in seconds, whatever a server asks for: a window of X's is 15 minutes.
  package var longestPause = 16.0 * 60
  /// Pauses of as many seconds are announced.
  package var announcedPause = 3.0

  package init() {}
}

/// What becomes of a result.
package enum RetryVerdict: Sendable, Hashable {
  /// It is handed on, be it a success or not.
  case accept
  /// The request is made once more, if there are tries left.
  ///
  /// - `after`: seconds to wait as the server asks for them; `nil` for a pause that grows from try to try.
  /// - `reason`: why, for the user: "the server is busy (503)".
  case retry(after: Double?, reason: String)
}

/// A pause, as it is announced each second.
package struct RetryWait: Sendable, Hashable {
  /// What waits: a URL without its query.
  package var url: String
  package var reason: String
  /// Until the next try.
  package var secondsLeft: Int
  /// The number of the try that follows, from 2.
  package var nextTry: Int
  package var maximumTries: Int
}

/// Time and chance, as a retry needs them; tests bring their own.
package struct RetryTiming: Sendable {
  /// Waits for as many seconds, and throws when the task is cancelled.
  package var sleep: @Sendable (_ seconds: Double) async throws -> Void
  /// From 0 up to, not including, 1.
  package var random: @Sendable () -> Double
  /// Seconds since 1970.
  package var now: @Sendable () -> Double

  package init(
    sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
    random: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> Double
  ) {
    self.sleep = sleep
    self.random = random
    self.now = now
  }
}
