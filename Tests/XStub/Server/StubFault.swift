/// A fault in the response to a request.
package enum StubFault: Hashable, Sendable {
  /// Any status, headers and body.
  case status(Int, headers: [String: String] = [:], body: String = "")
  /// 429 of the rate limit's window, which is used up until its reset after this number of seconds.
  case window(resetsIn: Double)
  /// 429 `usage-capped`: the monthly cap is reached, while the window is not used up.
  case usageCap
  /// 402 `credits-depleted`.
  case creditsDepleted
  case unauthorized
  /// 403 `client-forbidden`.
  case forbidden
  case notFound
  /// 500.
  case serverError
  /// 503, with `Retry-After` if seconds are given.
  case unavailable(retryAfter: Int?)

  /// The correct headers and half of the body, then the connection is closed.
  case cutInTheMiddle
  /// The correct headers, then the connection is closed before the body.
  case cutAfterHeaders
  /// The beginning of the correct body, then endless spaces.
  case endlessBody
  /// The correct body in pieces of `bytes` bytes, with pauses of `every` seconds.
  case slowDrip(bytes: Int = 1, every: Double = 1)
  case redirect(to: String, status: Int = 302)
  /// The correct body, damaged.
  case invalidJSON
  /// A page of HTML with status 200, as gateways send it.
  case html
  /// A small gzip stream that expands to `bytes` spaces.
  case gzipBomb(bytes: Int = 256 << 20)
  /// Every page has a `next_token`, and the pages after the last are empty.
  case endlessPages
  /// Every page is the first page, with the same `next_token`.
  case samePageForever
  /// The correct response, delayed by this number of seconds.
  case pause(Double)
  case neverAnswers

  /// The name of the case, for messages.
  var name: String { String(describing: self).prefix { $0 != "(" }.description }

  /// Whether the fault changes the paging and not the response itself.
  var isAboutPages: Bool { self == .endlessPages || self == .samePageForever }
}
