import Files
import HTTPTransport
import JSONText
import Synchronization
import ThreadModel

extension XClient {
  /// A page as it came, and sorted.
  struct Answer {
    var body: JSONObject
    var response: XResponse
  }

  /// The page that answers a request: one that was kept, or else X's.
  func answer(
    to request: XRequest, _ journal: XJournalSession?
  ) async throws(XClientError) -> XResponse {
    if let page = journal?.page(for: request, at: clock.now()) {
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
    try keep(answer, for: request, in: journal)
    return answer.response
  }

  private func keep(
    _ answer: Answer, for request: XRequest, in journal: XJournalSession?
  ) throws(XClientError) {
    do {
      let now = clock.now()
      try journal?.keep(
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
}

// MARK: What is not asked again

extension XClient {
  /// Throws where the answer is known to be a refusal.
  private func checkStops(_ request: XRequest) throws(XClientError) {
    let endpoint = request.endpoint
    let (stop, closedUntil) = knowledge.withLock { knowledge in
      (
        knowledge.stop ?? (endpoint.subject == .posts ? knowledge.postsStop : nil),
        endpoint == .searchAll ? knowledge.memory.fullArchiveClosedUntil(at: clock.now()) : nil
      )
    }
    if let stop { throw stop }
    if let closedUntil {
      throw XClientError(
        .noAccess,
        "X refused this account the full-archive search a short while ago; it is asked again after "
          + "\(closedUntil.iso8601). To ask at once, remove the file \(options.memoryFile ?? "").",
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
        knowledge.memory.fullArchiveRefusedAt = clock.now()
        write(knowledge.memory)
      default: break
      }
    }
  }

  /// Remembers the dialect that X understood.
  func remember(_ dialect: XDialect) {
    knowledge.withLock { knowledge in
      knowledge.isDialectSure = true
      guard knowledge.memory.dialect != dialect else { return }
      knowledge.memory.dialect = dialect
      write(knowledge.memory)
    }
  }

  /// Remembers fields that X does not know, and says so.
  func remember(refused fields: Set<String>) {
    knowledge.withLock { knowledge in
      for field in fields { knowledge.memory.fieldRefusals[field] = clock.now() }
      write(knowledge.memory)
    }
    let names = fields.sorted().joined(separator: ", ")
    options.warn("X does not know the field \(names), so it is left out of all requests for a week.")
  }

  private func write(_ memory: XMemory) {
    // What cannot be remembered is learned again in the next run, at the price of one request that costs nothing.
    if let file = options.memoryFile { try? memory.write(to: file) }
  }
}
