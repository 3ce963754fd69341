import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An HTTP/1.1 server on 127.0.0.1 for tests, down at the level of bytes: it can do what no well-made server does.
///
///     let server = try LoopbackServer()
///     server.on("/photo", .answer(body: bytes))
///     server.on("/broken") { request, connection in
///       try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
///       connection.close()
///     }
///     … server.url("/photo") …
///
/// Each connection has a thread; it is kept for further requests unless a handler closes it. Paths without a handler answer 404.
/// The server ends with the value, or by `stop()`.
package final class LoopbackServer: Sendable {
  private let core: LoopbackCore
  /// On 127.0.0.1; given by the system.
  package let port: Int

  package init() throws {
    core = LoopbackCore()
    (port, _) = try core.listen()
  }

  deinit { stop() }

  /// `http://127.0.0.1:<port>` and a path that begins with a slash.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Answers a path; the query of a request does not count. The last handler for a path holds.
  package func on(_ path: String, _ answer: LoopbackAnswer) {
    core.state.withLock { $0.answers[path] = answer }
  }

  /// Answers a path by hand. A handler that throws closes the connection.
  package func on(
    _ path: String, _ body: @escaping @Sendable (LoopbackRequest, LoopbackConnection) throws -> Void
  ) {
    on(path, LoopbackAnswer(body))
  }

  /// Answers all paths that have no handler of their own.
  package func otherwise(_ answer: LoopbackAnswer) {
    core.state.withLock { $0.otherwise = answer }
  }

  /// Takes each connection as it comes, without reading a request: for what is not HTTP, such as the beginning of TLS.
  package func onConnection(_ body: @escaping @Sendable (LoopbackConnection) throws -> Void) {
    core.state.withLock { $0.onConnection = body }
  }

  /// All requests whose heads have been read, in that order.
  package var requests: [LoopbackRequest] { core.state.withLock { $0.requests } }

  package func requests(of path: String) -> [LoopbackRequest] { requests.filter { $0.path == path } }

  /// How many connections were accepted.
  package var connectionCount: Int { core.state.withLock { $0.accepted } }

  /// How many connections are open now.
  package var openConnectionCount: Int { core.state.withLock { $0.open.count } }

  /// The most requests that were being answered at the same time.
  package var greatestConcurrency: Int { core.state.withLock { $0.greatestConcurrency } }

  /// Closes all connections and takes no more.
  package func stop() { core.stop() }
}

/// A request as it came in.
package struct LoopbackRequest: Sendable {
  package var method: String
  /// As it stands in the request: with its query.
  package var target: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// Which connection it came over, counted from 1.
  package var connection: Int

  /// Without the query.
  package var path: String { target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? target }

  /// The value of the first header of that name, in any case of letters.
  package subscript(header: String) -> String? {
    headers.first { $0.name.lowercased() == header.lowercased() }?.value
  }
}

/// What a test server could not do.
package struct LoopbackError: Error, CustomStringConvertible {
  package var description: String

  init(_ operation: String) { description = "\(operation): \(String(cString: strerror(errno)))" }
}
