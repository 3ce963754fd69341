import Basics
import Foundation
import HTTPTransport
import LoopbackServer
import NetworkSources
import SiteConfig
import Synchronization
import TestSupport
import Testing
import ThreadModel

@Suite(.serialized) struct WebServiceTests {
  /// Returns results in order, repeats the last one, and records the requests.
  private final class Script: HTTPTransport {
    private let state: Mutex<(results: [Result<HTTPResponse, HTTPError>], requests: [HTTPRequest], most: Int)>
    private let now = Mutex(0)
    let pause: Duration

    init(_ results: [Result<HTTPResponse, HTTPError>], pause: Duration = .zero) {
      state = Mutex((results, [], 0))
      self.pause = pause
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    /// The greatest number of concurrent requests.
    var mostAtOnce: Int { state.withLock { $0.most } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let under = now.withLock { now in
        now += 1
        return now
      }
      defer { now.withLock { $0 -= 1 } }
      let result = state.withLock { state in
        state.most = max(state.most, under)
        state.requests.append(request)
        return state.results[min(state.requests.count, state.results.count) - 1]
      }
      if pause > .zero { try? await Task.sleep(for: pause) }
      return try result.get()
    }
  }

  private static let start: Double = 1_767_225_600

  /// A clock that pauses advance.
  private final class Clock: Sendable {
    private let state = Mutex<(now: Double, pauses: [Double])>((WebServiceTests.start, []))
    var pauses: [Double] { state.withLock { $0.pauses } }
    var slept: Double { pauses.reduce(0, +) }
    var timing: RetryTiming {
      RetryTiming(
        sleep: { seconds in
          try Task.checkCancellation()
          self.state.withLock { state in
            state.now += seconds
            state.pauses.append(seconds)
          }
        }, random: { 0 }, now: { self.state.withLock { $0.now } })
    }
  }

  private let clock = Clock()

  private func run(
    _ transport: any HTTPTransport, announce: @escaping @Sendable (String, Int) -> Void = { _, _ in },
    report: @escaping @Sendable (SourceUsage) -> Void = { _ in }
  ) -> SourceRun {
    SourceRun(
      config: .defaults, environment: [:], transport: transport, workFolder: "/nonexistent",
      absolutePath: { $0 }, maximumCost: .zero, now: { Timestamp(seconds: Int64(Self.start)) },
      announce: announce,
      report: report)
  }

  private func service(_ transport: any HTTPTransport) -> WebService {
    WebService(run(transport), timing: clock.timing)
  }

  private func ok(_ body: String = "{}", _ headers: [String: String] = [:]) -> Result<HTTPResponse, HTTPError>
  {
    .success(HTTPResponse(status: 200, headers: HTTPHeaders(headers), body: Array(body.utf8)))
  }

  private func status(_ status: Int, _ headers: [String: String] = [:]) -> Result<HTTPResponse, HTTPError> {
    .success(HTTPResponse(status: status, headers: HTTPHeaders(headers), body: Array("<html>".utf8)))
  }

  private let request = WebRequest("GET posts", "https://api.example/posts")

  private func failure(_ service: WebService, _ request: WebRequest) async -> SourceError? {
    do throws(SourceError) {
      let answer = try await service.get(request)
      Issue.record("unexpected response: \(answer.status)")
      return nil
    } catch {
      return error
    }
  }

  @Test func sendsCorrectRequests() async throws {
    let script = Script([ok("{\"a\":1}")])
    var request = self.request
    request.query = [("uris", "at://did:plc:x/app.bsky.feed.post/1"), ("uris", "ä&b"), ("limit", "25")]
    request.headers = [("X-Kind", "test")]
    let answer = try await service(script).get(request)
    #expect(try answer.json()["a"]?.int == 1)
    let sent = try #require(script.requests.first)
    #expect(
      sent.url
        == "https://api.example/posts?uris=at%3A%2F%2Fdid%3Aplc%3Ax%2Fapp.bsky.feed.post%2F1&uris=%C3%A4%26b&limit=25"
    )
    #expect(sent.reach == .publicOnly && sent.maximumRedirects > 0 && sent.authorization == nil)
    #expect(sent.headers.contains { $0 == ("X-Kind", "test") })
    #expect(sent.headers.contains { $0 == ("Accept", "application/json") })
  }

  @Test func credentialIsNotSentElsewhere() async throws {
    let script = Script([status(302, ["Location": "https://elsewhere.example/"])])
    var request = self.request
    request.authorization = Secret("Bearer token-1")
    let error = await failure(service(script), request)
    #expect(script.requests.first?.maximumRedirects == 0 && script.requests.count == 1)
    #expect(error?.kind == .network && error?.message.contains("token-1") == false)
  }

  @Test func errorStatusesAreAnswers() async throws {
    let answer = try await service(Script([status(400)])).get(request)
    #expect(answer.status == 400 && !answer.isSuccess && answer.refusal == nil)
    #expect(throws: SourceError.self) { try answer.json() }
  }

  @Test func retriesAfterTemporaryErrors() async throws {
    let cut = Result<HTTPResponse, HTTPError>.failure(
      HTTPError(.cut, "it ended", url: "https://api.example/"))
    let script = Script([status(502), cut, ok()])
    let service = service(script)
    _ = try await service.get(request)
    #expect(service.usage.requests == ["GET posts": 3])
  }

  @Test func reportsPermanentErrors() async throws {
    let error = await failure(service(Script([status(503)])), request)
    #expect(error?.kind == .network && error?.message.contains("api.example") == true)
    #expect(await failure(service(Script([status(429)])), request)?.kind == .quota)
  }

  /// The headers of the networks and of the IETF draft, and the wait computed by hand.
  private static let limits: [(headers: [String: String], seconds: Double)] = [
    (["Retry-After": "7"], 7.0), (["RateLimit-Reset": "1767225640"], 40.0),
    (["X-RateLimit-Reset": "2026-01-01T00:05:00.000Z"], 300.0), (["RateLimit-Reset": "12"], 12.0),
    // The server's clock is an hour ahead.
    (["RateLimit-Reset": "1767229260", "Date": "Thu, 01 Jan 2026 01:00:00 GMT"], 60.0),
    // This machine's clock is ten minutes ahead.
    (["Retry-After": "Wed, 31 Dec 2025 23:52:00 GMT", "Date": "Wed, 31 Dec 2025 23:50:00 GMT"], 120.0),
    (["X-RateLimit-Reset": "2025-12-31T23:55:00.000Z", "Date": "Wed, 31 Dec 2025 23:50:00 GMT"], 300.0),
    // No wait is longer than 16 minutes.
    (["RateLimit-Reset": "99999999999"], 960.0),
  ]

  @Test(arguments: limits.indices)
  func waitsForRateLimits(index: Int) async throws {
    let (headers, seconds) = Self.limits[index]
    let announced = Mutex<[Int]>([])
    let service = WebService(
      run(
        Script([status(429, headers), ok()]), announce: { _, left in announced.withLock { $0.append(left) } }),
      timing: clock.timing)
    _ = try await service.get(request)
    #expect(abs(clock.slept - seconds) < 1)
    #expect(announced.withLock { $0 }.first == Int(seconds))
    #expect(announced.withLock { $0 }.last == 1)
  }

  @Test func waitsBeforeARequestInAUsedUpWindow() async throws {
    let script = Script([ok("{}", ["RateLimit-Remaining": "0", "RateLimit-Reset": "1767225620"]), ok()])
    let service = service(script)
    _ = try await service.get(request)
    #expect(clock.pauses.isEmpty)
    _ = try await service.get(request)
    #expect(abs(clock.slept - 20) < 1 && script.requests.count == 2)
  }

  @Test func otherHostsDoNotWait() async throws {
    let script = Script([ok("{}", ["RateLimit-Remaining": "0", "RateLimit-Reset": "1767225620"]), ok()])
    let service = service(script)
    _ = try await service.get(request)
    _ = try await service.get(WebRequest("GET posts", "https://other.example/posts"))
    #expect(clock.pauses.isEmpty)
  }

  @Test func limitsConcurrentRequestsPerHost() async throws {
    let script = Script([ok()], pause: .milliseconds(5))
    let service = service(script)
    await withTaskGroup { group in
      for _ in 0..<40 { group.addTask { _ = try? await service.get(request) } }
    }
    #expect(script.requests.count == 40)
    #expect(script.mostAtOnce <= 4)
  }

  @Test func waitingRequestCanBeCanceled() async throws {
    let script = Script([ok()], pause: .seconds(600))
    let service = service(script)
    let tasks = (0..<8).map { _ in
      Task { () async -> SourceError.Kind? in
        do throws(SourceError) {
          _ = try await service.get(request)
          return nil
        } catch {
          return error.kind
        }
      }
    }
    while script.requests.count < 4 { try await Task.sleep(for: .milliseconds(5)) }
    for task in tasks { task.cancel() }
    var interrupted = 0
    for task in tasks where await task.value == .interrupted { interrupted += 1 }
    // The server had four requests, whose response comes at the end of the pause. No other request was sent.
    #expect(interrupted >= 1 && script.mostAtOnce <= 4)
  }

  @Test func reportsEveryAnswer() async throws {
    let reports = Mutex<[Int]>([])
    let service = WebService(
      run(Script([ok()]), report: { usage in reports.withLock { $0.append(usage.requestCount) } }),
      timing: clock.timing)
    for _ in 0..<3 { _ = try await service.get(request) }
    service.count(posts: 5)
    #expect(reports.withLock { $0 } == [1, 2, 3, 3])
    #expect(service.usage.posts == 5 && service.usage.cost == nil)
  }

  // MARK: Real connections

  private func live(allowsLoopback: Bool) -> CurlTransport {
    var options = CurlOptions()
    options.proxies = .none
    options.allowsLoopback = allowsLoopback
    return CurlTransport(userAgent: "threadsite-tests/1", options: options)
  }

  @Test func connectsToThisMachineOnlyForAStub() async throws {
    let server = try LoopbackServer()
    server.on("/posts", .text("{\"a\":1}"))
    let request = WebRequest("GET posts", server.url("/posts"))
    #expect(try await service(live(allowsLoopback: true)).get(request).json()["a"]?.int == 1)
    let error = await failure(service(live(allowsLoopback: false)), request)
    #expect(error?.kind == .network && server.requests.count == 1)
  }

  @Test(arguments: ["https://10.0.0.1/x", "https://169.254.169.254/latest", "https://[::ffff:10.0.0.1]/x"])
  func rejectsRedirectsToPrivateAddresses(target: String) async throws {
    let server = try LoopbackServer()
    server.on("/posts", .redirect(to: target))
    let error = await failure(
      service(live(allowsLoopback: true)), WebRequest("GET posts", server.url("/posts")))
    #expect(error?.kind == .network)
    #expect(error?.message.contains("not") == true)
  }
}
