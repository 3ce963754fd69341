import NetworkSources
import Testing
import ThreadModel
import Unroll
import XNetwork

/// Threads of an author, and threads that a search finds.
@Suite struct SourceTests {
  // MARK: Authors

  @Test func findsAnAuthorsThreadsInTheirTimeline() async throws {
    var world = World()
    let first = world.thread(3, from: World.ago(300 * World.day))
    let others = world.thread(by: "2", 2, from: World.ago(200 * World.day))
    world.thread(3, from: World.ago(150 * World.day), to: others[1])
    world.repost(by: "1", of: others[0], at: World.ago(120 * World.day))
    world.post(at: World.ago(100 * World.day))
    let quoted = world.post(by: "3", at: World.ago(51 * World.day))
    let second = world.thread(4, from: World.ago(50 * World.day))
    world.posts[second[2]]?.quotes = quoted
    let x = FakeX(world) {
      $0.largestPage = 5
      $0.isBare = true
    }
    let fetched = await XThreads(x, now: World.now).threads(by: "Ada")
    #expect(fetched.failure == nil)
    #expect(fetched.found.map(\.value) == [second[0], first[0]])
    #expect(fetched.conversations.map { $0.posts.map(\.id.value) } == [second, first])
    #expect(
      fetched.conversations.allSatisfy { $0.coverage.limits.isEmpty && $0.coverage.foundBy == .timeline })
    #expect(fetched.conversations.first?.related.map(\.id.value) == [quoted])
    #expect(fetched.conversations.first?.authors.contains { $0.handle == "cleo" } == true)
    #expect(x.log.count { $0 == "posts" } == 1)
    let long = await XThreads(FakeX(world), now: World.now).threads(
      by: "ada", limits: ThreadLimits(minPosts: 4))
    #expect(long.found.map(\.value) == [second[0]])
  }

  @Test func completesThreadsThatBeginBeforeTheGivenTime() async throws {
    var world = World()
    let ids = world.thread(6, from: World.ago(30 * World.day))
    let alone = world.post(at: World.ago(40 * World.day))
    let late = world.post(at: World.ago(20 * World.day), to: alone)
    let others = world.thread(by: "2", 2, from: World.ago(31 * World.day))
    world.thread(2, from: World.ago(20 * World.day), to: others[1])
    let since = XID.time(ids[3])
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now)
      .threads(by: "ada", limits: ThreadLimits(since: since))
    #expect(fetched.found.map(\.value) == [ids[0], alone])
    #expect(fetched.conversations.map { $0.posts.map(\.id.value) } == [ids, [alone, late]])
    #expect(
      fetched.conversations.first?.coverage.limits == [],
      "everything was looked up, so no gap is reported")
  }

  @Test func completesThreadsBeyondTheReachOfATimeline() async throws {
    var world = World()
    let ids = world.thread(6, from: World.ago(30 * World.day))
    let x = FakeX(world) { $0.timelineReach = 3 }
    let fetched = await XThreads(x, now: World.now).threads(by: "ada")
    #expect(fetched.conversations.map { $0.posts.map(\.id.value) } == [ids])
    #expect(fetched.conversations.first?.coverage.limits == [])
  }

  @Test func knownThreadsCostNoLookups() async throws {
    var world = World()
    let quoted = world.post(by: "3", at: World.ago(51 * World.day))
    let ids = world.thread(4, from: World.ago(50 * World.day))
    world.posts[ids[2]]?.quotes = quoted
    let x = FakeX(world) { $0.isBare = true }
    let root = ids[0]
    let fetched = await XThreads(x, now: World.now).threads(by: "ada") { $0.value == root }
    #expect(x.log == ["user", "timeline"])
    #expect(fetched.found.map(\.value) == [root])
    #expect(fetched.conversations.first?.posts.count == 4)
    #expect(fetched.conversations.first?.coverage.isEmpty == true)
  }

  @Test func searchesRepliesToAnAuthorsThreads() async throws {
    var world = World()
    let ids = world.thread(2, from: World.ago(50 * World.day))
    let reply = world.post(by: "2", at: World.ago(49 * World.day), to: ids[0])
    let fetched = await XThreads(FakeX(world), now: World.now).threads(by: "ada", replies: true)
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids + [reply])
    let poor = FakeX(world) { $0.allowsFullSearch = false }
    let without = await XThreads(poor, now: World.now).threads(by: "ada", replies: true)
    #expect(
      without.conversations.first?.coverage.limits == [CoverageLimit(.repliesUnreachable)])
  }

  @Test(arguments: [("bob", SourceError.Kind.protected), ("cleo", .suspended), ("nobody", .content)])
  func reportsWhyAnAuthorIsUnreadable(handle: String, kind: SourceError.Kind) async {
    var world = World()
    world.users["2"]?.isProtected = true
    world.users["3"]?.isSuspended = true
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).threads(by: handle)
    #expect(fetched.failure?.kind == kind)
    #expect(x.log == ["user"])
  }

  @Test func brokenTimelineKeepsItsPages() async throws {
    var world = World()
    world.thread(6, from: World.ago(50 * World.day))
    let ids = world.thread(4, from: World.ago(5 * World.day))
    for kind in [SourceError.Kind.overBudget, .network] {
      let x = FakeX(world) {
        $0.largestPage = 5
        $0.faults["timeline"] = [nil, kind]
      }
      let fetched = await XThreads(x, now: World.now).threads(by: "ada")
      #expect(fetched.failure?.kind == kind)
      #expect(fetched.conversations.first?.posts.map(\.id.value) == ids)
      #expect(fetched.conversations.first?.coverage.limits.isEmpty == false)
    }
  }

  // MARK: Progress in a timeline

  /// Under a cost limit, each run continues where the previous one ended and reads no post twice.
  @Test(arguments: [1, 2, 3, 5])
  func readsNoTimelineTwice(requestsEachRun: Int) async throws {
    var world = World()
    var roots: [String] = []
    for index in 0..<20 {
      roots.append(world.thread(6, from: World.ago(Int64(100 - index) * World.day))[0])
    }
    var progress: AccountProgress?
    var known: [PostID: Conversation] = [:]
    var read = 0
    var runs = 0
    func run() async -> FetchedThreads {
      let x = FakeX(world) {
        $0.largestPage = 25
        $0.budget = requestsEachRun + 1
      }
      let before = known
      let fetched = await XThreads(x, now: World.now).threads(by: "ada", progress: progress) {
        before[$0] != nil
      }
      for conversation in fetched.conversations {
        known[conversation.id] = known[conversation.id]?.merged(with: conversation) ?? conversation
      }
      progress = fetched.progress ?? progress
      read += x.with { $0.timelines.count == 0 ? 0 : $0.postsRead }
      runs += 1
      return fetched
    }
    while runs < 40 {
      let fetched = await run()
      if fetched.failure == nil { break }
    }
    #expect(runs < 40 && progress?.unread == nil)
    #expect(Set(known.keys.map(\.value)) == Set(roots))
    #expect(known.values.allSatisfy { $0.posts.count == 6 })
    // In addition to the timeline's 120 posts, posts are looked up that a page boundary separated from their
    // threads.
    #expect(read <= 120 + 6 * runs, "\(read) posts in \(runs) runs")
    // Only later posts are read.
    let new = world.thread(4, from: World.ago(World.day))
    let x = FakeX(world)
    let all = Set(known.keys)
    let later = await XThreads(x, now: World.now).threads(by: "ada", progress: progress) { all.contains($0) }
    #expect(later.conversations.map(\.id.value) == [new[0]])
    #expect(x.log == ["timeline"] && x.with { $0.postsRead } == 4)
    #expect(later.progress?.newest == new[3])
  }

  /// Other limits may need other posts, so the timeline is read from the beginning.
  @Test func otherLimitsReadTheTimelineAgain() async throws {
    var world = World()
    let ids = world.thread(6, from: World.ago(30 * World.day))
    let first = await XThreads(FakeX(world), now: World.now)
      .threads(by: "ada", limits: ThreadLimits(since: World.ago(10 * World.day)))
    #expect(first.conversations == [])
    let x = FakeX(world)
    let second = await XThreads(x, now: World.now).threads(by: "ada", progress: first.progress)
    #expect(second.conversations.map { $0.posts.map(\.id.value) } == [ids])
  }

  // MARK: Searches

  @Test func searchFindsThreads() async throws {
    var world = World()
    let first = world.thread(5, from: World.ago(300 * World.day))
    let second = world.thread(by: "2", 3, from: World.ago(200 * World.day))
    let chain = world.thread(by: "3", 2, from: World.ago(199 * World.day), to: second[0])
    for id in [first[2], first[4], second[1], chain[1]] { world.posts[id]?.text = "of swallows" }
    world.repost(by: "2", of: first[2], at: World.ago(100 * World.day))
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).threads(matching: "swallows")
    #expect(fetched.failure == nil)
    #expect(fetched.found.map(\.value) == [second[0], first[0]])
    #expect(fetched.conversations.map(\.authorID.value) == ["3", "2", "1"])
    #expect(fetched.conversations.map { $0.posts.map(\.id.value) } == [[second[0]] + chain, second, first])
    #expect(x.with { $0.queries.first?.query } == "swallows -is:retweet")
    #expect(x.with { $0.queries.first?.startTime } != nil)
    // One request for all first posts, one search for all threads, and nothing twice.
    #expect(x.log == ["full", "posts", "full"])
    let ids = x.lookups.flatMap { $0 }
    #expect(ids.count == Set(ids).count)
  }

  @Test func limitCountsThreads() async throws {
    var world = World()
    for index in 1...30 {
      let ids = world.thread(2, from: World.ago(Int64(index) * World.day))
      for id in ids { world.posts[id]?.text = "of swallows" }
    }
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).threads(matching: "swallows", limit: 3)
    #expect(fetched.conversations.count == 3)
    #expect(fetched.found.count == 3)
    #expect(x.with { $0.queries.first?.pageSize } == 10)
    let more = await XThreads(FakeX(world), now: World.now).threads(matching: "swallows", limit: 12)
    #expect(more.conversations.count == 12)
    let none = FakeX(world)
    #expect(await XThreads(none, now: World.now).threads(matching: "swallows", limit: 0).conversations == [])
    #expect(none.log == [])
  }

  @Test func searchesTheLastDaysWithoutFullSearch() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    world.posts[ids[1]]?.text = "of swallows"
    let x = FakeX(world) { $0.allowsFullSearch = false }
    let fetched = await XThreads(x, now: World.now).threads(matching: "swallows")
    #expect(fetched.conversations.map { $0.posts.map(\.id.value) } == [ids])
    #expect(fetched.notes == ["This account can search only the last seven days on X."])
    #expect(x.log == ["full", "recent", "recent"])
  }

  @Test func listsKnownThreadsWithoutFetchingThem() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    world.posts[ids[1]]?.text = "of swallows"
    let x = FakeX(world)
    let root = ids[0]
    let fetched = await XThreads(x, now: World.now).threads(matching: "swallows") { $0.value == root }
    #expect(fetched.found.map(\.value) == [root])
    #expect(fetched.conversations == [])
    #expect(x.log == ["full"])
  }

  @Test func usedUpBudgetKeepsFoundPosts() async throws {
    var world = World()
    for index in 1...5 {
      let ids = world.thread(3, from: World.ago(Int64(20 + index) * World.day))
      world.posts[ids[1]]?.text = "of swallows"
    }
    let x = FakeX(world) { $0.budget = 1 }
    let fetched = await XThreads(x, now: World.now).threads(matching: "swallows")
    #expect(fetched.failure?.kind == .overBudget)
    #expect(fetched.conversations.count == 5)
    // The found posts and the first posts, and no others.
    #expect(fetched.conversations.map(\.posts.count) == [2, 2, 2, 2, 2])
    #expect(fetched.conversations.allSatisfy { $0.coverage.limits == [CoverageLimit(.fetchEnded)] })
    let found = await XThreads(FakeX(world) { $0.faults["full"] = [.creditsDepleted] }, now: World.now)
      .threads(matching: "swallows")
    #expect(found.failure?.kind == .creditsDepleted)
    #expect(found.conversations == [])
  }

  @Test func missingAccessToSearchesIsAFailure() async {
    let x = FakeX(World()) { $0.faults = ["full": [.access], "recent": [.access]] }
    #expect(await XThreads(x, now: World.now).threads(matching: "swallows").failure?.kind == .access)
  }
}
