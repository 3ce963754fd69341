import Foundation
import Testing
import ThreadModel
import XNetwork

@Suite struct ProfileAndPlanTests {
  @Test func aProfileHasFollowersPageByPage() async throws {
    let x = FakeX(World()) { $0.followers["1"] = (0..<1500).map { String(1000 + $0) } }
    let threads = XThreads(x, now: World.now)
    let fetched = await threads.profile(.handle("ada"), followers: 1200)
    let profile = try #require(fetched.profile)
    #expect(profile.author.handle == "ada")
    #expect(profile.author.avatarURL == "https://pbs.twimg.com/profile_images/1/a_400x400.png")
    #expect(profile.followers.count == 1200)
    #expect(profile.followers.first?.name == "User 1000")
    #expect(profile.observedAt == World.now)
    #expect(profile.author.observedAt == World.now)
    #expect(x.log == ["user", "followers 1000", "followers 200"])
    let byID = await threads.profile(.id("1"))
    #expect(byID.profile?.author.handle == "ada")
    #expect(byID.profile?.followers == [])
  }

  @Test func aProfileKeepsTheFollowersThatCame() async throws {
    let x = FakeX(World()) {
      $0.followers["1"] = (0..<1500).map { String(1000 + $0) }
      $0.faults["followers 500"] = [.rateLimited]
    }
    let fetched = await XThreads(x, now: World.now).profile(.handle("ada"), followers: 1500)
    #expect(fetched.profile?.followers.count == 1000)
    #expect(fetched.failure?.kind == .rateLimited)
  }

  /// Every user has a price, so that more than there are would be more than the cap allows for nothing.
  @Test func noMoreFollowersAreRequestedThanXCounts() async throws {
    var world = World()
    world.users["1"]?.followers = 45
    let x = FakeX(world) { $0.followers["1"] = (0..<45).map { String(1000 + $0) } }
    let fetched = await XThreads(x, now: World.now).profile(.handle("ada"), followers: 1000)
    #expect(fetched.profile?.followers.count == 45 && fetched.failure == nil)
    #expect(x.log == ["user", "followers 45"])
    world.users["1"]?.followers = 0
    let alone = FakeX(world)
    _ = await XThreads(alone, now: World.now).profile(.handle("ada"), followers: 1000)
    #expect(alone.log == ["user"])
  }

  @Test func aProtectedProfileHasNoFollowers() async throws {
    var world = World()
    world.users["2"]?.isProtected = true
    world.users["3"]?.isSuspended = true
    let x = FakeX(world)
    let threads = XThreads(x, now: World.now)
    #expect(await threads.profile(.handle("bob"), followers: 9).profile?.author.isProtected == true)
    #expect(await threads.profile(.handle("cleo")).failure?.kind == .suspended)
    #expect(await threads.profile(.id("99")).failure?.kind == .notFound)
    #expect(!x.log.contains { $0.hasPrefix("followers") })
  }

  @Test func aPlanAsksNothing() async throws {
    var world = World()
    let ids = world.thread(25, from: World.ago(2 * World.day))
    let x = FakeX(world)
    let threads = XThreads(x, now: World.now)
    let plan = threads.plan(thread: ids[3])
    #expect(x.log == [])
    #expect(
      plan.steps.map(\.endpoint) == [
        "GET /2/tweets", "GET /2/tweets", "GET /2/tweets/search/recent", "GET /2/tweets",
      ])
    // A thread of 25 posts by one author is about $0.14.
    #expect(plan.cost >= Decimal(13) / 100 && plan.cost <= Decimal(15) / 100)
    #expect(plan.requests.lowerBound == 2)

    let known = try #require(await threads.thread(of: ids[0]).conversations.first)
    #expect(threads.plan(thread: ids[0], known: known).steps.map(\.posts) == [1])
    #expect(threads.plan(recheck: [known]).cost == Decimal(135) / 1000)
    #expect(threads.plan(recheck: []).steps == [])
    #expect(threads.plan(profile: .handle("ada"), followers: 20).cost == Decimal(21) / 100)
  }

  @Test func plansKnowWhatIsRefused() {
    var world = World()
    let old = world.post(at: World.ago(700 * World.day))
    let rich = XThreads(FakeX(world), now: World.now)
    let poor = XThreads(FakeX(world), now: World.now, lacksFullSearch: true)
    #expect(rich.plan(thread: old).steps.contains { $0.endpoint == "GET /2/tweets/search/all" })
    #expect(!poor.plan(thread: old).steps.contains { $0.endpoint == "GET /2/tweets/search/all" })
    #expect(rich.plan(author: "ada").posts >= 3200)
    let week = XThreadLimits(since: World.ago(7 * World.day))
    #expect(rich.plan(author: "ada", limits: week).cost < rich.plan(author: "ada").cost)
    #expect(rich.plan(search: "x", limit: 5).cost < rich.plan(search: "x").cost)
  }
}
