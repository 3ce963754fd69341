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

/// A request and what it may cost: time, bytes, and where it may lead.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    /// Of which the answer has no body.
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// Which addresses a host name may lead to, at every hop.
  package enum Reach: Sendable, Hashable {
    /// Any: for a host that the user configured.
    case any
    /// None that is private, loopback or link-local: for addresses that a network or an archive named.
    case publicOnly
  }

  package var method: Method
  package var url: String
  /// Without `Authorization`.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]?
  /// A file that is the body of a PUT, in place of bytes in memory; without links, and of as many bytes as when the request is made.
  package var bodyFile: String?
  /// The value of the `Authorization` header: goes to the URL's own host and never along with a redirect.
  package var authorization: Secret?
  package var limits: HTTPLimits
  /// How many redirects are followed; one more is an error. With 0, with `authorization` and with what is neither GET nor HEAD none is,
  /// and an answer that redirects is an answer like any other.
  package var maximumRedirects: Int
  package var reach: Reach
  /// Whether asking twice does no more than asking once: true of all methods but POST, and of a POST whose maker says so.
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

  /// Headers that libcurl makes from other parts of a request, or that would carry credentials past `authorization`.
  private static let reservedHeaders: Set<String> = [
    "authorization", "connection", "content-length", "cookie", "host", "proxy-authorization", "te",
    "transfer-encoding",
    "upgrade",
  ]

  /// Refuses headers that would be more than one, or that are not the caller's.
  func checkHeaders() throws(HTTPError) {
    for (name, value) in headers {
      guard Self.isToken(name) else {
        throw HTTPError(.other, "the name of a header holds a character that none may hold", url: url)
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

  /// What may follow the colon: no line breaks, no other control characters but the tab (RFC 9110, 5.5).
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

/// Where a transfer stops.
package struct HTTPLimits: Sendable, Hashable {
  /// Seconds until there is a connection.
  package var connectSeconds = 15
  /// Slower than this, in bytes a second, for `slowSeconds` ends the transfer.
  package var slowBytesPerSecond = 100
  package var slowSeconds = 30
  /// Seconds for the whole of it.
  package var totalSeconds = 300
  /// Bytes of the body, after decompression, counted as they arrive.
  package var maximumBytes = 32 << 20

  package init() {}
}

extension HTTPError {
  fileprivate static func unusableHeader(_ name: String, url: String) -> HTTPError {
    HTTPError(
      .other, "the value of the header \(name) holds a line break or another control character", url: url)
  }
}

/// An answer, whatever its status.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// Where it came from, after all redirects.
  package var url: String

  package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], url: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}

/// The headers of an answer; names are compared without regard to case.
package struct HTTPHeaders: Sendable, Hashable {
  private var values: [String: String] = [:]

  package init(_ headers: [String: String] = [:]) {
    for (name, value) in headers { self[name] = value }
  }

  /// The value of a header; the last, where it came more than once.
  package subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }
}
