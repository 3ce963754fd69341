import HTTPTransport
import NetworkSources
import SiteConfig
import SourceHarness
import Synchronization
import Testing
import ThreadModel

@testable import NostrNetwork

/// The network's source with relays on loopback, and with domains that assign names.
final class NostrFetch: Sendable {
  /// The source with short limits, and with domains in place of those of the web.
  private struct Source: NetworkSource {
    let platform = Platform.nostr
    let addresses: any AddressReader = NostrAddresses()
    let limits: RelayLimits
    let domains: Domains

    func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
      var run = run
      run.transport = Transport(base: run.transport, domains: domains)
      return NostrClient(
        run, limits: limits, timing: RetryTiming(sleep: { _ in }, random: { 0 }, now: { 1_790_000_000 }))
    }
  }

  /// The keys to which domains assign names, and the requests for them.
  final class Domains: Sendable {
    private let keys: [String: String]
    private let log = Mutex<[String]>([])
    private let isStopped = Mutex(false)
    var requests: [String] { log.withLock { $0 } }

    init(_ keys: [String: String]) { self.keys = keys }

    /// From now on, the domains answer with a server error.
    func stop() { isStopped.withLock { $0 = true } }

    func answer(_ url: String) -> HTTPResponse {
      if isStopped.withLock({ $0 }) { return HTTPResponse(status: 500, url: url) }
      log.withLock { $0.append(url) }
      let names = keys.map { "\"\($0.key)\": \"\($0.value)\"" }.joined(separator: ", ")
      return HTTPResponse(status: 200, body: Array("{\"names\": {\(names)}}".utf8), url: url)
    }
  }

  private struct Transport: HTTPTransport {
    let base: any HTTPTransport
    let domains: Domains

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse { domains.answer(request.url) }

    func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
      domains.answer(request.url)
    }

    func openWebSocket(_ request: HTTPRequest) async throws(HTTPError) -> any WebSocket {
      try await base.openWebSocket(request)
    }
  }

  let relays: [LoopbackRelay]
  let domains: Domains
  private let harness: SourceHarness

  /// - Parameters:
  ///   - configuration: further text of site.yml.
  ///   - names: the keys to which the domains assign names.
  ///   - urls: the URLs of further relays.
  init(
    _ relays: [LoopbackRelay], configuration: String = "", names: [String: String] = [:],
    limits: RelayLimits = .patient, urls: [String] = []
  ) throws {
    self.relays = relays
    domains = Domains(names)
    let urls = (relays.map(\.url) + urls).joined(separator: ", ")
    harness = try SourceHarness(
      Source(limits: limits, domains: domains), configuration: "nostr:\n  relays: [\(urls)]\n" + configuration
    )
  }

  var conversations: [Conversation] { harness.conversations }

  /// The only conversation.
  func conversation() throws -> Conversation {
    let all = conversations
    try #require(all.count == 1, "not exactly one thread was found")
    return all[0]
  }

  func contains(_ text: String) -> Bool { harness.contains(text) }

  func add(_ address: String, withReplies: Bool = false) async throws -> SourceHarness.Outcome {
    try await harness.add(address, withReplies: withReplies)
  }

  func profile(of author: AuthorID) async throws -> Profile? {
    try await harness.profile(of: author, followers: 10)
  }

  func fetchSources() async throws -> SourceHarness.Outcome { try await harness.fetchSources() }
  func fetchAll() async throws -> SourceHarness.Outcome { try await harness.fetchAll() }
}

extension RelayLimits {
  /// Limits that no working relay reaches, however busy the machine is.
  static var patient: RelayLimits {
    var limits = RelayLimits()
    limits.silentSeconds = 3600
    limits.responseSeconds = 3600
    limits.connectionSeconds = 100_000
    return limits
  }
}

extension Conversation {
  /// The ids of the author's posts in the order of time.
  var ownPosts: [PostID] { PostOrder.sorted(posts.filter { $0.authorID == authorID }).map(\.id) }
}
