import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

@Suite struct RetryTests {
  /// Returns results in order, repeats the last one, and counts the requests.
  private struct Script: HTTPTransport {
    let results: [Result<HTTPResponse, HTTPError>]
    let count = Locked(0)

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let turn = count.update { count in
        count += 1
        return count
      }
      return try results[min(turn, results.count) - 1].get()
    }

    func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
      try await send(request)
    }
  }

  /// Pauses take no time; the clock stays at 2026-01-01.
  private let pauses = Locked<[Double]>([])
  private let waits = Locked<[RetryWait]>([])

  private func retrying(
    _ base: some HTTPTransport, random: Double = 0.5, _ change: (inout RetryPolicy) -> Void = { _ in },
    judge: RetryingTransport.Judge? = nil
  ) -> RetryingTransport {
    var policy = RetryPolicy()
    change(&policy)
    let timing = RetryTiming(
      sleep: { seconds in
        try Task.checkCancellation()
        pauses.update { $0.append(seconds) }
      }, random: { random }, now: { 1_767_225_600 })
    return RetryingTransport(
      base, policy: policy, timing: timing, judge: judge,
      announce: { wait in waits.update { $0.append(wait) } })
  }

  private func status(_ status: Int, _ headers: [String: String] = [:]) -> Result<HTTPResponse, HTTPError> {
    .success(HTTPResponse(status: status, headers: HTTPHeaders(headers)))
  }

  private func error(_ kind: HTTPError.Kind) -> Result<HTTPResponse, HTTPError> {
    .failure(HTTPError(kind, "it failed", url: "https://example.org/"))
  }

  private let request = HTTPRequest(.get, "https://example.org/a?b=c")

  @Test func pausesGrowAndTheLastResultIsReturned() async throws {
    let script = Script(results: [status(503)])
    let response = try await retrying(script) { $0.maximumTries = 9 }.send(request)
    #expect(response.status == 503)
    #expect(script.count.value == 9)
    // The pause doubles up to 64 and is limited to 60. The fixed random number halves each pause.
    #expect(pauses.value.prefix(3) == [0.5, 1, 2])
    let total = pauses.value.reduce(0, +)
    #expect(total == 91.5)
  }

  @Test(arguments: [0.0, 0.999])
  func randomNumberShortensPauses(random: Double) async throws {
    _ = try await retrying(Script(results: [status(500), status(200)]), random: random).send(request)
    #expect(pauses.value == [random])
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504, 599])
  func retriesAfterTheseCodes(code: Int) async throws {
    let script = Script(results: [status(code), status(code), status(200)])
    #expect(try await retrying(script).send(request).status == 200)
    #expect(script.count.value == 3)
  }

  @Test(arguments: [200, 301, 400, 401, 402, 403, 404, 410, 501, 505])
  func doesNotRetryAfterTheseCodes(code: Int) async throws {
    let script = Script(results: [status(code)])
    #expect(try await retrying(script).send(request).status == code)
    #expect(script.count.value == 1)
    #expect(pauses.value.isEmpty)
  }

  @Test(arguments: [
    (HTTPError.Kind.cut, true), (.timedOut, true), (.unreachable, true), (.insecure, false),
    (.tooLarge, false),
    (.refusedURL, false), (.refusedAddress, false), (.refusedRedirect, false), (.cancelled, false),
    (.file, false),
    (.other, false),
  ])
  func retriesAfterTemporaryErrors(kind: HTTPError.Kind, isTriedAgain: Bool) async throws {
    let script = Script(results: [error(kind), status(200)])
    if isTriedAgain {
      #expect(try await retrying(script).send(request).status == 200)
    } else {
      #expect(await failure(retrying(script), request)?.kind == kind)
      #expect(script.count.value == 1)
    }
  }

  @Test(arguments: [
    ("2", 2.5), ("0", 0.5), ("Thu, 01 Jan 2026 00:00:02 GMT", 2.5), ("Wed, 31 Dec 2025 00:00:00 GMT", 0.5),
    ("soon", 0.5), ("-5", 0.5),
  ])
  func respectsRetryAfter(value: String, pause: Double) async throws {
    let script = Script(results: [status(429, ["Retry-After": value]), status(200)])
    _ = try await retrying(script).send(request)
    #expect(pauses.value == [pause])
  }

  @Test func datesOfRetryAfterUseTheServersClock() async throws {
    let headers = [
      "Retry-After": "Wed, 31 Dec 2025 23:50:02 GMT", "Date": "Wed, 31 Dec 2025 23:50:00 GMT",
    ]
    _ = try await retrying(Script(results: [status(429, headers), status(200)])).send(request)
    #expect(pauses.value == [2.5])
  }

  @Test(arguments: ["99999999999999999999999999", "86400", "Fri, 01 Jan 2106 00:00:00 GMT"])
  func limitsPauses(value: String) async throws {
    let script = Script(results: [status(503, ["Retry-After": value]), status(200)])
    _ = try await retrying(script).send(request)
    let total = pauses.value.reduce(0, +)
    #expect(total == 960)
  }

  @Test func announcesLongPauses() async throws {
    let script = Script(results: [status(429, ["Retry-After": "4"]), status(200)])
    _ = try await retrying(script).send(request)
    #expect(pauses.value == [0.5, 1, 1, 1, 1])
    #expect(waits.value.map(\.secondsLeft) == [5, 4, 3, 2, 1])
    let wait = try #require(waits.value.first)
    #expect(wait.url == "https://example.org/a")
    #expect(wait.reason == "too many requests (429)")
    #expect(wait.nextTry == 2)
    #expect(wait.maximumTries == 5)
  }

  @Test func doesNotAnnounceShortPauses() async throws {
    _ = try await retrying(Script(results: [status(500), status(500), status(200)])).send(request)
    #expect(waits.value.isEmpty)
  }

  @Test func customJudgeDecides() async throws {
    // As in X's client: the end of the window comes from X's own header, and there is no retry if it could
    // cost money.
    let judge: RetryingTransport.Judge = { result in
      guard case .success(let response) = result else { return .accept }
      if response.status == 402 { return .accept }
      if let reset = response.headers["x-rate-limit-reset"].flatMap({ Double($0) }) {
        return .retry(after: reset - 1_767_225_600, reason: "X's window is used up")
      }
      return .standard(result, now: 1_767_225_600)
    }
    let script = Script(results: [
      status(429, ["x-rate-limit-reset": "1767225602"]), status(500), status(402), status(200),
    ])
    #expect(try await retrying(script, judge: judge).send(request).status == 402)
    #expect(pauses.value == [2.5, 1])
  }

  @Test func retriesAnUnrepeatableRequestOnlyIfItWasNotExecuted() async throws {
    let post = HTTPRequest(.post, "https://example.org/")
    for first in [status(429), status(503), error(.unreachable)] {
      #expect(try await retrying(Script(results: [first, status(200)])).send(post).status == 200)
    }
    #expect(try await retrying(Script(results: [status(500), status(200)])).send(post).status == 500)
    #expect(await failure(retrying(Script(results: [error(.cut), status(200)])), post)?.kind == .cut)
    #expect(
      await failure(retrying(Script(results: [error(.timedOut), status(200)])), post)?.kind == .timedOut)
    var repeatable = post
    repeatable.isRepeatable = true
    #expect(try await retrying(Script(results: [error(.cut), status(200)])).send(repeatable).status == 200)
  }

  @Test func cancellationEndsAPause() async throws {
    let announced = Locked(false)
    let client = RetryingTransport(
      Script(results: [status(429, ["Retry-After": "600"])]), announce: { _ in announced.set(true) })
    let task = Task { await failure(client, request) }
    #expect(try await eventually { announced.value })
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
  }

  @Test func downloadStartsAgain() async throws {
    let server = try LoopbackServer()
    server.on("/", .inTurn(.cut(after: 500, of: 1000), .hangUp, .text("whole")))
    let folder = try TemporaryFolder()
    let response = try await retrying(transport()).download(get(server.url()), to: folder.path + "/file")
    #expect(response.status == 200)
    #expect(try folder.text("file") == "whole")
    #expect(server.requests.count == 3)
  }
}
