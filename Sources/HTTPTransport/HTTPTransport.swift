/// Something that carries out HTTP requests.
package protocol HTTPTransport: Sendable {
  /// Sends a request and waits for its answer, whatever its status.
  ///
  /// Cancelling the task ends the transfer, and leaves nothing behind.
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

  /// Sends a request and writes the answer's body to a file as it arrives; the response comes back with an empty body.
  ///
  /// Where it fails, the file holds what arrived, or is missing; the caller removes it.
  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse
}
