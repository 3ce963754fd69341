package import Basics
package import HTTPTransport
import Synchronization
package import ThreadModel

/// Sends requests to open JSON APIs: those of the networks and of the servers of their accounts.
///
/// - Only public addresses are reached, also by redirects. The exception is a server on this machine that site.yml names (which the run's
///   transport allows). The number of redirects is limited, and a request with a credential follows none.
/// - Only a few requests are sent to one host at the same time. Temporary failures are retried. If the server's rate limit is used up,
///   requests wait; the wait is announced and can be canceled.
/// - Requests are counted, and the usage is reported to the run after each response.
package final class WebService: Sendable {
  package struct Options: Sendable {
    /// The maximum size of a response, in bytes.
    package var maximumBytes = 16 << 20
    package var maximumRedirects = 3
    /// The maximum number of simultaneous requests to one host.
    package var requestsAtOnce = 4
    package var retries = RetryPolicy()

    package init() {}
  }

  private struct State {
    var usage = SourceUsage()
    var gates: [String: HostGate] = [:]
  }

  private let run: SourceRun
  private let options: Options
  private let timing: RetryTiming
  private let state = Mutex(State())

  package init(_ run: SourceRun, options: Options = Options(), timing: RetryTiming = .live) {
    self.run = run
    self.options = options
    self.timing = timing
  }

  package var usage: SourceUsage { state.withLock { $0.usage } }

  /// Counts posts and users that were read, and reports the usage to the run.
  package func count(posts: Int = 0, users: Int = 0) {
    let usage = state.withLock { state in
      state.usage.posts += posts
      state.usage.users += users
      return state.usage
    }
    run.report(usage)
  }

  /// Counts a request that was sent by another protocol than HTTP.
  package func count(request endpoint: String) {
    let usage = state.withLock { state in
      state.usage.requests[endpoint, default: 0] += 1
      return state.usage
    }
    run.report(usage)
  }

  /// Sends a request and returns the final response: a success, a refusal, or "not found". Temporary failures are retried first.
  ///
  /// - Throws: ``SourceError`` if no server was reached, the rate limit stays used up, or the response is a server error or a redirect that
  ///   is not followed.
  package func get(_ request: WebRequest) async throws(SourceError) -> WebAnswer {
    let url = Self.url(request)
    var sent = HTTPRequest(request.body == nil ? .get : .post, url)
    sent.body = request.body
    sent.isRepeatable = true
    sent.headers = [("Accept", "application/json")].filter { accept in
      !request.headers.contains { $0.name.lowercased() == accept.0.lowercased() }
    }
    sent.headers += request.headers
    if request.body != nil { sent.headers.append(("Content-Type", "application/json")) }
    sent.authorization = request.authorization
    sent.limits.maximumBytes = min(request.maximumBytes ?? .max, options.maximumBytes)
    sent.maximumRedirects = request.authorization == nil ? options.maximumRedirects : 0
    sent.reach = .publicOnly
    let response: HTTPResponse
    do {
      response = try await transport(for: request).send(sent)
    } catch {
      run.report(usage)
      throw SourceError(error, of: Self.host(of: url))
    }
    run.report(usage)
    let answer = WebAnswer(
      status: response.status, headers: response.headers, body: response.body,
      url: response.url.isEmpty ? url : response.url, endpoint: request.endpoint)
    if let error = SourceError(lasting: answer, askedWithCredential: request.authorization != nil) {
      throw error
    }
    return answer
  }

  private func transport(for request: WebRequest) -> RetryingTransport {
    let host = Self.host(of: request.url)
    let gate = state.withLock { state in
      if let gate = state.gates[host] { return gate }
      let gate = HostGate(atOnce: options.requestsAtOnce)
      state.gates[host] = gate
      return gate
    }
    let gated = GatedTransport(
      base: run.transport, gate: gate, host: host, timing: timing,
      longestPause: options.retries.longestPause, announce: run.announce,
      count: { [self] in state.withLock { $0.usage.requests[request.endpoint, default: 0] += 1 } })
    var retries = options.retries
    if let most = request.maximumTries { retries.maximumTries = min(retries.maximumTries, most) }
    return RetryingTransport(
      gated, policy: retries, timing: timing,
      judge: { [timing] result in
        let now = timing.now()
        guard case .success(let response) = result, response.status == 429 else {
          return .standard(result, now: now)
        }
        let time = Timestamp(milliseconds: Int64(now * 1000))
        return .retry(
          after: RateLimit(response.headers, at: time).wait(at: time),
          reason: "\(host) accepts no more requests for now")
      }, announce: { [announce = run.announce] in announce($0.reason, $0.secondsLeft) })
  }

  private static func url(_ request: WebRequest) -> String {
    guard !request.query.isEmpty else { return request.url }
    let query = request.query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
    return request.url + "?" + query.joined(separator: "&")
  }

  /// Returns the host of a URL with its port, which identifies the server in messages and for rate limits.
  static func host(of url: String) -> String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return rest.prefix(upToBytes: "/?#").lowercased()
  }
}

extension SourceError {
  /// Creates the error for a server that was not reached.
  package init(_ error: HTTPError, of host: String) {
    switch error.kind {
    case .cancelled: self = .stopped
    case .unreachable:
      self.init(
        .network, "\(host) cannot be reached: \(error.message). Check the URL and the connection.")
    case .insecure:
      self.init(.network, "The connection with \(host) is not secure: \(error.message).")
    case .timedOut, .cut:
      self.init(.network, "\(host) did not send a complete response: \(error.message). Try again later.")
    case .tooLarge: self.init(.network, "\(host) sent a response that is too large: \(error.message).")
    case .refusedRedirect, .refusedAddress, .refusedURL:
      self.init(.network, "\(host) was not contacted: \(error.message).")
    case .file, .other: self.init(.network, "\(host) could not be contacted: \(error.message).")
    }
  }

  /// Creates the error for a response whose content is still not usable after all attempts; `nil` for all other responses.
  fileprivate init?(lasting answer: WebAnswer, askedWithCredential: Bool) {
    switch answer.status {
    case 429:
      self.init(
        .quota,
        "\(answer.host) accepts no more requests for now. Run the command again later to resume.")
    case 500...:
      self.init(.network, "\(answer.host) has a problem (\(answer.status)). Try again later.")
    case 300...399:
      let reason = askedWithCredential ? ", and the token is sent only to the original host" : ""
      self.init(.network, "\(answer.host) answered with a redirect (\(answer.status))\(reason).")
    default: return nil
    }
  }
}

/// The rate limit of a server, from the headers of a response.
///
/// Servers write the end of a window in different ways: as seconds since 1970 (Bluesky), as a date (Mastodon), or as the seconds left (the
/// draft that defines the headers).
package struct RateLimit: Sendable, Hashable {
  /// The number of requests left in the window.
  package var remaining: Int?
  /// The end of the window.
  package var end: Timestamp?
  /// The wait that the server asks for, in seconds.
  package var retryAfter: Double?

  /// - Parameter now: the time of this machine's clock. If the response's `Date` header shows that the server's clock differs, the end of
  ///   the window is moved by the difference.
  package init(_ headers: HTTPHeaders, at now: Timestamp) {
    remaining = (headers["RateLimit-Remaining"] ?? headers["X-RateLimit-Remaining"]).flatMap { Int($0) }
    retryAfter = RetryVerdict.retryAfter(headers, now: Double(now.milliseconds) / 1000)
    guard let text = headers["RateLimit-Reset"] ?? headers["X-RateLimit-Reset"] else { return }
    let lead = Self.lead(headers, at: now)
    if let number = Int64(text), number >= 0, number < Int64.max / 10_000 {
      end =
        number < Self.shortestDate
        ? Timestamp(milliseconds: now.milliseconds + number * 1000)
        : Timestamp(milliseconds: number * 1000 - lead)
    } else if let date = Timestamp(iso8601: text) {
      end = Timestamp(milliseconds: date.milliseconds - lead)
    }
  }

  /// Numbers below this one are the seconds left. As seconds since 1970, it is in 2001.
  private static let shortestDate: Int64 = 1_000_000_000

  /// Returns by how many milliseconds the server's clock is ahead of this machine's. Differences up to 3 seconds count as 0, because the
  /// `Date` header has whole seconds.
  private static func lead(_ headers: HTTPHeaders, at now: Timestamp) -> Int64 {
    guard let seconds = headers["Date"].flatMap({ HTTPDate.seconds($0) }) else { return 0 }
    let lead = Int64(seconds) * 1000 - now.milliseconds
    return abs(lead) > 3000 ? lead : 0
  }

  /// Returns the wait after a refusal, in seconds; `nil` if the server does not state it, or states a time that has passed.
  package func wait(at now: Timestamp) -> Double? {
    let untilEnd = end.map { Double($0.milliseconds - now.milliseconds) / 1000 }.flatMap {
      $0 >= 0 ? $0 : nil
    }
    return retryAfter ?? untilEnd
  }
}

/// A request to an open JSON API.
package struct WebRequest: Sendable {
  /// The name under which the request is counted, such as `GET app.bsky.feed.getPosts`.
  package var endpoint: String
  /// The URL without a query.
  package var url: String
  /// The parameters of the query, not yet percent-encoded. A name may occur more than once.
  package var query: [(name: String, value: String)]
  package var headers: [(name: String, value: String)]
  /// The body as JSON, for an API whose requests for data have their parameters there. The request is then a POST that changes nothing, so it
  /// may be repeated, and it follows no redirect.
  package var body: [UInt8]?
  /// The value of the `Authorization` header. A request with this header follows no redirect.
  package var authorization: Secret?
  /// The maximum size of a response, in bytes; `nil` for the service's limit.
  package var maximumBytes: Int?
  /// The maximum number of attempts; `nil` for the service's limit. A lower number is for servers that the user did not choose and that may
  /// not exist.
  package var maximumTries: Int?

  package init(
    _ endpoint: String, _ url: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], authorization: Secret? = nil
  ) {
    self.endpoint = endpoint
    self.url = url
    self.query = query
    self.headers = headers
    self.authorization = authorization
  }
}

/// A final response of a server: a success, or a refusal that would not change on another attempt. The network's client interprets
/// refusals.
package struct WebAnswer: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// The URL of the response after all redirects.
  package var url: String
  package var endpoint: String

  package var isSuccess: Bool { (200...299).contains(status) }

  /// The body as JSON; `nil` if it is not JSON. Refusals are often HTML.
  package var refusal: JSONValue? { try? JSONValue(parsing: body) }

  /// Returns the body as JSON.
  ///
  /// - Throws: ``SourceError`` if the body is not JSON.
  package func json() throws(SourceError) -> JSONValue {
    do {
      return try JSONValue(parsing: body)
    } catch {
      throw SourceError(
        .network,
        "\(host) answered \(endpoint) with something that is not JSON (\(error.message)). Try again later; "
          + "if this persists, the URL may not belong to a server of this kind.")
    }
  }

  /// The server's name, for messages.
  package var host: String { WebService.host(of: url) }
}
