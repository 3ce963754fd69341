import Basics
import FlyingFox
import FlyingSocks
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A relay on 127.0.0.1 that serves events by NIP-01. FlyingFox implements its WebSockets.
final class LoopbackRelay: Sendable {
  /// A client's request for events.
  struct Request: Sendable {
    var subscription: String
    var filter: Basics.JSONValue
    /// The stored events that match, newest first, as many as the relay sends in one response.
    var matches: [Basics.JSONValue]

    /// The messages of a relay that works.
    var messages: [Message] { matches.map { .event($0) } + [.end] }
  }

  enum Message: Sendable {
    case event(Basics.JSONValue)
    case end
    case text(String)
    case disconnect
  }

  typealias Behavior = @Sendable (Request) -> [Message]

  fileprivate struct State {
    var events: [SignedEvent]
    var requests: [Basics.JSONValue] = []
    var connections = 0
    var closed: [String] = []
  }

  fileprivate final class Core: Sendable {
    let state: Mutex<State>
    let most: Int
    let behavior: Behavior

    init(_ events: [SignedEvent], _ most: Int, _ behavior: @escaping Behavior) {
      state = Mutex(State(events: events))
      self.most = most
      self.behavior = behavior
    }
  }

  private let core: Core
  private let running: Task<Void, Never>
  /// The URL `ws://127.0.0.1:<port>`.
  let url: String

  /// Starts a relay.
  ///
  /// - Parameter most: the maximum number of events in a response.
  init(
    _ events: [SignedEvent], most: Int = 500, behavior: @escaping Behavior = { $0.messages }
  ) async throws {
    let core = Core(events, most, behavior)
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled,
      handler: .webSocket(Connection(core: core)))
    running = Task { try? await server.run() }  // a relay that cannot start is noticed by the next line
    try await server.waitUntilListening(timeout: 60)
    guard case .ip4(_, let port) = await server.listeningAddress else { throw NotListening() }
    self.core = core
    url = "ws://127.0.0.1:\(port)"
  }

  struct NotListening: Error {}

  deinit { running.cancel() }

  /// The filters of all requests, in the order of their arrival.
  var requests: [Basics.JSONValue] { core.state.withLock { $0.requests } }
  var connections: Int { core.state.withLock { $0.connections } }
  /// The subscriptions that clients ended.
  var closed: [String] { core.state.withLock { $0.closed } }

  func add(_ events: [SignedEvent]) { core.state.withLock { $0.events += events } }
  func remove(_ ids: Set<String>) { core.state.withLock { $0.events.removeAll { ids.contains($0.id) } } }

  private struct Connection: WSMessageHandler {
    let core: Core

    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
      core.state.withLock { $0.connections += 1 }
      let (stream, sender) = AsyncStream.makeStream(of: WSMessage.self)
      let task = Task {
        for await message in client {
          guard case .text(let text) = message else { continue }
          for reply in core.answer(text) { sender.yield(reply) }
        }
        sender.finish()
      }
      sender.onTermination = { _ in task.cancel() }
      return stream
    }
  }
}

extension LoopbackRelay.Core {
  func answer(_ text: String) -> [WSMessage] {
    guard let parts = (try? Basics.JSONValue(parsing: Array(text.utf8)))?.array,
      let subscription = parts.count > 1 ? parts[1].string : nil
    else { return [.text("[\"NOTICE\",\"not a message\"]")] }
    switch parts[0].string {
    case "CLOSE":
      state.withLock { $0.closed.append(subscription) }
      return []
    case "REQ" where parts.count == 3:
      let request = LoopbackRelay.Request(
        subscription: subscription, filter: parts[2], matches: matches(parts[2]))
      return behavior(request).map { message in
        switch message {
        case .event(let event): .text(Self.text(["EVENT", .string(subscription), event]))
        case .end: .text(Self.text(["EOSE", .string(subscription)]))
        case .text(let text): .text(text)
        case .disconnect: .close(.goingAway)
        }
      }
    default: return [.text("[\"NOTICE\",\"unknown message\"]")]
    }
  }

  private static func text(_ value: Basics.JSONValue) -> String {
    String(decoding: JSONWriter.text(of: value, .compact).bytes, as: UTF8.self)
  }

  private func matches(_ filter: Basics.JSONValue) -> [Basics.JSONValue] {
    let events = state.withLock { state in
      state.requests.append(filter)
      return state.events.map(\.json)
    }
    let newest = events.filter { Self.matches($0, filter) }.sorted {
      ($0["created_at"]?.int ?? 0, $1["id"]?.string ?? "") > (
        $1["created_at"]?.int ?? 0, $0["id"]?.string ?? ""
      )
    }
    return Array(newest.prefix(min(most, filter["limit"]?.int ?? most)))
  }

  /// NIP-01: all conditions of a filter must hold.
  private static func matches(_ event: Basics.JSONValue, _ filter: Basics.JSONValue) -> Bool {
    let time = event["created_at"]?.int ?? 0
    for (name, value) in filter.object ?? [:] {
      let holds: Bool
      switch name {
      case "limit": holds = true
      case "since": holds = time >= value.int ?? 0
      case "until": holds = time <= value.int ?? 0
      case "ids": holds = value.array?.contains(event["id"] ?? nil) ?? false
      case "authors": holds = value.array?.contains(event["pubkey"] ?? nil) ?? false
      case "kinds": holds = value.array?.contains(event["kind"] ?? nil) ?? false
      default:
        holds = (event["tags"]?.array ?? []).contains { tag in
          "#" + (tag[0]?.string ?? "") == name && value.array?.contains(tag[1] ?? nil) ?? false
        }
      }
      if !holds { return false }
    }
    return true
  }
}
