import Basics
import BlueskyStub
import Foundation
import SourceHarness
import Testing
import ThreadModel

/// Threads with a Bluesky stub.
@Suite struct BlueskyThreadTests {
  private let world = BlueskyWorld.boats

  /// Checks that the thread is complete with the authors' texts, and contains only quoted posts of others.
  private func check(_ fetching: BlueskyFetch, by method: FindingMethod? = nil) throws {
    let conversation = try fetching.conversation()
    #expect(conversation.coverage.limits.isEmpty, "\(conversation.coverage)")
    if let method { #expect(conversation.coverage.foundBy == method) }
    let texts = Dictionary(uniqueKeysWithValues: conversation.posts.map { ($0.id.value, $0.text.text) })
    for post in world.thread {
      #expect(texts[post.key] == post.record["text"]?.string, "\(post.key)")
    }
    #expect(
      !texts.values.contains { $0.hasPrefix("Well done") },
      "replies of other people are not part of the thread")
    #expect(!fetching.contains("cannot be shown"))
  }

  @Test(arguments: [0, 20, 39])
  func fetchesAThreadDeeperThanTheTree(entrance: Int) async throws {
    let fetching = try BlueskyFetch(world)
    let post = world.thread[entrance]
    let outcome = try await fetching.add("https://bsky.app/profile/ada.example.com/post/\(post.key)")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(fetching.stub.problems.isEmpty)
    #expect(fetching.stub.requests.count { $0 == "app.bsky.feed.getPostThread" } <= 6)
    try check(fetching, by: "replies")
  }

  @Test func readsEveryEmbed() async throws {
    let fetching = try BlueskyFetch(world)
    let outcome = try await fetching.add("at://\(BlueskyWorld.ada)/app.bsky.feed.post/\(world.thread[4].key)")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try check(fetching)
    let conversation = try fetching.conversation()
    func post(_ number: Int) -> Post? {
      conversation.posts.first { $0.id.value == world.thread[number - 1].key }
    }
    #expect(post(3)?.media.map(\.altText) == ["The hull", nil])
    #expect(post(3)?.media.first?.width == 1200)
    #expect(post(4)?.media.count == 7 && post(4)?.media[6].altText == "Plank 7")
    let film = try #require(post(5)?.media.first)
    #expect(film.kind == .video && film.altText == "The launch" && film.posterURL != nil)
    #expect(film.bestVideo?.url.contains("com.atproto.sync.getBlob?did=\(BlueskyWorld.ada)") == true)
    let captions = try #require(film.captions.first)
    #expect(film.captions.count == 1 && captions.language == "en" && captions.file == nil)
    #expect(captions.url == film.bestVideo?.url.replacing("bafkreilaunch", with: "bafkreicaptions"))
    #expect(post(6)?.card?.title == "Plans of boats")
    #expect(post(12)?.quotes != nil && post(12)?.media.count == 1)
    #expect(post(13)?.card?.url == "https://bsky.app/profile/\(BlueskyWorld.bob)/feed/boats")
    #expect(post(14)?.card?.title == "People with boats" && post(15)?.card?.title == "Begin with boats")
    #expect(post(16)?.extra["unknown_embeds"] == ["example.boats.hologram"])
    #expect(post(17)?.isSensitive == true)
    #expect(post(2)?.text.entities.count == 3)
  }

  @Test func findsPostsBelowADeletedPost() async throws {
    var world = world
    let place = try #require(world.posts.firstIndex { $0.uri == world.thread[14].uri })
    world.posts[place].isDeleted = true
    let fetching = try BlueskyFetch(world)
    let outcome = try await fetching.add(
      "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let conversation = try fetching.conversation()
    let own = conversation.posts.filter { $0.authorID.value == BlueskyWorld.ada }
    #expect(own.count == 39)
    #expect(
      conversation.tombstones.contains { $0.id.value == world.thread[14].key && $0.reason == .notFound })
    #expect(conversation.coverage.foundBy == .timeline)
  }

  /// Without the counting endpoint, the difference between counted and shown replies is reason enough to
  /// search.
  @Test func worksWithoutTheCountAndTheAccountsServer() async throws {
    var world = world
    let place = try #require(world.posts.firstIndex { $0.uri == world.thread[14].uri })
    world.posts[place].isHiddenInTree = true
    let fetching = try BlueskyFetch(world) {
      $0.countsThreads = false
      $0.listsRecords = false
    }
    let outcome = try await fetching.add(
      "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try check(fetching, by: .timeline)
  }

  @Test func skipsPostsForSignedInUsersOnly() async throws {
    let fetching = try BlueskyFetch(world)
    let post = try #require(world.posts.first { $0.did == BlueskyWorld.shy })
    let outcome = try await fetching.add("https://bsky.app/profile/\(BlueskyWorld.shy)/post/\(post.key)")
    #expect(!outcome.hasSucceeded)
    #expect(outcome.errors.contains("signed in to Bluesky"))
    #expect(fetching.conversations.isEmpty)
  }

  @Test func fetchesRepliesOnRequest() async throws {
    let fetching = try BlueskyFetch(world)
    let outcome = try await fetching.add(
      "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)", withReplies: true)
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let texts = try fetching.conversation().posts.map(\.text.text)
    #expect(texts.count { $0.hasPrefix("Well done") } == 8)
    #expect(!texts.contains { $0.contains("cannot be shown") })
  }

  @Test func retriesAfterTemporaryFaults() async throws {
    let fetching = try BlueskyFetch(world)
    let method = "app.bsky.feed.getPostThread"
    let soon = String(Int(Date().timeIntervalSince1970) + 1)
    fetching.stub.fail(
      method, .status(502), .cut,
      .status(429, headers: ["RateLimit-Reset": soon, "RateLimit-Remaining": "0"]))
    fetching.stub.fail("app.bsky.feed.getPosts", .status(429, headers: ["Retry-After": "1"]))
    let outcome = try await fetching.add(
      "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try check(fetching)
  }

  @Test func rejectsARedirectToAPrivateAddress() async throws {
    let fetching = try BlueskyFetch(world)
    fetching.stub.fail("com.atproto.identity.resolveHandle", .redirect("https://10.0.0.1/xrpc/"))
    let outcome = try await fetching.add(
      "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(!outcome.hasSucceeded)
    #expect(
      outcome.errors.contains("was not contacted") || outcome.errors.contains("public"), "\(outcome.errors)")
  }

  @Test func reportsUnknownHandlesAndPosts() async throws {
    let fetching = try BlueskyFetch(world)
    let nobody = try await fetching.add("https://bsky.app/profile/nobody.boats.example/post/3kaaaaaaaaa2a")
    #expect(!nobody.hasSucceeded && nobody.errors.contains("nobody.boats.example"), "\(nobody.errors)")
    let nothing = try await fetching.add("https://bsky.app/profile/ada.example.com/post/3kaaaaaaaaa2a")
    #expect(!nothing.hasSucceeded && nothing.errors.contains("no such post"), "\(nothing.errors)")
  }
}
