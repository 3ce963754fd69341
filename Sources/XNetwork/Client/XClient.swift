package import Basics
package import Foundation
package import HTTPTransport
import Synchronization
package import ThreadModel

/// X's API v2 for one run: one credential, one budget, one view of X's limits, shared by all that ask at the same time.
///
/// Questions are asked through sessions, one for each thing that is fetched, so that what arrived for it is kept until it is saved.
package final class XClient: Sendable {
  package struct Options: Sendable {
    /// Where the API is; slashes at its end do not matter.
    package var baseURL = "https://api.x.com"
    /// The most that the run may cost, in US dollars; `nil` for no cap.
    package var maximumCost: Decimal?
    package var prices = XPrices()
    /// How often a request is made that fails for a while.
    package var retries = RetryPolicy()
    /// Where pages are kept until they are saved; `nil` where an interrupted run may pay again.
    package var responseFolder: String?
    /// The small file of what was learned about X's answers.
    package var stateFile: String?
    /// Told what the user should know of X's answers, a sentence each.
    package var warn: @Sendable (String) -> Void = { _ in }
    /// Told after each answer what was asked and read so far.
    package var report: @Sendable (XUsage) -> Void = { _ in }

    package init() {}
  }

  /// What the run has learned.
  struct Knowledge {
    var clientState: XClientState
    /// Whether X has answered in the dialect of `clientState` in this run.
    var isDialectSure = false
    /// Why nothing is asked any more.
    var stop: XClientError?
    /// Why no posts are asked for any more.
    var postsStop: XClientError?
  }

  let options: Options
  let transport: any HTTPTransport
  private let authority: XAuthority
  let clock: XClock
  let budget: XBudget
  let windows = XRateWindows()
  private let knowledge: Mutex<Knowledge>
  private let cache: XResponseCache?

  /// - Parameter transport: one that tries nothing again by itself: when to is decided here, by X's rules.
  /// - Throws: where the cache's folder cannot be read.
  package init(
    _ credential: XCredential, transport: any HTTPTransport, options: Options = Options(),
    clock: XClock = .system()
  ) throws(FileError) {
    var options = options
    while let rest = options.baseURL.without(byteSuffix: "/") { options.baseURL = String(rest) }
    self.options = options
    self.clock = clock
    budget = XBudget(cap: options.maximumCost, prices: options.prices)
    self.transport = transport
    authority = XAuthority(
      credential,
      exchange: XTokenExchange(
        baseURL: options.baseURL,
        transport: RetryingTransport(
          forX: transport, policy: options.retries, clock: clock, budget: budget)))
    knowledge = Mutex(
      Knowledge(clientState: options.stateFile.map { XClientState(file: $0) } ?? XClientState()))
    if let folder = options.responseFolder {
      cache = try XResponseCache(folder: folder, now: clock.now())
    } else {
      cache = nil
    }
  }

  /// What was asked and read so far; may be looked at any time.
  package var usage: XUsage { budget.usage }

  /// What the full-archive search says without being asked: when it was refused, where that was within the last days.
  package var fullArchiveClosedUntil: Timestamp? {
    knowledge.withLock { $0.clientState.fullArchiveClosedUntil(at: clock.now()) }
  }

  /// A session; one of the same name in an interrupted run left its pages to it.
  ///
  /// - Parameter name: what is fetched, such as `post-123`: the same in each run, and only one session of it at a time.
  package func session(named name: String) -> XSession {
    XSession(client: self, cache: cache?.session(named: name))
  }

  /// The dialect of the newest of X's documents; a deployment that does not know it yet says so at no cost.
  private static let firstDialect = XDialect.posts

  /// What came of one request.
  private enum Outcome {
    case answer(Answer)
    case refused(XRefusal, XClientError)
  }

  /// Asks in the dialect that worked last, and once more in the other where X does not understand it.
  private func askInADialect(_ request: XRequest) async throws(XClientError) -> Answer {
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
      // A deployment that passes over names it does not know answers with bare posts.
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
        // Where both are refused, the request is wrong in itself; what is said about names is beside the point.
        throw refusal.isAboutNames && !second.isAboutNames ? secondError : error
      }
    }
  }

  /// Sends a request in a dialect; where X names a field that it does not know and a page can do without, once more without that.
  private func outcome(of request: XRequest, in dialect: XDialect) async throws(XClientError) -> Outcome {
    while true {
      let outcome = try await firstOutcome(of: request, in: dialect)
      guard case .refused(let refusal, _) = outcome, let unknown = newlyRefused(by: refusal) else {
        return outcome
      }
      // Each time at least one field fewer is asked for, so this ends.
      remember(refused: unknown)
    }
  }

  /// Fields named by a refusal that can be left out and were asked for; `nil` where there are none.
  private func newlyRefused(by refusal: XRefusal) -> Set<String>? {
    let known = knowledge.withLock { $0.clientState.refusedFields(at: clock.now()) }
    let unknown = refusal.unknownValues.intersection(XRequest.dispensable).subtracting(known)
    return unknown.isEmpty ? nil : unknown
  }

  /// Sends a request in a dialect; a 400 is an outcome, every other refusal an error.
  private func firstOutcome(of request: XRequest, in dialect: XDialect) async throws(XClientError) -> Outcome
  {
    let (response, token) = try await send(request, in: dialect)
    let endpoint = request.endpoint.rawValue
    guard response.status == 200 else {
      let refusal = XRefusal(response, endpoint: endpoint)
      var error = refusal.error.hiding(token)
      // Of several things X says one by one which are missing; nobody is to take all of them for gone.
      if error.kind == .notFound, request.ids.count > 1 { error.kind = .invalidAnswer }
      guard refusal.isInvalidRequest else { throw error }
      return .refused(refusal, error)
    }
    guard let body = (try? JSONValue(parsing: response.body))?.object else {
      throw XRefusal(response, endpoint: endpoint).error
    }
    let fetchedAt = response.headers["Date"].flatMap { Timestamp(httpDate: $0) } ?? clock.now()
    let answer = Answer(body: body, response: XResponse(body, fetchedAt: fetchedAt))
    switch answer.response.emptyReason {
    case .notAResponse?, .notJSON?, .refused?:
      throw XRefusal(response, endpoint: endpoint).error.hiding(token)
    case .noPosts?, nil: return .answer(answer)
    }
  }

  /// A page as it came, and sorted.
  struct Answer {
    var body: JSONObject
    var response: XResponse
  }

  /// The page that answers a request: one that was kept, or else X's.
  func answer(
    to request: XRequest, _ cache: XResponseCacheSession?
  ) async throws(XClientError) -> XResponse {
    if let page = cache?.page(for: request, at: clock.now()) {
      let response = XResponse(page.body, fetchedAt: page.fetchedAt)
      budget.note(response, at: clock.now())
      return response
    }
    try checkStops(request)
    let (request, reservation) = try await budget.reserve(request, at: clock.now)
    let answer: Answer
    do {
      answer = try await askInADialect(request)
    } catch {
      budget.release(reservation)
      remember(error, of: request)
      throw error
    }
    budget.book(answer.response, for: reservation, at: clock.now())
    options.report(usage)
    try checkSubject(of: request, answer.response)
    try keep(answer, for: request, in: cache)
    return answer.response
  }

  private func keep(
    _ answer: Answer, for request: XRequest, in cache: XResponseCacheSession?
  ) throws(XClientError) {
    do {
      let now = clock.now()
      try cache?.keep(
        .init(fetchedAt: answer.response.fetchedAt ?? now, keptAt: now, body: answer.body), for: request)
    } catch {
      throw XClientError(
        .file, "A page that arrived could not be kept: \(error)", endpoint: request.endpoint.rawValue)
    }
  }

  /// An answer about one user that holds nothing but why that user cannot be had is an error; one about several posts or users
  /// says so of each.
  private func checkSubject(of request: XRequest, _ response: XResponse) throws(XClientError) {
    guard [.userByHandle, .timeline, .followers].contains(request.endpoint), response.posts.isEmpty,
      response.users.isEmpty,
      let problem = response.problems.first(where: { $0.resourceType == nil || $0.resourceType == "user" })
    else { return }
    let endpoint = request.endpoint.rawValue
    let words = "X says: \(problem.detail ?? problem.title)"
    switch problem.reason {
    case .suspended:
      throw XClientError(.suspended, "X has suspended the account. \(words)", endpoint: endpoint)
    case .protected:
      throw XClientError(
        .protected, "The account shows its posts to its followers only. \(words)", endpoint: endpoint)
    default:
      throw XClientError(
        .notFound, "X knows no such account: its name may have changed. \(words)", endpoint: endpoint)
    }
  }

  // MARK: What is not asked again

  /// Throws where the answer is known to be a refusal.
  private func checkStops(_ request: XRequest) throws(XClientError) {
    let endpoint = request.endpoint
    let (stop, closedUntil) = knowledge.withLock { knowledge in
      (
        knowledge.stop ?? (endpoint.subject == .posts ? knowledge.postsStop : nil),
        endpoint == .searchAll ? knowledge.clientState.fullArchiveClosedUntil(at: clock.now()) : nil
      )
    }
    if let stop { throw stop }
    if let closedUntil {
      throw XClientError(
        .noAccess,
        "X refused this account the full-archive search a short while ago; it is asked again after "
          + "\(closedUntil.iso8601). To ask at once, remove the file \(options.stateFile ?? "").",
        endpoint: endpoint.rawValue)
    }
  }

  /// Remembers refusals that stay as they are: those of money and token for the run, that of the full archive for days.
  private func remember(_ error: XClientError, of request: XRequest) {
    knowledge.withLock { knowledge in
      switch error.kind {
      case .creditsDepleted, .wrongCredential: knowledge.stop = error
      case .usageCapped: knowledge.postsStop = error
      case .noAccess where request.endpoint == .searchAll:
        knowledge.clientState.fullArchiveRefusedAt = clock.now()
        write(knowledge.clientState)
      default: break
      }
    }
  }

  /// Remembers the dialect that X understood.
  private func remember(_ dialect: XDialect) {
    knowledge.withLock { knowledge in
      knowledge.isDialectSure = true
      guard knowledge.clientState.dialect != dialect else { return }
      knowledge.clientState.dialect = dialect
      write(knowledge.clientState)
    }
  }

  /// Remembers fields that X does not know, and says so.
  private func remember(refused fields: Set<String>) {
    knowledge.withLock { knowledge in
      for field in fields { knowledge.clientState.fieldRefusals[field] = clock.now() }
      write(knowledge.clientState)
    }
    let names = fields.sorted().joined(separator: ", ")
    options.warn("X does not know the field \(names), so it is left out of all requests for a week.")
  }

  private func write(_ clientState: XClientState) {
    // What cannot be remembered is learned again in the next run, at the price of one request that costs nothing.
    if let file = options.stateFile { try? clientState.write(to: file) }
  }

  /// Sends a request when X's limits let it through; gives the answer, whatever its status, and the token that went along.
  func send(
    _ request: XRequest, in dialect: XDialect
  ) async throws(XClientError) -> (HTTPResponse, token: Secret) {
    let endpoint = request.endpoint
    let refusedFields = knowledge.withLock { $0.clientState.refusedFields(at: clock.now()) }
    let authorization = try await authority.authorization()
    guard !Task.isCancelled else { throw XRefusal.cancelled(endpoint.rawValue) }
    var message = HTTPRequest(.get, options.baseURL + request.target(in: dialect, without: refusedFields))
    message.headers = [("Accept", "application/json")]
    message.authorization = authorization
    let paced = PacedTransport(
      base: transport, endpoint: endpoint, windows: windows, clock: clock, budget: budget)
    do {
      let response = try await RetryingTransport(
        forX: paced, policy: options.retries, clock: clock, budget: budget
      ).send(message)
      return (response, Secret(String(authorization.revealed.dropFirst("Bearer ".count))))
    } catch {
      throw XRefusal.noAnswer(error, endpoint.rawValue)
    }
  }
}

extension XClient.Answer {
  /// Whether the fields that were asked for came along with the posts. `author_id` does not tell: its expansion brings it, too.
  fileprivate var hasConversations: Bool { response.posts.contains { $0["conversation_id"] != nil } }
}

/// Why X could not be asked, or did not answer what was asked.
package struct XClientError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// No token where site.yml says that there is one.
    case noCredential
    /// 401: X does not know the token.
    case wrongCredential
    /// 403: the token's account may not use this endpoint.
    case noAccess
    /// 402: the account's credits are used up. Never asked again in one run.
    case creditsDepleted
    /// 429: the account's monthly cap of posts. Never waited for.
    case usageCapped
    /// 429: the window of the endpoint is used up, and the wait was longer than allowed or was interrupted.
    case rateLimited
    /// 404, or a 200 that says so of the only thing asked for.
    case notFound
    case protected
    case suspended
    /// The address given is a repost's, which is no thread.
    case repost
    /// 400.
    case invalidRequest
    /// 5xx, after all retries.
    case serverTrouble
    /// An answer that is none of X's: no JSON, or another shape.
    case invalidAnswer
    /// No answer: connection, time, size.
    case noConnection
    /// The next request would have passed the cap on cost.
    case overBudget
    case cancelled
    /// The pages that arrived could not be kept.
    case file
  }

  package var kind: Kind
  /// What happened and what to do, complete sentences; holds no credential.
  package var message: String
  /// The endpoint, such as `GET /2/tweets`; `nil` where nothing was asked.
  package var endpoint: String?

  package init(_ kind: Kind, _ message: String, endpoint: String? = nil) {
    self.kind = kind
    self.message = message
    self.endpoint = endpoint
  }

  package var description: String {
    "\(endpoint.map { "X, \($0)" } ?? "X"): error: \(message)"
  }

  /// Takes a token out that a server sent back to us.
  fileprivate func hiding(_ token: Secret) -> XClientError {
    var result = self
    result.message = message.replacing(token.revealed, with: "(redacted)")
    return result
  }
}
