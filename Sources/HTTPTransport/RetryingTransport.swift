#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A transport that repeats requests that may succeed later.
///
/// - A pause is as long as the server asks for, plus up to a second so that many clients do not return at once. Without a request by the
///   server, it is random, up to a limit that doubles with each attempt. No pause is longer than `RetryPolicy.longestPause`.
/// - Long pauses are announced each second, with the remaining time. Canceling the task ends a pause at once.
/// - A request that is not repeatable (a POST that was not declared to be) is repeated only if the server cannot have processed it: if the
///   server was not reached, or refused the request with 429 or 503.
/// - Each attempt of a download starts with an empty file.
///
/// After the last attempt, its result is returned unchanged.
package struct RetryingTransport: HTTPTransport {
  /// Decides how a result is handled.
  package typealias Judge = @Sendable (Result<HTTPResponse, HTTPError>) -> RetryVerdict

  private let base: any HTTPTransport
  private let policy: RetryPolicy
  private let timing: RetryTiming
  private let judge: Judge
  private let announce: @Sendable (RetryWait) -> Void

  /// - Parameters:
  ///   - judge: `nil` for `RetryVerdict.standard`, which a judge may also call itself.
  ///   - announce: called once per second during long pauses.
  package init(
    _ base: any HTTPTransport, policy: RetryPolicy = RetryPolicy(), timing: RetryTiming = .live,
    judge: Judge? = nil, announce: @escaping @Sendable (RetryWait) -> Void = { _ in }
  ) {
    self.base = base
    self.policy = policy
    self.timing = timing
    self.judge = judge ?? { RetryVerdict.standard($0, now: timing.now()) }
    self.announce = announce
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await retrying(request) { () async throws(HTTPError) in try await base.send(request) }
  }

  package func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await retrying(request) { () async throws(HTTPError) in
      try await base.download(request, to: path)
    }
  }

  /// Opening is not repeated.
  package func openWebSocket(_ request: HTTPRequest) async throws(HTTPError) -> any WebSocket {
    try await base.openWebSocket(request)
  }

  private func retrying(
    _ request: HTTPRequest, _ attempt: () async throws(HTTPError) -> HTTPResponse
  ) async throws(HTTPError) -> HTTPResponse {
    var tries = 1
    while true {
      let result = await Self.result(of: attempt)
      guard tries < policy.maximumTries, request.isRepeatable || Self.wasNotCarriedOut(result),
        !Task.isCancelled, case .retry(let after, let reason) = judge(result)
      else { return try result.get() }
      tries += 1
      try await pause(
        seconds(after, before: tries), reason: reason, before: tries, url: request.url)
    }
  }

  private static func result(
    of attempt: () async throws(HTTPError) -> HTTPResponse
  ) async -> Result<HTTPResponse, HTTPError> {
    do throws(HTTPError) { return .success(try await attempt()) } catch { return .failure(error) }
  }

  private static func wasNotCarriedOut(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
    switch result {
    case .success(let response): response.status == 429 || response.status == 503
    case .failure(let error): error.kind == .unreachable
    }
  }

  /// Returns the length in seconds of the pause before an attempt (from 2).
  private func seconds(_ after: Double?, before attempt: Int) -> Double {
    let random = timing.random()
    if let after, !after.isNaN { return min(max(after, 0) + random, policy.longestPause) }
    var bound = policy.firstPause
    for _ in 2..<max(attempt, 2) where bound < policy.longestGrowingPause { bound *= 2 }
    return min(bound, policy.longestGrowingPause, policy.longestPause) * random
  }

  private func pause(
    _ seconds: Double, reason: String, before attempt: Int, url: String
  ) async throws(HTTPError) {
    do {
      guard seconds >= policy.announcedPause else { return try await timing.sleep(seconds) }
      let whole = Int(seconds.rounded(.up))
      for left in stride(from: whole, to: 0, by: -1) {
        announce(
          RetryWait(
            url: HTTPError.shown(url), reason: reason, secondsLeft: left, nextTry: attempt,
            maximumTries: policy.maximumTries))
        // The fraction of a second comes first, so that the countdown continues in whole seconds.
        try await timing.sleep(left == whole ? seconds - Double(whole - 1) : 1)
      }
    } catch {
      throw HTTPError(.cancelled, "it was canceled while it waited (\(reason))", url: url)
    }
  }
}

/// The number of attempts of a request, and the lengths of the pauses between them.
package struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, including the first.
  package var maximumTries = 5
  /// The maximum length of the first pause, in seconds; it doubles for each further pause.
  package var firstPause = 1.0
  /// The limit of the doubling, in seconds.
  package var longestGrowingPause = 60.0
  /// The maximum pause, in seconds, whatever a server asks for. X's rate limit windows have 15 minutes.
  package var longestPause = 16.0 * 60
  /// The minimum length in seconds of pauses that are announced.
  package var announcedPause = 3.0

  package init() {}
}

/// The decision about a result.
package enum RetryVerdict: Sendable, Hashable {
  /// The result is returned, whether it is a success or not.
  case accept
  /// The request is repeated, if attempts are left.
  ///
  /// - `after`: the pause that the server asks for, in seconds; `nil` for a pause that grows with each attempt.
  /// - `reason`: the reason for the user: "the server is busy (503)".
  case retry(after: Double?, reason: String)

  /// The decision by HTTP's rules. Repeated are 408, 429, 5xx (except 501, 505 and 511, which are permanent), timeouts, unreachable hosts
  /// and cut connections. All other results are accepted. `Retry-After` is respected.
  ///
  /// - Parameter now: seconds since 1970, for a `Retry-After` that is a date.
  package static func standard(_ result: Result<HTTPResponse, HTTPError>, now: Double) -> RetryVerdict {
    switch result {
    case .success(let response):
      guard let reason = reason(of: response.status) else { return .accept }
      return .retry(after: retryAfter(response.headers, now: now), reason: reason)
    case .failure(let error):
      switch error.kind {
      case .cut, .timedOut, .unreachable: return .retry(after: nil, reason: error.message)
      default: return .accept
      }
    }
  }

  /// The seconds of `Retry-After` (RFC 9110, 10.2.3); `nil` if it is missing or invalid, or a date that has passed.
  ///
  /// A date is by the server's clock, which is in the response's `Date`. This machine's clock may be wrong by minutes.
  package static func retryAfter(_ headers: HTTPHeaders, now: Double) -> Double? {
    guard let value = headers["Retry-After"] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Double(value) }
    let now = headers["Date"].flatMap { HTTPDate.seconds($0) }.map { Double($0) } ?? now
    return HTTPDate.seconds(value).map { Double($0) - now }.flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func reason(of status: Int) -> String? {
    switch status {
    case 408: "the server timed out waiting for the request (408)"
    case 429: "too many requests (429)"
    case 501, 505, 511: nil
    case 503: "the server is busy (503)"
    case 500...599: "the server has a problem (\(status))"
    default: nil
    }
  }
}

/// A pause, announced each second.
package struct RetryWait: Sendable, Hashable {
  /// The URL of the waiting request, without its query.
  package var url: String
  package var reason: String
  /// The seconds until the next attempt.
  package var secondsLeft: Int
  /// The number of the next attempt, from 2.
  package var nextTry: Int
  package var maximumTries: Int
}

/// The clock and the random numbers of a retry; tests replace them.
package struct RetryTiming: Sendable {
  /// Waits for a number of seconds; throws if the task is canceled.
  package var sleep: @Sendable (_ seconds: Double) async throws -> Void
  /// Returns a random number from 0 up to, but not including, 1.
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

  /// The machine's clock and random numbers.
  package static let live = RetryTiming(
    sleep: { try await Task.sleep(for: .seconds($0)) },
    random: { Double.random(in: 0..<1) },
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    })
}
