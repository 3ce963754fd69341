package import Basics
package import Foundation
package import HTTPTransport
package import NetworkSources
import Synchronization
package import ThreadModel

/// A client of X's API v2 for one run: one credential, one budget, and one state of the rate limits, shared by all parallel requests.
///
/// Requests are sent through sessions, one for each fetched source, so that the received pages are kept until the threads are saved.
package final class XClient: SourceClient {
  package struct Options: Sendable {
    /// The URL of the API, with or without slashes at the end.
    package var baseURL = "https://api.x.com"
    /// The maximum cost of the run in US dollars; `nil` for no limit.
    package var maximumCost: Decimal?
    package var prices = XPrices()
    /// The retries of requests that fail temporarily.
    package var retries = RetryPolicy()
    /// The folder of the response cache; `nil` if an interrupted run may pay twice.
    package var responseFolder: String?
    /// The path of the file with the `XClientState`.
    package var stateFile: String?
    /// Called with messages for the user about X's responses, each a sentence.
    package var warn: @Sendable (String) -> Void = { _ in }
    /// Called after each response with the usage so far.
    package var report: @Sendable (SourceUsage) -> Void = { _ in }

    package init() {}
  }

  /// The state that the run has learned.
  struct SharedState {
    var clientState: XClientState
    /// The error after which no requests are sent.
    var stop: SourceError?
    /// The error after which no posts are requested.
    var postsStop: SourceError?
  }

  let options: Options
  let transport: any HTTPTransport
  private let tokens: XTokens
  let clock: XClock
  let budget: XBudget
  let windows = XRateWindows()
  private let knowledge: Mutex<SharedState>
  private let cache: XResponseCache?
  private let start: Timestamp
  /// The page sizes for which tokens were issued, by token.
  private let pageSizes = Mutex<[String: Int]>([:])

  /// - Parameter transport: a transport without retries. Requests are repeated here, by X's rules.
  /// - Throws: if the cache's folder cannot be read.
  package init(
    _ credential: XCredential, transport: any HTTPTransport, options: Options = Options(),
    clock: XClock
  ) throws(FileError) {
    var options = options
    while let rest = options.baseURL.without(byteSuffix: "/") { options.baseURL = String(rest) }
    self.options = options
    self.clock = clock
    start = clock.now()
    budget = XBudget(cap: options.maximumCost, prices: options.prices)
    self.transport = transport
    tokens = XTokens(
      credential, baseURL: options.baseURL,
      transport: RetryingTransport(forX: transport, policy: options.retries, clock: clock))
    knowledge = Mutex(
      SharedState(clientState: options.stateFile.map { XClientState(file: $0) } ?? XClientState()))
    if let folder = options.responseFolder {
      cache = try XResponseCache(folder: folder, now: clock.now())
    } else {
      cache = nil
    }
  }

  /// The usage so far; can be read at any time.
  package var usage: SourceUsage { budget.usage }

  /// The time from which the full-archive search is requested again; `nil` if it was not refused within the last days.
  package var fullArchiveClosedUntil: Timestamp? {
    knowledge.withLock { $0.clientState.fullArchiveClosedUntil(at: clock.now()) }
  }

  package func session(named name: String) -> any SourceSession {
    XThreads(endpoints(named: name), now: start, lacksFullSearch: fullArchiveClosedUntil != nil)
  }

  /// Returns X's endpoints for a session, which reuses the pages of an interrupted session with the same name.
  ///
  /// - Parameter name: a name for the fetched source, such as `post-123`, the same in each run. Two sessions must not have the same name at
  ///   the same time.
  package func endpoints(named name: String) -> XSession {
    XSession(client: self, cache: cache?.session(named: name))
  }

  /// Returns the page for a request, from the cache or from X.
  func answer(
    to request: XRequest, _ cache: XResponseCacheSession?
  ) async throws(SourceError) -> XResponse {
    if let page = cache?.page(for: request, at: clock.now()) {
      let response = XResponse(page.body, fetchedAt: page.fetchedAt)
      remember(page.pageSize, of: response)
      budget.note(response, at: clock.now())
      return response
    }
    try checkStops(request)
    let size = request.pageToken.flatMap { token in pageSizes.withLock { $0[token] } }
    let (request, reservation) = try await budget.reserve(
      size.map(request.continued) ?? request, at: clock.now)
    let (body, response): (JSONObject, XResponse)
    do {
      (body, response) = try await send(request)
    } catch {
      budget.release(reservation)
      remember(error, of: request)
      throw error
    }
    budget.book(response, for: reservation, at: clock.now())
    remember(request.pageSize, of: response)
    options.report(usage)
    try checkSubject(of: request, response)
    let now = clock.now()
    do {
      try cache?.keep(
        .init(
          fetchedAt: response.fetchedAt ?? now, keptAt: now, body: body, pageSize: request.pageSize),
        for: request)
    } catch {
      throw SourceError(
        x: .file, "A page of results could not be saved: \(error)", endpoint: request.endpoint.rawValue)
    }
    return response
  }

  /// Sends a request as soon as X's limits allow. If X rejects an optional field as unknown, the request is sent again without the field.
  private func send(_ request: XRequest) async throws(SourceError) -> (body: JSONObject, response: XResponse)
  {
    let endpoint = request.endpoint.rawValue
    let paced = PacedTransport(
      base: transport, endpoint: request.endpoint, windows: windows, clock: clock, budget: budget)
    let retrying = RetryingTransport(forX: paced, policy: options.retries, clock: clock)
    while true {
      let token = try await tokens.token()
      guard !Task.isCancelled else { throw XRefusal.interrupted(endpoint) }
      let refusedFields = knowledge.withLock { $0.clientState.refusedFields(at: clock.now()) }
      var message = HTTPRequest(.get, options.baseURL + request.target(without: refusedFields))
      message.headers = [("Accept", "application/json")]
      message.authorization = Secret("Bearer \(token.revealed)")
      let answer: HTTPResponse
      do {
        answer = try await retrying.send(message)
      } catch {
        throw XRefusal.noAnswer(error, endpoint)
      }
      if answer.status == 200, let body = (try? JSONValue(parsing: answer.body))?.object {
        let fetchedAt = answer.headers["Date"].flatMap { Timestamp(httpDate: $0) } ?? clock.now()
        let response = XResponse(body, fetchedAt: fetchedAt)
        switch response.emptyReason {
        case .noPosts?, nil: return (body, response)
        case .notAResponse?, .refused?: break
        }
      }
      let refusal = XRefusal(answer, endpoint: endpoint, hiding: token)
      // Each repetition requests at least one field fewer, so the loop ends.
      if refusal.isInvalidRequest, remember(unknown: refusal.unknownValues) { continue }
      var error = refusal.error
      // If several items are requested, X reports each missing one separately. A 404 must not count for all of them.
      if error.kind == .content, request.ids.count > 1 { error.kind = .invalidAnswer }
      throw error
    }
  }

  /// Remembers the size of a page for the request that continues it.
  private func remember(_ pageSize: Int?, of response: XResponse) {
    guard let token = response.nextToken, let pageSize else { return }
    pageSizes.withLock { $0[token] = pageSize }
  }

  /// Throws if a response for one user contains only the reason why the user is missing. A response for several posts or users contains the
  /// reason for each.
  private func checkSubject(of request: XRequest, _ response: XResponse) throws(SourceError) {
    guard [.userByHandle, .timeline, .followers].contains(request.endpoint), response.posts.isEmpty,
      response.users.isEmpty,
      let problem = response.problems.first(where: { $0.resourceType == nil || $0.resourceType == "user" })
    else { return }
    let endpoint = request.endpoint.rawValue
    let words = "X says: \(problem.detail ?? problem.title)"
    switch problem.reason {
    case .suspended:
      throw SourceError(x: .suspended, "X has suspended the account. \(words)", endpoint: endpoint)
    case .protected:
      throw SourceError(
        x: .protected, "The account shows its posts to its followers only. \(words)", endpoint: endpoint)
    default:
      throw SourceError(
        x: .content, "X has no such account; its name may have changed. \(words)", endpoint: endpoint)
    }
  }

  // MARK: Refused requests

  /// Throws if the request is known to be refused.
  private func checkStops(_ request: XRequest) throws(SourceError) {
    let endpoint = request.endpoint
    let (stop, closedUntil) = knowledge.withLock { knowledge in
      (
        knowledge.stop ?? (endpoint.subject == .posts ? knowledge.postsStop : nil),
        endpoint == .searchAll ? knowledge.clientState.fullArchiveClosedUntil(at: clock.now()) : nil
      )
    }
    if let stop { throw stop }
    if let closedUntil {
      throw SourceError(
        x: .access,
        "X recently denied this account the full-archive search; the next attempt is after "
          + "\(closedUntil.iso8601). To try at once, delete the file \(options.stateFile ?? "").",
        endpoint: endpoint.rawValue)
    }
  }

  /// Remembers permanent refusals: because of credits or the token for the run, of the full archive for several days.
  private func remember(_ error: SourceError, of request: XRequest) {
    knowledge.withLock { knowledge in
      switch error.kind {
      case .creditsDepleted, .wrongCredential: knowledge.stop = error
      case .usageCapped: knowledge.postsStop = error
      case .access where request.endpoint == .searchAll:
        knowledge.clientState.fullArchiveRefusedAt = clock.now()
        write(knowledge.clientState)
      default: break
      }
    }
  }

  /// Remembers optional fields that X does not know, and reports them to the user.
  ///
  /// - Parameter values: all values that X does not know.
  /// - Returns: whether there are such fields that were not known before.
  private func remember(unknown values: Set<String>) -> Bool {
    let fields = knowledge.withLock { knowledge in
      let fields = values.intersection(XRequest.dispensable)
        .subtracting(knowledge.clientState.refusedFields(at: clock.now()))
      for field in fields { knowledge.clientState.fieldRefusals[field] = clock.now() }
      if !fields.isEmpty { write(knowledge.clientState) }
      return fields
    }
    guard !fields.isEmpty else { return false }
    let names = fields.sorted().joined(separator: ", ")
    options.warn("X does not support the field \(names), so it is left out of all requests for a week.")
    return true
  }

  private func write(_ clientState: XClientState) {
    // If the state cannot be stored, the next run obtains it again by one request, which costs nothing.
    if let file = options.stateFile { try? clientState.write(to: file) }
  }
}

extension SourceError {
  /// Creates an error about X.
  ///
  /// - Parameter endpoint: the endpoint, such as `GET /2/tweets`; `nil` if no request was sent.
  init(x kind: Kind, _ message: String, endpoint: String? = nil) {
    self.init(kind, message, at: endpoint.map { "X, \($0)" } ?? "X")
  }
}

/// The findings of a run about X's API, stored for the next run in a small file that may be deleted at any time.
package struct XClientState: Sendable, Hashable {
  /// The time at which X refused the full-archive search to this account.
  package var fullArchiveRefusedAt: Timestamp?

  /// The times at which X did not know a field or an expansion, by their names.
  package var fieldRefusals: [String: Timestamp] = [:]

  /// The number of days after which a refused request is tried again, because accounts and deployments change.
  private static let refusalDays: Int64 = 7

  package init() {}

  /// Reads the file; a missing or damaged file gives an empty state.
  package init(file: String) {
    self.init()
    guard let bytes = try? FileBytes.read(file, atMost: 65_536), let json = try? JSONValue(parsing: bytes)
    else {
      return
    }
    fullArchiveRefusedAt = json["full_archive_refused_at"]?.string.flatMap { Timestamp(iso8601: $0) }
    for (name, time) in json["refused_fields"]?.object ?? [:] {
      fieldRefusals[name] = time.string.flatMap { Timestamp(iso8601: $0) }
    }
  }

  /// The time from which the full archive may be requested again; `nil` if it may be requested now.
  package func fullArchiveClosedUntil(at now: Timestamp) -> Timestamp? {
    guard let refused = fullArchiveRefusedAt, refused <= now else { return nil }
    let end = Timestamp(milliseconds: refused.milliseconds + Self.refusalDays * 86_400_000)
    return now < end ? end : nil
  }

  /// The fields that are not requested now.
  package func refusedFields(at now: Timestamp) -> Set<String> {
    let oldest = now.milliseconds - Self.refusalDays * 86_400_000
    return Set(fieldRefusals.filter { (oldest...now.milliseconds).contains($0.value.milliseconds) }.keys)
  }

  func write(to file: String) throws(FileError) {
    var object: JSONObject = [:]
    if let time = fullArchiveRefusedAt { object["full_archive_refused_at"] = .string(time.iso8601) }
    if !fieldRefusals.isEmpty {
      object["refused_fields"] = .object(fieldRefusals.mapValues { .string($0.iso8601) })
    }
    if let folder = PathText.folder(of: file), !folder.isEmpty {
      try FileSystem.makeFolders(String(folder))
    }
    try AtomicFile.write(JSONWriter.text(of: .object(object)).bytes, to: file)
  }
}
