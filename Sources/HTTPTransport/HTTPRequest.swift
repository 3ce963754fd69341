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
