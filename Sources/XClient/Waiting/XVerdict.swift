package import HTTPTransport
package import ThreadModel

/// What to do with an answer of X's: take it, or ask again.
package enum XVerdict: Sendable, Hashable {
  case accept
  /// Ask again after so many seconds, or after a pause that grows with each attempt; the reason is a clause.
  case retry(after: Double?, reason: String)

  /// Judges by X's rules: a window that is used up is waited for; credits and caps that are used up are not, nor is anything that
  /// the request itself is to blame for.
  package init(_ result: Result<HTTPResponse, HTTPError>, at now: Timestamp) {
    switch result {
    case .success(let response): self = Self.judge(response, at: now)
    case .failure(let error):
      switch error.kind {
      case .timedOut, .cut, .unreachable: self = .retry(after: nil, reason: error.message)
      default: self = .accept
      }
    }
  }

  private static func judge(_ response: HTTPResponse, at now: Timestamp) -> XVerdict {
    switch response.status {
    case 429:
      let refusal = XRefusal(response, endpoint: "")
      if refusal.isUsageCap { return .accept }
      return .retry(after: windowWait(response.headers, at: now), reason: "X's limit of requests is reached")
    case 408, 500...599:
      return .retry(after: retryAfter(response.headers), reason: "X has trouble (\(response.status))")
    default: return .accept
    }
  }

  /// Where requests are left in the window, it was the pace of one a second; otherwise the window's end says how long.
  private static func windowWait(_ headers: HTTPHeaders, at now: Timestamp) -> Double? {
    if (headers.remainingRequests ?? 0) > 0 { return retryAfter(headers) ?? 2 }
    if let end = headers.windowEnd { return XRateWindows.wait(until: end, at: now) }
    return retryAfter(headers)
  }

  /// `Retry-After` in seconds (RFC 9110, section 10.2.3); X has never sent a date in it.
  private static func retryAfter(_ headers: HTTPHeaders) -> Double? {
    headers["Retry-After"].flatMap { Double($0) }.flatMap {
      $0.isFinite && $0 >= 0 ? min($0, XRateWindows.longestWait) : nil
    }
  }
}
