import Basics
import Foundation
import Testing
import XStub

/// Requests that X rejects are rejected with X's errors and logged.
@Suite struct RefusalTests {
  let sample = StubWorld.sampleThread(startingAt: Date(timeIntervalSinceNow: -2 * 86_400), otherPosts: 0)

  static let requests: [(path: String, query: [String: String])] = [
    ("/2/tweets", [:]),
    ("/2/tweets", ["ids": "1,x"]),
    ("/2/tweets", ["ids": (1...101).map(String.init).joined(separator: ",")]),
    ("/2/tweets", ["ids": "1", "tweet.fields": "colour"]),
    ("/2/tweets", ["ids": "1", "tweet.fields": "text,text"]),
    ("/2/tweets", ["ids": "1", "colour": "red"]),
    ("/2/tweets", ["ids": "1", "expansions": "author"]),
    ("/2/tweets/search/recent", ["query": "from:a", "max_results": "9"]),
    ("/2/tweets/search/recent", ["query": "from:a", "max_results": "101"]),
    ("/2/tweets/search/recent", ["query": String(repeating: "a", count: 513)]),
    ("/2/tweets/search/recent", ["query": "from:a", "start_time": "yesterday"]),
    ("/2/tweets/search/recent", ["query": "from:a", "since_id": "-1"]),
    ("/2/tweets/search/all", ["query": "from:a", "max_results": "501"]),
    ("/2/users/1/tweets", ["max_results": "4"]),
    ("/2/users/me/tweets", [:]),
    ("/2/users/1/followers", ["max_results": "1001"]),
    ("/2/users/by/username/with-dash", [:]),
    ("/2/users/by/username/muchtoolongtobeone", [:]),
    ("/2/users/by/username/a", ["media.fields": "url"]),
  ]

  @Test("Invalid requests", arguments: requests) func wrong(_ path: String, _ query: [String: String])
    async throws
  {
    try await withStub(sample.world) { stub in
      let answer = await stub.get(path, query)
      #expect(answer.status == 400)
      let json = try JSONValue(parsing: answer.body)
      #expect(json["type"] == "https://api.twitter.com/2/problems/invalid-request")
      #expect(json["title"] == "Invalid Request")
      #expect(json["errors"]?[0]?["message"]?.string?.isEmpty == false)
      #expect(!stub.violations.isEmpty)
      #expect(answer.headers["x-rate-limit-remaining"] != nil)
    }
  }

  @Test("Requests without a token and with a wrong one") func unauthorized() async throws {
    try await withStub(sample.world) { stub in
      for header in [[:], ["Authorization": "Bearer wrong"]] {
        let answer = await RawClient.send("/2/tweets?ids=1", to: stub.baseURL, headers: header)
        #expect(answer.status == 401)
        let json = try JSONValue(parsing: answer.body)
        #expect(
          json
            == ["title": "Unauthorized", "type": "about:blank", "status": 401, "detail": "Unauthorized"])
      }
      #expect(stub.requests.map(\.authorization) == [.none, .wrong])
    }
  }

  @Test("Credentials in requests for files, and unknown paths, are logged") func noted() async throws {
    try await withStub(sample.world) { stub in
      let header = ["Authorization": "Bearer \(stub.behaviour.bearerToken)"]
      _ = await RawClient.send("/media/8x8/a.jpg", to: stub.baseURL, headers: header)
      #expect(await stub.get("/1.1/statuses/show.json").status == 404)
      #expect(stub.violations.count == 2)
    }
  }
}
