package import HTTPTransport
package import ThreadModel

extension RetryVerdict {
  /// Judges by X's rules: a window that is used up is waited for; credits and caps that are used up are not, nor is anything that
  /// the request itself is to blame for. What X has no rule for is judged as HTTP says.
  package static func x(_ result: Result<HTTPResponse, HTTPError>, at now: Timestamp) -> RetryVerdict {
    if case .success(let response) = result, response.status == 429 { return judge(response, at: now) }
    return standard(result, now: Double(now.milliseconds) / 1000)
  }

  private static func judge(_ response: HTTPResponse, at now: Timestamp) -> RetryVerdict {
    if XRefusal(response, endpoint: "").isUsageCap { return .accept }
    return .retry(after: windowWait(response.headers, at: now), reason: "X's limit of requests is reached")
  }

  /// Where requests are left in the window, it was the pace of one a second; otherwise the window's end says how long.
  private static func windowWait(_ headers: HTTPHeaders, at now: Timestamp) -> Double? {
    // X's windows end by X's clock, which the answer tells; the machine's may be wrong by minutes.
    let now = headers["Date"].flatMap { Timestamp(httpDate: $0) } ?? now
    let asked = retryAfter(headers, now: Double(now.milliseconds) / 1000)
    if (headers.remainingRequests ?? 0) > 0 { return asked ?? 2 }
    return headers.windowEnd.map { XRateWindows.wait(until: $0, at: now) } ?? asked
  }
}
