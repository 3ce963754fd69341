import Basics
import NetworkSources
import SiteConfig
import Testing
import ThreadModel
import Unroll
import XNetwork

/// Looks known posts up again to find deleted and changed ones.
@Suite struct RecheckTests {
  private static let later = Timestamp(milliseconds: World.now.milliseconds + 2 * World.day)

  private static func known(_ world: World, _ id: String, replies: Bool = true) async throws -> Conversation {
    let fetched = await XThreads(FakeX(world), now: World.now)
      .thread(of: id, replies: replies)
    return try #require(fetched.conversations.first)
  }

  private static func recheck(
    _ world: World, _ known: [Conversation], _ deletion: SiteConfig.Fetch.Deletion = .remove,
    _ change: (inout FakeX.State) -> Void = { _ in }
  ) async -> (FetchedThreads, FakeX) {
    let x = FakeX(world) {
      $0.now = later
      change(&$0)
    }
    return (await XThreads(x, now: later).recheck(known, onDeleted: deletion), x)
  }

  @Test func updatesExistingPosts() async throws {
    var world = World()
    let quoted = world.post(by: "2", at: World.ago(9 * World.day))
    let ids = world.thread(3, from: World.ago(2 * World.day))
    world.posts[ids[1]]?.quotes = quoted
    world.posts[ids[2]]?.poll = "8"
    world.openPolls = ["8"]
    let known = try await Self.known(world, ids[0])
    world.posts[ids[0]]?.likes = 7
    world.posts[quoted]?.likes = 9
    world.posts[ids[1]]?.withheldIn = ["DE"]
    world.openPolls = []
    let (fetched, x) = await Self.recheck(world, [known])
    let conversation = try #require(fetched.conversations.first)
    #expect(x.log == ["posts"])
    #expect(conversation.posts.map(\.id.value) == ids)
    #expect(conversation.posts[0].metrics.likes == 7)
    #expect(conversation.related.first?.metrics.likes == 9)
    #expect(conversation.posts[1].withheld == Withholding(countries: ["DE"]))
    #expect(conversation.posts[2].poll?.status == .closed)
    #expect(conversation.tombstones == [])
    #expect(conversation.coverage.checkedAt == Self.later)
    #expect(conversation.coverage.foundBy == known.coverage.foundBy)
    #expect(fetched.failure == nil)
  }

  /// The owner of a protected account publishes their own archive.
  @Test(arguments: [SiteConfig.Fetch.Deletion.remove, .keep])
  func keepsPostsThatTheirOwnerImported(deletion: SiteConfig.Fetch.Deletion) async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    var known = try await Self.known(world, ids[0])
    known.provenance.append(Provenance(source: .ownArchive))
    world.users["1"]?.isProtected = true
    let (fetched, _) = await Self.recheck(world, [known], deletion)
    let kept = try #require(fetched.conversations.first)
    #expect(kept.posts.map(\.id.value) == ids && kept.tombstones == [])
    #expect(kept.posts.allSatisfy { $0.removal == nil })
    world.deleted = [ids[2]]
    world.users["1"]?.isProtected = false
    let (later, _) = await Self.recheck(world, [known], .remove)
    #expect(later.conversations.first?.posts.map(\.id.value) == Array(ids.prefix(2)))
  }

  @Test(arguments: [
    ("deleted", TombstoneReason.notFound), ("protected", .protected), ("suspended", .suspended),
    ("withheld", .withheld),
  ])
  func deletedPostsLeaveATombstone(what: String, reason: TombstoneReason) async throws {
    var world = World()
    let quoted = world.post(by: "2", at: World.ago(9 * World.day), "quoted words")
    let ids = world.thread(3, from: World.ago(2 * World.day))
    world.posts[ids[1]]?.quotes = quoted
    let known = try await Self.known(world, ids[0])
    #expect(known.related.count == 1)
    switch what {
    case "deleted": world.deleted = [quoted]
    case "protected": world.users["2"]?.isProtected = true
    case "suspended": world.users["2"]?.isSuspended = true
    default: world.withheld = [quoted]
    }
    let (fetched, _) = await Self.recheck(world, [known])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.related == [])
    let stone = try #require(conversation.tombstones.first)
    #expect(conversation.tombstones.count == 1)
    #expect(stone.id.value == quoted)
    #expect(stone.reason == reason)
    #expect(stone.authorID?.value == "2")
    #expect(stone.handle == "bob")
    #expect(stone.observedAt == Self.later)
    #expect(stone.removedAt == Self.later)
    // The store's older copy does not bring it back.
    #expect(known.merged(with: conversation) == conversation)

    let (kept, _) = await Self.recheck(world, [known], .keep)
    let post = try #require(kept.conversations.first?.related.first)
    #expect(post.text.text == "quoted words")
    #expect(post.removal == Removal(reason: reason, observedAt: Self.later))
    #expect(kept.conversations.first?.tombstones == [])
  }

  @Test func removesRepliesOfOthersWithThePost() async throws {
    var world = World()
    let ids = world.thread(4, from: World.ago(2 * World.day))
    let reply = world.post(by: "2", at: World.ago(World.day), to: ids[1])
    let below = world.post(by: "3", at: World.ago(World.hour), to: reply)
    let elsewhere = world.post(by: "3", at: World.ago(World.hour), to: ids[2])
    let known = try await Self.known(world, ids[0])
    #expect(known.posts.count == 7)
    world.deleted = [ids[1]]
    let (fetched, _) = await Self.recheck(world, [known])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == [ids[0], ids[2], ids[3], elsewhere])
    #expect(conversation.tombstones.map(\.id.value) == [ids[1], reply, below])
    #expect(known.merged(with: conversation) == conversation)
    #expect(UnrolledThread(unrolling: conversation).items.count == 4)
    // A later fetch with replies does not bring them back either.
    let x = FakeX(world) { $0.now = Self.later }
    let again = await XThreads(x, now: Self.later)
      .thread(of: ids[0], known: conversation, replies: true)
    #expect(again.conversations.first?.posts == conversation.posts)
  }

  @Test func keepsPostsThatXDoesNotReport() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let known = try await Self.known(world, ids[0])
    world.silent = [ids[1]]
    // Without references to it, the post is not in the includes either.
    for id in ids { world.posts[id]?.parent = nil }
    let (fetched, _) = await Self.recheck(world, [known])
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids)
    #expect(fetched.conversations.first?.tombstones == [])
    #expect(fetched.notes.count == 1)
    #expect(fetched.notes.first?.contains(ids[1]) == true)
  }

  @Test func protectedAccountLosesAllItsPosts() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let known = try await Self.known(world, ids[0])
    world.users["1"]?.isProtected = true
    // X may report one post and not another.
    world.silent = [ids[1], ids[2]]
    let (fetched, _) = await Self.recheck(world, [known])
    #expect(fetched.conversations.first?.posts == [])
    #expect(fetched.conversations.first?.tombstones.map(\.reason) == [.protected, .protected, .protected])
    #expect(fetched.notes == [])
  }

  @Test func restoresAPostThatIsBack() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let known = try await Self.known(world, ids[0])
    world.users["1"]?.isProtected = true
    let (gone, _) = await Self.recheck(world, [known], .keep)
    #expect(gone.conversations.first?.posts.allSatisfy { $0.removal?.reason == .protected } == true)
    world.users["1"]?.isProtected = false
    let x = FakeX(world)
    let evenLater = Timestamp(milliseconds: Self.later.milliseconds + World.day)
    let back = await XThreads(x, now: evenLater).recheck(gone.conversations, onDeleted: .keep)
    #expect(back.conversations.first?.posts.allSatisfy { $0.removal == nil } == true)
  }

  @Test func mergesAnEdit() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(600_000))
    let known = try await Self.known(world, ids[0])
    let edited = world.edit(ids[1])
    let (fetched, x) = await Self.recheck(world, [known])
    let conversation = try #require(fetched.conversations.first)
    #expect(x.log == ["posts", "posts"])
    #expect(conversation.posts.contains { $0.id.value == edited })
    let thread = UnrolledThread(unrolling: conversation)
    #expect(thread.mainPosts.map(\.post.id.value) == [ids[0], edited, ids[2]])
  }

  @Test func conversationsShareRequests() async throws {
    var world = World()
    var known: [Conversation] = []
    for index in 1...9 {
      let ids = world.thread(25, from: World.ago(Int64(index) * World.day / 2))
      known.append(try await Self.known(world, ids[0]))
    }
    let (fetched, x) = await Self.recheck(world, known)
    #expect(x.lookups.map(\.count) == [100, 100, 25])
    #expect(fetched.conversations.count == 9)
    #expect(XPlanner(now: World.now).plan(recheck: known).map(\.requests) == [3...3])

    // Posts that the budget did not cover keep their date.
    let (partial, _) = await Self.recheck(world, known) { $0.budget = 1 }
    #expect(partial.failure?.kind == .overBudget)
    #expect(
      partial.conversations.map { $0.coverage.checkedAt == Self.later }
        == [true, true, true, true, false, false, false, false, false])
  }

  @Test func failedLookupRemovesNothing() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let known = try await Self.known(world, ids[0])
    world.deleted = Set(ids)
    let (fetched, _) = await Self.recheck(world, [known]) { $0.faults["posts"] = [.network] }
    #expect(fetched.conversations == [known])
    #expect(fetched.failure?.kind == .network)
  }
}
