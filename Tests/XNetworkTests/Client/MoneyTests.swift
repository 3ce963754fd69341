import Basics
import Foundation
import HTTPTransport
import NetworkSources
import Synchronization
import TestSupport
import Testing
import ThreadModel
import XNetwork

struct MoneyTests {
  @Test func countsEachObjectOncePerDay() async throws {
    let clock = FakeClock()
    let client = try XClient.fake(FakeTransport([.page(1...10), .page(5...12), .page(1...12)]), clock: clock)
    let session = client.endpoints(named: "a")
    _ = try await session.posts(["1"])
    #expect((client.usage.posts, client.usage.users) == (10, 1))
    #expect(client.usage.cost == Decimal(string: "0.06"))
    _ = try await session.posts(["2"])
    #expect((client.usage.posts, client.usage.users) == (12, 1))
    clock.advance(seconds: 24 * 3600)
    _ = try await session.posts(["3"])
    #expect((client.usage.posts, client.usage.users) == (24, 2))
    #expect(client.usage.requests == ["GET /2/tweets": 3])
    #expect(client.usage.cost == Decimal(string: "0.14"))
  }

  @Test func countsIncludedPostsAndUsers() async throws {
    let body =
      #"{"data":[{"id":"1","text":"a","author_id":"7","conversation_id":"1"}],"#
      + #""includes":{"tweets":[{"id":"2","text":"b","author_id":"8"}],"users":[{"id":"7","username":"a"},{"id":"8","username":"b"}]}}"#
    let client = try XClient.fake(FakeTransport([HTTPResponse(200, body)]))
    _ = try await client.endpoints(named: "a").posts(["1"])
    #expect((client.usage.posts, client.usage.users) == (2, 2))
  }

  @Test func doesNotSendARequestThatCouldExceedTheLimit() async throws {
    let transport = FakeTransport([.page(1...20)])
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.95") }
    let session = client.endpoints(named: "a")
    _ = try await session.posts((1...20).map(String.init))  // up to 0.90; costs 0.11
    let error = await failure { _ = try await session.posts((21...40).map(String.init)) }
    #expect(error?.kind == .overBudget)
    #expect(
      error?.message
        == "The next request may cost up to $0.90; with about $0.11 spent, this could exceed the limit of $0.95 per run. "
        + "Fetched posts are kept. To continue, raise x.max_cost in site.yml or pass --max-cost 1.01 or more."
    )
    #expect(transport.requests.count == 1)
    // Counted objects cost nothing more, and a cheaper request still fits.
    _ = try await session.posts((1...20).map(String.init))
    _ = try await session.posts(["21"])
    #expect(transport.requests.count == 3)
  }

  /// A first page takes half of the remaining budget, so that pages of the same size can follow. A later page
  /// shrinks only if necessary.
  @Test func searchPagesShrinkToTheRemainingBudget() async throws {
    let transport = FakeTransport { request, _ in
      .success(request.url.contains("search") ? .page(100..<117) : .page([1]))
    }
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "3.20") }
    let session = client.endpoints(named: "a")
    _ = try await session.posts(["1"])  // 0.015
    _ = try await session.search(XSearch("a", reach: .full, pageSize: 500), token: nil)
    // Each post may come with two other posts and three users, which costs $0.045. Half of $3.185 pays for 35
    // of them.
    #expect(transport.urls.last?.contains("max_results=35&") == true, "\(transport.urls.last ?? "")")
    _ = try await session.search(XSearch("a", reach: .full, pageSize: 500), token: "t")
    #expect(transport.urls.last?.contains("max_results=68&") == true, "\(transport.urls.last ?? "")")
  }

  @Test func failedRequestsCostNothing() async throws {
    let transport = FakeTransport([HTTPResponse(500, ""), HTTPResponse(500, ""), .page([1])])
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.06") }
    let session = client.endpoints(named: "a")
    for _ in 0..<2 { #expect(await failure { _ = try await session.posts(["1"]) }?.kind == .network) }
    _ = try await session.posts(["1"])
    #expect(client.usage.cost == Decimal(string: "0.015"))
  }

  /// Concurrent requests do not spend the same money.
  @Test func concurrentRequestsShareTheLimit() async throws {
    let transport = FakeTransport { request, _ in
      let id = request.url.split(separator: "=")[1].prefix { $0.isNumber }
      return .success(.page([Int(id) ?? 0]))
    }
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.10") }
    await withTaskGroup(of: Void.self) { group in
      for id in 1...50 {
        group.addTask {
          _ = await failure { _ = try await client.endpoints(named: "s\(id)").posts(["\(id)"]) }
        }
      }
    }
    #expect(try #require(client.usage.cost) <= Decimal(string: "0.10") ?? 0)
    #expect(client.usage.posts >= 4)
  }

  /// Most of the money reserved for concurrent requests is released. A request that needs it waits instead of
  /// failing.
  @Test func waitsForReservedMoney() async throws {
    let transport = FakeTransport { request, _ in
      let id = request.url.split(separator: "=")[1].prefix { $0.isNumber }
      return .success(.page([Int(id) ?? 0]))
    }
    // One post may cost 0.045 and costs 0.005, and the author costs 0.01 once. All ten fit into 0.12,
    // although three at a time do not.
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.12") }
    let failures = await withTaskGroup(of: SourceError?.self) { group in
      for id in 1...10 {
        group.addTask { await failure { _ = try await client.endpoints(named: "s\(id)").posts(["\(id)"]) } }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    #expect(failures == [])
    #expect(client.usage.cost == Decimal(string: "0.06"))
  }

  @Test func waitForReservedMoneyCanBeInterrupted() async throws {
    let transport = SilentTransport()
    var options = XClient.Options()
    options.maximumCost = Decimal(string: "0.06")
    let client = try XClient(
      .bearer(Secret("t")), transport: transport, options: options, clock: FakeClock().clock)
    let first = Task { await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }?.kind }
    while transport.requests == 0 { await Task.yield() }
    let second = Task { await failure { _ = try await client.endpoints(named: "b").posts(["2"]) }?.kind }
    for _ in 0..<1000 { await Task.yield() }
    second.cancel()
    #expect(await second.value == .interrupted)
    first.cancel()
    #expect(await first.value == .interrupted)
    #expect(transport.requests == 1)
  }

  @Test func priceOfUsersDependsOnTheRequestedNumber() throws {
    let prices = XPrices()
    #expect(prices.worstCase(of: try .followers(of: "7", count: 20, token: nil)) == Decimal(string: "0.2"))
    #expect(prices.worstCase(of: try .users(["7", "8"])) == Decimal(string: "0.02"))
    #expect(prices.worstCase(of: try .user(handle: "ada")) == Decimal(string: "0.01"))
    // A post may come with the answered post, the quoted post, and three users.
    #expect(
      prices.worstCase(of: try .search(XSearch("a", reach: .recent), token: nil)) == Decimal(string: "4.5"))
    #expect(prices.worstCase(of: try .posts(["1"])) == Decimal(string: "0.045"))
    #expect(
      prices.worstCase(of: try .timeline(XTimeline(userID: "7"), token: nil)) == Decimal(string: "3.51"))
  }

  /// Responses with the maximum that X's documents allow for each request. Each page has new posts and users.
  private final class GreedyX: Sendable {
    private let books = Mutex<(next: Int, posts: Set<String>, users: Set<String>)>((1_000_000, [], []))

    /// The cost by X's prices, counted independently of the client.
    var cost: Decimal {
      books.withLock { Decimal($0.posts.count) * 5 / 1000 + Decimal($0.users.count) * 10 / 1000 }
    }

    /// A connection to it. The connection keeps this value, so it must not be stored here.
    func connect() -> FakeTransport {
      FakeTransport { [self] request, _ in .success(answer(request.url)) }
    }

    private func answer(_ url: String) -> HTTPResponse {
      let path = url.prefix { $0 != "?" }
      func parameter(_ name: String) -> String? {
        url.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix(name + "=") }.map {
          String($0.dropFirst(name.count + 1))
        }
      }
      let ids = parameter("ids")?.replacing("%2C", with: ",").split(separator: ",").map(String.init)
      return books.withLock { books in
        func fresh() -> String {
          books.next += 1
          return "\(books.next)"
        }
        func user(_ id: String) -> JSONValue {
          books.users.insert(id)
          return ["id": .string(id), "username": .string("u\(id)"), "name": "U"]
        }
        guard path.contains("/tweets") else {
          let count = parameter("max_results").flatMap { Int($0) } ?? 1
          let users = (ids ?? (0..<count).map { _ in fresh() }).map(user)
          let data: JSONValue = path.contains("/by/username/") ? users[0] : .array(users)
          return Self.json(["data": data])
        }
        let author = fresh()
        var posts: [JSONValue] = []
        var included: [JSONValue] = []
        var users: [JSONValue] = []
        func post(_ id: String, by author: String, _ more: JSONObject = [:]) -> JSONValue {
          books.posts.insert(id)
          return .object(
            ["id": .string(id), "text": "t", "author_id": .string(author), "conversation_id": .string(id)]
              .merging(more) { $1 })
        }
        let size = parameter("max_results").flatMap { Int($0) } ?? 0
        for id in ids ?? (0..<size).map({ _ in fresh() }) {
          // Referenced objects are the same each time.
          let author = path.hasSuffix("/users/7/tweets") ? author : id + "10"
          let (answered, quoted) = (id + "11", id + "12")
          let others = (0..<2).map { "\(id)0\($0)" }
          posts.append(post(id, by: author, ["in_reply_to_user_id": .string(answered)]))
          included += others.map { post($0, by: author) }
          users += [author, answered, quoted].map(user)
        }
        return Self.json([
          "data": .array(posts),
          "includes": .object(["tweets": .array(included), "users": .array(users)]),
        ])
      }
    }

    private static func json(_ value: JSONValue) -> HTTPResponse {
      HTTPResponse(200, String(decoding: JSONWriter.text(of: value).bytes, as: UTF8.self))
    }
  }

  /// For any requests in any order, also concurrent ones, and any responses of X.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func neverExceedsTheLimit(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let cap = Decimal(Int.random(in: 1...3000, using: &random)) / 1000
    let x = GreedyX()
    let client = try XClient.fake(x.connect()) { $0.maximumCost = cap }
    let plan = (0..<30).map { number in
      (number, kind: Int.random(in: 0..<7, using: &random), count: Int.random(in: 1...100, using: &random))
    }
    await withTaskGroup(of: Void.self) { group in
      for (number, kind, count) in plan {
        // Every third request waits for the previous ones.
        if number % 3 == 0 { await group.waitForAll() }
        group.addTask {
          let session = client.endpoints(named: "s\(number)")
          let ids = (1...count).map { "\(kind == 0 ? $0 : 5000 + number * 100 + $0)" }
          _ = await failure {
            switch kind {
            case 0, 1: _ = try await session.posts(ids)
            case 2: _ = try await session.search(XSearch("a", reach: .recent, pageSize: count), token: nil)
            case 3: _ = try await session.search(XSearch("a", reach: .full, pageSize: 5 * count), token: nil)
            case 4:
              _ = try await session.timeline(XTimeline(userID: "7", pageSize: count), token: nil)
            case 5: _ = try await session.users(ids)
            default: _ = try await session.followers(of: "7", count: 10 * count, token: nil)
            }
          }
        }
      }
    }
    #expect(x.cost <= cap, "\(x.cost) of \(cap)")
    #expect(client.usage.cost == x.cost)
  }

  @Test(arguments: [
    ("0", "$0.00"), ("5", "$5.00"), ("0.1", "$0.10"), ("0.135", "$0.135"), ("1234.5", "$1234.50"),
    ("0.0001", "$0.001"),
  ])
  func formatsAmounts(_ number: String, _ text: String) throws {
    #expect(dollars(try #require(Decimal(string: number))) == text)
  }
}

/// A transport that answers no request before the task is canceled.
private final class SilentTransport: HTTPTransport {
  private let sent = Mutex(0)

  var requests: Int { sent.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    sent.withLock { $0 += 1 }
    while !Task.isCancelled { await Task.yield() }
    throw HTTPError(.cancelled, "canceled", url: request.url)
  }
}
