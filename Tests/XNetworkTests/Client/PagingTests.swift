import HTTPTransport
import Testing
import XNetwork

struct PagingTests {
  private func session(_ next: @escaping @Sendable (Int) -> String?) throws -> (XSession, FakeTransport) {
    let transport = FakeTransport { _, number in .success(.page([number + 1], next: next(number))) }
    return (try XClient.fake(transport).endpoints(named: "a"), transport)
  }

  @Test func followsPagesToTheEnd() async throws {
    let (session, transport) = try session { $0 < 4 ? "token\($0)" : nil }
    var ids: [String] = []
    let end = try await session.pages(of: XTimeline(userID: "7")) { page in
      ids += page.posts.map(\.id)
      return .more
    }
    #expect(end == .complete)
    #expect(ids == ["1", "2", "3", "4", "5"])
    #expect(transport.urls.map { $0.contains("pagination_token=token") } == [false, true, true, true, true])
  }

  @Test func callerMayStopThePaging() async throws {
    let (session, transport) = try session { "token\($0)" }
    let end = try await session.pages(of: XSearch("a", reach: .recent)) { page in
      page.posts.contains { $0.id == "3" } ? .enough : .more
    }
    #expect(end == .enough)
    #expect(transport.requests.count == 3)
  }

  @Test func stopsAtEndlessTokens() async throws {
    let (session, transport) = try session { "token\($0)" }
    let end = try await session.pages(of: XSearch("a", reach: .recent), paging: XPaging(maximumPages: 6)) {
      _ in .more
    }
    #expect(end == .cut)
    #expect(transport.requests.count == 6)
  }

  @Test func repeatedTokenEndsThePaging() async throws {
    let (session, transport) = try session { "token\($0 % 3)" }
    #expect(try await session.pages(of: XSearch("a", reach: .recent)) { _ in .more } == .cut)
    #expect(transport.requests.count == 4)
  }
}
