#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A transport that tries again what may succeed later.
///
/// - Pauses are as long as the server asks for, and up to a second longer, so that many clients do not come back at once; or any
///   length from nothing up to a bound that doubles with each try. None is longer than `RetryPolicy.longestPause`.
/// - Long pauses are announced each second, with what is left. Cancelling the task ends a pause at once.
/// - A request that is not repeatable (a POST whose maker did not say that it is) is tried again only where the server cannot have
///   carried it out: when nobody was reached, and when it refused by 429 or 503.
/// - A download starts its file anew with each try.
///
/// When the tries are used up, the last result is handed on as it is.
package struct RetryingTransport: HTTPTransport {
  /// Says what becomes of a result.
  package typealias Judge = @Sendable (Result<HTTPResponse, HTTPError>) -> RetryVerdict

  private let base: any HTTPTransport
  private let policy: RetryPolicy
  private let timing: RetryTiming
  private let judge: Judge
  private let announce: @Sendable (RetryWait) -> Void

  /// - Parameters:
  ///   - judge: `nil` for `RetryVerdict.standard`, which a judge may also ask for what it has no opinion on.
  ///   - announce: told of each long pause, once a second.
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

  /// How long the pause before a try (from 2) is.
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
        // The odd part of a second comes first, so that the countdown keeps to whole ones.
        try await timing.sleep(left == whole ? seconds - Double(whole - 1) : 1)
      }
    } catch {
      throw HTTPError(.cancelled, "it was cancelled while it waited (\(reason))", url: url)
    }
  }
}

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

  /// What HTTP itself says: 408, 429, 5xx (but 501, 505 and 511, which time does not mend), timeouts, hosts out of reach and connections
  /// cut are tried again; all else is accepted. `Retry-After` is honoured.
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

  /// Seconds that `Retry-After` asks for (RFC 9110, 10.2.3); `nil` where it is missing or cannot be read.
  package static func retryAfter(_ headers: HTTPHeaders, now: Double) -> Double? {
    guard let value = headers["Retry-After"] else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Double(value) }
    return HTTPDate.seconds(value).map { max(Double($0) - now, 0) }
  }

  private static func reason(of status: Int) -> String? {
    switch status {
    case 408: "the server waited too long for the request (408)"
    case 429: "too many requests (429)"
    case 501, 505, 511: nil
    case 503: "the server is busy (503)"
    case 500...599: "the server has a problem (\(status))"
    default: nil
    }
  }
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
