import Basics
import HTTPTransport
import NetworkSources
import NostrSigner
import SiteConfig
import SourceHarness
import Testing
import ThreadModel

@testable import NostrNetwork

/// A transport without servers.
struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.unreachable, "there is no such host", url: request.url)
  }

  func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await send(request)
  }
}

/// Relays that fail, refuse requests, or send other events than the requested ones.
@Suite struct RelayFaultTests {
  private let world = NostrWorld()

  /// Limits that end the wait for a silent relay. On a busy machine, they may also end the wait for a working one.
  private static var shortLimits: RelayLimits {
    var limits = RelayLimits()
    limits.silentSeconds = 1
    return limits
  }

  private func fetch(
    limits: RelayLimits = .patient, _ behavior: @escaping LoopbackRelay.Behavior
  ) async throws -> (NostrFetch, SourceHarness.Outcome) {
    let fetch = try NostrFetch([try await LoopbackRelay(world.all, behavior: behavior)], limits: limits)
    return (fetch, try await fetch.add(world.thread[0].address()))
  }

  /// Fetches from a relay that works and from one that does not.
  private func fetchFromTwo(
    limits: RelayLimits = .patient, _ behavior: @escaping LoopbackRelay.Behavior
  ) async throws -> (NostrFetch, SourceHarness.Outcome) {
    let fetch = try NostrFetch(
      [try await LoopbackRelay(world.all), try await LoopbackRelay(world.all, behavior: behavior)],
      limits: limits)
    return (fetch, try await fetch.add(world.thread[0].address()))
  }

  // MARK: Events that are not authentic or not requested

  @Test func neverKeepsForgedEvents() async throws {
    let changed = world.thread[3].forged("Send me money")
    // An event of Eve with Ada's key as its author.
    var invented = NostrWorld.eve.signed(
      "Buy my coins", tags: [["e", world.thread[0].id, "", "root"]], at: NostrWorld.start + 500)
    invented.json = .object(
      (invented.json.object ?? [:]).merging(["pubkey": .string(NostrWorld.ada.key)]) { _, new in new })
    let hostile = try await LoopbackRelay([changed, invented])
    let fetch = try NostrFetch([try await LoopbackRelay(world.all), hostile])
    let outcome = try await fetch.add(world.thread[0].address())
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
    #expect(!fetch.contains("money") && !fetch.contains("coins"))
    let name = try RelayURL(hostile.url).name
    #expect(outcome.notes.contains { $0.contains("forged") && $0.contains(name) }, "\(outcome.notes)")
  }

  @Test func ignoresEventsThatWereNotRequested() async throws {
    let other = NostrWorld.ada.signed("Something else", at: NostrWorld.start + 700)
    let (fetch, outcome) = try await fetch { request in
      let stray = JSONWriter.text(of: ["EVENT", "another", other.json], .compact).bytes
      return [
        .event(other.json), .text(String(decoding: stray, as: UTF8.self)), .text("[]"), .text("no JSON"),
      ]
        + [.text("[\"EOSE\",\"another\"]")] + request.messages
    }
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
    #expect(!fetch.contains("Something else"))
  }

  @Test func acceptsRepeatedEvents() async throws {
    let (fetch, outcome) = try await fetch { $0.matches.map { .event($0) } + $0.messages }
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
  }

  @Test func limitsTheMessagesOfAResponse() async throws {
    var limits = RelayLimits.patient
    limits.messages = 150
    let (fetch, outcome) = try await fetch(limits: limits) { request in
      (0..<1000).map { _ in .text("[\"NOTICE\",\"more\"]") }
    }
    #expect(outcome.errors.contains("more than 150 messages"), "\(outcome.errors)")
    #expect(fetch.conversations.isEmpty && fetch.relays[0].requests.count == 1)
  }

  @Test func limitsTheSizeOfAResponse() async throws {
    var limits = RelayLimits.patient
    limits.responseBytes = 1 << 20
    let text = String(repeating: "a", count: 600_000)
    let relay = try await LoopbackRelay([]) { _ in
      (0..<4).map { _ in .text("[\"NOTICE\",\"\(text)\"]") } + [.end]
    }
    let fetch = try NostrFetch([relay], limits: limits)
    #expect(try await fetch.add(world.thread[0].address()).errors.contains("more than 1 MB"))
  }

  // MARK: Relays that fail

  @Test func reportsARelayThatSendsNothing() async throws {
    let (fetch, outcome) = try await fetchFromTwo(limits: Self.shortLimits) { _ in [] }
    guard outcome.hasSucceeded else {
      #expect(outcome.failures.map(\.kind) == [.network], "\(outcome.errors)")
      return
    }
    #expect(outcome.notes.contains { $0.contains("may be missing") }, "\(outcome.notes)")
    // It is not asked again.
    #expect(fetch.relays[1].requests.count <= 1)
  }

  @Test func failsIfTheOnlyRelaySendsNothing() async throws {
    let (fetch, outcome) = try await fetch(limits: Self.shortLimits) { _ in [] }
    #expect(outcome.failures.map(\.kind) == [.network], "\(outcome.errors)")
    #expect(fetch.conversations.isEmpty)
  }

  @Test func showsTheNoticeOfARelayThatSendsNothingElse() async throws {
    let (fetch, outcome) = try await fetch { _ in [.text("[\"NOTICE\",\"too busy\"]"), .disconnect] }
    #expect(
      outcome.failures.map(\.kind) == [.network] && outcome.errors.contains("too busy"), "\(outcome.errors)")
    #expect(fetch.conversations.isEmpty)
  }

  @Test func reportsARelayThatClosesTheConnection() async throws {
    let (fetch, outcome) = try await fetchFromTwo { $0.matches.prefix(1).map { .event($0) } + [.disconnect] }
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
    #expect(outcome.notes.count { $0.contains("may be missing") } == 1, "\(outcome.notes)")
  }

  /// Relays close connections that are idle for a while.
  @Test func connectsAgainAfterAnIdleConnectionWasClosed() async throws {
    let (fetch, outcome) = try await fetch { $0.messages + [.disconnect] }
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors) \(outcome.notes)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
    #expect(fetch.relays[0].connections > 1)
  }

  @Test func reportsARelayThatRequiresALogin() async throws {
    let refuse: LoopbackRelay.Behavior = { request in
      [
        .text("[\"AUTH\",\"a challenge\"]"),
        .text("[\"CLOSED\",\"\(request.subscription)\",\"auth-required: members only\"]"),
      ]
    }
    let (_, alone) = try await fetch(refuse)
    #expect(
      alone.failures.map(\.kind) == [.access] && alone.errors.contains("members only"), "\(alone.errors)")
    let (fetch, outcome) = try await fetchFromTwo(refuse)
    #expect(outcome.hasSucceeded && outcome.notes.contains { $0.contains("log in") }, "\(outcome.notes)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
  }

  @Test func ignoresRequestsToLogInIfTheRelayAnswers() async throws {
    let (fetch, outcome) = try await fetch { [.text("[\"AUTH\",\"a challenge\"]")] + $0.messages }
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
  }

  @Test func failsIfNoRelayCanBeReached() async throws {
    let fetch = try NostrFetch([], urls: ["ws://127.0.0.1:1", "ws://localhost:1"])
    let outcome = try await fetch.add(world.thread[0].address())
    #expect(
      outcome.errors.contains("None of the relays answered") && outcome.errors.contains("localhost:1"),
      "\(outcome.errors)")
    #expect(outcome.notes.isEmpty)
  }

  /// A relay without an answer may have the missing post, so that the thread is incomplete and the post is not called deleted.
  @Test func marksAThreadAsIncompleteIfARelayMayHaveAMissingPost() async throws {
    let relay = try await LoopbackRelay(world.all.filter { $0.id != world.thread[20].id })
    let silent = try await LoopbackRelay([]) { _ in [.disconnect] }
    let fetch = try NostrFetch([relay, silent])
    let outcome = try await fetch.add(world.thread[0].address())
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let thread = try fetch.conversation()
    #expect(thread.coverage.limits.contains(CoverageLimit(.lookupFailed)))
    #expect(!thread.tombstones.contains { $0.reason == .deleted })
  }

  @Test func refusesNamedRelaysThatAreNotPublic() async throws {
    let run = SourceRun(
      config: .defaults, environment: [:], transport: NoTransport(), workFolder: "/nonexistent",
      absolutePath: { $0 }, maximumCost: .zero, now: { Timestamp(seconds: 1_790_000_000) })
    let relays = NostrRelays(run)
    #expect(
      relays.named(["ws://127.0.0.1:7777", "ws://relay.example", "https://relay.example", "wss://"]).isEmpty)
    #expect(relays.named(relays.configured.map(\.url.description)).isEmpty)
    let many = (1...9).map { "wss://relay\($0).example" }
    #expect(relays.named(many + many).map(\.url.description) == Array(many.prefix(3)))
  }
}
