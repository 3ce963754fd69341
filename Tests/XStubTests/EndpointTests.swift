import Basics
import Foundation
import Testing
import XStub

/// Each endpoint responds according to X's documents and recorded responses.
@Suite struct EndpointTests {
  let sample = StubWorld.sampleThread(startingAt: Date(timeIntervalSinceNow: -2 * 86_400))

  private var selfReplies: String {
    "conversation_id:\(sample.root) from:mira_stub to:mira_stub"
  }

  @Test("Only the requested fields are returned") func defaults() async throws {
    try await withStub(sample.world) { stub in
      let answer = try await stub.json("/2/tweets", ["ids": sample.root.description])
      #expect(Set(answer["data"]?[0]?.object?.keys ?? [:].keys) == ["id", "text", "edit_history_tweet_ids"])
      #expect(answer["includes"] == nil)
      let expanded = try await stub.json(
        "/2/tweets", ["ids": sample.poll.description, "expansions": "author_id,attachments.poll_ids"])
      #expect(expanded["data"]?[0]?["author_id"]?.string == sample.author.id.description)
      #expect(
        Set(expanded["includes"]?["users"]?[0]?.object?.keys ?? [:].keys) == ["id", "name", "username"])
      #expect(Set(expanded["includes"]?["polls"]?[0]?.object?.keys ?? [:].keys) == ["id", "options"])
      #expect(expanded["includes"]?["polls"]?[0]?["options"]?[0]?["position"] == 3)
      #expect(expanded["includes"]?["tweets"] == nil)
    }
  }

  @Test("A search for self-replies returns the thread without its first post") func selfReplySearch()
    async throws
  {
    try await withStub(sample.world) { stub in
      let answer = try await stub.json(
        "/2/tweets/search/recent", ["query": selfReplies, "max_results": "100"])
      let expected = Set((sample.visible.dropFirst() + sample.branch).map(\.description))
      #expect(Set(answer.ids) == expected)
      #expect(answer.ids == answer.ids.sorted(by: >))
      #expect(answer["meta"]?["result_count"]?.int == expected.count)
      #expect(answer["meta"]?["newest_id"]?.string == answer.ids.first)
      #expect(stub.violations.isEmpty)
    }
  }

  @Test("Quotes come with their authors and media, or with an error about deleted posts")
  func quotes() async throws {
    try await withStub(sample.world) { stub in
      let answer = try await stub.json(
        "/2/tweets",
        ["ids": sample.visible.map(\.description).joined(separator: ",")].merging(allFields()) { $1 })
      let includes = try #require(answer["includes"])
      let posts = includes["tweets"]?.array?.compactMap { $0["id"]?.string } ?? []
      #expect(posts.contains(sample.quoted.description))
      #expect(!posts.contains(sample.deletedQuoted.description))
      let users = includes["users"]?.array?.compactMap { $0["username"]?.string } ?? []
      #expect(Set(users).isSuperset(of: ["mira_stub", "bo_stub", "kenji_stub", "layla_stub"]))
      let media = includes["media"]?.array?.compactMap { $0["url"]?.string } ?? []
      #expect(media.contains { $0.hasPrefix(stub.baseURL) && $0.hasSuffix("/workshop.jpg") })
      let errors = answer["errors"]?.array?.compactMap { $0["resource_id"]?.string } ?? []
      #expect(Set(errors) == [sample.deletedQuoted.description, sample.missing.description])
    }
  }

  @Test("Recent search covers seven days; the archive covers 30 unless a start is given") func ages()
    async throws
  {
    let start = Date(timeIntervalSinceNow: -730 * 86_400)
    let old = StubWorld.sampleThread(startingAt: start)
    let query = "conversation_id:\(old.root) from:mira_stub to:mira_stub"
    try await withStub(old.world) { stub in
      let recent = try await stub.json("/2/tweets/search/recent", ["query": query])
      #expect(recent == ["meta": ["result_count": 0]])
      let archive = try await stub.json("/2/tweets/search/all", ["query": query])
      #expect(archive.ids.isEmpty)
      let time = start.addingTimeInterval(-60).formatted(.iso8601)
      let all = try await stub.json(
        "/2/tweets/search/all", ["query": query, "start_time": time, "max_results": "500"])
      #expect(all.ids.count == 25)
      let refused = await stub.get("/2/tweets/search/recent", ["query": query, "start_time": time])
      #expect(refused.status == 400 && refused.text.contains("'start_time' must be on or after"))
      stub.behave { $0.allowsSearchAll = false }
      let forbidden = await stub.get("/2/tweets/search/all", ["query": query, "start_time": time])
      #expect(forbidden.status == 403 && forbidden.text.contains("/2/problems/client-forbidden"))
    }
  }

  @Test(
    "Operators of the search",
    arguments: [
      ("from:bo_stub has:media", 0), ("from:mira_stub is:retweet", 5),
      ("from:mira_stub -is:retweet is:quote", 2),
      ("(from:kenji_stub OR from:layla_stub) -ありがとう", 1), ("\"side note\"", 1), ("#harbour", 2),
      ("from:mira_stub to:kenji_stub", 1), ("from:mira_stub has:videos", 1), ("from:mira_stub lang:ja", 1),
      ("@bo_stub from:mira_stub -is:reply", 5),
    ]) func operators(_ query: String, _ count: Int) async throws
  {
    try await withStub(sample.world) { stub in
      let answer = try await stub.json("/2/tweets/search/recent", ["query": query, "max_results": "100"])
      #expect(answer.ids.count == count)
    }
  }

  @Test(
    "Queries that X does not understand",
    arguments: [
      "is:reply", "frm:mira_stub", "(from:a", "from:a OR", "\"open", "is:good from:a",
    ]) func wrongQueries(_ query: String) async throws
  {
    try await withStub(sample.world) { stub in
      let answer = await stub.get("/2/tweets/search/recent", ["query": query])
      #expect(answer.status == 400 && answer.text.contains("invalid-request"))
    }
  }

  @Test("Timelines: a range, excluded replies, and users who may not be read") func timelines() async throws {
    try await withStub(sample.world) { stub in
      let path = "/2/users/\(sample.author.id)/tweets"
      let range = ["since_id": "\(sample.root)", "until_id": "\(sample.posts[5])", "max_results": "100"]
      let inRange = try await stub.json(path, range)
      let thread = Set(sample.posts[1..<5].map(\.description))
      #expect(Set(inRange.ids).isSuperset(of: thread))
      #expect(inRange.ids.allSatisfy { $0 > "\(sample.root)" && $0 < "\(sample.posts[5])" })
      let originals = try await stub.json(path, ["exclude": "replies,retweets", "max_results": "100"])
      #expect(originals.ids.contains("\(sample.root)") && !originals.ids.contains("\(sample.last)"))
      stub.change { $0.suspend(sample.author.id) }
      #expect(try await stub.json(path).errorTypes == ["resource-not-found"])
      #expect(try await stub.json("/2/users/99/tweets").errorTypes == ["resource-not-found"])
    }
  }

  @Test("Users by name and ID, and followers page by page") func users() async throws {
    try await withStub(sample.world) { stub in
      let user = try await stub.json("/2/users/by/username/MIRA_stub", allFields(aboutPosts: false))
      let avatar = try #require(user["data"]?["profile_image_url"]?.string)
      #expect(user["data"]?["public_metrics"]?["followers_count"] == 30)
      #expect(await stub.get(String(avatar.dropFirst(stub.baseURL.count))).status == 200)
      #expect(try await stub.json("/2/users/by/username/nobody").errorTypes == ["resource-not-found"])
      let found = try await stub.json("/2/users", ["ids": "\(sample.author.id),77"])
      #expect(found.ids == ["\(sample.author.id)"] && found.errorTypes == ["resource-not-found"])
      let path = "/2/users/\(sample.author.id)/followers"
      let first = try await stub.json(path, ["max_results": "20"])
      let token = try #require(first.nextToken)
      let second = try await stub.json(path, ["max_results": "20", "pagination_token": token])
      #expect(first.ids.count == 20 && second.ids.count == 10 && second.nextToken == nil)
      #expect(Set(first.ids + second.ids).count == 30)
      #expect(stub.violations.isEmpty)
    }
  }

  @Test("Key and secret give the token, encoded and requested as X requires") func token() async throws {
    try await withStub(sample.world) { stub in
      let pair = "stubConsumerKey:stub%20secret%2Fwith%2Bsigns%26more%253A%3A"
      func ask(_ pair: String) async -> RawAnswer {
        await RawClient.send(
          "/oauth2/token", method: "POST", to: stub.baseURL,
          headers: [
            "Authorization": "Basic " + Data(pair.utf8).base64EncodedString(),
            "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
          ], body: "grant_type=client_credentials")
      }
      let right = await ask(pair)
      #expect(right.status == 200)
      let given = try JSONValue(parsing: right.body)
      #expect(given["access_token"]?.string == stub.behaviour.bearerToken)
      #expect(await ask("stubConsumerKey:wrong").status == 403)
      #expect(stub.violations.isEmpty)
      #expect(stub.requests.map(\.authorization) == [.right, .wrong])
    }
  }

  @Test("An edited post has its versions and the edit controls") func edits() async throws {
    try await withStub(sample.world) { stub in
      let ids = sample.versions.map(\.description)
      let answer = try await stub.json(
        "/2/tweets", ["ids": ids.joined(separator: ","), "tweet.fields": "edit_controls"])
      #expect(answer["data"]?[0]?["text"] == "The tide comes twice a dya.")
      for index in 0...1 {
        let history = answer["data"]?[index]?["edit_history_tweet_ids"]?.array?.compactMap(\.string)
        #expect(history == ids)
        #expect(answer["data"]?[index]?["edit_controls"]?["edits_remaining"] == 4)
      }
      let expanded = try await stub.json(
        "/2/tweets", ["ids": ids[1], "expansions": "edit_history_tweet_ids"])
      #expect(expanded["includes"]?["tweets"]?[0]?["id"]?.string == ids[0])
    }
  }
}
