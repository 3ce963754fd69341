import NetworkSources
import Testing
import ThreadModel
import Unroll
import XNetwork

/// Each method to find a thread, and the gaps that it reports.
@Suite struct FallbackTests {
  static let refused = CoverageLimit(.fullSearchRefused)
  static let sevenDays = CoverageLimit(.recentSearch)

  @Test(arguments: [0, 12, 24])
  func fullSearchFindsAnOldThread(index: Int) async throws {
    var world = World()
    let ids = world.thread(25, from: World.ago(730 * World.day))
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).thread(of: ids[index])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == ids)
    #expect(conversation.coverage.foundBy == .fullSearch)
    #expect(conversation.coverage.limits == [])
    #expect(x.log.count <= 4)
    #expect(!x.log.contains("recent"))
    #expect(x.with { $0.queries.allSatisfy { $0.startTime != nil } })
  }

  /// A search that does not return the given post has not found the thread.
  @Test(arguments: [2, 400])
  func distrustsASearchWithoutTheGivenPost(days: Int64) async throws {
    var world = World()
    let ids = world.thread(12, from: World.ago(days * World.day))
    let x = FakeX(world) { $0.unsearchable = Set(ids[3...]) }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[7])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == ids)
    #expect(conversation.coverage.foundBy == .timeline)
    #expect(fetched.notes.contains { $0.contains("may be incomplete") })
  }

  /// Recent search is not trusted at the edge of its range.
  @Test(arguments: [(7 * World.day - 600_000, "full"), (7 * World.day - 2 * World.hour, "recent")])
  func recentSearchHasAMarginAtSevenDays(age: Int64, endpoint: String) async {
    var world = World()
    let ids = world.thread(3, from: World.ago(age))
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    #expect(x.log == ["posts", endpoint])
    #expect(fetched.conversations.first?.posts.count == 3)
  }

  @Test func readsTheTimelineWithoutFullSearch() async throws {
    var world = World()
    world.thread(30, from: World.ago(731 * World.day))
    let ids = world.thread(25, from: World.ago(730 * World.day))
    world.thread(30, from: World.ago(700 * World.day))
    let x = FakeX(world) { $0.allowsFullSearch = false }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == ids)
    #expect(conversation.coverage.foundBy == .timeline)
    #expect(
      conversation.coverage.limits == [
        Self.sevenDays, Self.refused, CoverageLimit(.timelineUntil, day: "2022-06-03"),
      ])
    #expect(x.log == ["posts", "full", "timeline"])
    #expect(fetched.failure == nil)
    // Neither older nor much newer posts were paid for.
    #expect(x.with { $0.postsRead } == 26)
    // With this knowledge, it does not request the full search again.
    let again = FakeX(world) { $0.allowsFullSearch = false }
    let second = await XThreads(again, now: World.now, lacksFullSearch: true).thread(of: ids[0])
    #expect(again.log == ["posts", "timeline"])
    #expect(second.conversations == fetched.conversations)
  }

  @Test func readsATimelineWhileTheThreadContinues() async throws {
    var world = World()
    var ids = world.thread(3, from: World.ago(730 * World.day))
    for hours in 1...5 {
      ids.append(world.post(at: World.ago(730 * World.day - Int64(hours) * 20 * World.hour), to: ids.last))
    }
    let x = FakeX(world) { $0.allowsFullSearch = false }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids)
  }

  @Test func timelineReadToItsEndIsComplete() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(8 * World.day))
    let last = world.post(at: World.ago(World.hour), to: ids.last)
    let x = FakeX(world) { $0.allowsFullSearch = false }
    let fetched = await XThreads(x, now: World.now).thread(of: last)
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids + [last])
    #expect(fetched.conversations.first?.coverage.limits == [])
    #expect(fetched.conversations.first?.coverage.foundBy == .timeline)
  }

  @Test(arguments: [false, true])
  func climbsBeyondTheTimeline(isBare: Bool) async throws {
    var world = World()
    let ids = world.thread(25, from: World.ago(730 * World.day))
    world.thread(50, from: World.ago(10 * World.day))
    let x = FakeX(world) {
      $0.allowsFullSearch = false
      $0.timelineReach = 40
      $0.isBare = isBare
    }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[20])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == Array(ids[...20]))
    #expect(conversation.coverage.foundBy == .climbing)
    #expect(
      conversation.coverage.limits == [
        Self.sevenDays, Self.refused, CoverageLimit(.timelineReach), CoverageLimit(.climbing),
      ])
    // Included posts are not requested during the climb.
    #expect(x.log.count { $0 == "posts" } <= 13)
    #expect(x.lookups.flatMap { $0 }.count == Set(x.lookups.flatMap { $0 }).count)
    #expect(UnrolledThread(unrolling: conversation).mainPosts.count == 21)
  }

  @Test func climbsAChainInAnOldConversationBeforeReadingItsTimeline() async throws {
    var world = World()
    let ids = world.thread(2, from: World.ago(730 * World.day))
    world.thread(by: "2", 80, from: World.ago(400 * World.day))
    let chain = world.thread(by: "2", 6, from: World.ago(100 * World.day), to: ids[1])
    let x = FakeX(world) { $0.allowsFullSearch = false }
    let fetched = await XThreads(x, now: World.now).thread(of: chain[3])
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids + chain)
    #expect(x.with { $0.postsRead } < 20)
  }

  @Test func looksUpPostsThatSearchMisses() async throws {
    var world = World()
    let ids = world.thread(8, from: World.ago(2 * World.day))
    let x = FakeX(world) { $0.unsearchable = [ids[3], ids[4]] }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids)
    #expect(x.log == ["posts", "recent", "posts"])
  }

  @Test func missingQuoteLeavesATombstone() async throws {
    var world = World()
    let gone = world.post(by: "2", at: World.ago(9 * World.day))
    let hidden = world.post(by: "3", at: World.ago(9 * World.day))
    let ids = world.thread(3, from: World.ago(2 * World.day))
    world.posts[ids[1]]?.quotes = gone
    world.posts[ids[2]]?.quotes = hidden
    world.deleted = [gone]
    world.users["3"]?.isProtected = true
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.tombstones.map(\.reason) == [.notFound, .protected])
    #expect(x.log == ["posts", "recent"])
  }
}
