import Basics
import Foundation
import LoopbackServer
import Synchronization
import XStub

/// A Bluesky stub on loopback: the AppView, the directory of accounts, and the servers of all accounts in
/// one.
///
/// It is made from the lexicons and from recorded responses, independently of the client.
package final class BlueskyStub: Sendable {
  package struct Behaviour: Sendable {
    /// The maximum number of levels of replies in a response, as in production.
    package var depth = 10
    /// The maximum number of parents in a response.
    package var parentHeight = 1000
    /// The maximum number of replies to one post in a response; the newest come first.
    package var branching = Int.max
    /// Whether the unstable endpoint that counts threads exists.
    package var countsThreads = true
    /// Whether the servers of accounts list records.
    package var listsRecords = true
    /// The maximum number of posts on a page of a feed or a list, whatever the request says.
    package var pageSize = 100
    /// Whether a feed has endless pages.
    package var isEndless = false
    package init() {}
  }

  /// A fault in the response to the next request for an endpoint.
  package enum Fault: Sendable {
    case status(Int, headers: [String: String] = [:])
    case cut
    case redirect(String)
  }

  private struct State {
    var world: BlueskyWorld
    var behaviour: Behaviour
    var faults: [String: [Fault]] = [:]
    var problems: [String] = []
  }

  private let state: Mutex<State>
  private let server: LoopbackServer

  package init(_ world: BlueskyWorld, behaviour: Behaviour = Behaviour()) throws {
    state = Mutex(State(world: world, behaviour: behaviour))
    server = try LoopbackServer()
    let url = server.url("")
    server.otherwise(
      LoopbackAnswer { [weak self] request, connection in
        guard let self else { return connection.close() }
        try self.answer(request, connection, at: url)
      })
  }

  package var url: String { server.url("") }
  /// The requested methods, in order.
  package var requests: [String] { server.requests.map { Self.method($0.path) } }
  /// Descriptions of requests that violated the lexicons.
  package var problems: [String] { state.withLock { $0.problems } }

  package func change(_ change: @Sendable (inout BlueskyWorld, inout Behaviour) -> Void) {
    state.withLock { change(&$0.world, &$0.behaviour) }
  }

  package func fail(_ method: String, _ faults: Fault...) {
    state.withLock { $0.faults[method, default: []] += faults }
  }

  private static func method(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private func answer(_ request: LoopbackRequest, _ connection: LoopbackConnection, at url: String) throws {
    let method = Self.method(request.path)
    let (world, behaviour, fault) = state.withLock { state in
      let fault = state.faults[method]?.first
      if fault != nil { state.faults[method]?.removeFirst() }
      return (state.world, state.behaviour, fault)
    }
    switch fault {
    case .status(let status, let headers):
      return try connection.answer(
        status: status, headers: headers.map { ($0.key, $0.value) }, body: Array("<html>no</html>".utf8))
    case .cut:
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"thread\":")
      return connection.close()
    case .redirect(let target):
      return try connection.answer(status: 302, headers: [("Location", target)], body: [])
    case nil: break
    }
    if request.path.hasPrefix("/media/") {
      guard let file = StubMediaFiles.file(at: request.path) else {
        return try refuse(connection, 404, "NotFound")
      }
      return try connection.answer(
        status: file.status, headers: [("Content-Type", file.contentType)], body: file.bytes)
    }
    let query = Self.query(request.target)
    let result = Call(
      world: world, behaviour: behaviour, url: url, query: query
    ).answer(method, path: request.path)
    switch result {
    case .value(let value):
      try connection.answer(
        status: 200, headers: [("Content-Type", "application/json; charset=utf-8")],
        body: JSONWriter.text(of: value, .compact).bytes)
    case .refused(let status, let error, let message):
      if error == "InvalidRequest", message.hasPrefix("Error:") {
        state.withLock { $0.problems.append("\(method): \(message)") }
      }
      try refuse(connection, status, error, message)
    }
  }

  private func refuse(
    _ connection: LoopbackConnection, _ status: Int, _ error: String, _ message: String = ""
  ) throws {
    let body: JSONValue = ["error": .string(error), "message": .string(message)]
    try connection.answer(
      status: status, headers: [("Content-Type", "application/json")],
      body: JSONWriter.text(of: body, .compact).bytes)
  }

  static func query(_ target: String) -> [(name: String, value: String)] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[target.index(after: mark)...].split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.removingPercentEncoding ?? String($0)
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}
