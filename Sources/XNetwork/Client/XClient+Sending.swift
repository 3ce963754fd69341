import HTTPTransport
import Synchronization
import ThreadModel

extension XClient {
  /// Sends a request when X's limits let it through; gives the answer, whatever its status, and the token that went along.
  func send(
    _ request: XRequest, in dialect: XDialect
  ) async throws(XClientError) -> (HTTPResponse, token: Secret) {
    let endpoint = request.endpoint
    let refusedFields = knowledge.withLock { $0.memory.refusedFields(at: clock.now()) }
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
