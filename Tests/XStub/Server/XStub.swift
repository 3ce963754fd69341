import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A server on loopback that answers as X's API does, built from X's published documents and recorded answers
/// and not from any client of it.
///
/// ```swift
/// let sample = StubWorld.sampleThread(startingAt: .now.addingTimeInterval(-2 * 86_400))
/// let stub = try await XStub.start(sample.world)
/// stub.fail(.searchRecent, with: .serverError, times: 2)
/// … run what is tested against stub.baseURL …
/// #expect(stub.requests.map(\.endpoint) == [.posts, .searchRecent])
/// #expect(stub.violations.isEmpty)
/// await stub.stop()
/// ```
package final class XStub: Sendable {
  /// `http://127.0.0.1:<port>`, without a slash at the end.
  package let baseURL: String

  private let state: Mutex<StubState>
  private let server: HTTPServer
  private let task: Task<Void, Never>

  /// The handler is there before the stub is: it finds it here.
  private final class Link: Sendable {
    let stub = Mutex<Weak>(Weak())
    struct Weak: Sendable { weak var stub: XStub? }
  }

  private init(baseURL: String, state: StubState, server: HTTPServer, task: Task<Void, Never>) {
    self.baseURL = baseURL
    self.state = Mutex(state)
    self.server = server
    self.task = task
  }

  /// Starts a stub on 127.0.0.1.
  ///
  /// - Parameter port: 0 for any that is free.
  package static func start(
    _ world: StubWorld = StubWorld(), behaviour: StubBehaviour = StubBehaviour(), port: UInt16 = 0
  ) async throws -> XStub {
    let link = Link()
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), timeout: 86_400, logger: .disabled,
      handler: ClosureHTTPHandler { request in
        guard let stub = link.stub.withLock({ $0.stub }) else { return HTTPResponse(statusCode: .badGateway) }
        return try await stub.respond(to: request)
      })
    // It ends with an error when it is stopped, which is no news.
    let task = Task { _ = try? await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let actual)? = await server.listeningAddress else {
      throw SocketError.unsupportedAddress
    }
    let stub = XStub(
      baseURL: "http://127.0.0.1:\(actual)", state: StubState(world: world, behaviour: behaviour),
      server: server, task: task)
    link.stub.withLock { $0.stub = stub }
    return stub
  }

  /// Stops at once: connections that are open are closed, whatever they wait for.
  package func stop() async {
    await server.stop(timeout: 0)
    task.cancel()
    await task.value
  }

  /// The one way to what changes.
  func withState<Result: Sendable>(_ body: (inout StubState) throws -> sending Result) rethrows -> Result {
    try state.withLock { state in try body(&state) }
  }

  // MARK: Changing it while it runs

  package func change(_ change: @Sendable (inout StubWorld) -> Void) { withState { change(&$0.world) } }

  package func behave(_ change: @Sendable (inout StubBehaviour) -> Void) {
    withState { change(&$0.behaviour) }
  }

  package var world: StubWorld { withState { $0.world } }
  package var behaviour: StubBehaviour { withState { $0.behaviour } }

  /// Plans a fault for the next requests to an endpoint (`nil`: to any).
  ///
  /// - Parameters:
  ///   - path: For files: what the path has to contain.
  ///   - passing: How many requests are answered rightly before it.
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

  /// Takes back all faults that are planned.
  package func recover() { withState { $0.faults = [] } }

  /// Sets what is left of an endpoint's window.
  package func setWindow(_ endpoint: StubEndpoint, remaining: Int, resetsIn seconds: Double) {
    withState {
      $0.windows[endpoint] = RateWindow(
        limit: endpoint.limit, remaining: remaining,
        resetsAt: $0.behaviour.now.addingTimeInterval(seconds))
    }
  }

  // MARK: What happened

  /// All requests, in the order of their arrival.
  package var requests: [LoggedRequest] { withState { $0.log } }

  /// The requests to the API's endpoints: without files and the token.
  package var apiRequests: [LoggedRequest] {
    requests.filter { $0.endpoint.map(StubEndpoint.api.contains) ?? true }
  }

  package func requests(to endpoint: StubEndpoint) -> [LoggedRequest] {
    requests.filter { $0.endpoint == endpoint }
  }

  /// Waits until so many requests have come, whether they are answered or not: the moment to kill a process.
  ///
  /// - Returns: `false` when they had not come after so many seconds.
  package func waitForRequests(
    _ count: Int, to endpoint: StubEndpoint? = nil, seconds: Double = 30
  ) async throws -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while requests.count(where: { endpoint == nil || $0.endpoint == endpoint }) < count {
      guard Date() < end else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }

  /// Requests that X's documents do not allow in either dialect, and credentials sent where they do not belong.
  package var violations: [String] { withState { $0.violations } }

  /// Forgets requests and violations.
  package func clearLog() {
    withState {
      $0.log = []
      $0.violations = []
    }
  }

  /// What the posts and users that were given out cost: $0.005 and $0.010, each once (x-api.md, "Money and policy").
  package var cost: Double {
    let requests = requests
    let posts = requests.reduce(into: Set<StubID>()) { $0.formUnion($1.postsRead) }
    let users = requests.reduce(into: Set<StubID>()) { $0.formUnion($1.usersRead) }
    return Double(posts.count) * 0.005 + Double(users.count) * 0.01
  }
}
