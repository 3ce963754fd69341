import Basics
import Foundation
import Testing
import XStub

/// Each fault matches its name, occurs as often as planned, and is logged.
@Suite struct FaultTests {
  let plain = StubWorld.plainThread(of: 30, startingAt: Date(timeIntervalSinceNow: -86_400))
  private var query: [String: String] { ["ids": plain.posts.map(\.description).joined(separator: ",")] }

  private func withFault(
    _ fault: StubFault, limit: Int = 8 << 20, timeout: Double = 300, _ check: (RawAnswer) throws -> Void
  ) async throws {
    try await withStub(plain.world) { stub in
      stub.fail(.posts, with: fault)
      try check(await stub.get("/2/tweets", query, limit: limit, timeout: timeout))
      #expect(stub.requests.map(\.fault) == [fault])
      let after = await stub.get("/2/tweets", query)
      #expect(after.status == 200 && after.isComplete)
    }
  }

  @Test(
    "Statuses",
    arguments: [
      (StubFault.creditsDepleted, 402, "credits-depleted"), (.usageCap, 429, "usage-capped"),
      (.unauthorized, 401, "Unauthorized"), (.forbidden, 403, "client-forbidden"),
      (.notFound, 404, "Not Found"),
      (.serverError, 500, "Internal"), (.html, 200, "<!doctype html>"),
      (.status(418, body: "short and stout"), 418, "stout"),
    ]) func statuses(_ fault: StubFault, _ status: Int, _ words: String) async throws
  {
    try await withFault(fault) { answer in
      #expect(answer.status == status)
      #expect(answer.text.contains(words))
    }
  }

  @Test("The two kinds of 429 differ in the remaining requests") func tooMany() async throws {
    try await withFault(.window(resetsIn: 5)) { #expect($0.headers["x-rate-limit-remaining"] == "0") }
    try await withFault(.usageCap) { #expect($0.headers["x-rate-limit-remaining"] == "1750") }
  }

  @Test("503 with Retry-After, and a redirect") func headers() async throws {
    try await withFault(.unavailable(retryAfter: 3)) { answer in
      #expect(answer.status == 503 && answer.headers["retry-after"] == "3")
    }
    try await withFault(.redirect(to: "https://elsewhere.example/")) { answer in
      #expect(answer.status == 302 && answer.headers["location"] == "https://elsewhere.example/")
      #expect(answer.body.isEmpty)
    }
  }

  @Test("Connections closed in the middle of the body and after the headers") func cuts() async throws {
    try await withFault(.cutInTheMiddle) { answer in
      #expect(answer.status == 200 && !answer.isComplete)
      let promised = answer.headers["content-length"].flatMap { Int($0) } ?? 0
      #expect(answer.body.count == promised / 2 && promised > 1000)
    }
    try await withFault(.cutAfterHeaders) { answer in
      #expect(answer.status == 200 && answer.body.isEmpty && !answer.isComplete)
    }
  }

  @Test("An endless body, and a slow one") func endless() async throws {
    try await withFault(.endlessBody, limit: 3 << 20) { answer in
      #expect(answer.body.count > 2 << 20 && !answer.isComplete)
    }
    let small = StubWorld.plainThread(of: 1, startingAt: Date(timeIntervalSinceNow: -86_400))
    try await withStub(small.world) { stub in
      stub.fail(.posts, with: .slowDrip(bytes: 20, every: 0.05))
      let begin = Date()
      let answer = await stub.get("/2/tweets", ["ids": "\(small.posts[0])"])
      #expect(answer.status == 200 && answer.isComplete && answer.text.contains("Post number 1"))
      #expect(Date().timeIntervalSince(begin) > 0.2)
    }
  }

  @Test("Invalid JSON, and a gzip bomb") func bodies() async throws {
    try await withFault(.invalidJSON) { answer in
      #expect(throws: JSONError.self) { try JSONValue(parsing: answer.body) }
      #expect(answer.isComplete)
    }
    try await withFault(.gzipBomb(bytes: 32 << 20)) { answer in
      #expect(answer.headers["content-encoding"] == "gzip")
      #expect(answer.body.starts(with: [0x1F, 0x8B]) && answer.body.count < 300_000)
    }
  }

  @Test("Endless pages") func endlessPages() async throws {
    try await withStub(plain.world) { stub in
      stub.fail(.searchRecent, with: .endlessPages, times: .max)
      var query = ["query": "from:long_stub", "max_results": "20"]
      var seen: Set<String> = []
      for page in 0..<5 {
        let answer = try await stub.json("/2/tweets/search/recent", query)
        #expect(answer.ids.count == [20, 10, 0, 0, 0][page])
        let token = answer.nextToken ?? ""
        #expect(!token.isEmpty && seen.insert(token).inserted)
        query["next_token"] = token
      }
      stub.recover()
      stub.fail(.searchRecent, with: .samePageForever, times: .max)
      query["next_token"] = nil
      let first = try await stub.json("/2/tweets/search/recent", query)
      query["next_token"] = first.nextToken
      #expect(try await stub.json("/2/tweets/search/recent", query) == first)
    }
  }

  @Test("Delayed and missing responses, and stopping meanwhile") func late() async throws {
    try await withStub(plain.world) { stub in
      stub.fail(.posts, with: .pause(0.2))
      let begin = Date()
      #expect(await stub.get("/2/tweets", query).status == 200)
      #expect(Date().timeIntervalSince(begin) >= 0.2)
      stub.fail(.posts, with: .neverAnswers)
      #expect(await stub.get("/2/tweets", query, timeout: 0.3).status == 0)
      #expect(stub.requests.count { $0.status != nil } == 1)
    }
  }

  @Test("Faults occur after a number of correct responses, a number of times, at their endpoint")
  func planning()
    async throws
  {
    try await withStub(plain.world) { stub in
      stub.fail(.posts, with: .serverError, times: 2, after: 1)
      stub.fail(.media, with: .html, path: "/b.jpg")
      var statuses: [Int] = []
      for _ in 0..<4 { statuses.append(await stub.get("/2/tweets", query).status) }
      #expect(statuses == [200, 500, 500, 200])
      #expect(await stub.get("/media/8x8/a.jpg").body.starts(with: [0xFF, 0xD8]))
      #expect(await stub.get("/media/8x8/b.jpg").text.hasPrefix("<!doctype"))
      #expect(stub.requests.count == 6)
      let haveArrived = try await stub.waitForRequests(2, to: .media)
      let isMore = try await stub.waitForRequests(7, seconds: 0.05)
      #expect(haveArrived && !isMore)
      stub.clearLog()
      #expect(stub.requests.isEmpty)
    }
  }
}
