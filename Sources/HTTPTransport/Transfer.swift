import CCurl

/// A request while it is carried out, on the thread of its transport alone.
///
/// Each hop of it has an easy handle of its own, which goes with the hop: nothing of a request, such as its credentials, stays in a
/// handle. What is worth keeping (connections, TLS sessions) is in the `ConnectionPool`.
final class Transfer {
  let job: TransferJob
  var target: TransferTarget
  var redirects = 0
  /// When its time is up; `nil` until it first starts.
  var deadline: ContinuousClock.Instant?
  /// Whether it counts as running in the queue.
  var hasTurn = false
  /// There while it runs, absent while it waits.
  var handle: CurlHandle?
  var head = AnswerHead()
  let body: BodySink
  /// Where the request's body comes from, if it is a file.
  let source: BodySource?
  var bodyBytes = 0
  var addresses = AddressPolicy.any
  /// What went wrong, where that was found out here rather than in libcurl.
  var failure: HTTPError?
  /// An address was refused; that is a failure only if there is no other that serves.
  var refusal: String?

  init(_ job: TransferJob) {
    self.job = job
    target = job.target
    body = BodySink(job.path)
    source = job.request.bodyFile.map(BodySource.init)
  }

  var request: HTTPRequest { job.request }

  /// Whether the answer is left for where it leads to.
  var followsRedirect: Bool {
    guard request.authorization == nil, [.get, .head].contains(request.method), request.maximumRedirects > 0
    else {
      return false
    }
    return [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
  }

  func fail(_ kind: HTTPError.Kind, _ message: String) {
    if failure == nil { failure = HTTPError(kind, message, url: target.url) }
  }

  /// Seconds that are left of its time.
  var remaining: Duration? {
    deadline.map { ContinuousClock.now.duration(to: $0) }
  }

  func startClock() {
    if deadline == nil { deadline = .now + .seconds(request.limits.totalSeconds) }
  }

  func response() -> HTTPResponse {
    HTTPResponse(status: head.status, headers: head.headers, body: body.bytes, url: target.url)
  }
}
