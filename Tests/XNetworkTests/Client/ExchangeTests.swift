import Basics
import Foundation
import HTTPTransport
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

/// Real recorded exchanges and the samples of X's documentation, returned to the client unchanged.
@Suite(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
struct ExchangeTests {
  private func recorded(_ name: String) throws -> HTTPResponse {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "x/exchanges")
    let json = try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: name + ".json"))))
    var headers = HTTPHeaders()
    for (name, value) in json["headers"]?.object ?? [:] { headers[name] = value.string }
    let body = JSONWriter.text(of: json["body"] ?? .null)
    return HTTPResponse(status: try #require(json["status"]?.int), headers: headers, body: body.bytes)
  }

  private func session(_ name: String) throws -> (XSession, XClient) {
    let client = try XClient.fake(FakeTransport([try recorded(name)]))
    return (client.endpoints(named: "a"), client)
  }

  @Test func coversEveryRecordedExchange() throws {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "x/exchanges")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(
      names == [
        "lookup-partial-errors-all-missing.json", "lookup-partial-errors.json", "search-400.json",
        "search-401.json",
        "search-all-page-1.json", "timeline-unavailable-user.json", "users-by-partial-errors.json",
      ])
  }

  @Test func readsASearchPage() async throws {
    let (session, client) = try session("search-all-page-1")
    let page = try await session.search(XSearch("from:a OR from:b", reach: .full), token: nil)
    #expect(page.fetchedAt?.iso8601 == "2021-06-19T11:40:05Z")
    #expect(page.posts.count > 200)
    #expect(page.nextToken == nil)
    #expect(client.usage.posts > page.posts.count)
    #expect(client.usage.users > 2)
  }

  @Test func missingPostsAreProblems() async throws {
    let (some, _) = try session("lookup-partial-errors")
    let page = try await some.posts(["1", "1266852781526302722"])
    #expect(page.posts.count == 2)
    #expect(page.problems.count { $0.missingPost != nil } == 18)
    let (none, client) = try session("lookup-partial-errors-all-missing")
    let empty = try await none.posts(["1", "2"])
    #expect(empty.posts.isEmpty)
    #expect(empty.problems.count == 15)
    #expect(client.usage.cost == 0)
    let (users, _) = try session("users-by-partial-errors")
    #expect(try await users.users(["1"]).users.count == 4)
  }

  @Test func errorsAreTyped() async throws {
    let (search400, _) = try session("search-400")
    let wrong = await failure { _ = try await search400.search(XSearch("a", reach: .full), token: nil) }
    #expect(wrong?.kind == .invalidRequest)
    #expect(wrong?.message.contains("'start_time' must be before 'end_time'") == true)
    let (search401, _) = try session("search-401")
    #expect(
      await failure { _ = try await search401.search(XSearch("a", reach: .full), token: nil) }?.kind
        == .wrongCredential)
    let (timeline, _) = try session("timeline-unavailable-user")
    let missing = await failure {
      _ = try await timeline.timeline(XTimeline(userID: "1405327120163872777"), token: nil)
    }
    #expect(missing?.kind == .content)
    #expect(missing?.message.contains("Could not find user with id") == true)
  }

  @Test func readsTheSamplesOfTheDocumentation() async throws {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "x/docs")
    var read = 0
    // A page of direct messages, which the program does not read.
    let withoutPosts = ["021-x-api-fundamentals-data-dictionary.json"]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let body = Array(try Data(contentsOf: folder.appending(path: name)))
      let json = try JSONValue(parsing: body)
      guard json["data"] != nil || json["errors"] != nil else { continue }
      let client = try XClient.fake(FakeTransport([HTTPResponse(status: 200, body: body)]))
      let page = try await client.endpoints(named: "a").posts(["1"])
      #expect(
        !(page.posts.isEmpty && page.users.isEmpty && page.problems.isEmpty) || withoutPosts.contains(name),
        "\(name)")
      read += 1
    }
    #expect(read > 25)
  }
}
