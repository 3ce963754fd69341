import Basics
import Foundation
import Testing
import XStub

/// Checks the stub against X's own document: its tables, its validation of requests, and its responses.
@Suite(.enabled(if: XDocuments.areAvailable, "needs X's OpenAPI document beside the repository"))
struct OpenAPITests {
  let sample = StubWorld.sampleThread(startingAt: Date(timeIntervalSinceNow: -2 * 86_400))

  private var valid: [(String, [String: String])] {
    let posts = allFields()
    let users = allFields(aboutPosts: false)
    let search = ["query": "from:mira_stub", "max_results": "100"]
    return [
      ("/2/tweets", posts.merging(["ids": sample.posts.map(\.description).joined(separator: ",")]) { $1 }),
      ("/2/tweets/search/recent", posts.merging(search) { $1 }),
      (
        "/2/tweets/search/all",
        posts.merging(search) { $1 }.merging(["start_time": "2020-01-01T00:00:00Z"]) { $1 }
      ),
      (
        "/2/users/\(sample.author.id)/tweets",
        posts.merging(["exclude": "retweets", "max_results": "50"]) { $1 }
      ),
      ("/2/users/by/username/mira_stub", users),
      ("/2/users/by/username/nobody", users),
      ("/2/users", users.merging(["ids": "\(sample.author.id),1"]) { $1 }),
      ("/2/users/\(sample.author.id)/followers", users.merging(["max_results": "20"]) { $1 }),
    ]
  }

  @Test("Valid requests and their responses match the document")
  func answers() async throws {
    let document = try XDocuments.document()
    #expect(document.version == "2.166")
    try await withStub(sample.world) { stub in
      stub.change { world in
        world.withhold(sample.posts[1], StubWithheld(countries: ["DE", "FR"]))
        world.hide(sample.posts[2], as: .notAuthorized)
        world.hide(sample.posts[15], as: .unavailable)
        world.hide(sample.posts[16], as: .disallowed)
      }
      for (path, query) in valid {
        let answer = try await stub.json(path, query)
        let problems = document.problems(ofAnswer: answer, status: 200, to: "GET", path)
        #expect(problems.isEmpty)
        // Samples and recorded responses have these members, but the abridged schemas do not.
        let cut: Set = [
          "article", "url", "alt_text", "variants", "preview_image_url", "duration_ms", "value",
          "resource_id", "resource_type", "parameter", "section",
        ]
        let unknown = document.problems(ofAnswer: answer, status: 200, to: "GET", path, isStrict: true)
          .filter { line in !cut.contains { line.hasSuffix("nobody knows \($0)") } }
        #expect(unknown.isEmpty)
      }
      #expect(stub.violations.isEmpty)
      #expect(stub.problems(by: document).isEmpty)
    }
  }

  @Test("The document also rejects the requests that the stub rejects", arguments: RefusalTests.requests)
  func refusals(_ path: String, _ query: [String: String]) async throws {
    let document = try XDocuments.document()
    try await withStub(sample.world) { stub in
      let answer = await stub.get(path, query)
      // The document allows queries of 4096 characters; X's table of limits allows 512 and 1024.
      if query["query"]?.count != 513 { #expect(!stub.problems(by: document).isEmpty) }
      let body = try JSONValue(parsing: answer.body)
      #expect(document.problems(ofAnswer: body, status: 400, to: "GET", path).isEmpty)
    }
  }

  @Test(
    "The check of answers finds what is wrong",
    arguments: [
      #"{"data": {}}"#, #"{"data": [{"id": 42}]}"#, #"{"data": [{"id": "x"}]}"#, #"{"data": []}"#,
      #"{"data": [{"created_at": "yesterday"}]}"#, #"{"errors": [{"title": "no type"}]}"#,
      #"{"includes": {"users": [{"id": "1"}]}}"#, #"{"data": [{"public_metrics": {"like_count": 1}}]}"#,
      #"{"data": [{"referenced_tweets": [{"type": "liked", "id": "1"}]}]}"#,
      #"{"data": [{"entities": {"urls": [{"start": -1, "end": 2, "url": "https://t.co/a"}]}}]}"#,
      #"{"includes": {"polls": [{"id": "1", "options": [{"position": 1, "label": "a", "votes": 1}]}]}}"#,
    ]) func damaged(_ answer: String) throws
  {
    let document = try XDocuments.document()
    let json = try JSONValue(parsing: Array(answer.utf8))
    #expect(!document.problems(ofAnswer: json, status: 200, to: "GET", "/2/tweets").isEmpty)
    #expect(document.problems(ofAnswer: [:], status: 200, to: "GET", "/2/tweets").isEmpty)
  }

  @Test("Requests for later pages are also valid") func pages() async throws {
    try await withStub(sample.world) { stub in
      var query = ["query": "from:mira_stub"]
      query["next_token"] = try await stub.json("/2/tweets/search/recent", query).nextToken
      _ = try await stub.json("/2/tweets/search/recent", query)
      let path = "/2/users/\(sample.author.id)/followers"
      let token = try await stub.json(path, ["max_results": "5"]).nextToken ?? ""
      _ = try await stub.json(path, ["max_results": "5", "pagination_token": token])
      #expect(stub.problems(by: try XDocuments.document()).isEmpty)
    }
  }

  @Test("The names of fields equal those of the document")
  func tables() async throws {
    let document = try XDocuments.document()
    let parameters = try #require(document.root["components"]?["parameters"]?.object)
    let names: [String: (String, String)] = [
      "TweetFieldsParameter": ("/2/tweets", "tweet.fields"),
      "TweetExpansionsParameter": ("/2/tweets", "expansions"),
      "UserFieldsParameter": ("/2/users", "user.fields"),
      "UserExpansionsParameter": ("/2/users", "expansions"),
      "MediaFieldsParameter": ("/2/tweets", "media.fields"),
      "PollFieldsParameter": ("/2/tweets", "poll.fields"),
      "PlaceFieldsParameter": ("/2/tweets", "place.fields"),
    ]
    try await withStub(StubWorld()) { stub in
      for (component, (path, parameter)) in names {
        let members = parameters[component]?["schema"]?["items"]?["enum"]?.array?.compactMap(\.string) ?? []
        #expect(!members.isEmpty)
        let all = members.joined(separator: ",")
        #expect(await stub.get(path, ["ids": "1", parameter: all]).status == 200, "\(component)")
        // The error lists all names that the stub knows.
        let refused = await stub.get(path, ["ids": "1", parameter: "no_such_name"])
        #expect(refused.text.contains("[\(members.sorted().joined(separator: ","))]"), "\(component)")
      }
    }
  }
}
