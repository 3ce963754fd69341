import NetworkSources
import Testing
import ThreadModel
import XNetwork

/// Fetching a thread again requests only missing and new posts.
@Suite struct KnownThreadTests {
  static func fetch(
    _ world: World, _ id: String, _ known: Conversation? = nil, replies: Bool = false,
    now: Timestamp = World.now,
    _ change: (inout FakeX.State) -> Void = { _ in }
  ) async throws -> (Conversation, FakeX, FetchedThreads) {
    let x = FakeX(world) {
      $0.now = now
      change(&$0)
    }
    let fetched = await XThreads(x, now: now).thread(
      of: id, known: known, replies: replies)
    return (try #require(fetched.conversations.first), x, fetched)
  }

  @Test func unchangedThreadCostsOneSearch() async throws {
    var world = World()
    let quoted = world.post(by: "2", at: World.ago(20 * World.day), photo: true)
    let ids = world.thread(5, from: World.ago(2 * World.day))
    world.posts[ids[1]]?.quotes = quoted
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let later = Timestamp(milliseconds: World.now.milliseconds + World.hour)
    let (again, x, _) = try await Self.fetch(world, ids[3], known, now: later)
    #expect(x.log == ["recent"])
    #expect(x.with { $0.queries.first?.sinceID } == ids[4])
    #expect(x.with { $0.postsRead } == 0)
    #expect(again == known)
  }

  /// Thirty threads share lookups and searches.
  @Test(arguments: [(2, 7), (60, 5)])
  func manyThreadsNeedFewRequests(days: Int64, atMost: Int) async throws {
    var world = World()
    var threads: [[String]] = []
    for index in 0..<30 {
      threads.append(
        world.thread(by: "\(index % 3 + 1)", 4, from: World.ago(days * World.day + Int64(index) * World.hour))
      )
    }
    let x = FakeX(world)
    let requests = threads.enumerated().map { ThreadRequest($1[$0 % 4]) }
    let fetched = await XThreads(x, now: World.now).threads(of: requests)
    #expect(fetched.failure == nil && fetched.refused.isEmpty)
    #expect(fetched.conversations.map { $0.posts.map(\.id.value) } == threads)
    #expect(fetched.conversations.allSatisfy { $0.coverage.limits == [] })
    #expect(x.log.count <= atMost, "\(x.log)")
    // A second fetch with the known posts pays for no post twice.
    let again = FakeX(world)
    let known = fetched.conversations.enumerated().map { ThreadRequest(threads[$0][$0 % 4], known: $1) }
    let second = await XThreads(again, now: World.now).threads(of: known)
    #expect(second.conversations == fetched.conversations)
    // A search of the full archive begins at a full second, so it includes the newest known post.
    #expect(again.with { $0.postsRead } == (days < 7 ? 0 : 30))
    #expect(again.log.count == 30, "\(again.log)")
  }

  /// A failed thread states the reason, and the others are fetched.
  @Test func deadURLDoesNotBlockOtherThreads() async throws {
    var world = World()
    let first = world.thread(3, from: World.ago(2 * World.day))
    let second = world.thread(by: "2", 3, from: World.ago(3 * World.day))
    let repost = world.repost(by: "2", of: first[0], at: World.ago(World.day))
    let fetched = await XThreads(FakeX(world), now: World.now).threads(
      of: [first[1], "999", repost, second[2], "x"].map { ThreadRequest($0) })
    #expect(fetched.conversations.map { $0.posts.map(\.id.value) } == [first, second])
    #expect(fetched.refused.mapValues(\.kind) == [1: .content, 2: .content, 4: .invalidRequest])
    #expect(fetched.failure == nil)
  }

  @Test func findsNewPosts() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let new = world.post(at: World.ago(World.hour), to: ids[4])
    let (again, x, _) = try await Self.fetch(world, ids[0], known)
    #expect(x.log == ["recent"])
    #expect(again.posts.map(\.id.value) == ids + [new])
    #expect(again.coverage.limits == [])
    #expect(again.coverage.checkedAt == known.coverage.checkedAt)
  }

  @Test func searchesTheFullArchiveForNewPostsOfAnOldThread() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(400 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let new = world.post(at: World.ago(World.hour), to: ids[4])
    let (again, x, _) = try await Self.fetch(world, ids[0], known)
    #expect(x.log == ["full"])
    #expect(x.with { $0.queries.first?.startTime } == XID.time(ids[4])?.iso8601)
    #expect(again.posts.map(\.id.value) == ids + [new])
    #expect(again.coverage.foundBy == .fullSearch)
    // Without access, at least the last seven days are searched.
    let (poor, poorX, _) = try await Self.fetch(world, ids[0], known) { $0.allowsFullSearch = false }
    #expect(poorX.log == ["full", "recent"])
    #expect(poor.posts.map(\.id.value) == ids + [new])
    #expect(
      poor.coverage.limits == [CoverageLimit(.growthUnseen, day: "2023-04-28")])
  }

  @Test func moreAccessCompletesAThread() async throws {
    var world = World()
    let ids = world.thread(20, from: World.ago(400 * World.day))
    world.thread(20, from: World.ago(20 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[9]) {
      $0.allowsFullSearch = false
      $0.timelineReach = 15
    }
    #expect(known.posts.count == 10)
    #expect(known.coverage.foundBy == .climbing)
    let (whole, x, _) = try await Self.fetch(world, ids[9], known)
    #expect(whole.posts.map(\.id.value) == ids)
    #expect(whole.coverage.limits == [])
    #expect(whole.coverage.foundBy == .fullSearch)
    #expect(x.log == ["full"])
    // Merging it with the store's data gives the same.
    #expect(known.merged(with: whole) == whole)
  }

  @Test func readsNoTimelineTwice() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(400 * World.day))
    world.thread(5, from: World.ago(2 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[0]) { $0.allowsFullSearch = false }
    let (again, x, _) = try await Self.fetch(world, ids[0], known) { $0.allowsFullSearch = false }
    #expect(x.log == ["full", "recent"])
    #expect(again == known)
  }

  @Test func requestsPostsThatMayHaveChanged() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    world.posts[ids[1]]?.poll = "8"
    world.openPolls = ["8"]
    let fresh = world.post(at: World.ago(600_000), to: ids[2])
    let (known, _, _) = try await Self.fetch(world, ids[0])
    world.openPolls = []
    let later = Timestamp(milliseconds: World.now.milliseconds + World.hour)
    let (again, x, _) = try await Self.fetch(world, ids[0], known, now: later)
    // The open poll, and the post that could still be edited.
    #expect(x.lookups == [[ids[1], fresh]])
    #expect(again.posts[1].poll?.status == .closed)
    let (_, settled, _) = try await Self.fetch(world, ids[0], again, now: later)
    #expect(settled.lookups == [])
  }

  @Test func searchesAllRepliesIfThereWereNone() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let reply = world.post(by: "2", at: World.ago(47 * World.hour), to: ids[0])
    world.post(at: World.ago(World.hour), to: ids[2])
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let (again, _, _) = try await Self.fetch(world, ids[0], known, replies: true)
    #expect(again.posts.contains { $0.id.value == reply })
  }

  @Test func failureKeepsKnownPosts() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let (again, _, fetched) = try await Self.fetch(world, ids[0], known) { $0.budget = 0 }
    #expect(again == known)
    #expect(fetched.failure?.kind == .overBudget)
  }

  @Test func doesNotRequestDeletedPostsAgain() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    world.deleted = [ids[2]]
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let (_, x, _) = try await Self.fetch(world, ids[0], known)
    #expect(x.log == ["recent"])
  }

  @Test func laterEditOfTheFirstPostKeepsTheConversationID() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(1_200_000))
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let edited = world.edit(ids[0])
    world.posts[edited]?.conversation = ids[0]
    let (again, _, _) = try await Self.fetch(world, ids[0], known)
    #expect(again.id.value == ids[0])
    #expect(again.posts.contains { $0.id.value == edited })
  }
}

extension KnownThreadTests {
  @Test func doesNotSearchRepliesAgainForAThreadWithoutReplies() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[0], replies: true)
    let (again, x, _) = try await Self.fetch(world, ids[0], known, replies: true)
    #expect(x.with { $0.postsRead } == 0)
    #expect(again == known)
  }

  @Test func unknownPostOfAKnownThreadCostsLittle() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let new = world.post(at: World.ago(World.hour), to: ids[4])
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).thread(of: new) { id, author in
      id == known.id && author == known.authorID ? known : nil
    }
    #expect(x.log == ["posts", "recent"])
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids + [new])
    #expect(x.with { $0.postsRead } == 2)
  }

  @Test func faultDuringAnUpdateIsReportedAndChangesNothing() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let (known, _, _) = try await Self.fetch(world, ids[0])
    let (again, _, fetched) = try await Self.fetch(world, ids[0], known) {
      $0.faults["recent"] = [.network]
      $0.allowsFullSearch = false
    }
    #expect(again == known)
    #expect(fetched.failure?.kind == .network)
  }
}
