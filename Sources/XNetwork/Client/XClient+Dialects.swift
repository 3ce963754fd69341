import HTTPTransport
import JSONText
import Synchronization
import ThreadModel

extension XClient {
  /// The dialect of the newest of X's documents; a deployment that does not know it yet says so at no cost.
  static let firstDialect = XDialect.posts

  /// What came of one request.
  private enum Outcome {
    case answer(Answer)
    case refused(XRefusal, XClientError)
  }

  /// Asks in the dialect that worked last, and once more in the other where X does not understand it.
  func askInADialect(_ request: XRequest) async throws(XClientError) -> Answer {
    let (dialect, isSure) = knowledge.withLock {
      ($0.memory.dialect ?? Self.firstDialect, $0.isDialectSure)
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
    let known = knowledge.withLock { $0.memory.refusedFields(at: clock.now()) }
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
}

extension XClient.Answer {
  /// Whether the fields that were asked for came along with the posts. `author_id` does not tell: its expansion brings it, too.
  fileprivate var hasConversations: Bool { response.posts.contains { $0["conversation_id"] != nil } }
}

extension XClientError {
  /// Takes a token out that a server sent back to us.
  fileprivate func hiding(_ token: Secret) -> XClientError {
    var result = self
    result.message = message.replacing(token.revealed, with: "(redacted)")
    return result
  }
}
