import Foundation
import LoopbackServer
import Synchronization

/// A server on loopback that responds as X's API does, made from X's published documents and recorded
/// responses, independently of any client.
///
/// Its connections have their own threads, so it responds while tests keep all threads of Swift's concurrency
/// busy.
///
/// ```swift
/// let sample = StubWorld.sampleThread(startingAt: .now.addingTimeInterval(-2 * 86_400))
/// let stub = try XStub(sample.world)
/// stub.fail(.searchRecent, with: .serverError, times: 2)
/// … run the tested code with stub.baseURL …
/// #expect(stub.requests.map(\.endpoint) == [.posts, .searchRecent])
/// #expect(stub.violations.isEmpty)
/// stub.stop()
/// ```
package final class XStub: Sendable {
  /// The URL `http://127.0.0.1:<port>`, without a slash at the end.
  package let baseURL: String

  private let state: Mutex<StubState>
  private let server: LoopbackServer

  /// Starts a stub on 127.0.0.1.
  ///
  /// - Parameter port: the port; 0 for any free port.
  package init(
    _ world: StubWorld = StubWorld(), behaviour: StubBehaviour = StubBehaviour(), port: UInt16 = 0
  ) throws {
    server = try LoopbackServer(port: port)
    baseURL = "http://127.0.0.1:\(server.port)"
    state = Mutex(StubState(world: world, behaviour: behaviour))
    server.otherwise(
      LoopbackAnswer { [weak self] request, connection in
        guard let self else { return connection.close() }
        try respond(to: request, over: connection)
      })
  }

  /// Stops the server at once, and closes all open connections.
  package func stop() { server.stop() }

  /// Calls `body` with exclusive access to the mutable state.
  func withState<Result: Sendable>(_ body: (inout StubState) throws -> sending Result) rethrows -> Result {
    try state.withLock { state in try body(&state) }
  }

  // MARK: Changes while it runs

  package func change(_ change: @Sendable (inout StubWorld) -> Void) { withState { change(&$0.world) } }

  package func behave(_ change: @Sendable (inout StubBehaviour) -> Void) {
    withState { change(&$0.behaviour) }
  }

  package var world: StubWorld { withState { $0.world } }
  package var behaviour: StubBehaviour { withState { $0.behaviour } }

  /// Plans a fault for the next requests to an endpoint, or to any endpoint for `nil`.
  ///
  /// - Parameters:
  ///   - path: A text that the path must contain, for requests for files.
  ///   - passing: The number of requests with correct responses before the fault.
  package func fail(
    _ endpoint: StubEndpoint?, with fault: StubFault, times: Int = 1, after passing: Int = 0,
    path: String? = nil
  ) {
    withState {
      $0.faults.append(
        StubState.PlannedFault(
          endpoint: endpoint, path: path, fault: fault, passing: passing, times: times))
    }
  }

  /// Removes all planned faults.
  package func recover() { withState { $0.faults = [] } }

  /// Sets the rest of an endpoint's rate limit, and the seconds until its reset.
  package func setWindow(_ endpoint: StubEndpoint, remaining: Int, resetsIn seconds: Double) {
    withState {
      $0.windows[endpoint] = RateWindow(
        limit: endpoint.limit, remaining: remaining,
        resetsAt: $0.behaviour.now.addingTimeInterval(seconds))
    }
  }

  // MARK: Results

  /// All requests, in the order of their arrival.
  package var requests: [LoggedRequest] { withState { $0.log } }

  /// The requests to the API's endpoints, without requests for files and the token.
  package var apiRequests: [LoggedRequest] {
    requests.filter { $0.endpoint.map(StubEndpoint.api.contains) ?? true }
  }

  package func requests(to endpoint: StubEndpoint) -> [LoggedRequest] {
    requests.filter { $0.endpoint == endpoint }
  }

  /// Waits until a number of requests have arrived, with or without responses, for example to kill a process at this moment.
  ///
  /// - Returns: `false` if they have not arrived after `seconds` seconds.
  package func waitForRequests(
    _ count: Int, to endpoint: StubEndpoint? = nil, seconds: Double = 300
  ) async throws -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while requests.count(where: { endpoint == nil || $0.endpoint == endpoint }) < count {
      guard Date() < end else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }

  /// Descriptions of requests that X's document does not allow, and of credentials that were sent to wrong endpoints.
  package var violations: [String] { withState { $0.violations } }

  /// Clears the lists of requests and violations.
  package func clearLog() {
    withState {
      $0.log = []
      $0.violations = []
    }
  }

  /// The price of the returned posts and users in dollars: $0.005 and $0.010, each charged once (x-api.md, "Money and policy").
  package var cost: Double {
    let requests = requests
    let posts = requests.reduce(into: Set<StubID>()) { $0.formUnion($1.postsRead) }
    let users = requests.reduce(into: Set<StubID>()) { $0.formUnion($1.usersRead) }
    return Double(posts.count) * 0.005 + Double(users.count) * 0.01
  }
}
