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
