package import Basics
package import Foundation
package import HTTPTransport
package import NetworkSources
import Synchronization
package import ThreadModel

/// A client of X's API v2 for one run: one credential, one budget and one state of the rate limits, shared by all parallel requests.
///
/// Requests are sent through sessions, one for each fetched source, so that the received pages are kept until the threads are saved.
package final class XClient: SourceClient {
  package struct Options: Sendable {
    /// The address of the API, with or without slashes at the end.
    package var baseURL = "https://api.x.com"
    /// The maximum cost of the run in US dollars; `nil` for no limit.
    package var maximumCost: Decimal?
    package var prices = XPrices()
    /// The retries of requests that fail temporarily.
    package var retries = RetryPolicy()
    /// The folder of the response cache; `nil` if an interrupted run may pay again.
    package var responseFolder: String?
    /// The path of the file of the `XClientState`.
    package var stateFile: String?
    /// Called with messages about X's responses for the user, a sentence each.
    package var warn: @Sendable (String) -> Void = { _ in }
    /// Called after each response with the usage so far.
    package var report: @Sendable (SourceUsage) -> Void = { _ in }

    package init() {}
  }

  /// The state that the run has learned.
  struct SharedState {
    var clientState: XClientState
    /// Whether X has answered in the dialect of `clientState` in this run.
    var isDialectSure = false
    /// The error after which no requests are sent.
    var stop: SourceError?
    /// The error after which no posts are requested.
    var postsStop: SourceError?
  }

  let options: Options
  let transport: any HTTPTransport
  private let authority: XTokenCache
  let clock: XClock
  let budget: XBudget
  let windows = XRateWindows()
  private let knowledge: Mutex<SharedState>
  private let cache: XResponseCache?
  private let start: Timestamp
  /// The sizes of the pages that issued tokens, by the tokens.
  private let pageSizes = Mutex<[String: Int]>([:])

  /// - Parameter transport: a transport without retries: requests are repeated here, by X's rules.
  /// - Throws: if the cache's folder cannot be read.
  package init(
    _ credential: XCredential, transport: any HTTPTransport, options: Options = Options(),
    clock: XClock = .system()
  ) throws(FileError) {
    var options = options
    while let rest = options.baseURL.without(byteSuffix: "/") { options.baseURL = String(rest) }
    self.options = options
    self.clock = clock
    start = clock.now()
    budget = XBudget(cap: options.maximumCost, prices: options.prices)
    self.transport = transport
    authority = XTokenCache(
      credential,
      exchange: XTokenExchange(
        baseURL: options.baseURL,
        transport: RetryingTransport(forX: transport, policy: options.retries, clock: clock)))
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
  /// - Parameter name: a name for the fetched source, such as `post-123`, equal in each run; two sessions must not have the same name at the same time.
  package func endpoints(named name: String) -> XSession {
    XSession(client: self, cache: cache?.session(named: name))
  }

  /// The dialect of X's newest document; a deployment that does not know it refuses it at no cost.
  private static let firstDialect = XDialect.posts

  /// The outcome of one request.
  private enum Outcome {
    case answer(Answer)
    case refused(XRefusal, SourceError)
  }

  /// Sends a request in the dialect that worked last, and again in the other dialect if X does not understand it.
  private func askInADialect(_ request: XRequest) async throws(SourceError) -> Answer {
    let (dialect, isSure) = knowledge.withLock {
      ($0.clientState.dialect ?? Self.firstDialect, $0.isDialectSure)
    }
    let first = try await outcome(of: request, in: dialect)
    let hasDialects = request.endpoint.subject == .posts
    switch first {
    case .answer(let answer):
      guard hasDialects, !answer.response.posts.isEmpty else { return answer }
      if answer.hasConversations {
        remember(dialect)
        return answer
      }
      // A deployment that ignores unknown names responds with posts without fields.
      if !isSure, case .answer(let second) = try await outcome(of: request, in: dialect.other),
        second.hasConversations
      {
        remember(dialect.other)
        return second
      }
      return answer
    case .refused(let refusal, let error):
      guard hasDialects, refusal.isInvalidRequest, !isSure || refusal.isAboutNames else { throw error }
      switch try await outcome(of: request, in: dialect.other) {
      case .answer(let answer):
        remember(dialect.other)
        return answer
      case .refused(let second, let secondError):
        // If both dialects are refused, the request is invalid for another reason than its names.
        throw refusal.isAboutNames && !second.isAboutNames ? secondError : error
      }
    }
  }

  /// Sends a request in a dialect; if X names an unknown field that is optional, sends it again without the field.
  private func outcome(of request: XRequest, in dialect: XDialect) async throws(SourceError) -> Outcome {
    while true {
      let outcome = try await firstOutcome(of: request, in: dialect)
      guard case .refused(let refusal, _) = outcome, let unknown = newlyRefused(by: refusal) else {
        return outcome
      }
      // Each time at least one field fewer is requested, so the loop ends.
      remember(refused: unknown)
    }
  }

  /// Returns the requested optional fields that a refusal names; `nil` if there are none.
  private func newlyRefused(by refusal: XRefusal) -> Set<String>? {
    let known = knowledge.withLock { $0.clientState.refusedFields(at: clock.now()) }
    let unknown = refusal.unknownValues.intersection(XRequest.dispensable).subtracting(known)
    return unknown.isEmpty ? nil : unknown
  }

  /// Sends a request in a dialect; a 400 that may be about the names of fields is an outcome, every other refusal is an error.
  private func firstOutcome(of request: XRequest, in dialect: XDialect) async throws(SourceError) -> Outcome {
    let (response, token) = try await send(request, in: dialect)
    let endpoint = request.endpoint.rawValue
    guard response.status == 200 else {
      let refusal = XRefusal(response, endpoint: endpoint)
      var error = refusal.error.hiding(token)
      // If several items are requested, X reports each missing one separately; a 404 must not count for all of them.
      if error.kind == .content, request.ids.count > 1 { error.kind = .invalidAnswer }
      guard refusal.isInvalidRequest else { throw error }
      return .refused(refusal, error)
    }
    guard let body = (try? JSONValue(parsing: response.body))?.object else {
      throw XRefusal(response, endpoint: endpoint).error
    }
    let fetchedAt = response.headers["Date"].flatMap { Timestamp(httpDate: $0) } ?? clock.now()
    let answer = Answer(body: body, response: XResponse(body, fetchedAt: fetchedAt))
    switch answer.response.emptyReason {
    case .notAResponse?, .refused?:
      throw XRefusal(response, endpoint: endpoint).error.hiding(token)
    case .noPosts?, nil: return .answer(answer)
    }
  }

  /// A page as received, and parsed.
  struct Answer {
    var body: JSONObject
    var response: XResponse
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
    let answer: Answer
    do {
      answer = try await askInADialect(request)
    } catch {
      budget.release(reservation)
      remember(error, of: request)
      throw error
    }
    budget.book(answer.response, for: reservation, at: clock.now())
    remember(request.pageSize, of: answer.response)
    options.report(usage)
    try checkSubject(of: request, answer.response)
    try keep(answer, for: request, in: cache)
    return answer.response
  }

  /// Remembers the size of a page for the request that continues it.
  private func remember(_ pageSize: Int?, of response: XResponse) {
    guard let token = response.nextToken, let pageSize else { return }
    pageSizes.withLock { $0[token] = pageSize }
  }

  private func keep(
    _ answer: Answer, for request: XRequest, in cache: XResponseCacheSession?
  ) throws(SourceError) {
    do {
      let now = clock.now()
      try cache?.keep(
        .init(
          fetchedAt: answer.response.fetchedAt ?? now, keptAt: now, body: answer.body,
          pageSize: request.pageSize), for: request)
    } catch {
      throw SourceError(
        x: .file, "A page that arrived could not be kept: \(error)", endpoint: request.endpoint.rawValue)
    }
  }

  /// A response for one user that contains only the reason why the user is missing is an error; a response for several posts or users
  /// contains the reasons for each.
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
        x: .content, "X knows no such account: its name may have changed. \(words)", endpoint: endpoint)
    }
  }

  // MARK: What is not asked again

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
        "X refused this account the full-archive search a short while ago; it is asked again after "
          + "\(closedUntil.iso8601). To ask at once, remove the file \(options.stateFile ?? "").",
        endpoint: endpoint.rawValue)
    }
  }

  /// Remembers permanent refusals: those because of credits or the token for the run, that of the full archive for days.
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

  /// Remembers the dialect that X accepted.
  private func remember(_ dialect: XDialect) {
    knowledge.withLock { knowledge in
      knowledge.isDialectSure = true
      guard knowledge.clientState.dialect != dialect else { return }
      knowledge.clientState.dialect = dialect
      write(knowledge.clientState)
    }
  }

  /// Remembers fields that X does not know, and tells the user.
  private func remember(refused fields: Set<String>) {
    knowledge.withLock { knowledge in
      for field in fields { knowledge.clientState.fieldRefusals[field] = clock.now() }
      write(knowledge.clientState)
    }
    let names = fields.sorted().joined(separator: ", ")
    options.warn("X does not know the field \(names), so it is left out of all requests for a week.")
  }

  private func write(_ clientState: XClientState) {
    // If the state cannot be stored, the next run learns it again by one request, which costs nothing.
    if let file = options.stateFile { try? clientState.write(to: file) }
  }

  /// Sends a request as soon as X's limits allow; returns the response, whatever its status, and the token that was sent.
  func send(
    _ request: XRequest, in dialect: XDialect
  ) async throws(SourceError) -> (HTTPResponse, token: Secret) {
    let endpoint = request.endpoint
    let refusedFields = knowledge.withLock { $0.clientState.refusedFields(at: clock.now()) }
    let authorization = try await authority.authorization()
    guard !Task.isCancelled else { throw XRefusal.interrupted(endpoint.rawValue) }
    var message = HTTPRequest(.get, options.baseURL + request.target(in: dialect, without: refusedFields))
    message.headers = [("Accept", "application/json")]
    message.authorization = authorization
    let paced = PacedTransport(
      base: transport, endpoint: endpoint, windows: windows, clock: clock, budget: budget)
    do {
      let response = try await RetryingTransport(forX: paced, policy: options.retries, clock: clock)
        .send(message)
      return (response, Secret(String(authorization.revealed.dropFirst("Bearer ".count))))
    } catch {
      throw XRefusal.noAnswer(error, endpoint.rawValue)
    }
  }
}

extension XClient.Answer {
  /// Whether the posts have the requested fields. `author_id` is no evidence, as its expansion adds it, too.
  fileprivate var hasConversations: Bool { response.posts.contains { $0["conversation_id"] != nil } }
}

extension SourceError {
  /// Creates an error about X.
  ///
  /// - Parameter endpoint: the endpoint, such as `GET /2/tweets`; `nil` if no request was sent.
  init(x kind: Kind, _ message: String, endpoint: String? = nil) {
    self.init(kind, message, at: endpoint.map { "X, \($0)" } ?? "X")
  }

  /// Removes a token from a text that a server sent.
  fileprivate func hiding(_ token: Secret) -> SourceError {
    var result = self
    result.message = message.replacing(token.revealed, with: "(redacted)")
    return result
  }
}
