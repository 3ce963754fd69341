/// What a browser asks of the preview.
package struct PreviewRequest: Sendable {
  package var method: String
  /// As it was sent: percent-encoded, without the query.
  package var path: String
  /// As it was sent, without its question mark.
  package var query: String
  /// By names in lower case.
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

/// What it is answered.
package struct PreviewResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// So many bytes of an open file, from a place on.
    case file(ServedFile, Range<Int>)
    /// The state, and every one that follows.
    case events
  }

  package var status: Int
  /// By names in lower case.
  package var headers: [String: String]
  package var body: Body

  init(_ status: Int, _ headers: [String: String] = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A few words, for what no page of the site answers.
  init(_ status: Int, text: String) {
    self.init(status, ["content-type": "text/plain; charset=utf-8"], body: .bytes(Array((text + "\n").utf8)))
  }

  /// How many bytes it has, whether or not they are sent; `nil` where nobody knows.
  package var length: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .events: nil
    }
  }
}
