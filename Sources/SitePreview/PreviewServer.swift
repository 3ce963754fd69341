import FlyingSocks
import Foundation
package import SiteWorkspace
import Synchronization

/// Serves the site on a port of this machine.
package final class PreviewServer: Sendable {
  /// The maximum number of simultaneous connections. Further ones are closed at once.
  private static let maximumConnections = 256

  package let port: UInt16
  private let host: String
  private let handler: PreviewHandler
  private let listening: AsyncSocket
  private let tasks: [Task<Void, Never>]

  private init(
    host: String, port: UInt16, handler: PreviewHandler, listening: AsyncSocket, task: Task<Void, Never>
  ) {
    self.host = host
    self.port = port
    self.handler = handler
    self.listening = listening
    let comments = Task {
      while (try? await Task.sleep(for: .seconds(15))) != nil { handler.events.sendComment() }
    }
    tasks = [task, comments]
  }

  /// The preview's URL for a browser on this machine, such as `http://127.0.0.1:8000/`.
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
  ///   - port: the preferred port. If it is in use, one of the next ten ports, or any free port, is used. 0 means any free port.
  package static func start(host: String, port: UInt16) async throws(PipelineError) -> PreviewServer {
    let candidates = port == 0 ? [0] : (0...10).compactMap { UInt16(exactly: Int(port) + $0) } + [0]
    for candidate in candidates {
      if let server = try await listen(host: host, port: candidate) { return server }
    }
    throw PipelineError(.io, ["error: no port on \(host) is free."])
  }

  /// - Returns: `nil` if the port is in use.
  private static func listen(host: String, port: UInt16) async throws(PipelineError) -> PreviewServer? {
    let session = String(UInt64.random(in: .min ... .max), radix: 36)
    let handler = PreviewHandler(PreviewState(session: session), hosts: AllowedHosts(host))
    let address: any SocketAddress
    do {
      address =
        host.contains(":")
        ? try .inet6(ip6: host, port: port)
        : try .inet(ip4: host == "localhost" ? "127.0.0.1" : host, port: port)
    } catch {
      throw PipelineError(
        .configuration,
        ["--host: error: \(host) is not an IP address of this machine, such as 127.0.0.1."])
    }
    let pool: some AsyncSocketPool = .make()
    do {
      let socket = try Socket(domain: Int32(type(of: address).family))
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: address)
      try socket.listen()
      try await pool.prepare()
      let listening = try AsyncSocket(socket: socket, pool: pool)
      let actual: UInt16
      switch try socket.sockname() {
      case .ip4(_, let port), .ip6(_, let port): actual = port
      default: actual = port
      }
      let task = Task {
        await withDiscardingTaskGroup { group in
          // Ends when the task is canceled.
          group.addTask { try? await pool.run() }
          await accept(listening, handler, in: &group)
          group.cancelAll()
        }
      }
      return PreviewServer(host: host, port: actual, handler: handler, listening: listening, task: task)
    } catch SocketError.failed(_, let code, let message) {
      if code == EADDRINUSE { return nil }
      throw PipelineError(.io, ["error: cannot listen on \(host), port \(port): \(message)."])
    } catch {
      throw PipelineError(.io, ["error: cannot listen on \(host), port \(port): \(error)."])
    }
  }

  /// Accepts connections until the task is canceled.
  private static func accept(
    _ listening: AsyncSocket, _ handler: PreviewHandler, in group: inout DiscardingTaskGroup
  ) async {
    let open = ConnectionCount()
    while !Task.isCancelled {
      do {
        let socket = try await listening.accept()
        guard open.add() <= maximumConnections else {
          open.remove()
          try socket.close()
          continue
        }
        group.addTask {
          await PreviewConnection(socket: socket, handler: handler).serve()
          open.remove()
        }
      } catch is CancellationError {
        return
      } catch {
        // Either the client has already disconnected, or no file descriptor is free. In the second case, the pause avoids a busy loop.
        guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
      }
    }
  }

  private final class ConnectionCount: Sendable {
    private let value = Atomic(0)
    func add() -> Int { value.wrappingAdd(1, ordering: .relaxed).newValue }
    func remove() { value.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Changes the state, and sends it to all open pages.
  package func update(_ change: (inout PreviewState) -> Void) { handler.update(change) }

  /// Closes all connections. Does not wait for responses that are being sent.
  package func stop() {
    handler.events.close()
    for task in tasks { task.cancel() }
    // A socket that cannot be closed ends with the program.
    try? listening.close()
  }
}
