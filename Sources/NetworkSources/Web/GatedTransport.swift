import HTTPTransport
import ThreadModel

/// Sends requests when their host takes them: a few at once, and none while its limit is used up.
///
/// It stands behind the transport that tries again, so that every try waits for its turn and is counted.
struct GatedTransport: HTTPTransport {
  let base: any HTTPTransport
  let gate: HostGate
  let host: String
  let timing: RetryTiming
  /// No pause is longer, whatever a server says.
  let longestPause: Double
  let announce: @Sendable (_ reason: String, _ secondsLeft: Int) -> Void
  let count: @Sendable () -> Void

  private var now: Timestamp { Timestamp(milliseconds: Int64(timing.now() * 1000)) }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    do {
      try await gate.take()
    } catch {
      throw HTTPError(.cancelled, "it was cancelled while it waited for its turn", url: request.url)
    }
    defer { gate.giveBack() }
    try await waitWhileClosed(request.url)
    count()
    let response = try await base.send(request)
    note(response)
    return response
  }

  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await base.download(request, to: path)
  }

  /// A window that is used up is remembered for all requests to the host, those that are sent meanwhile too.
  private func note(_ response: HTTPResponse) {
    let limit = RateLimit(response.headers, at: now)
    if response.status == 429, let seconds = limit.wait(at: now) {
      close(for: seconds)
    } else if limit.remaining.map({ $0 <= 0 }) == true, let end = limit.end {
      close(for: Double(end.milliseconds - now.milliseconds) / 1000)
    }
  }

  private func close(for seconds: Double) {
    guard seconds > 0 else { return }
    gate.close(until: Timestamp(milliseconds: now.milliseconds + Int64(min(seconds, longestPause) * 1000)))
  }

  private func waitWhileClosed(_ url: String) async throws(HTTPError) {
    guard let seconds = gate.secondsClosed(at: now), seconds > 0 else { return }
    let reason = "\(host) takes no more requests for now"
    do {
      let whole = Int(seconds.rounded(.up))
      for left in stride(from: whole, to: 0, by: -1) {
        if seconds >= 3 { announce(reason, left) }
        // The odd part of a second comes first, so that the countdown keeps to whole ones.
        try await timing.sleep(left == whole ? seconds - Double(whole - 1) : 1)
      }
    } catch {
      throw HTTPError(.cancelled, "it was cancelled while it waited (\(reason))", url: url)
    }
  }
}
