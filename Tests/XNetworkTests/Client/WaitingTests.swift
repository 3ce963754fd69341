import HTTPTransport
import NetworkSources
import Testing
import ThreadModel
import XNetwork

struct WaitingTests {
  private let now = Timestamp(seconds: 1_714_564_800)

  private func verdict(_ status: Int, _ headers: [String: String] = [:], _ body: String = "") -> RetryVerdict
  {
    .x(.success(HTTPResponse(status, headers, body)), at: now)
  }

  private func pause(_ verdict: RetryVerdict) -> Double? {
    if case .retry(let seconds, _) = verdict { seconds } else { nil }
  }

  @Test func waitsForTheEndOfAWindow() {
    let headers = ["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1714564890"]
    #expect(pause(verdict(429, headers)) == 91)
    // A wrong clock causes neither a wait of hours nor no wait.
    #expect(pause(verdict(429, headers.merging(["x-rate-limit-reset": "1914564890"]) { $1 })) == 960)
    #expect(pause(verdict(429, headers.merging(["x-rate-limit-reset": "1614564890"]) { $1 })) == 1)
    #expect(pause(verdict(429, ["retry-after": "7"])) == 7)
    #expect(verdict(429) == .retry(after: nil, reason: "X's request limit is reached"))
    // One request per second.
    #expect(pause(verdict(429, ["x-rate-limit-remaining": "299"], #"{"title":"Too Many Requests"}"#)) == 2)
  }

  @Test func doesNotWaitAfterErrorsOfCostAndUsage() {
    #expect(verdict(429, ["x-rate-limit-remaining": "9"], #"{"title":"UsageCapExceeded"}"#) == .accept)
    #expect(verdict(429, [:], #"{"type":"https://api.x.com/2/problems/usage-capped"}"#) == .accept)
    for status in [200, 301, 400, 401, 402, 403, 404, 410] { #expect(verdict(status) == .accept) }
    for kind in [
      HTTPError.Kind.cancelled, .insecure, .refusedURL, .refusedRedirect, .tooLarge, .refusedAddress,
    ] {
      #expect(RetryVerdict.x(.failure(HTTPError(kind, "no", url: "https://api.x.com/")), at: now) == .accept)
    }
  }

  @Test func retriesAfterServerErrors() {
    for status in [408, 500, 502, 503, 504] {
      guard case .retry(nil, _) = verdict(status) else {
        Issue.record("\(status) is not retried")
        continue
      }
    }
    #expect(pause(verdict(503, ["Retry-After": "12"])) == 12)
    for kind in [HTTPError.Kind.timedOut, .cut, .unreachable] {
      let error = HTTPError(kind, "it broke", url: "https://api.x.com/")
      #expect(RetryVerdict.x(.failure(error), at: now) == .retry(after: nil, reason: "it broke"))
    }
  }

  /// If the window is used up, the client waits before the request instead of after a refusal.
  @Test func waitsBeforeARequestInAUsedUpWindow() async throws {
    let clock = FakeClock(now)
    let headers = ["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1714565000"]
    let page = #"{"data":[{"id":"1","text":"a","author_id":"7","conversation_id":"1"}]}"#
    let transport = FakeTransport([HTTPResponse(200, headers, page), HTTPResponse(200, page)])
    let client = try XClient.fake(transport, clock: clock)
    _ = try await client.endpoints(named: "a").posts(["1"])
    #expect(clock.pauses == [])
    // Another endpoint has its own window.
    _ = try await client.endpoints(named: "a").search(XSearch("a", reach: .recent), token: nil)
    #expect(clock.pauses == [])
    _ = try await client.endpoints(named: "a").posts(["2"])
    #expect(clock.pauses.reduce(0, +) == 201)
    _ = try await client.endpoints(named: "a").posts(["3"])
    #expect(clock.pauses.reduce(0, +) == 201)
    #expect(clock.announced.first == "X's limit for GET /2/tweets is reached: 201")
  }

  /// X's clock defines the end of X's windows, whatever this machine's clock shows.
  @Test(arguments: [-600, 600])
  func correctsAWrongClock(secondsWrong: Int) async throws {
    let clock = FakeClock(Timestamp(seconds: 1_714_564_800 + Int64(secondsWrong)))
    let headers = [
      "x-rate-limit-remaining": "0", "x-rate-limit-reset": "1714565000",
      "Date": "Wed, 01 May 2024 12:00:00 GMT",
    ]
    let page = #"{"data":[{"id":"1","text":"a","author_id":"7","conversation_id":"1"}]}"#
    let transport = FakeTransport([HTTPResponse(200, headers, page), HTTPResponse(200, page)])
    let session = try XClient.fake(transport, clock: clock).endpoints(named: "a")
    _ = try await session.posts(["1"])
    _ = try await session.posts(["2"])
    #expect(clock.pauses.reduce(0, +) == 201)
    let refusal = HTTPResponse(429, headers, "")
    #expect(
      RetryVerdict.x(.success(refusal), at: clock.now)
        == .retry(after: 201, reason: "X's request limit is reached"))
  }

  /// A retried request keeps the pace like the first one and is counted.
  @Test func everyTryKeepsThePace() async throws {
    let clock = FakeClock(now)
    let transport = FakeTransport([HTTPResponse(503, ""), HTTPResponse(503, ""), .page([1])])
    let client = try XClient.fake(transport, clock: clock) { $0.retries.maximumTries = 3 }
    _ = try await client.endpoints(named: "a").search(XSearch("a", reach: .full), token: nil)
    #expect(transport.requests.count == 3)
    #expect(client.usage.requests["GET /2/tweets/search/all"] == 3)
    let last = (clock.now.milliseconds - now.milliseconds)
    #expect(last >= 2200, "three requests have two pauses of at least 1.1 seconds: \(last) ms")
  }

  /// The full archive accepts one request per second.
  @Test func fullArchiveHasAPace() async throws {
    let clock = FakeClock(now)
    let client = try XClient.fake(FakeTransport([.page([1])]), clock: clock)
    for token in ["a", "b", "c"] {
      _ = try await client.endpoints(named: "a").search(XSearch("a", reach: .full), token: token)
    }
    #expect(clock.pauses == [1.1, 1.1])
    clock.advance(seconds: 5)
    _ = try await client.endpoints(named: "a").search(XSearch("a", reach: .full), token: "d")
    #expect(clock.pauses == [1.1, 1.1])
  }

  @Test func waitsCanBeInterrupted() async throws {
    let now = now
    let clock = XClock(now: { now }, sleep: { _ in throw CancellationError() })
    let transport = FakeTransport([.page([1])])
    let client = try XClient(.bearer(Secret("t")), transport: transport, clock: clock)
    _ = try await client.endpoints(named: "a").search(XSearch("a", reach: .full), token: nil)
    #expect(
      await failure {
        _ = try await client.endpoints(named: "a").search(XSearch("b", reach: .full), token: nil)
      }?.kind
        == .interrupted)
    #expect(transport.requests.count == 1)
  }

  @Test func canceledTaskSendsNoRequests() async throws {
    let transport = FakeTransport([.page([1])])
    let client = try XClient.fake(transport)
    let task = Task {
      // Canceled before it sends a request.
      while !Task.isCancelled { await Task.yield() }
      return await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }?.kind
    }
    task.cancel()
    #expect(await task.value == .interrupted)
    #expect(transport.requests.isEmpty)
  }

  // MARK: Retries by the actual client

  private func retrying(_ answers: [HTTPResponse], _ clock: FakeClock) throws -> (XClient, FakeTransport) {
    let transport = FakeTransport(answers)
    return (try XClient.fake(transport, clock: clock) { $0.retries.maximumTries = 5 }, transport)
  }

  @Test func retriesAfterTheEndOfAWindow() async throws {
    let clock = FakeClock(now)
    let used = HTTPResponse(
      429, ["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1714564890"],
      #"{"title":"Too Many Requests"}"#)
    let (client, transport) = try retrying([used, .page([1])], clock)
    #expect(try await client.endpoints(named: "a").posts(["1"]).posts.count == 1)
    #expect(transport.requests.count == 2)
    // One second after the window's end, plus up to one more so that clients do not return at the same time.
    #expect((91.0...92.0).contains(clock.pauses.reduce(0, +)))
    #expect(clock.announced.count >= 90)
    #expect(client.usage.cost == XPrices().cost(posts: 1, users: 1))
  }

  @Test func temporaryErrorIsRetried() async throws {
    let (client, transport) = try retrying(
      [HTTPResponse(500, ""), HTTPResponse(503, "<html>"), .page([1])], FakeClock(now))
    #expect(try await client.endpoints(named: "a").posts(["1"]).posts.count == 1)
    #expect(transport.requests.count == 3)
  }

  @Test(arguments: [
    (500, SourceError.Kind.network, 5), (402, .creditsDepleted, 1), (401, .wrongCredential, 1),
    (403, .access, 1),
  ])
  func permanentErrorIsReported(_ status: Int, _ kind: SourceError.Kind, _ requests: Int) async throws {
    let (client, transport) = try retrying([HTTPResponse(status, "{}")], FakeClock(now))
    #expect(await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }?.kind == kind)
    #expect(transport.requests.count == requests)
  }

  @Test func neverWaitsForTheUsageCap() async throws {
    let clock = FakeClock(now)
    let capped = HTTPResponse(429, ["x-rate-limit-remaining": "39999"], #"{"title":"UsageCapExceeded"}"#)
    let (client, transport) = try retrying([capped], clock)
    #expect(await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }?.kind == .usageCapped)
    #expect(transport.requests.count == 1)
    #expect(clock.pauses == [])
  }
}
