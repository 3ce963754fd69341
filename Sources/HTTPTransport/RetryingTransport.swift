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
