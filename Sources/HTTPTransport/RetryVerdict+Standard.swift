extension RetryVerdict {
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
