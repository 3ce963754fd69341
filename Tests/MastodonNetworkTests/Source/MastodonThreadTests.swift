import Basics
import Foundation
import LoopbackServer
import MastodonStub
import SourceHarness
import Synchronization
import Testing
import ThreadModel

/// Threads and accounts of a stub server with an open API.
@Suite struct MastodonThreadTests {
  @Test(arguments: [1, 40, 80])
  func fetchesEightyPostsFromAnyOfThem(_ number: Int) async throws {
    let fetching = try MastodonFetch()
    let outcome = try await fetching.add("https://social.example/@ada/\(1000 + number * 10)")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let conversations = fetching.conversations
    #expect(conversations.count == 1)
    let conversation = try #require(conversations.first)
    let world = fetching.stub.world.withLock { $0 }
    let expected = (1...80).compactMap { world.statuses[1000 + $0 * 10] }
    let posts = conversation.posts.sorted {
      ($0.createdAt?.milliseconds ?? 0) < ($1.createdAt?.milliseconds ?? 0)
    }
    #expect(posts.map(\.id.value) == expected.map { "\($0.id)" })
    #expect(posts.map(\.text.text) == expected.map { MastodonStub.shown($0.content) })
    #expect(conversation.id.value == "1010" && conversation.author?.handle == "ada@social.example")
    #expect(conversation.coverage.limits.isEmpty && conversation.tombstones.isEmpty)
    #expect(posts[16].poll?.options.map(\.votes) == [4, 3] && posts[16].poll?.allowsMultiple == true)
    #expect(posts[22].media.first?.kind == .audio && posts[22].media.first?.altText == "A hum of bees")
    #expect(
      posts[30].text.entities.map(\.kind) == [
        .emoji(shortcode: "blobcat", url: "https://files.social.example/blobcat.png")
      ])
    #expect(posts[30].emoji == [world.blobcat])
    #expect(posts[39].contentWarning == "About <spiders>" && posts[39].emoji.isEmpty)
    // Twenty posts per request, and a few requests at the beginning.
    #expect(fetching.stub.requests.count <= 12, "\(fetching.stub.requests.map(\.path))")
  }

  @Test func copyOnAnotherServerLeadsToTheOriginal() async throws {
    let fetching = try MastodonFetch()
    let outcome = try await fetching.add("https://other.example/@ada@social.example/6030")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(fetching.conversations.first?.id.value == "1010")
    #expect(fetching.stub.requests.first?.path == "/other/api/v1/statuses/6030")
    #expect(fetching.conversations.first?.posts.count == 80)
  }

  @Test func rejectsACopyThatNamesAnotherPost() async throws {
    let fetching = try MastodonFetch()
    let world = fetching.stub.world.withLock { $0 }
    guard case .object(var copy) = world.json(try #require(world.statuses[1030])),
      case .object(var account)? = copy["account"]
    else { return }
    account["acct"] = "ada@social.example"
    copy["account"] = .object(account)
    copy["id"] = "6030"
    // Its ID and its URL name different posts.
    copy["url"] = "https://social.example/@ada/1040"
    copy["uri"] = "https://social.example/users/mallory/statuses/9"
    var home = world.statuses[1040]
    home?.more["url"] = "https://social.example/@ada/elsewhere"
    fetching.stub.change { $0.statuses[1040] = home }
    fetching.stub.fail(MastodonStub.json(.object(copy)))
    let outcome = try await fetching.add("https://other.example/@ada@social.example/6030")
    #expect(!outcome.hasSucceeded && outcome.errors.contains("is another"), "\(outcome.errors)")
    #expect(fetching.conversations.isEmpty)
  }

  @Test func retriesOrReportsFaults() async throws {
    let fetching = try MastodonFetch()
    let reset = Date(timeIntervalSinceNow: 1.5).formatted(.iso8601)
    fetching.stub.fail(
      MastodonStub.json(
        ["error": "Too many requests"], status: 429,
        headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", reset)]),
      .answer(status: 503, body: Array("<html>busy</html>".utf8)), .cut(after: 10, of: 1000))
    let outcome = try await fetching.add("https://social.example/@ada/1800")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(fetching.conversations.first?.posts.count == 80)
  }

  @Test(arguments: [
    (
      ["url": "https://victim.example/@ada/1010", "uri": "https://victim.example/users/ada/statuses/1010"]
        as JSONObject,
      "a different server"
    ),
    (["id": "4711"], "returned the post 4711"),
    (["visibility": nil], "does not say who may see it"),
  ])
  func rejectsFalseData(_ lies: JSONObject, _ words: String) async throws {
    var world = MastodonStub.longThread()
    world.lies = lies
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add("https://social.example/@ada/1010")
    #expect(!outcome.hasSucceeded && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(fetching.conversations.isEmpty)
  }

  @Test func rejectsRedirectsToPrivateAddresses() async throws {
    let fetching = try MastodonFetch()
    for target in [
      "https://10.0.0.1/api/v1/statuses/1010", "https://[::ffff:192.168.0.1]/", "file:///etc/passwd",
    ] {
      fetching.stub.fail(.redirect(to: target))
      let outcome = try await fetching.add("https://social.example/@ada/1010")
      #expect(!outcome.hasSucceeded && outcome.errors.contains("error:"), "\(outcome.errors)")
      #expect(fetching.conversations.isEmpty)
    }
  }

  @Test func boostsAndPrivatePostsAreNotThreads() async throws {
    let fetching = try MastodonFetch()
    let boost = try await fetching.add("https://social.example/@ada/1091")
    #expect(
      !boost.hasSucceeded && boost.errors.contains("https://social.example/@ada/1010"), "\(boost.errors)")
    let missing = try await fetching.add("https://social.example/@ada/5")
    #expect(!missing.hasSucceeded && missing.errors.contains("has no public post 5"), "\(missing.errors)")
  }

  @Test(arguments: [true, false])
  func deletedPostLeavesATombstone(batches: Bool) async throws {
    var world = MastodonStub.longThread()
    world.batches = batches
    let fetching = try MastodonFetch(world)
    #expect(try await fetching.add("https://social.example/@ada/1010").hasSucceeded)
    fetching.stub.change { world in
      world.statuses[1800] = nil
      world.statuses[1790]?.content = "<p>79/80 changed</p>"
      world.statuses[1790]?.more["edited_at"] = "2026-01-01T00:00:00.000Z"
    }
    let outcome = try await fetching.fetchAll()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let conversation = try #require(fetching.conversations.first)
    #expect(conversation.posts.count == 79)
    #expect(conversation.tombstones.map(\.id.value) == ["1800"])
    #expect(conversation.posts.contains { $0.text.text == "79/80 changed" && $0.editedAt != nil })
  }

  @Test func fetchesProfileAndFollowersOfAnAuthor() async throws {
    var world = MastodonStub.longThread()
    world.accounts += ["carl", "dora"]
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add("https://social.example/@ada/1010")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let author = try #require(fetching.conversations.first?.authorID)
    let profile = try #require(try await fetching.profile(of: author, followers: 2))
    #expect(profile.followers.map(\.handle) == ["bea@social.example", "carl@social.example"])
    #expect(profile.author.bio?.text == "Writes things" && profile.author.followers == 10)
  }

  @Test func stopsAtEndlessPages() async throws {
    let fetching = try MastodonFetch(
      MastodonStub.longThread(), "sources:\n  - account: https://social.example/@ada\n")
    let world = fetching.stub.world.withLock { $0 }
    fetching.stub.fail(MastodonStub.json(world.account("ada")))
    let page = world.json(try #require(world.statuses[1010]))
    for number in 0..<200 {
      fetching.stub.fail(
        MastodonStub.json(
          [page], headers: [("Link", "<https://social.example/x?max_id=\(90000 - number)>; rel=\"next\"")]))
    }
    let outcome = try await fetching.fetchSources()
    #expect(!outcome.hasSucceeded && outcome.errors.contains("without a new post"), "\(outcome.errors)")
    #expect(fetching.stub.requests("/statuses").count < 60)
  }

  /// A run reads a thousand pages and reports that there are more. The next run continues.
  @Test func readsALongListInTwoRuns() async throws {
    let fetching = try MastodonFetch(
      MastodonStub.longThread(), "sources:\n  - account: https://social.example/@ada\n")
    let world = fetching.stub.world.withLock { $0 }
    fetching.stub.fail(MastodonStub.json(world.account("ada")))
    guard case .object(var post) = world.json(try #require(world.statuses[1010])) else {
      Issue.record("a status is not an object"); return
    }
    for id in ((90_000 - 1000)..<90_000).reversed() {
      post["id"] = .string("\(id)")
      post["in_reply_to_id"] = .null
      fetching.stub.fail(
        MastodonStub.json(
          [.object(post)], headers: [("Link", "<https://social.example/x?max_id=\(id)>; rel=\"next\"")]))
    }
    let first = try await fetching.fetchSources()
    #expect(!first.hasSucceeded && first.errors.contains("to continue"), "\(first.errors)")
    #expect(fetching.stub.requests("/statuses").count == 1000)
    #expect(fetching.conversations.isEmpty)
    let second = try await fetching.fetchSources()
    #expect(second.hasSucceeded, "\(second.errors)")
    #expect(fetching.conversations.map(\.id.value) == ["1010"])
  }
}
