import Basics
import Foundation
import Testing
import XStub

/// Pages, windows of rate limits, and charges.
@Suite struct PagingTests {
  let start = Date(timeIntervalSinceNow: -2 * 86_400)

  private func pages(
    of stub: XStub, _ path: String, _ query: [String: String], token name: String = "next_token"
  ) async throws -> [[String]] {
    var pages: [[String]] = []
    var query = query
    repeat {
      let page = try await stub.json(path, query)
      pages.append(page.ids)
      query[name] = page.nextToken
    } while query[name] != nil
    return pages
  }

  @Test("A search of 250 posts has three pages without overlap") func search() async throws {
    let plain = StubWorld.plainThread(of: 251, startingAt: start)
    try await withStub(plain.world) { stub in
      let query = [
        "query": "conversation_id:\(plain.posts[0]) from:long_stub to:long_stub", "max_results": "100",
      ]
      let pages = try await pages(of: stub, "/2/tweets/search/recent", query)
      #expect(pages.map(\.count) == [100, 100, 50])
      #expect(pages.flatMap(\.self) == plain.posts.dropFirst().reversed().map(\.description))
      #expect(stub.cost == 250 * 0.005)
    }
  }

  @Test("A timeline ends at its depth") func timeline() async throws {
    let plain = StubWorld.plainThread(of: 60, startingAt: start)
    var behaviour = StubBehaviour()
    behaviour.timelineDepth = 40
    try await withStub(plain.world, behaviour) { stub in
      let path = "/2/users/\(plain.author.id)/tweets"
      let pages = try await pages(of: stub, path, ["max_results": "25"], token: "pagination_token")
      #expect(pages.map(\.count) == [25, 15])
    }
  }

  @Test("Posts deleted between two pages do not shift the others") func deletedMeanwhile() async throws {
    let plain = StubWorld.plainThread(of: 31, startingAt: start)
    try await withStub(plain.world) { stub in
      var query = ["query": "from:long_stub", "max_results": "20"]
      let first = try await stub.json("/2/tweets/search/recent", query)
      stub.change { $0.delete(plain.posts[25]) }
      query["next_token"] = first.nextToken
      let second = try await stub.json("/2/tweets/search/recent", query)
      #expect(second.ids == plain.posts[..<11].reversed().map(\.description))
    }
  }

  @Test("Tokens are valid only for the request that they continue") func tokens() async throws {
    let plain = StubWorld.plainThread(of: 31, startingAt: start)
    try await withStub(plain.world) { stub in
      let first = try await stub.json("/2/tweets/search/recent", ["query": "from:long_stub"])
      let token = try #require(first.nextToken)
      for (path, query) in [
        ("/2/tweets/search/recent", ["query": "from:long_stub", "next_token": "made-up"]),
        ("/2/tweets/search/recent", ["query": "from:other", "next_token": token]),
        ("/2/users/\(plain.author.id)/tweets", ["pagination_token": token]),
      ] {
        #expect(await stub.get(path, query).status == 400)
      }
    }
  }

  @Test("Each response counts down; at zero there is a 429 until the reset") func windows() async throws {
    let plain = StubWorld.plainThread(of: 2, startingAt: start)
    try await withStub(plain.world) { stub in
      let query = ["ids": "\(plain.posts[0])"]
      #expect(await stub.get("/2/tweets", query).headers["x-rate-limit-remaining"] == "3499")
      #expect(await stub.get("/2/tweets", query).headers["x-rate-limit-limit"] == "3500")
      let begin = Date().timeIntervalSince1970
      stub.setWindow(.posts, remaining: 1, resetsIn: 60)
      #expect(await stub.get("/2/tweets", query).status == 200)
      let refused = await stub.get("/2/tweets", query)
      #expect(refused.status == 429 && refused.headers["x-rate-limit-remaining"] == "0")
      let reset = refused.headers["x-rate-limit-reset"].flatMap { Double($0) } ?? 0
      // Full seconds, however long the requests took.
      #expect((begin + 59...Date().timeIntervalSince1970 + 61).contains(reset))
      // Another endpoint has its own window.
      #expect(await stub.get("/2/users", ["ids": "1"]).status == 200)
      stub.setWindow(.posts, remaining: 0, resetsIn: -1)
      #expect(await stub.get("/2/tweets", query).headers["x-rate-limit-remaining"] == "3499")
    }
  }

  @Test("A second full-archive search within a second") func pace() async throws {
    var behaviour = StubBehaviour()
    behaviour.pacesSearchAll = true
    behaviour.fixedNow = Date()
    try await withStub(StubWorld.plainThread(of: 2, startingAt: start).world, behaviour) { stub in
      let query = ["query": "from:long_stub"]
      #expect(await stub.get("/2/tweets/search/all", query).status == 200)
      #expect(await stub.get("/2/tweets/search/all", query).status == 429)
      stub.behave { $0.fixedNow = Date(timeIntervalSinceNow: 60) }
      #expect(await stub.get("/2/tweets/search/all", query).status == 200)
    }
  }
}
