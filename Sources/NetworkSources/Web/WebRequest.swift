package import HTTPTransport
package import JSONText

/// A question to an open JSON API.
package struct WebRequest: Sendable {
  /// What it is counted as, such as `GET app.bsky.feed.getPosts`.
  package var endpoint: String
  /// Without a query.
  package var url: String
  /// A name may stand more than once. Names and values are written in percent-encoding.
  package var query: [(name: String, value: String)]
  package var headers: [(name: String, value: String)]
  /// The value of the `Authorization` header. A request with one follows no redirect.
  package var authorization: Secret?
  /// Bytes of the answer; `nil` for as many as of any.
  package var maximumBytes: Int?
  /// How often it is asked at most; `nil` for as often as any. For servers that nobody chose, and that may not be there at all.
  package var maximumTries: Int?

  package init(
    _ endpoint: String, _ url: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], authorization: Secret? = nil
  ) {
    self.endpoint = endpoint
    self.url = url
    self.query = query
    self.headers = headers
    self.authorization = authorization
  }
}

/// What a server said: a success, or a refusal that asking again would not change. What a refusal means, each network knows.
package struct WebAnswer: Sendable {
  package var status: Int
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// Where it came from, after all redirects.
  package var url: String
  package var endpoint: String

  package var isSuccess: Bool { (200...299).contains(status) }

  /// The body, where it is JSON: refusals are often HTML.
  package var refusal: JSONValue? { try? JSONValue(parsing: body) }

  /// The body of an answer that has to be JSON.
  package func json() throws(SourceError) -> JSONValue {
    do {
      return try JSONValue(parsing: body)
    } catch {
      throw SourceError(
        .network,
        "\(host) answered \(endpoint) with something that is not JSON (\(error.message)). Try again later; "
          + "if it stays like this, the address may not lead to a server of this kind.")
    }
  }

  /// The server's name, for messages.
  package var host: String { WebService.host(of: url) }
}
