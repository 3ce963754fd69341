/// A client that sends HTTP requests.
package protocol HTTPTransport: Sendable {
  /// Sends a request and waits for the response, whatever its status.
  ///
  /// Canceling the task ends the transfer and frees its resources.
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

  /// Sends a request and writes the response's body to a file as it arrives. The returned response has an empty body.
  ///
  /// On failure, the file is missing or incomplete; the caller removes it.
  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse

  /// Opens a WebSocket. The request is a GET request for a URL with the scheme `wss`, or `ws` for this machine.
  ///
  /// The limits of the request apply to the whole connection: `totalSeconds` from the start of connecting to the end, `slowSeconds` for the
  /// wait for a message or for sending one, and `maximumBytes` for all received messages with their frames. Redirects are not followed.
  func openWebSocket(_ request: HTTPRequest) async throws(HTTPError) -> any WebSocket
}

extension HTTPTransport {
  package func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.other, "downloads are not supported here", url: request.url)
  }

  package func openWebSocket(_ request: HTTPRequest) async throws(HTTPError) -> any WebSocket {
    throw HTTPError(.other, "WebSockets are not supported here", url: request.url)
  }
}

/// A request with its limits: time, bytes, and the addresses that it may reach.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    /// The response has no body.
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// The addresses that a host name may resolve to, at every hop.
  package enum Reach: Sendable, Hashable {
    /// Any address: for a host that the user configured.
    case any
    /// No private, loopback or link-local address: for URLs from a network or an archive.
    case publicOnly
  }

  package var method: Method
  package var url: String
  /// The headers without `Authorization`.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]?
  /// A file that is the body of a PUT request, instead of bytes in memory; not a symbolic link. Its size is read when the request is sent.
  package var bodyFile: String?
  /// The value of the `Authorization` header, which is sent only to the URL's host and never with a redirect.
  package var authorization: Secret?
  package var limits: HTTPLimits
  /// The maximum number of redirects that are followed; one more is an error. No redirect is followed if the number is 0, with
  /// `authorization`, or if the method is neither GET nor HEAD. The redirect is then returned as the response.
  package var maximumRedirects: Int
  package var reach: Reach
  /// Whether sending the request twice has the same effect as sending it once: `true` for all methods except POST, and for a POST that is
  /// declared to be repeatable.
  package var isRepeatable: Bool

  package init(_ method: Method = .get, _ url: String) {
    self.method = method
    self.url = url
    headers = []
    limits = HTTPLimits()
    maximumRedirects = 0
    reach = .any
    isRepeatable = method != .post
  }

  /// Headers that this module or libcurl derives from other parts of a request, or that could contain credentials and thereby evade the checks of
  /// `authorization`.
  private static let reservedHeaders: Set<String> = [
    "authorization", "connection", "content-length", "cookie", "host", "proxy-authorization",
    "sec-websocket-accept", "sec-websocket-extensions", "sec-websocket-key", "sec-websocket-protocol",
    "sec-websocket-version", "te", "transfer-encoding", "upgrade",
  ]

  /// Refuses headers with line breaks or invalid names, and headers that a caller must not set.
  func checkHeaders() throws(HTTPError) {
    for (name, value) in headers {
      guard Self.isToken(name) else {
        throw HTTPError(.other, "the name of a header contains an invalid character", url: url)
      }
      guard !Self.reservedHeaders.contains(name.lowercased()) else {
        throw HTTPError(.other, "the header \(name) cannot be set", url: url)
      }
      guard Self.isFieldValue(value) else { throw HTTPError.unusableHeader(name, url: url) }
    }
    if let authorization, !Self.isFieldValue(authorization.revealed) {
      throw HTTPError.unusableHeader("Authorization", url: url)
    }
  }

  /// Whether a header's value is valid: without line breaks and control characters except the tab (RFC 9110, 5.5).
  private static func isFieldValue(_ value: String) -> Bool {
    value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// RFC 9110, 5.6.2.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

/// The limits of a transfer.
package struct HTTPLimits: Sendable, Hashable {
  /// The maximum time for connecting, in seconds.
  package var connectSeconds = 15
  /// A transfer fails if it is slower than this, in bytes per second, for `slowSeconds`.
  package var slowBytesPerSecond = 100
  package var slowSeconds = 30
  /// The maximum time for the whole transfer, in seconds.
  package var totalSeconds = 300
  /// The maximum size of the body in bytes, after decompression, counted as they arrive.
  package var maximumBytes = 32 << 20

  package init() {}
}

extension HTTPError {
  fileprivate static func unusableHeader(_ name: String, url: String) -> HTTPError {
    HTTPError(
      .other, "the value of the header \(name) contains a line break or another control character", url: url)
  }
}

/// A response, whatever its status.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// The URL of the response, after all redirects.
  package var url: String

  package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], url: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}

/// The headers of a response. Names are case-insensitive.
package struct HTTPHeaders: Sendable, Hashable {
  private var values: [String: String] = [:]

  package init(_ headers: [String: String] = [:]) {
    for (name, value) in headers { self[name] = value }
  }

  /// The value of a header; the last value if the header is repeated.
  package subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }
}
