package import HTTPTransport
import Synchronization
import ThreadModel
import UTF8Text

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
