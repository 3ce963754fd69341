import Basics
import BlueskyStub
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// The program with the Bluesky stub.
@Suite("Fetching from Bluesky", .fewAtOnce)
struct BlueskyThreadTests {
  private let world = BlueskyWorld.boats

  /// The texts of a conversation in the store by the keys of its posts, read with Foundation.
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

  /// Checks that a page has every text unchanged and in order.
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
    #expect(!page.html.contains("Well done"), "replies of other people are not part of the thread")
    #expect(!page.html.contains("cannot be shown"))
  }

  @Test func fetchesAThreadDeeperThanTheTree() async throws {
    let fetching = try BlueskySite(world)
    let post = world.thread[20]
    let outcome = try await fetching.run("add", "https://bsky.app/profile/ada.example.com/post/\(post.key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(fetching.stub.problems.isEmpty)
    #expect(fetching.stub.requests.count { $0 == "app.bsky.feed.getPostThread" } <= 6)
    try await check(fetching, by: "replies")
  }

  @Test func showsEveryEmbed() async throws {
    let fetching = try BlueskySite(world, configuration: "fetch:\n  videos: false")
    let outcome = try await fetching.run(
      "add", "at://\(BlueskyWorld.ada)/app.bsky.feed.post/\(world.thread[4].key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    try await check(fetching)
    let html = try fetching.page().html
    for words in ["A boat is a hole in the water.", "As Bob says", "Plans of boats", "hologram"] {
      #expect(html.contains(words), "\(words)")
    }
    for words in ["Not for strangers", "Blocked words", "Detached words", "Gone words"] {
      #expect(!html.contains(words), "\(words)")
      for (name, data) in try fetching.site.folder.tree("threads") {
        #expect(!data.contains(words), "\(name) holds \(words)")
      }
    }
    #expect(html.contains("signed in to Bluesky") && html.contains("removed from this quote"))
    #expect(html.contains("href=\"https://boats.example/long\""))
    #expect(!html.contains("<b>&amp;amp;") && html.contains("&lt;b&gt;"))
  }

  @Test func dryRunSendsNoRequests() async throws {
    let fetching = try BlueskySite(world)
    let outcome = try await fetching.run(
      "add", "--dry-run", "https://bsky.app/profile/ada.example.com/post/\(world.thread[0].key)")
    #expect(outcome.code == 0 && fetching.stub.requests.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains("getPostThread"))
  }
}
