import Basics
import BlueskyStub
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// The program with a stand-in for Bluesky.
@Suite("Fetching from Bluesky", .fewAtOnce)
struct BlueskyThreadTests {
  private let world = BlueskyWorld.boats

  /// The texts of a conversation in the store, by the keys of its posts, read by Foundation.
  private func texts(_ fetching: BlueskySite) throws -> [String: String] {
    let file = try #require(try fetching.store.list().first)
    let data = try Data(contentsOf: URL(filePath: fetching.store.folder + "/" + file.path))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let posts = try #require(document["posts"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: posts.compactMap { post in
        let id = (post["id"] as? String)?.split(separator: "/").last.map(String.init)
        let text = post["text"] as? String ?? (post["text"] as? [String: Any])?["text"] as? String
        return id.map { ($0, text ?? "") }
      })
  }

  /// Every text as its author wrote it, in order, on a page.
  private func check(_ fetching: BlueskySite, by method: FindingMethod? = nil) async throws {
    let conversation = try fetching.conversation()
    #expect(conversation.coverage.limits.isEmpty, "\(conversation.coverage)")
    if let method { #expect(conversation.coverage.foundBy == method) }
    let texts = try texts(fetching)
    for post in world.thread {
      #expect(texts[post.key] == post.record["text"]?.string, "\(post.key)")
    }
    let build = try await fetching.run("build")
    #expect(build.code == 0, "\(build.errors)")
    let page = try fetching.page()
    var place = page.html.startIndex
    for (number, post) in world.thread.enumerated() {
      let mark = try #require(
        page.html.range(of: "\(post.key)\"", range: place..<page.html.endIndex), "post \(number + 1)")
      place = mark.upperBound
    }
    #expect(!page.html.contains("Well done"), "other people's replies are no part of it")
    #expect(!page.html.contains("cannot be shown"))
  }

  @Test(arguments: [0, 20, 39])
  func aThreadDeeperThanTheTree(entrance: Int) async throws {
    let fetching = try BlueskySite(world)
    let post = world.thread[entrance]
    let outcome = try await fetching.run("add", "https://bsky.app/profile/ada.example.com/post/\(post.key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(fetching.stub.problems.isEmpty)
    #expect(fetching.stub.requests.count { $0 == "app.bsky.feed.getPostThread" } <= 6)
    try await check(fetching, by: "replies")
  }

  @Test func everyEmbedIsShown() async throws {
    let fetching = try BlueskySite(world, configuration: "fetch:\n  videos: false")
    let outcome = try await fetching.run(
      "add", "at://\(BlueskyWorld.ada)/app.bsky.feed.post/\(world.thread[4].key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    try await check(fetching)
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

    let html = try fetching.page().html
    for words in ["A boat is a hole in the water.", "As Bob says", "Plans of boats", "hologram"] {
      #expect(html.contains(words), "\(words)")
    }
    for words in ["Not for strangers", "Blocked words", "Detached words", "Gone words"] {
      #expect(!html.contains(words), "\(words)")
      for (name, data) in try fetching.site.folder.tree("threads") {
        #expect(data.range(of: Data(words.utf8)) == nil, "\(name) holds \(words)")
      }
    }
    #expect(html.contains("signed in to Bluesky") && html.contains("out of this quote"))
    #expect(html.contains("href=\"https://boats.example/long\""))
    #expect(!html.contains("<b>&amp;amp;") && html.contains("&lt;b&gt;"))
  }

  @Test func aDeletedPostHidesNothingBehindIt() async throws {
    var world = world
    let place = try #require(world.posts.firstIndex { $0.uri == world.thread[14].uri })
    world.posts[place].isDeleted = true
    let fetching = try BlueskySite(world)
    let outcome = try await fetching.run(
      "add", "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let conversation = try fetching.conversation()
    let own = conversation.posts.filter { $0.authorID.value == BlueskyWorld.ada }
    #expect(own.count == 39)
    #expect(
      conversation.tombstones.contains { $0.id.value == world.thread[14].key && $0.reason == .notFound })
    #expect(conversation.coverage.foundBy == .timeline)
  }

  /// Where the endpoint that counts is gone, a reply that was counted and not shown is reason enough to look.
  @Test func withoutTheCountAndWithoutTheOwnServer() async throws {
    var world = world
    let place = try #require(world.posts.firstIndex { $0.uri == world.thread[14].uri })
    world.posts[place].isHiddenInTree = true
    let fetching = try BlueskySite(world) {
      $0.countsThreads = false
      $0.listsRecords = false
    }
    let outcome = try await fetching.run(
      "add", "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    try await check(fetching, by: .timeline)
  }

  @Test func whoIsOnlyForTheSignedInIsNotCopied() async throws {
    let fetching = try BlueskySite(world)
    let post = try #require(world.posts.first { $0.did == BlueskyWorld.shy })
    let outcome = try await fetching.run(
      "add", "https://bsky.app/profile/\(BlueskyWorld.shy)/post/\(post.key)")
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("signed in to Bluesky"))
    #expect(try fetching.store.list().isEmpty)
  }

  @Test func repliesAreThereWhenAskedFor() async throws {
    let fetching = try BlueskySite(world)
    let outcome = try await fetching.run(
      "add", "--with-replies", "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let texts = try texts(fetching)
    #expect(texts.values.count { $0.hasPrefix("Well done") } == 8)
    #expect(!texts.values.contains { $0.contains("cannot be shown") })
  }

  @Test func aDryRunAsksNothing() async throws {
    let fetching = try BlueskySite(world)
    let outcome = try await fetching.run(
      "add", "--dry-run", "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.code == 0 && fetching.stub.requests.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains("getPostThread"))
  }

  // MARK: Faults

  @Test func faultsThatPassAreWaitedOut() async throws {
    let fetching = try BlueskySite(world)
    let method = "app.bsky.feed.getPostThread"
    let soon = String(Int(Date().timeIntervalSince1970) + 1)
    fetching.stub.fail(
      method, .status(502), .cut,
      .status(429, headers: ["RateLimit-Reset": soon, "RateLimit-Remaining": "0"]))
    fetching.stub.fail("app.bsky.feed.getPosts", .status(429, headers: ["Retry-After": "1"]))
    let outcome = try await fetching.run(
      "add", "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    try await check(fetching)
  }

  @Test func aRedirectToAPrivateAddressIsRefused() async throws {
    let fetching = try BlueskySite(world)
    fetching.stub.fail("com.atproto.identity.resolveHandle", .redirect("https://10.0.0.1/xrpc/"))
    let outcome = try await fetching.run(
      "add", "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("is not asked") || outcome.errors.contains("public"), "\(outcome.errors)")
  }

  @Test func unknownHandlesAndPostsAreSaid() async throws {
    let fetching = try BlueskySite(world)
    let nobody = try await fetching.run(
      "add", "https://bsky.app/profile/nobody.boats.example/post/3kaaaaaaaaa2a")
    #expect(nobody.code != 0 && nobody.errors.contains("nobody.boats.example"), "\(nobody.errors)")
    let nothing = try await fetching.run("add", "https://bsky.app/profile/ada.example.com/post/3kaaaaaaaaa2a")
    #expect(nothing.code != 0 && nothing.errors.contains("no such post"), "\(nothing.errors)")
  }
}
