/// What goes wrong with a request.
package enum StubFault: Hashable, Sendable {
  /// Any status, headers and body.
  case status(Int, headers: [String: String] = [:], body: String = "")
  /// 429 of the window: nothing remains until it is reset, in so many seconds.
  case window(resetsIn: Double)
  /// 429 `usage-capped`: the month's cap, with much of the window remaining.
  case usageCap
  /// 402 `credits-depleted`.
  case creditsDepleted
  case unauthorized
  /// 403 `client-forbidden`.
  case forbidden
  case notFound
  /// 500, or 503 with `Retry-After` where seconds are given.
  case serverError
  case unavailable(retryAfter: Int?)

  /// The right headers and half of the body, then the connection is closed.
  case cutInTheMiddle
  /// The headers, and the connection is closed before any of the body.
  case cutAfterHeaders
  /// The beginning of the right body, then spaces without end.
  case endlessBody
  /// The right body, so many bytes at a time, with pauses of so many seconds.
  case slowDrip(bytes: Int = 1, every: Double = 1)
  case redirect(to: String, status: Int = 302)
  /// The right body, damaged.
  case invalidJSON
  /// A page of HTML with status 200, as gateways give.
  case html
  /// A little gzip that is `bytes` of spaces.
  case gzipBomb(bytes: Int = 256 << 20)
  /// Every page has a `next_token`, and the pages after the last are empty.
  case endlessPages
  /// Every page is the first, with the same `next_token`.
  case samePageForever
  /// The right answer, so many seconds late.
  case pause(Double)
  case neverAnswers

  /// The first word, for messages.
  var name: String { String(describing: self).prefix { $0 != "(" }.description }

  /// Whether it changes the pages and not the answer.
  var isAboutPages: Bool { self == .endlessPages || self == .samePageForever }
}
