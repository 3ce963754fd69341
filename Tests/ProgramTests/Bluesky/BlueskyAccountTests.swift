import Basics
import BlueskyStub
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Accounts, repeated fetches, and hostile text.
@Suite("Accounts on Bluesky", .fewAtOnce)
struct BlueskyAccountTests {
  /// Three threads (of five, three and two posts), single posts, and replies to others.
  static var world: BlueskyWorld {
    var world = BlueskyWorld.people
    let ada = BlueskyWorld.ada
    func chain(_ name: String, _ count: Int, at start: Int) {
      var last: String?
      for number in 1...count {
        last = world.add("\(name) \(number)", by: ada, at: start + number * 10, answering: last)
      }
    }
    chain("Old", 5, at: 1000)
    world.add("Alone", by: ada, at: 2000)
    chain("Middle", 3, at: 3000)
    let question = world.add("What is a boat?", by: BlueskyWorld.bob, at: 4000)
    world.add("A hole", by: ada, at: 4010, answering: question)
    chain("New", 2, at: 5000)
    return world
  }

  private static let account = "sources:\n  - account: https://bsky.app/profile/ada.example.com"

  private func names(_ fetching: BlueskySite) throws -> Set<String> {
    Set(
      try fetching.conversations().compactMap { conversation in
        conversation.posts.first { $0.id == conversation.id }?.text.text.split(separator: " ").first.map(
          String.init)
      })
  }

  @Test func fetchesThreadsOfAnAccount() async throws {
    let fetching = try BlueskySite(Self.world, configuration: Self.account) { $0.pageSize = 4 }
    let outcome = try await fetching.run("fetch")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try names(fetching) == ["Old", "Middle", "New"])
    #expect(try fetching.conversations().map(\.posts.count).sorted() == [2, 3, 5])
    #expect(fetching.stub.requests.count { $0 == "app.bsky.feed.getAuthorFeed" } == 3)
    #expect(fetching.stub.problems.isEmpty)

    // New posts and the new part of an old thread need one page.
    fetching.stub.change { world, _ in
      let last = world.posts.last { $0.record["text"]?.string == "Old 5" }?.uri
      world.add("Old 6", by: BlueskyWorld.ada, at: 6000, answering: last)
      let first = world.add("Newest 1", by: BlueskyWorld.ada, at: 6100)
      world.add("Newest 2", by: BlueskyWorld.ada, at: 6110, answering: first)
    }
    let before = fetching.stub.requests.count
    let again = try await fetching.run("fetch")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try names(fetching) == ["Old", "Middle", "New", "Newest"])
    #expect(try fetching.conversations().map(\.posts.count).sorted() == [2, 2, 3, 6])
    let asked = fetching.stub.requests.dropFirst(before)
    #expect(asked.count { $0 == "app.bsky.feed.getAuthorFeed" } == 1, "\(asked)")
    #expect(!asked.contains("app.bsky.feed.getPostThread"), "\(asked)")
  }

  @Test func addTakesAnAccount() async throws {
    let fetching = try BlueskySite(Self.world)
    func config() throws -> String { try fetching.site.folder.text("site.yml") }
    let before = try config()
    let plan = try await fetching.run("add", "--dry-run", "@ada.example.com")
    #expect(plan.code == 0 && plan.output.contains("@ada.example.com:"), "\(plan.output)\(plan.errors)")
    // A typing error is not added.
    let unknown = try await fetching.run("add", "@nobody.example.com")
    #expect(unknown.code != 0 && unknown.errors.contains("was not added to site.yml"), "\(unknown.errors)")
    let unlisted = try await fetching.run("fetch", "@ada.example.com")
    #expect(unlisted.code == 65)
    #expect(unlisted.errors.contains("run `threadsite add https://bsky.app/profile/ada.example.com`"))
    #expect(try config() == before)

    let outcome = try await fetching.run("add", "https://bsky.app/profile/ada.example.com")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try names(fetching) == ["Old", "Middle", "New"])
    #expect(
      outcome.errors.contains(/@ada\.example\.com on Bluesky: .* requests?, free of charge\./),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("Added @ada.example.com to sources in site.yml;"))
    let listed = try config()
    #expect(listed.hasSuffix("sources:\n  - account: https://bsky.app/profile/ada.example.com\n"))
    // The same account by another name, and once more by a fetch.
    for command in [["add", "@Ada.example.com"], ["fetch", "https://bsky.app/profile/ada.example.com"]] {
      let again = try await fetching.run(command[0], command[1])
      #expect(again.code == 0, "\(again.errors)")
      #expect(try config() == listed)
    }
    #expect(fetching.stub.problems.isEmpty)
  }

  @Test func stoppedRunResumes() async throws {
    let fetching = try BlueskySite(Self.world, configuration: Self.account) { $0.pageSize = 4 }
    // The second page fails with an error that a retry does not fix.
    fetching.stub.fail("app.bsky.feed.getAuthorFeed", .redirect("/elsewhere"))
    let first = try await fetching.run("fetch")
    #expect(first.code != 0)
    let second = try await fetching.run("fetch")
    #expect(second.code == 0, "\(second.errors)")
    #expect(try names(fetching) == ["Old", "Middle", "New"])
  }

  // MARK: Fetching again

  private func site(onDeleted: String = "remove") async throws -> BlueskySite {
    let fetching = try BlueskySite(
      Self.world, configuration: "fetch:\n  on_deleted: \(onDeleted)\n" + Self.account)
    let outcome = try await fetching.run("fetch")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return fetching
  }

  private func holds(_ fetching: BlueskySite, _ words: String) throws -> Bool {
    try fetching.site.folder.tree("threads").values.contains { $0.contains(words) }
  }

  @Test func removesDeletedPost() async throws {
    let fetching = try await site()
    fetching.stub.change { world, _ in
      for place in world.posts.indices where world.posts[place].record["text"]?.string == "Old 3" {
        world.posts[place].isDeleted = true
      }
    }
    let outcome = try await fetching.run("fetch", "--all")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try !holds(fetching, "Old 3") && holds(fetching, "Old 4"))
    let old = try #require(try fetching.conversations().first { $0.posts.count == 4 })
    #expect(old.tombstones.first?.removedAt != nil)
  }

  // MARK: Hostile text

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func hostileTextIsInert() async throws {
    let file = try #require(ProjectFolders.sharedFixtures).appending(path: "xss/owasp-payloads.json")
    let payloads = Self.strings(try JSONSerialization.jsonObject(with: Data(contentsOf: file))).prefix(120)
    var world = BlueskyWorld.people
    world.accounts[0].name = "<img src=x onerror=alert(1)>"
    var last: String?
    for (number, payload) in payloads.enumerated() {
      let text = "x \(payload.prefix(250)) y"
      let features: [JSONValue] = [
        ["$type": "app.bsky.richtext.facet#link", "uri": .string(payload)],
        ["$type": "app.bsky.richtext.facet#mention", "did": .string(payload)],
        ["$type": "app.bsky.richtext.facet#tag", "tag": .string(payload)],
      ]
      let index: JSONValue = ["byteStart": 0, "byteEnd": .integer(Int64(text.utf8.count))]
      let facet: JSONValue = .object(["index": index, "features": .array([features[number % 3]])])
      let external: JSONValue = .object([
        "uri": .string(payload), "title": .string(payload), "description": .string(payload),
      ])
      last = world.add(
        text, by: BlueskyWorld.ada, at: 100 + number * 10, answering: last,
        [
          "facets": .array([facet]), "langs": .array([.string(payload)]),
          "embed": .object(["$type": "app.bsky.embed.external", "external": external]),
        ])
    }
    let fetching = try BlueskySite(world)
    let first = try #require(world.thread.first)
    let outcome = try await fetching.run("add", "https://bsky.app/profile/ada.example.com/post/\(first.key)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let build = try await fetching.run("build")
    #expect(build.code == 0, "\(build.errors)")
    let page = try fetching.page()
    HarmlessHTML.check(try HTMLTokens(page.html), allowed: .page, "page")
    #expect(page.html.matches(of: #/(?i)(href|src)="\s*(javascript|data|vbscript):/#).isEmpty)
  }

  private static func strings(_ value: Any) -> [String] {
    if let text = value as? String { return [text] }
    if let list = value as? [Any] { return list.flatMap(strings) }
    if let object = value as? [String: Any] {
      return object.sorted { $0.key < $1.key }.flatMap { strings($0.value) }
    }
    return []
  }
}

/// The CAR file that Bluesky offers in its settings.
@Suite(
  "Importing from Bluesky", .fewAtOnce,
  .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
struct BlueskyImportTests {
  private func file(_ name: String) throws -> String {
    try #require(ProjectFolders.sharedFixtures).appending(path: "networks/atproto-car/\(name)").path
  }

  @Test func importsARepository() async throws {
    let fetching = try BlueskySite(configuration: "media: none")
    let outcome = try await fetching.run("import", try file("arroba-30-post-thread.car"))
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try fetching.conversation().posts.count == 30)
    let build = try await fetching.run("build")
    #expect(build.code == 0, "\(build.errors)")
    #expect(fetching.stub.requests.isEmpty)
    #expect(try !fetching.page().html.isEmpty)
    // A second import changes nothing.
    let before = try fetching.site.folder.tree("threads")
    #expect(try await fetching.run("import", try file("arroba-30-post-thread.car")).code == 0)
    #expect(try fetching.site.folder.tree("threads") == before)
  }

  @Test(arguments: [
    "truncated.car", "huge-block-length.car", "mst-doubling-40-levels.car", "root-missing.car",
  ])
  func rejectsHostileFiles(name: String) async throws {
    let fetching = try BlueskySite()
    let outcome = try await fetching.run("import", try file(name))
    #expect(outcome.code == 65 && outcome.errors.contains(name), "\(outcome.code) \(outcome.errors)")
    #expect(try fetching.store.list().isEmpty)
  }
}
