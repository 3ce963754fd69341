import Foundation
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite struct ProfileAndPlanTests {
  @Test func readsFollowersPageByPage() async throws {
    let x = FakeX(World()) { $0.followers["1"] = (0..<1500).map { String(1000 + $0) } }
    let threads = XThreads(x, now: World.now)
    let fetched = await threads.profile(id: "1", followers: 1200)
    let profile = try #require(fetched.profile)
    #expect(profile.author.handle == "ada")
    #expect(profile.author.avatarURL == "https://pbs.twimg.com/profile_images/1/a_400x400.png")
    #expect(profile.followers.count == 1200)
    #expect(profile.followers.first?.name == "User 1000")
    #expect(profile.observedAt == World.now)
    #expect(profile.author.observedAt == World.now)
    #expect(x.log == ["users", "followers 1000", "followers 200"])
    let named = await threads.profile("ada")
    #expect(named.profile?.author.handle == "ada")
    #expect(named.profile?.followers == [])
  }

  @Test func profileKeepsTheReceivedFollowers() async throws {
    let x = FakeX(World()) {
      $0.followers["1"] = (0..<1500).map { String(1000 + $0) }
      $0.faults["followers 500"] = [.quota]
    }
    let fetched = await XThreads(x, now: World.now).profile(id: "1", followers: 1500)
    #expect(fetched.profile?.followers.count == 1000)
    #expect(fetched.failure?.kind == .quota)
  }

  /// Every user costs money, so requesting more followers than exist could exceed the limit for nothing.
  @Test func requestsNoMoreFollowersThanXCounts() async throws {
    var world = World()
    world.users["1"]?.followers = 45
    let x = FakeX(world) { $0.followers["1"] = (0..<45).map { String(1000 + $0) } }
    let fetched = await XThreads(x, now: World.now).profile(id: "1", followers: 1000)
    #expect(fetched.profile?.followers.count == 45 && fetched.failure == nil)
    #expect(x.log == ["users", "followers 45"])
    world.users["1"]?.followers = 0
    let alone = FakeX(world)
    _ = await XThreads(alone, now: World.now).profile(id: "1", followers: 1000)
    #expect(alone.log == ["users"])
  }

  @Test func protectedProfileHasNoFollowers() async throws {
    var world = World()
    world.users["2"]?.isProtected = true
    world.users["3"]?.isSuspended = true
    let x = FakeX(world)
    let threads = XThreads(x, now: World.now)
    #expect(await threads.profile(id: "2", followers: 9).profile?.author.isProtected == true)
    #expect(await threads.profile("cleo").failure?.kind == .suspended)
    #expect(await threads.profile(id: "99").failure?.kind == .content)
    #expect(!x.log.contains { $0.hasPrefix("followers") })
  }

  @Test func planListsRequestsWithTheirCost() async throws {
    var world = World()
    let ids = world.thread(25, from: World.ago(2 * World.day))
    let planner = XPlanner(now: World.now)
    let plan = planner.plan(thread: ThreadRequest(ids[3]))
    #expect(
      plan.map(\.endpoint) == [
        "GET /2/tweets", "GET /2/tweets", "GET /2/tweets/search/recent", "GET /2/tweets",
      ])
    // A thread of 25 posts by one author costs about $0.14.
    #expect(cost(plan) >= Decimal(13) / 100 && cost(plan) <= Decimal(15) / 100)
    #expect(plan.reduce(0) { $0 + $1.requests.lowerBound } == 2)

    let known = try #require(
      await XThreads(FakeX(world), now: World.now).thread(of: ids[0]).conversations.first)
    #expect(planner.plan(thread: ThreadRequest(ids[0], known: known)).map(\.posts) == [1])
    #expect(cost(planner.plan(recheck: [known])) == Decimal(135) / 1000)
    #expect(planner.plan(recheck: []) == [])
    #expect(cost(planner.plan(followers: 20, of: 1)) == Decimal(21) / 100)
  }

  @Test func plansConsiderRefusedAccess() {
    var world = World()
    let old = ThreadRequest(world.post(at: World.ago(700 * World.day)))
    let rich = XPlanner(now: World.now)
    let poor = XPlanner(now: World.now, lacksFullSearch: true)
    #expect(rich.plan(thread: old).contains { $0.endpoint == "GET /2/tweets/search/all" })
    #expect(!poor.plan(thread: old).contains { $0.endpoint == "GET /2/tweets/search/all" })
    let all = rich.plan(account: AccountRequest("ada"))
    #expect(all.reduce(0) { $0 + $1.posts } >= 3200)
    let week = AccountRequest("ada", limits: ThreadLimits(since: World.ago(7 * World.day)))
    #expect(cost(rich.plan(account: week)) < cost(all))
    #expect(cost(rich.plan(search: "x", limit: 5)) < cost(rich.plan(search: "x", limit: nil)))
  }

  /// Progress for other limits is not continued, so the whole timeline is read.
  @Test func planCountsPostsThatAreReadAgain() {
    var request = AccountRequest("ada")
    request.limits.minPosts = 2
    func posts(readFor minimum: Int) -> Int {
      var progress = AccountProgress(account: "1", ThreadLimits(minPosts: minimum))
      progress.newest = String(
        UInt64(World.ago(World.day).milliseconds - 1_288_834_974_657) << 22)
      request.progress = progress
      return XPlanner(now: World.now).plan(account: request).map(\.posts).reduce(0, +)
    }
    #expect(posts(readFor: 5) > posts(readFor: 2))
  }

  /// Counts come from files that people edit and from saved responses.
  @Test func planAcceptsAnyNumberOfPosts() {
    var request = AccountRequest("ada")
    request.limits.since = World.ago(1000 * World.day)
    request.author = Author(id: AuthorID("1", on: .x), handle: "ada")
    request.author?.joinedAt = World.ago(World.day)
    request.author?.posts = .max
    let posts = XPlanner(now: World.now).plan(account: request).map(\.posts)
    #expect(posts.contains { $0 > 0 } && posts.allSatisfy { $0 < 1_000_000 })
  }

  private func cost(_ plan: [PlannedRequest]) -> Decimal { plan.reduce(0) { $0 + ($1.cost ?? 0) } }
}
