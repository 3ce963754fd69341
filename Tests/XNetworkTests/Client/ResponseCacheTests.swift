import Foundation
import HTTPTransport
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

struct ResponseCacheTests {
  private let folder: TemporaryFolder
  private let clock = FakeClock()

  init() throws { folder = try TemporaryFolder() }

  private func client(_ transport: FakeTransport, clock: FakeClock? = nil) throws -> XClient {
    try .fake(transport, clock: clock ?? self.clock) { $0.responseFolder = folder.path + "/pages" }
  }

  private func ids(_ session: XSession) async throws -> [String] {
    var ids: [String] = []
    try await session.pages(of: XSearch("from:ada", reach: .full)) { page in
      ids += page.posts.map(\.id)
      return .more
    }
    return ids
  }

  /// There are three pages. The process ends before the third and is restarted.
  @Test func interruptedFetchResumes() async throws {
    let pages = [HTTPResponse.page(1...3, next: "second"), .page(4...6, next: "third"), .page(7...9)]
    let dying = FakeTransport { request, number in
      number < 2 ? .success(pages[number]) : .failure(HTTPError(.cut, "gone", url: request.url))
    }
    #expect(
      await failure { _ = try await ids(client(dying).endpoints(named: "post-1")) }?.kind == .noConnection)

    let rest = FakeTransport([pages[2]])
    let again = try client(rest)
    #expect(try await ids(again.endpoints(named: "post-1")) == (1...9).map(String.init))
    #expect(rest.urls.map { $0.contains("next_token=third") } == [true])
    #expect(again.usage.keptPages == 2)
    // X counted these six posts and the author when they came, on the same day.
    #expect((again.usage.posts, again.usage.users) == (3, 0))

    try again.endpoints(named: "post-1").finish()
    #expect(try folder.tree("pages") == [:])
    let fresh = FakeTransport(pages)
    _ = try await ids(client(fresh).endpoints(named: "post-1"))
    #expect(fresh.requests.count == 3)
  }

  @Test func cachedPageServesAnyPageSize() async throws {
    _ = try await client(FakeTransport([.page([1])])).endpoints(named: "a").search(
      XSearch("q", reach: .recent, pageSize: 10), token: nil)
    let refusing = FakeTransport([HTTPResponse(500, "")])
    let client = try client(refusing)
    #expect(
      try await client.endpoints(named: "a").search(XSearch("q", reach: .recent, pageSize: 80), token: nil)
        .posts.count == 1)
    #expect(refusing.requests.isEmpty)
    // Another request and another session are not in the cache.
    _ = await failure {
      _ = try await client.endpoints(named: "a").search(XSearch("r", reach: .recent), token: nil)
    }
    _ = await failure {
      _ = try await client.endpoints(named: "b").search(XSearch("q", reach: .recent), token: nil)
    }
    #expect(refusing.requests.count == 2)
  }

  @Test func cachedPageKeepsItsTime() async throws {
    let dated = HTTPResponse(
      200, ["Date": "Tue, 30 Apr 2024 10:00:00 GMT"],
      #"{"data":[{"id":"1","text":"a","author_id":"7","conversation_id":"1"}]}"#)
    let first = try await client(FakeTransport([dated])).endpoints(named: "a").posts(["1"])
    #expect(first.fetchedAt?.iso8601 == "2024-04-30T10:00:00Z")
    let kept = try await client(FakeTransport([dated])).endpoints(named: "a").posts(["1"])
    #expect(kept == first)
    let undated = try await client(FakeTransport([.page([2])])).endpoints(named: "a").posts(["2"])
    #expect(undated.fetchedAt == clock.now)
  }

  @Test func pagesExpireAfterADay() async throws {
    _ = try await client(FakeTransport([.page([1])])).endpoints(named: "a").posts(["1"])
    clock.advance(seconds: 12 * 3600)
    let transport = FakeTransport([.page([1])])
    let longRunning = try client(transport)
    _ = try await longRunning.endpoints(named: "b").posts(["1"])
    clock.advance(seconds: 13 * 3600)
    // It is no longer used, even if the file still exists.
    _ = try await longRunning.endpoints(named: "a").posts(["1"])
    #expect(transport.requests.count == 2)
    clock.advance(seconds: 12 * 3600)
    _ = try client(transport)
    #expect(try folder.tree("pages").keys.map { $0.split(separator: "/").first } == ["a"])
  }

  @Test(arguments: ["", "{", "[]", "{\"request\":1}", "null", "\u{0}\u{1}"])
  func damagedPageIsMissing(_ text: String) async throws {
    _ = try await client(FakeTransport([.page([1])])).endpoints(named: "a").posts(["1"])
    let name = try #require(try folder.tree().keys.first)
    let whole = try folder.text(name)
    let transport = FakeTransport([.page([1])])
    let running = try client(transport)
    try folder.write(text, to: name)
    #expect(try await running.endpoints(named: "a").posts(["1"]).posts.count == 1)
    #expect(transport.requests.count == 1)
    #expect(try folder.text(name) == whole)
    // A page truncated anywhere is also missing.
    for length in stride(from: 0, to: whole.utf8.count, by: 17) {
      try folder.write(String(whole.prefix(length)), to: name)
      #expect(try await running.endpoints(named: "a").posts(["1"]).posts.count == 1)
    }
  }

  /// A page of another request under the same name is not used as the response.
  @Test func pageOfAnotherRequestIsMissing() async throws {
    let transport = FakeTransport([.page([1]), .page([2]), .page([3])])
    let running = try client(transport)
    _ = try await running.endpoints(named: "a").posts(["1"])
    let name = try #require(try folder.tree().keys.first)
    let first = try folder.text(name)
    _ = try await running.endpoints(named: "a").posts(["2"])
    let other = try #require(try folder.tree().keys.first { $0 != name })
    try folder.write(first, to: other)
    #expect(try await running.endpoints(named: "a").posts(["2"]).posts.first?.id == "3")
  }

  /// Errors are not cached, because they may change.
  @Test func doesNotCacheErrors() async throws {
    let problem =
      #"{"errors":[{"title":"Not Found Error","resource_type":"user","type":"x/resource-not-found"}]}"#
    let transport = FakeTransport([
      HTTPResponse(500, ""), HTTPResponse(200, "<html>"), HTTPResponse(404, ""), HTTPResponse(200, problem),
    ])
    let session = try client(transport).endpoints(named: "a")
    for _ in 0..<4 { #expect(await failure { _ = try await session.user(handle: "ada") } != nil) }
    #expect(try folder.tree() == [:])
  }

  /// Problems of a page are cached with it.
  @Test func cachesProblems() async throws {
    let body =
      #"{"data":[{"id":"1","text":"a","author_id":"7","conversation_id":"1"}],"errors":[{"title":"Not Found Error","resource_type":"tweet","#
      + #""resource_id":"2","type":"https://api.x.com/2/problems/resource-not-found"}]}"#
    _ = try await client(FakeTransport([HTTPResponse(200, body)])).endpoints(named: "a").posts(["1", "2"])
    let kept = try await client(FakeTransport([HTTPResponse(500, "")])).endpoints(named: "a").posts([
      "1", "2",
    ])
    #expect(kept.problems.map(\.missingPost) == ["2"])
  }

  @Test func unwritableFolderIsAnError() async throws {
    try folder.write("a file, where the folder should be", to: "pages")
    let error = await failure {
      _ = try await client(FakeTransport([.page([1])])).endpoints(named: "a").posts(["1"])
    }
    #expect(error?.kind == .file)
  }

  /// Names of sessions cannot leave the folder and do not collide.
  @Test func sessionNamesAreSafe() async throws {
    let names = [
      "..", ".", "", "../../etc", "a/b", "A", "a", "a-b", "é", String(repeating: "x", count: 300), "a\u{0}b",
    ]
    for name in names {
      _ = try await client(FakeTransport([.page([1])])).endpoints(named: name).posts(["1"])
    }
    let files = try folder.tree()
    #expect(files.count == names.count)
    #expect(files.keys.allSatisfy { $0.hasPrefix("pages/") && $0.split(separator: "/").count == 3 })
    let lowercased = Set(files.keys.map { $0.lowercased() })
    #expect(lowercased.count == names.count)
  }

  @Test func cachesNoSecrets() async throws {
    let client = try XClient.fake(FakeTransport([.page([1]), HTTPResponse(403, "{}")])) {
      $0.responseFolder = folder.path + "/pages"
      $0.stateFile = folder.path + "/memory.json"
    }
    let session = client.endpoints(named: "a")
    _ = try await session.posts(["1"])
    let search = XSearch("a", reach: .full)
    #expect(await failure { _ = try await session.search(search, token: nil) }?.kind == .access)
    let files = try folder.tree()
    #expect(files.count == 2)
    for (_, data) in files { #expect(!String(decoding: data, as: UTF8.self).contains("s3cret")) }
  }
}

/// Permanent refusals of X are remembered for some days.
struct FullArchiveMemoryTests {
  @Test func doesNotRequestTheFullArchiveForAWeekAfterARefusal() async throws {
    let folder = try TemporaryFolder()
    let clock = FakeClock()
    let transport = FakeTransport { request, _ in
      .success(request.url.contains("search/all") ? HTTPResponse(403, #"{"title":"Forbidden"}"#) : .page([1]))
    }
    func client() throws -> XClient {
      try .fake(transport, clock: clock) { $0.stateFile = folder.path + "/memory.json" }
    }
    let search = XSearch("a", reach: .full)
    #expect(
      await failure { _ = try await client().endpoints(named: "a").search(search, token: nil) }?.kind
        == .access)
    let sent = transport.requests.count
    let later = try client()
    #expect(later.fullArchiveClosedUntil?.iso8601 == "2024-05-08T12:00:00Z")
    let error = await failure { _ = try await later.endpoints(named: "a").search(search, token: nil) }
    #expect(error?.kind == .access)
    #expect(error?.message.contains("memory.json") == true)
    #expect(transport.requests.count == sent)
    // Other endpoints are requested and do not change the record.
    _ = try await later.endpoints(named: "a").posts(["1"])
    #expect(XClientState(file: folder.path + "/memory.json").fullArchiveRefusedAt == clock.now)
    clock.advance(seconds: 7 * 24 * 3600)
    #expect(
      await failure { _ = try await client().endpoints(named: "a").search(search, token: nil) }?.kind
        == .access)
    #expect(transport.requests.count == sent + 2)
  }
}
