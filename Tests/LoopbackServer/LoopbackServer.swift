import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An HTTP/1.1 server on 127.0.0.1 for tests, which works at the level of bytes and can therefore also respond incorrectly.
///
///     let server = try LoopbackServer()
///     server.on("/photo", .answer(body: bytes))
///     server.on("/broken") { request, connection in
///       try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
///       connection.close()
///     }
///     … server.url("/photo") …
///
/// Each connection has a thread, and is kept open for further requests unless a handler closes it. The response for paths without a handler is 404.
/// The server ends when this object is released, or by `stop()`.
package final class LoopbackServer: Sendable {
  private let core: LoopbackCore
  /// The port on 127.0.0.1.
  package let port: Int

  /// Starts a server.
  ///
  /// - Parameter port: The port; 0 for a free port that the system chooses.
  package init(port: UInt16 = 0) throws {
    core = LoopbackCore()
    (self.port, _) = try core.listen(port: port)
  }

  deinit { stop() }

  /// Returns the URL `http://127.0.0.1:<port>` with a path, which must begin with a slash.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Sets the response for a path, with or without a query. A later response for the same path replaces it.
  package func on(_ path: String, _ answer: LoopbackAnswer) {
    core.state.withLock { $0.answers[path] = answer }
  }

  /// Sets a handler for a path. A handler that throws closes the connection.
  package func on(
    _ path: String, _ body: @escaping @Sendable (LoopbackRequest, LoopbackConnection) throws -> Void
  ) {
    on(path, LoopbackAnswer(body))
  }

  /// Sets the response for all other paths.
  package func otherwise(_ answer: LoopbackAnswer) {
    core.state.withLock { $0.otherwise = answer }
  }

  /// Sets a handler for new connections, which is called before a request is read: for protocols other than HTTP, such as TLS.
  package func onConnection(_ body: @escaping @Sendable (LoopbackConnection) throws -> Void) {
    core.state.withLock { $0.onConnection = body }
  }

  /// All requests, in the order in which they were read.
  package var requests: [LoopbackRequest] { core.state.withLock { $0.requests } }

  package func requests(of path: String) -> [LoopbackRequest] { requests.filter { $0.path == path } }

  /// The number of accepted connections.
  package var connectionCount: Int { core.state.withLock { $0.accepted } }

  /// The number of connections that are open now.
  package var openConnectionCount: Int { core.state.withLock { $0.open.count } }

  /// The greatest number of requests that were handled at the same time.
  package var greatestConcurrency: Int { core.state.withLock { $0.greatestConcurrency } }

  /// Whether the port is open; it closes shortly after `stop()`.
  package var isListening: Bool { core.state.withLock { $0.isListening } }

  /// Closes all connections and accepts no more.
  package func stop() { core.stop() }
}

/// A received request.
package struct LoopbackRequest: Sendable {
  package var method: String
  /// The request target, with the query.
  package var target: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// The number of the connection, from 1.
  package var connection: Int

  /// The path, without the query.
  package var path: String { target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? target }

  /// The value of the first header with a name, ignoring letter case; `nil` if it is missing.
  package subscript(header: String) -> String? {
    headers.first { $0.name.lowercased() == header.lowercased() }?.value
  }
}

/// An error of a test server.
package struct LoopbackError: Error, CustomStringConvertible {
  package var description: String

  init(_ operation: String) { description = "\(operation): \(String(cString: strerror(errno)))" }
}
