package import HTTPTransport
package import ThreadModel

/// Sends the requests of one endpoint as soon as X's rate limits allow.
///
/// It is wrapped by the transport that repeats requests, so that every try waits for its turn and is counted, not only
/// the first.
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

  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await base.download(request, to: path)
  }

  /// Waits for the endpoint's window and for its minimum interval.
  private func waitForTurn(_ url: String) async throws(HTTPError) {
    // Other requests may have waited for the same window and used it up.
    for _ in 0..<3 {
      guard let seconds = windows.closed(endpoint, at: clock.now()) else { break }
      try await pause(seconds, "X's limit for \(endpoint.rawValue) is reached", url)
    }
    let seconds = windows.takeSlot(endpoint, at: clock.now())
    if seconds > 0 { try await pause(seconds, "X takes one such request a second", url) }
  }

  private func pause(_ seconds: Double, _ reason: String, _ url: String) async throws(HTTPError) {
    do {
      try await clock.pause(seconds, reason)
    } catch {
      throw HTTPError(.cancelled, "it was cancelled while it waited (\(reason))", url: url)
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
  /// Decides by X's rules: waits if a window is used up, but not if credits or caps are used up or the request
  /// is invalid. Other results are handled by the rules of HTTP.
  package static func x(_ result: Result<HTTPResponse, HTTPError>, at now: Timestamp) -> RetryVerdict {
    if case .success(let response) = result, response.status == 429 { return judge(response, at: now) }
    return standard(result, now: Double(now.milliseconds) / 1000)
  }

  private static func judge(_ response: HTTPResponse, at now: Timestamp) -> RetryVerdict {
    if XRefusal(response, endpoint: "").isUsageCap { return .accept }
    return .retry(after: windowWait(response.headers, at: now), reason: "X's limit of requests is reached")
  }

  /// If requests are left in the window, the limit was one request a second; otherwise the wait lasts to the end of the window.
  private static func windowWait(_ headers: HTTPHeaders, at now: Timestamp) -> Double? {
    // X's windows end by X's clock, which the response tells; this machine's clock may be wrong by minutes.
    let now = headers["Date"].flatMap { Timestamp(httpDate: $0) } ?? now
    let asked = retryAfter(headers, now: Double(now.milliseconds) / 1000)
    if (headers.remainingRequests ?? 0) > 0 { return asked ?? 2 }
    return headers.windowEnd.map { XRateWindows.wait(until: $0, at: now) } ?? asked
  }
}
