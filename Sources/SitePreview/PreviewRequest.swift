/// A browser's request to the preview.
package struct PreviewRequest: Sendable {
  package var method: String
  /// The path as it was sent: percent-encoded, without the query.
  package var path: String
  /// The query as it was sent, without its question mark.
  package var query: String
  /// The headers, by lower-case name.
  package var headers: [String: String]

  package init(
    _ path: String, method: String = "GET", query: String = "", headers: [String: String] = [:]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
  }
}

/// The response of the preview.
package struct PreviewResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A range of bytes of an open file.
    case file(ServedFile, Range<Int>)
    /// The current state, and all later ones as events.
    case events
  }

  package var status: Int
  /// The headers, by lower-case name.
  package var headers: [String: String]
  package var body: Body

  init(_ status: Int, _ headers: [String: String] = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a plain-text response for requests that no page of the site answers.
  init(_ status: Int, text: String) {
    self.init(status, ["content-type": "text/plain; charset=utf-8"], body: .bytes(Array((text + "\n").utf8)))
  }

  /// The length of the body in bytes, even if the body is not sent; `nil` if it is unknown.
  package var length: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .events: nil
    }
  }
}
