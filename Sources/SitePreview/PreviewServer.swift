import FlyingFox
import FlyingSocks
import Foundation
package import SitePipeline

/// Serves the site on a port of this machine, with FlyingFox.
package final class PreviewServer: Sendable {
  package let port: UInt16
  private let host: String
  private let handler: PreviewHandler
  private let server: HTTPServer
  private let tasks: [Task<Void, Never>]

  private init(
    host: String, port: UInt16, handler: PreviewHandler, server: HTTPServer, task: Task<Void, Never>
  ) {
    self.host = host
    self.port = port
    self.handler = handler
    self.server = server
    let comments = Task {
      while (try? await Task.sleep(for: .seconds(15))) != nil { handler.events.sendComment() }
    }
    tasks = [task, comments]
  }

  /// The preview's address for a browser on this machine, such as `http://127.0.0.1:8000/`.
  package var address: String {
    let name =
      switch host {
      case "0.0.0.0": "127.0.0.1"
      case "::": "[::1]"
      default: host.contains(":") ? "[\(host)]" : host
      }
    return "http://\(name):\(port)/"
  }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - host: an address of this machine, or `localhost`.
  ///   - port: the preferred port; if it is in use, one of the next ten ports, or any free port, is used. 0 for any free port.
  package static func start(host: String, port: UInt16) async throws(PipelineError) -> PreviewServer {
    let candidates = port == 0 ? [0] : (0...10).compactMap { UInt16(exactly: Int(port) + $0) } + [0]
    for candidate in candidates {
      if let server = try await listen(host: host, port: candidate) { return server }
    }
    throw PipelineError(.io, ["error: no port of \(host) is free."])
  }

  /// - Returns: `nil` if the port is in use.
  private static func listen(host: String, port: UInt16) async throws(PipelineError) -> PreviewServer? {
    let session = String(UInt64.random(in: .min ... .max), radix: 36)
    let handler = PreviewHandler(PreviewState(session: session), hosts: AllowedHosts(host))
    let server: HTTPServer
    do {
      server =
        host.contains(":")
        ? HTTPServer(address: try .inet6(ip6: host, port: port), logger: .disabled, handler: handler)
        : HTTPServer(
          address: try .inet(ip4: host == "localhost" ? "127.0.0.1" : host, port: port), logger: .disabled,
          handler: handler)
    } catch {
      throw PipelineError(
        .configuration,
        ["--host: error: \(host) is no address; name one of this machine's, such as 127.0.0.1."])
    }
    let (outcomes, outcome) = AsyncStream.makeStream(of: (any Error)?.self)
    let task = Task {
      do {
        try await server.run()
      } catch {
        outcome.yield(error)
      }
    }
    let waiting = Task {
      // If the server cannot listen, the other task reports the error.
      if (try? await server.waitUntilListening(timeout: 60)) != nil { outcome.yield(nil) }
    }
    defer { waiting.cancel() }
    var first = outcomes.makeAsyncIterator()
    let failure = await first.next() ?? nil
    if let failure {
      if case .failed(_, let code, let message)? = failure as? SocketError {
        if code == EADDRINUSE { return nil }
        throw PipelineError(.io, ["error: \(host) cannot be listened to at port \(port): \(message)."])
      }
      throw PipelineError(.io, ["error: \(host) cannot be listened to at port \(port): \(failure)."])
    }
    let actual: UInt16
    switch await server.listeningAddress {
    case .ip4(_, let port)?, .ip6(_, let port)?: actual = port
    default: actual = port
    }
    return PreviewServer(host: host, port: actual, handler: handler, server: server, task: task)
  }

  /// Changes the state, and sends it to all open pages.
  package func update(_ change: (inout PreviewState) -> Void) { handler.update(change) }

  /// Closes all connections.
  package func stop() async {
    handler.events.close()
    await server.stop(timeout: 0)
    for task in tasks { task.cancel() }
  }
}
