import HTTPTransport
import Testing

/// A transport for servers on this machine, without a proxy.
func transport(_ change: (inout CurlOptions) -> Void = { _ in }) -> CurlTransport {
  var options = CurlOptions()
  options.proxies = .none
  options.allowsLoopback = true
  change(&options)
  return CurlTransport(userAgent: "threadsite-tests/1", options: options)
}

/// A request without practical limits of time, because a busy machine may continue a test only minutes after its server received the request.
/// Tests of these limits set them.
func get(_ url: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPRequest {
  var request = HTTPRequest(.get, url)
  request.limits.connectSeconds = 86_400
  request.limits.slowSeconds = 86_400
  request.limits.totalSeconds = 86_400
  change(&request)
  return request
}

/// The error of the request.
func failure(
  _ transport: any HTTPTransport, _ request: HTTPRequest, sourceLocation: SourceLocation = #_sourceLocation
) async -> HTTPError? {
  do throws(HTTPError) {
    let response = try await transport.send(request)
    Issue.record("unexpected response: \(response.status)", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Waits at most five minutes until a condition holds.
func eventually(_ isSo: () -> Bool) async throws -> Bool {
  for _ in 0..<30_000 {
    if isSo() { return true }
    try await Task.sleep(for: .milliseconds(10))
  }
  return isSo()
}
