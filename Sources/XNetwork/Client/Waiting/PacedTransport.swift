import HTTPTransport
import ThreadModel

/// Sends the requests of one endpoint when X's limits let them through.
///
/// It stands behind the transport that tries again, so that every try waits for its turn and is counted, a repeated one like
/// the first.
struct PacedTransport: HTTPTransport {
  let base: any HTTPTransport
  let endpoint: XEndpoint
  let windows: XRateWindows
  let clock: XClock
  let budget: XBudget

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await waitForTurn(request.url)
    budget.change { $0.requests[endpoint, default: 0] += 1 }
    let response = try await base.send(request)
    windows.note(response.headers, for: endpoint, at: clock.now())
    return response
  }

  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await base.download(request, to: path)
  }

  /// Waits for the endpoint's window and for its pace.
  private func waitForTurn(_ url: String) async throws(HTTPError) {
    // Others may have waited for the same window and used it up again.
    for _ in 0..<3 {
      guard let seconds = windows.closed(endpoint, at: clock.now()) else { break }
      try await pause(seconds, "X's limit for \(endpoint.rawValue) is reached", url)
    }
    let seconds = windows.takeSlot(endpoint, at: clock.now())
    if seconds > 0 { try await pause(seconds, "X takes one such request a second", url) }
  }

  private func pause(_ seconds: Double, _ reason: String, _ url: String) async throws(HTTPError) {
    do {
      try await clock.pause(seconds, reason)
    } catch {
      throw HTTPError(.cancelled, "it was cancelled while it waited (\(reason))", url: url)
    }
    budget.change {
      $0.waits += 1
      $0.secondsWaited += seconds
    }
  }
}
