import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import Synchronization
import Testing
import ThreadModel

@testable import BlueskyNetwork

/// Resolves a handle that the AppView does not know. The handle's host names the account, and the account
/// must confirm the handle.
@Suite struct BlueskyHandleTests {
  private static let did = "did:plc:adaadaadaadaadaadaadaada"

  /// Answers by URL in place of the AppView, the handle's host and the directory of accounts.
  private final class Hosts: HTTPTransport {
    private let answers: [String: (status: Int, body: String)]
    private let log = Mutex<[HTTPRequest]>([])
    var requests: [HTTPRequest] { log.withLock { $0 } }

    init(_ answers: [String: (status: Int, body: String)]) { self.answers = answers }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      log.withLock { $0.append(request) }
      guard let answer = answers[request.url] else {
        guard request.url.hasPrefix("https://public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle?")
        else {
          throw HTTPError(.unreachable, "there is no such host", url: request.url)
        }
        let refusal = "{\"error\": \"InvalidRequest\", \"message\": \"Unable to resolve handle\"}"
        return HTTPResponse(status: 400, headers: HTTPHeaders(), body: Array(refusal.utf8), url: request.url)
      }
      return HTTPResponse(
        status: answer.status, headers: HTTPHeaders(), body: Array(answer.body.utf8), url: request.url)
    }
  }

  private static let timing = RetryTiming(sleep: { _ in }, random: { 0 }, now: { 1_790_000_000 })

  private func resolve(_ handle: String, _ hosts: Hosts) async throws -> String {
    let run = SourceRun(
      config: .defaults, environment: [:], transport: hosts, workFolder: "/nonexistent",
      absolutePath: { $0 }, maximumCost: .zero, now: { Timestamp(seconds: 1_790_000_000) })
    return try await BlueskyAPI(run, timing: Self.timing).resolve(handle: handle)
  }

  private func hosts(_ told: String, names: [String], status: Int = 200) -> Hosts {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return Hosts([
      "https://ada.boats/.well-known/atproto-did": (status, told),
      "https://plc.directory/\(Self.did)": (200, "{\"id\": \"\(Self.did)\", \"alsoKnownAs\": [\(list)]}"),
    ])
  }

  @Test(arguments: [Self.did, "\(Self.did)\n", "  \(Self.did)\r\n"])
  func acceptsAHandleThatHostAndAccountConfirm(_ told: String) async throws {
    let hosts = hosts(told, names: ["https://ada.example", "at://ada.boats", "at://old.boats"])
    #expect(try await resolve("Ada.Boats", hosts) == Self.did)
    // The request has no credential, and only a short response is read.
    let asked = hosts.requests[1]
    #expect(asked.authorization == nil && asked.limits.maximumBytes <= 4096 && asked.reach == .publicOnly)
  }

  @Test(arguments: [[], ["at://other.boats"], ["at://other.boats", "at://ada.boats"], ["at://ada.boats/x"]])
  func rejectsAHandleThatTheAccountDoesNotConfirm(_ names: [String]) async throws {
    let hosts = hosts(Self.did, names: names)
    let error = await #expect(throws: SourceError.self) { try await resolve("ada.boats", hosts) }
    #expect(error?.message.contains("does not use this handle") == true && error?.kind == .content)
  }

  @Test(arguments: [
    "<!doctype html><p>Not found", "", "did:plc:", "\(Self.did) \(Self.did)", "did:plc:ada/../x", "\u{0}",
  ])
  func rejectsInvalidAccountIDs(_ told: String) async throws {
    let error = await #expect(throws: SourceError.self) {
      try await resolve("ada.boats", hosts(told, names: ["at://ada.boats"]))
    }
    #expect(error?.message.contains("There is no Bluesky account @ada.boats") == true)
    let missing = await #expect(throws: SourceError.self) {
      try await resolve("ada.boats", hosts(Self.did, names: ["at://ada.boats"], status: 404))
    }
    #expect(missing?.message.contains("There is no Bluesky account") == true)
  }

  /// Names that no web host can have are not requested, and a missing host is requested at most twice.
  @Test func doesNotRequestImpossibleHosts() async throws {
    for handle in [
      "ada", "ada.local", "ada.onion", "ada.example", "127.0.0.1", "ada..boats", "ada.boats:8080",
      "a@b.boats",
    ] {
      let hosts = Hosts([:])
      await #expect(throws: SourceError.self) { try await resolve(handle, hosts) }
      #expect(hosts.requests.count == 1, "\(handle)")
    }
    let hosts = Hosts([:])
    let error = await #expect(throws: SourceError.self) { try await resolve("nobody.boats", hosts) }
    #expect(error?.message.contains("There is no Bluesky account") == true && hosts.requests.count == 3)
  }
}
