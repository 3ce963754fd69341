import HTTPTransport
import NetworkSources
import Testing
import XNetwork

struct RequestTests {
  private func items(_ request: XRequest) -> [String: String] {
    Dictionary(request.query().map { ($0.name, $0.value) }) { first, _ in first }
  }

  @Test func fullSearchAlwaysHasAStart() throws {
    var search = XSearch("from:ada", reach: .full)
    #expect(items(try .search(search, token: nil))["start_time"] == "2006-03-21T00:00:00Z")
    search.sinceID = "1346889436626259968"  // 2021-01-06T18:40:40Z
    #expect(items(try .search(search, token: nil))["start_time"] == "2021-01-06T18:40:40Z")
    #expect(items(try .search(search, token: nil))["since_id"] == nil)
    search.startTime = "2022-03-04T05:06:07.891Z"
    #expect(items(try .search(search, token: nil))["start_time"] == "2022-03-04T05:06:07Z")
    search.startTime = "2019-01-01T00:00:00Z"
    #expect(items(try .search(search, token: nil))["start_time"] == "2021-01-06T18:40:40Z")
  }

  @Test func sendsTheNarrowerOfATimeAndAnID() throws {
    var search = XSearch("from:ada", reach: .recent)
    (search.sinceID, search.startTime) = ("1346889436626259968", "2022-01-01T00:00:00Z")
    #expect(items(try .search(search, token: nil))["start_time"] == "2022-01-01T00:00:00Z")
    #expect(items(try .search(search, token: nil))["since_id"] == nil)
    search.startTime = "2020-01-01T00:00:00Z"
    #expect(items(try .search(search, token: nil))["since_id"] == "1346889436626259968")
  }

  @Test func pageSizesStayWithinXsLimits() throws {
    #expect(items(try .search(XSearch("a", reach: .recent, pageSize: 1), token: nil))["max_results"] == "10")
    #expect(
      items(try .search(XSearch("a", reach: .recent, pageSize: 500), token: nil))["max_results"] == "100")
    #expect(items(try .search(XSearch("a", reach: .full, pageSize: 900), token: nil))["max_results"] == "500")
    #expect(items(try .timeline(XTimeline(userID: "7", pageSize: 1), token: "t"))["max_results"] == "5")
    #expect(items(try .timeline(XTimeline(userID: "7"), token: "t"))["pagination_token"] == "t")
    #expect(items(try .search(XSearch("a", reach: .full), token: "t"))["next_token"] == "t")
  }

  @Test func valuesArePercentEncoded() throws {
    let target = try XRequest.search(XSearch("from:a #é & b+c", reach: .recent), token: nil).target()
    #expect(
      target.hasPrefix("/2/tweets/search/recent?query=from%3Aa%20%23%C3%A9%20%26%20b%2Bc&max_results=100&"))
    #expect(target.contains("tweet.fields=article%2C"))
  }

  @Test func requestsEachIDOnce() throws {
    let request = try XRequest.posts(["2", "1", "2"])
    #expect(request.ids == ["2", "1"])
    #expect(items(request)["ids"] == "2,1")
  }

  @Test func baseURLMayHaveAPath() async throws {
    let transport = FakeTransport([.page([1])])
    let client = try XClient.fake(transport) { $0.baseURL = "http://127.0.0.1:8080/x//" }
    _ = try await client.endpoints(named: "a").posts(["1"])
    #expect(transport.urls.first?.hasPrefix("http://127.0.0.1:8080/x/2/tweets?ids=1&") == true)
    #expect(transport.requests.first?.maximumRedirects == 0)
  }

  @Test func doesNotSendRequestsThatXWouldReject() async throws {
    let transport = FakeTransport([.page([1])])
    let session = try XClient.fake(transport).endpoints(named: "test")
    let long = XSearch(String(repeating: "a", count: 513), reach: .recent)
    var backwards = XTimeline(userID: "7")
    (backwards.sinceID, backwards.untilID) = ("100", "99")
    var closed = XTimeline(userID: "7")
    (closed.startTime, closed.endTime) = ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z")
    var vague = XTimeline(userID: "7")
    vague.startTime = "yesterday"
    let refused: [() async throws -> Void] = [
      { _ = try await session.posts([]) }, { _ = try await session.posts((1...101).map(String.init)) },
      { _ = try await session.posts(["../2/users"]) }, { _ = try await session.users(["ada"]) },
      { _ = try await session.users(["12345678901234567890"]) },
      { _ = try await session.user(handle: "@ada") },
      { _ = try await session.user(handle: "ada/../x") }, { _ = try await session.user(handle: "é") },
      { _ = try await session.user(handle: "sixteen_letters_") },
      { _ = try await session.search(long, token: nil) },
      { _ = try await session.search(XSearch("", reach: .full), token: nil) },
      { _ = try await session.search(XSearch("a", reach: .full), token: "") },
      { _ = try await session.timeline(backwards, token: nil) },
      { _ = try await session.timeline(closed, token: nil) },
      { _ = try await session.timeline(vague, token: nil) },
      { _ = try await session.followers(of: "7?x=1", count: 3, token: nil) },
    ]
    for ask in refused { #expect(await failure(ask)?.kind == .invalidRequest) }
    #expect(transport.requests.isEmpty)
  }
}
