package import Basics
package import HTTPTransport
import Synchronization
package import ThreadModel

/// Asks open JSON APIs, each network's own and whichever servers its accounts are on.
///
/// - Only public addresses are reached, at every redirect, too; a stand-in on this machine where site.yml names one (the transport
///   of the run is made for that). Redirects are bounded, and a request with a credential follows none.
/// - A few requests are sent to one host at once. What time may mend is tried again; limits of the server are waited for, and
///   the waiting is announced and can be cancelled.
/// - Requests are counted, and the run is told after each answer.
package final class WebService: Sendable {
  package struct Options: Sendable {
    /// Bytes of an answer.
    package var maximumBytes = 16 << 20
    package var maximumRedirects = 3
    /// Requests that one host gets at the same time.
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

  /// Counts what was read.
  package func count(posts: Int = 0, users: Int = 0) {
    let usage = state.withLock { state in
      state.usage.posts += posts
      state.usage.users += users
      return state.usage
    }
    run.report(usage)
  }

  /// Asks, and gives what the server said once it can be expected to stay so: a success, a refusal, "not found".
  ///
  /// - Throws: ``SourceError`` where no server was reached, or one has too much to do or a fault that lasts.
  package func get(_ request: WebRequest) async throws(SourceError) -> WebAnswer {
    let url = Self.url(request)
    var sent = HTTPRequest(.get, url)
    sent.headers = [("Accept", "application/json")].filter { accept in
      !request.headers.contains { $0.name.lowercased() == accept.0.lowercased() }
    }
    sent.headers += request.headers
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
          reason: "\(host) takes no more requests for now")
      }, announce: { [announce = run.announce] in announce($0.reason, $0.secondsLeft) })
  }

  private static func url(_ request: WebRequest) -> String {
    guard !request.query.isEmpty else { return request.url }
    let query = request.query.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
    return request.url + "?" + query.joined(separator: "&")
  }

  /// The host of a URL with its port, as messages name it and limits are counted by.
  static func host(of url: String) -> String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return rest.prefix(upToBytes: "/?#").lowercased()
  }
}

extension SourceError {
  /// Why a server was not reached.
  package init(_ error: HTTPError, of host: String) {
    switch error.kind {
    case .cancelled: self.init(.interrupted, "It was stopped.", endsTheRun: true)
    case .unreachable:
      self.init(
        .network, "\(host) cannot be reached: \(error.message). Check the address and the connection.")
    case .insecure:
      self.init(.network, "The connection with \(host) is not secure: \(error.message).")
    case .timedOut, .cut:
      self.init(.network, "\(host) did not answer to the end: \(error.message). Try again later.")
    case .tooLarge: self.init(.network, "\(host) answered with more than is read: \(error.message).")
    case .refusedRedirect, .refusedAddress, .refusedURL:
      self.init(.network, "\(host) is not asked: \(error.message).")
    case .file, .other: self.init(.network, "\(host) could not be asked: \(error.message).")
    }
  }

  /// What an answer means after which nothing else of it is of use; `nil` for all others.
  fileprivate init?(lasting answer: WebAnswer, askedWithCredential: Bool) {
    switch answer.status {
    case 429:
      self.init(
        .quota,
        "\(answer.host) takes no more requests for now. Run the command again later: it goes on from here.")
    case 500...:
      self.init(.network, "\(answer.host) has a problem (\(answer.status)). Try again later.")
    case 300...399:
      let reason = askedWithCredential ? ", and a token goes nowhere else" : ""
      self.init(.network, "\(answer.host) answered with a redirect (\(answer.status))\(reason).")
    default: return nil
    }
  }
}

/// What an answer says of how many requests its server takes.
///
/// Servers name the end of a window differently: seconds since 1970 (Bluesky), a date (Mastodon), or the seconds that are left (the
/// draft that the headers are named after).
package struct RateLimit: Sendable, Hashable {
  /// Requests that the window still has.
  package var remaining: Int?
  /// When the window ends.
  package var end: Timestamp?
  /// How long the server asks to wait, in seconds.
  package var retryAfter: Double?

  /// - Parameter now: by this machine's clock. Where the server says what its own shows, and that is another time, ends of windows
  ///   are moved by the difference.
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

  /// Smaller numbers are the seconds that are left: as a date it would be in 2001.
  private static let shortestDate: Int64 = 1_000_000_000

  /// What the server's clock is ahead of this machine's, in milliseconds; small differences are none, as dates have whole seconds.
  private static func lead(_ headers: HTTPHeaders, at now: Timestamp) -> Int64 {
    guard let seconds = headers["Date"].flatMap({ HTTPDate.seconds($0) }) else { return 0 }
    let lead = Int64(seconds) * 1000 - now.milliseconds
    return abs(lead) > 3000 ? lead : 0
  }

  /// How long to wait after a refusal, in seconds; `nil` where the server does not say.
  package func wait(at now: Timestamp) -> Double? {
    let untilEnd = end.map { max(0, Double($0.milliseconds - now.milliseconds) / 1000) }
    return retryAfter ?? untilEnd
  }
}

/// A question to an open JSON API.
package struct WebRequest: Sendable {
  /// What it is counted as, such as `GET app.bsky.feed.getPosts`.
  package var endpoint: String
  /// Without a query.
  package var url: String
  /// A name may stand more than once. Names and values are written in percent-encoding.
  package var query: [(name: String, value: String)]
  package var headers: [(name: String, value: String)]
  /// The value of the `Authorization` header. A request with one follows no redirect.
  package var authorization: Secret?
  /// Bytes of the answer; `nil` for as many as of any.
  package var maximumBytes: Int?
  /// How often it is asked at most; `nil` for as often as any. For servers that nobody chose, and that may not be there at all.
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

/// What a server said: a success, or a refusal that asking again would not change. What a refusal means, each network knows.
package struct WebAnswer: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// Where it came from, after all redirects.
  package var url: String
  package var endpoint: String

  package var isSuccess: Bool { (200...299).contains(status) }

  /// The body, where it is JSON: refusals are often HTML.
  package var refusal: JSONValue? { try? JSONValue(parsing: body) }

  /// The body of an answer that has to be JSON.
  package func json() throws(SourceError) -> JSONValue {
    do {
      return try JSONValue(parsing: body)
    } catch {
      throw SourceError(
        .network,
        "\(host) answered \(endpoint) with something that is not JSON (\(error.message)). Try again later; "
          + "if it stays like this, the address may not lead to a server of this kind.")
    }
  }

  /// The server's name, for messages.
  package var host: String { WebService.host(of: url) }
}
