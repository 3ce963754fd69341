package import HTTPTransport
package import ThreadModel

/// What an answer says of how many requests its server takes.
///
/// Servers name the end of a window differently: seconds since 1970 (Bluesky), a date (Mastodon), or the seconds that are left (the
/// draft that the headers are named after).
package struct RateLimit: Sendable, Hashable {
  /// Requests that the window still has.
  package var remaining: Int?
  /// When the window ends.
  package var end: Timestamp?
  /// How long the server asks to wait, in seconds.
  package var retryAfter: Double?

  /// - Parameter now: by this machine's clock. Where the server says what its own shows, and that is another time, ends of windows
  ///   are moved by the difference.
  package init(_ headers: HTTPHeaders, at now: Timestamp) {
    remaining = (headers["RateLimit-Remaining"] ?? headers["X-RateLimit-Remaining"]).flatMap { Int($0) }
    retryAfter = RetryVerdict.retryAfter(headers, now: Double(now.milliseconds) / 1000)
    guard let text = headers["RateLimit-Reset"] ?? headers["X-RateLimit-Reset"] else { return }
    let lead = Self.lead(headers, at: now)
    if let number = Int64(text), number >= 0, number < Int64.max / 10_000 {
      end =
        number < Self.shortestDate
        ? Timestamp(milliseconds: now.milliseconds + number * 1000)
        : Timestamp(milliseconds: number * 1000 - lead)
    } else if let date = Timestamp(iso8601: text) {
      end = Timestamp(milliseconds: date.milliseconds - lead)
    }
  }

  /// Smaller numbers are the seconds that are left: as a date it would be in 2001.
  private static let shortestDate: Int64 = 1_000_000_000

  /// What the server's clock is ahead of this machine's, in milliseconds; small differences are none, as dates have whole seconds.
  private static func lead(_ headers: HTTPHeaders, at now: Timestamp) -> Int64 {
    guard let seconds = headers["Date"].flatMap({ HTTPDate.seconds($0) }) else { return 0 }
    let lead = Int64(seconds) * 1000 - now.milliseconds
    return abs(lead) > 3000 ? lead : 0
  }

  /// How long to wait after a refusal, in seconds; `nil` where the server does not say.
  package func wait(at now: Timestamp) -> Double? {
    let untilEnd = end.map { max(0, Double($0.milliseconds - now.milliseconds) / 1000) }
    return retryAfter ?? untilEnd
  }
}
