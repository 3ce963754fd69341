import NetworkSources
import Testing
import ThreadModel
import Unroll
import XNetwork

/// A thread of 25 posts, two days old, given by any of its posts.
@Suite struct ThreadEntryTests {
  @Test(arguments: [0, 1, 12, 24], [false, true])
  func anyPostLeadsToTheWholeThread(index: Int, isBare: Bool) async throws {
    var world = World()
    let quoted = world.post(by: "2", at: World.ago(90 * World.day), photo: true, "quoted")
    let inner = world.post(by: "3", at: World.ago(91 * World.day), "inner")
    world.posts[quoted]?.quotes = inner
    let ids = world.thread(25, from: World.ago(2 * World.day))
    world.posts[ids[3]]?.quotes = quoted
    world.posts[ids[5]]?.photo = "3_5"
    world.posts[ids[6]]?.poll = "86"
    world.deleted = [ids[9]]
    let x = FakeX(world) { $0.isBare = isBare }

    let fetched = await XThreads(x, now: World.now).thread(of: ids[index])

    #expect(fetched.failure == nil)
    #expect(x.log.count <= 4)
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.id.value == ids[0])
    #expect(conversation.posts.map(\.id.value) == ids.filter { $0 != ids[9] })
    #expect(conversation.coverage.limits == [])
    #expect(conversation.coverage.foundBy == .recentSearch)
    #expect(conversation.coverage.checkedAt == World.now)
    #expect(conversation.tombstones.map(\.id.value) == [ids[9]])
    #expect(conversation.tombstones.map(\.reason) == [.notFound])
    #expect(conversation.related.map(\.id.value) == [inner, quoted])
    #expect(conversation.related.last?.media.first?.url != nil)
    #expect(Set(conversation.authors.compactMap(\.handle)) == ["ada", "bob", "cleo"])
    #expect(conversation.posts.first { $0.id.value == ids[6] }?.poll?.options.count == 2)
    let thread = UnrolledThread(unrolling: conversation)
    #expect(thread.items.count == 25)
    #expect(thread.mainPosts.count == 24)
    #expect(x.lookups.allSatisfy { Set($0).count == $0.count })
    #expect(x.lookups.flatMap { $0 }.count == Set(x.lookups.flatMap { $0 }).count)
  }

  @Test func sameWorldGivesTheSameBytes() async {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    for id in ids { world.post(by: "2", at: World.ago(World.day), to: id, quoting: ids[0]) }
    let first = await XThreads(FakeX(world), now: World.now).thread(of: ids[2], replies: true)
    for _ in 0..<3 {
      #expect(
        await XThreads(FakeX(world), now: World.now).thread(of: ids[2], replies: true).conversations
          == first.conversations)
    }
    #expect(first.conversations.first?.posts.count == 10)
  }

  @Test(arguments: [0, 2])
  func replyInAnotherConversationIsAThreadOfItsAuthor(index: Int) async throws {
    var world = World()
    let ids = world.thread(4, from: World.ago(2 * World.day))
    let chain = world.thread(by: "2", 3, from: World.ago(World.day), to: ids[1])
    let other = world.thread(by: "2", 2, from: World.ago(World.day - World.hour), to: ids[3])
    world.post(by: "3", at: World.ago(World.hour), to: chain[0])
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).thread(of: chain[index])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.id.value == ids[0])
    #expect(conversation.authorID.value == "2")
    #expect(conversation.posts.map(\.id.value) == [ids[0], ids[1]] + chain)
    #expect(!conversation.posts.contains { $0.id.value == other[1] })
    #expect(conversation.coverage.limits == [])
    let thread = UnrolledThread(unrolling: conversation)
    #expect(thread.mainPosts.map(\.post.id.value) == chain)
    #expect(x.log.count <= 4)
  }

  @Test func skipsTheAuthorsRepliesToOthersUnlessGiven() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let question = world.post(by: "2", at: World.ago(World.day), to: ids[2])
    let answer = world.thread(2, from: World.ago(World.hour), to: question)
    let plain = await XThreads(FakeX(world), now: World.now).thread(of: ids[0])
    #expect(plain.conversations.first?.posts.map(\.id.value) == ids)
    let given = await XThreads(FakeX(world), now: World.now).thread(of: answer[1])
    #expect(given.conversations.first?.posts.map(\.id.value) == ids + [question] + answer)
  }

  @Test func keepsRepliesOfOthersOnRequest() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(2 * World.day))
    let reply = world.post(by: "2", at: World.ago(World.day), to: ids[2])
    let answer = world.post(at: World.ago(World.hour), to: reply)
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0], replies: true)
    #expect(fetched.conversations.first?.posts.map(\.id.value) == ids + [reply, answer])
    #expect(x.log == ["posts", "recent"])
  }

  @Test func keepsOnlyRepliesToTheChainInAnotherConversation() async throws {
    var world = World()
    let ids = world.thread(2, from: World.ago(2 * World.day))
    let chain = world.thread(by: "2", 2, from: World.ago(World.day), to: ids[0])
    let reply = world.post(by: "3", at: World.ago(World.hour), to: chain[1])
    world.post(by: "3", at: World.ago(World.hour), to: ids[1])
    let fetched = await XThreads(FakeX(world), now: World.now)
      .thread(of: chain[0], replies: true)
    #expect(fetched.conversations.first?.posts.map(\.id.value) == [ids[0]] + chain + [reply])
  }

  @Test func deletedFirstPostLeavesATombstone() async throws {
    var world = World()
    let ids = world.thread(4, from: World.ago(2 * World.day))
    world.deleted = [ids[0]]
    let fetched = await XThreads(FakeX(world), now: World.now).thread(of: ids[3])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.id.value == ids[0])
    #expect(conversation.posts.map(\.id.value) == Array(ids[1...]))
    #expect(conversation.tombstones.map(\.id.value) == [ids[0]])
    #expect(fetched.failure == nil)
  }

  @Test func replyToAMissingFirstPostIsNotAThreadOfItsAuthor() async throws {
    var world = World()
    let root = world.post(at: World.ago(2 * World.day))
    let chain = world.thread(by: "2", 2, from: World.ago(World.day), to: root)
    let strange = world.post(by: "3", at: World.ago(World.hour), to: root)
    world.deleted = [root]
    let x = FakeX(world)
    let fetched = await XThreads(x, now: World.now)
      .thread(of: chain[1], replies: true)
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == chain)
    #expect(!conversation.posts.contains { $0.id.value == strange })
    #expect(conversation.tombstones.first?.authorID?.value == "1")
    #expect(UnrolledThread(unrolling: conversation).mainPosts.count == 2)
  }

  @Test func editedPostHasTheIDOfItsLastVersion() async throws {
    var world = World()
    let first = world.post(at: World.ago(2 * World.day))
    let edited = world.edit(first)
    let second = world.post(at: World.ago(World.day), to: edited)
    world.posts[second]?.conversation = first
    world.posts[edited]?.conversation = first
    for given in [first, edited, second] {
      let x = FakeX(world)
      let fetched = await XThreads(x, now: World.now).thread(of: given)
      #expect(fetched.conversations.first?.posts.map(\.id.value) == [edited, second])
      #expect(fetched.conversations.first?.posts.first?.earlierVersions.map(\.value) == [first])
      #expect(x.log.count <= 4)
      if given == edited { #expect(!x.lookups.flatMap { $0 }.contains(first)) }
    }
  }

  @Test(arguments: [
    ("protected", SourceError.Kind.protected), ("suspended", .suspended), ("deleted", .content),
    ("silent", .content),
  ])
  func reportsWhyAPostIsUnavailable(what: String, kind: SourceError.Kind) async {
    var world = World()
    let id = world.post(at: World.ago(World.day))
    switch what {
    case "protected": world.users["1"]?.isProtected = true
    case "suspended": world.users["1"]?.isSuspended = true
    case "deleted": world.deleted = [id]
    default: world.silent = [id]
    }
    let fetched = await XThreads(FakeX(world), now: World.now).thread(of: id)
    #expect(fetched.failure?.kind == kind)
    #expect(fetched.conversations == [])
    // A client that reports it with an error is also supported.
    let x = FakeX(world) { $0.faults["posts"] = [kind] }
    #expect(await XThreads(x, now: World.now).thread(of: id).failure?.kind == kind)
  }

  @Test func rejectsInvalidIDsAndReposts() async {
    var world = World()
    let id = world.post(by: "2", at: World.ago(World.day))
    world.repost(by: "1", of: id, at: World.ago(World.hour))
    let repost = world.posts.values.first { $0.repeats != nil }?.id ?? ""
    let x = FakeX(world)
    #expect(await XThreads(x, now: World.now).thread(of: "../1").failure?.kind == .invalidRequest)
    #expect(x.log == [])
    #expect(await XThreads(x, now: World.now).thread(of: repost).failure?.kind == .content)
  }
}
