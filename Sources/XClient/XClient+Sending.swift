import HTTPTransport
import ThreadModel
import XAPI

extension XClient {
  /// Sends a request when X's limits let it through; gives the answer, whatever its status, and the token that went along.
  func send(
    _ request: XRequest, in dialect: XDialect
  ) async throws(XClientError) -> (HTTPResponse, token: Secret) {
    let endpoint = request.endpoint
    let authorization = try await authority.authorization()
    try await waitForTurn(endpoint)
    guard !Task.isCancelled else { throw XRefusal.cancelled(endpoint.rawValue) }
    var message = HTTPRequest(.get, options.baseURL + request.target(in: dialect))
    message.headers = [("Accept", "application/json")]
    message.authorization = authorization
    budget.change { $0.requests[endpoint, default: 0] += 1 }
    do {
      let response = try await transport.send(message)
      windows.note(response.headers, for: endpoint)
      return (response, Secret(String(authorization.revealed.dropFirst("Bearer ".count))))
    } catch {
      throw XRefusal.noAnswer(error, endpoint.rawValue)
    }
  }

  /// Waits for the endpoint's window and for its pace.
  private func waitForTurn(_ endpoint: XEndpoint) async throws(XClientError) {
    // Others may have waited for the same window and used it up again.
    for _ in 0..<3 {
      guard let seconds = windows.closed(endpoint, at: clock.now()) else { break }
      try await pause(seconds, "X's limit for \(endpoint.rawValue) is reached", endpoint)
    }
    let seconds = windows.takeSlot(endpoint, at: clock.now())
    if seconds > 0 { try await pause(seconds, "X takes one such request a second", endpoint) }
  }

  private func pause(
    _ seconds: Double, _ reason: String, _ endpoint: XEndpoint
  ) async throws(XClientError) {
    do {
      try await clock.pause(seconds, reason)
    } catch {
      throw XRefusal.cancelled(endpoint.rawValue)
    }
    budget.change {
      $0.waits += 1
      $0.secondsWaited += seconds
    }
  }
}
