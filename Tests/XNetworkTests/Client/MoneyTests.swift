import Foundation
import HTTPTransport
import NetworkSources
import Testing
import ThreadModel
import XNetwork

struct MoneyTests {
  @Test func whatIsReadIsCountedOnceADay() async throws {
    let clock = FakeClock()
    let client = try XClient.fake(FakeTransport([.page(1...10), .page(5...12), .page(1...12)]), clock: clock)
    let session = client.session(named: "a")
    _ = try await session.posts(["1"])
    #expect((client.usage.posts, client.usage.users) == (10, 1))
    #expect(client.usage.cost == Decimal(string: "0.06"))
    _ = try await session.posts(["2"])
    #expect((client.usage.posts, client.usage.users) == (12, 1))
    clock.advance(seconds: 24 * 3600)
    _ = try await session.posts(["3"])
    #expect((client.usage.posts, client.usage.users) == (24, 2))
    #expect(client.usage.requests == [.posts: 3])
    #expect(client.usage.cost == Decimal(string: "0.14"))
  }

  @Test func includedPostsAndUsersCount() async throws {
    let body =
      #"{"data":[{"id":"1","text":"a","author_id":"7","conversation_id":"1"}],"#
      + #""includes":{"tweets":[{"id":"2","text":"b","author_id":"8"}],"users":[{"id":"7","username":"a"},{"id":"8","username":"b"}]}}"#
    let client = try XClient.fake(FakeTransport([HTTPResponse(200, body)]))
    _ = try await client.session(named: "a").posts(["1"])
    #expect((client.usage.posts, client.usage.users) == (2, 2))
  }

  @Test func aRequestThatCouldPassTheCapIsNotSent() async throws {
    let transport = FakeTransport([.page(1...20)])
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.42") }
    let session = client.session(named: "a")
    _ = try await session.posts((1...20).map(String.init))  // up to 0.41; costs 0.11
    let error = await failure { _ = try await session.posts((21...40).map(String.init)) }
    #expect(error?.kind == .overBudget)
    #expect(
      error?.message
        == "The next request may cost up to $0.41; with about $0.11 spent, that could pass the cap of $0.42 for one run. "
        + "What was fetched is kept. To go on, raise max_cost below x: in site.yml, or give --max-cost 0.52 or more."
    )
    #expect(transport.requests.count == 1)
    // What is counted already costs nothing more; what is cheaper still fits.
    _ = try await session.posts((1...20).map(String.init))
    _ = try await session.posts(["21"])
    #expect(transport.requests.count == 3)
  }

  @Test func searchPagesShrinkToWhatIsLeft() async throws {
    let transport = FakeTransport { request, _ in
      .success(request.url.contains("search") ? .page(100..<117) : .page([1]))
    }
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.29") }
    let session = client.session(named: "a")
    _ = try await session.posts(["1"])  // 0.015
    _ = try await session.search(XSearch("a", reach: .full, pageSize: 500), token: nil)
    #expect(transport.urls.last?.contains("max_results=13&") == true)
    // 0.1 is spent now: not even the smallest page fits.
    #expect(
      await failure { _ = try await session.search(XSearch("a", reach: .full), token: "t") }?.kind
        == .overBudget)
    _ = try await session.timeline(XTimeline(userID: "7"), token: nil)
    #expect(transport.urls.last?.contains("max_results=9&") == true)
  }

  @Test func whatIsNotAnsweredCostsNothing() async throws {
    let transport = FakeTransport([HTTPResponse(500, ""), HTTPResponse(500, ""), .page([1])])
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.03") }
    let session = client.session(named: "a")
    for _ in 0..<2 { #expect(await failure { _ = try await session.posts(["1"]) }?.kind == .serverTrouble) }
    _ = try await session.posts(["1"])
    #expect(client.usage.cost == Decimal(string: "0.015"))
  }

  /// Requests under way at the same time do not spend the same money.
  @Test func requestsAtTheSameTimeShareTheCap() async throws {
    let transport = FakeTransport { request, _ in
      let id = request.url.split(separator: "=")[1].prefix { $0.isNumber }
      return .success(.page([Int(id) ?? 0]))
    }
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.10") }
    await withTaskGroup(of: Void.self) { group in
      for id in 1...50 {
        group.addTask {
          _ = await failure { _ = try await client.session(named: "s\(id)").posts(["\(id)"]) }
        }
      }
    }
    #expect(client.usage.cost <= Decimal(string: "0.10") ?? 0)
    #expect(client.usage.posts >= 4)
  }

  /// What is put aside for others under way is mostly given back: who needs it waits, and does not give up.
  @Test func whatIsPutAsideIsWaitedFor() async throws {
    let transport = FakeTransport { request, _ in
      let id = request.url.split(separator: "=")[1].prefix { $0.isNumber }
      return .success(.page([Int(id) ?? 0]))
    }
    // One may cost 0.03 and costs 0.005, and the author once 0.01: all ten fit into 0.09, though three at a time do not.
    let client = try XClient.fake(transport) { $0.maximumCost = Decimal(string: "0.09") }
    let failures = await withTaskGroup(of: XClientError?.self) { group in
      for id in 1...10 {
        group.addTask { await failure { _ = try await client.session(named: "s\(id)").posts(["\(id)"]) } }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    #expect(failures == [])
    #expect(client.usage.cost == Decimal(string: "0.06"))
  }

  @Test func followersAndUsersCostWhatIsAskedFor() throws {
    let prices = XPrices()
    #expect(prices.worstCase(of: try .followers(of: "7", count: 20, token: nil)) == Decimal(string: "0.2"))
    #expect(prices.worstCase(of: try .users(["7", "8"])) == Decimal(string: "0.02"))
    #expect(prices.worstCase(of: try .user(handle: "ada")) == Decimal(string: "0.01"))
    #expect(
      prices.worstCase(of: try .search(XSearch("a", reach: .recent), token: nil)) == Decimal(string: "2.01"))
  }

  @Test(arguments: [
    ("0", "$0.00"), ("5", "$5.00"), ("0.1", "$0.10"), ("0.135", "$0.135"), ("1234.5", "$1234.50"),
    ("0.0001", "$0.001"),
  ])
  func amountsAreWritten(_ number: String, _ text: String) throws {
    #expect(dollars(try #require(Decimal(string: number))) == text)
  }
}
