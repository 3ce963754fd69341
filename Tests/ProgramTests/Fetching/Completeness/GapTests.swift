import BlueskyStub
import Foundation
import MastodonStub
import TestSupport
import Testing
import ThreadModel

extension FetchingTests {
  /// Threads with branches and missing posts, fetched with the program.
  @Suite("An author's posts in one conversation are one thread")
  struct GapTests {
    // MARK: Mastodon

    /// A thread of 120 posts with the IDs 1001 to 1120, a branch of two posts at post 60, and replies of
    /// others.
    private static func longThread() -> MastodonStub.World {
      var world = MastodonStub.World()
      for number in 1...120 {
        world.statuses[1000 + number] = .init(
          id: 1000 + number, account: "ada", content: "<p>Post \(number)</p>",
          parent: number == 1 ? nil : 999 + number)
      }
      world.statuses[1201] = .init(id: 1201, account: "ada", content: "<p>Beside 1</p>", parent: 1060)
      world.statuses[1202] = .init(id: 1202, account: "ada", content: "<p>Beside 2</p>", parent: 1201)
      for number in [3, 61, 118] {
        world.statuses[1300 + number] = .init(
          id: 1300 + number, account: "bea", content: "<p>Reply to \(number)</p>", parent: 1000 + number)
      }
      return world
    }

    @Test(arguments: [1, 61, 120], [false, true])
    func sideBranchesAndRepliesAreFetchedFromAnyPostOnMastodon(number: Int, withReplies: Bool) async throws {
      let fetching = try MastodonSite(Self.longThread())
      let replies = withReplies ? ["--with-replies"] : []
      let outcome = try await fetching.run(["add", "https://social.example/@ada/\(1000 + number)"] + replies)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversation = try #require(try fetching.conversations().first)
      let own = conversation.posts.filter { $0.authorID == conversation.authorID }
      #expect(own.count == 122)
      #expect(conversation.posts.count - own.count == (withReplies ? 3 : 0))
      #expect(conversation.coverage.limits.isEmpty)
      #expect(fetching.stub.requests.count <= 15, "\(fetching.stub.requests.count)")
    }

    @Test(arguments: [36, 120])
    func postsAboveAPostForFollowersAreFetchedOnMastodon(number: Int) async throws {
      var world = Self.longThread()
      world.statuses[1030]?.visibility = "private"
      let fetching = try MastodonSite(world)
      for given in [number, 1] {
        let outcome = try await fetching.run("add", "https://social.example/@ada/\(1000 + given)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let conversations = try fetching.conversations()
        #expect(conversations.count == 1)
        #expect(conversations.first?.id.value == "1001" && conversations.first?.posts.count == 121)
        #expect(conversations.first?.tombstones.map(\.id.value) == ["1030"])
      }
      #expect(try await fetching.run("build", "--offline").code == 0)
      let pages = try fetching.site.tree().filter {
        $0.key.hasSuffix("/index.md") && $0.key.hasPrefix("mastodon/")
      }
      let page = String(decoding: try #require(pages.first).value, as: UTF8.self)
      #expect(page.contains("A post is missing here") && page.contains("Post 29") && page.contains("Post 31"))
    }

    /// So many consecutive posts are for followers only that the parts have no connection.
    @Test func partsAreJoinedWhenThePostsBetweenThemArrive() async throws {
      var world = Self.longThread()
      for number in 20...80 { world.statuses[1000 + number]?.visibility = "private" }
      let fetching = try MastodonSite(world)
      for number in [120, 1] {
        let outcome = try await fetching.run("add", "https://social.example/@ada/\(1000 + number)")
        #expect(outcome.code == 0, "\(outcome.errors)")
      }
      let parts = try fetching.conversations()
      #expect(Set(parts.map(\.id.value)) == ["1001", "1080"])
      #expect(try await fetching.run("build", "--offline").code == 0)
      #expect(try await fetching.run("publish", "--record").code == 0)
      let record = try fetching.site.folder.text("threads/permalinks.json")
      let addresses = record.matches(of: #/: "(mastodon/[^"]+)"/#).map { String($0.1) }
      #expect(addresses.count == 2)
      fetching.stub.change { world in
        for number in 20...80 { world.statuses[1000 + number]?.visibility = "public" }
      }
      let outcome = try await fetching.run("fetch", "https://social.example/@ada/1120")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let joined = try fetching.conversations()
      #expect(joined.count == 1 && joined.first?.id.value == "1001")
      #expect(joined.first?.posts.filter { $0.authorID == joined.first?.authorID }.count == 122)
      #expect(try await fetching.run("build", "--offline").code == 0)
      for address in addresses {
        #expect(
          fetching.site.folder.exists("site/\(address)index.html"), "\(address) still leads to the thread")
      }
    }

    @Test func threadReportsItsMissingBeginning() async throws {
      var world = Self.longThread()
      world.delete(1030)
      let fetching = try MastodonSite(world)
      let outcome = try await fetching.run("add", "https://social.example/@ada/1036")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversation = try #require(try fetching.conversations().first)
      #expect(conversation.id.value == "1031")
      #expect(conversation.coverage.limits == [CoverageLimit(.beginningGone)])
    }

    @Test func knownReasonIsNotReplacedByAGuess() async throws {
      var world = Self.longThread()
      world.statuses[1030]?.visibility = "private"
      world.token = "mastodon-token"
      let fetching = try MastodonSite(world)
      try fetching.configure("", server: "      token_env: SOCIAL_TOKEN\n")
      let outcome = try await fetching.run(
        "add", "https://social.example/@ada/1001", environment: ["SOCIAL_TOKEN": "mastodon-token"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try fetching.conversations().first?.tombstones.map(\.reason) == [.protected])
      // Without a token, the server responds as if the post did not exist.
      try fetching.configure("")
      fetching.stub.change { $0.token = nil }
      #expect(try await fetching.run("fetch", "--all").code == 0)
      #expect(try fetching.conversations().first?.tombstones.map(\.reason) == [.protected])
    }

    // MARK: Bluesky

    /// A thread of 60 posts. Post 20 is deleted, and post 10 has a branch that is older than post 11.
    @Test(arguments: [0, 40, 59], [true, false])
    func postsBelowADeletedPostAreFetchedOnBluesky(given: Int, hasCount: Bool) async throws {
      var world = BlueskyWorld.people
      var uris: [String] = []
      for number in 0..<60 {
        uris.append(
          world.add("Post \(number)", by: BlueskyWorld.ada, at: 1000 + number * 60, answering: uris.last))
      }
      world.add("Beside", by: BlueskyWorld.ada, at: 1000 + 10 * 60 + 10, answering: uris[10])
      world.posts[20].isDeleted = true
      let key = world.posts[given].key
      let fetching = try BlueskySite(world) { $0.countsThreads = hasCount }
      let outcome = try await fetching.run("add", "https://bsky.app/profile/ada.example.com/post/\(key)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversation = try fetching.conversation()
      #expect(conversation.posts.count == 60, "59 posts of the thread and the branch")
      #expect(conversation.tombstones.count == 1)
    }

    @Test func threadReportsThatTheAuthorsListWasUnreadable() async throws {
      var world = BlueskyWorld.people
      var last: String?
      for number in 0..<5 {
        last = world.add("Post \(number)", by: BlueskyWorld.ada, at: 1000 + number * 60, answering: last)
      }
      let fetching = try BlueskySite(world) { $0.listsRecords = false }
      let key = world.posts[0].key
      #expect(try await fetching.run("add", "https://bsky.app/profile/ada.example.com/post/\(key)").code == 0)
      #expect(try fetching.conversation().coverage.limits == [CoverageLimit(.timelineUnread)])
    }
  }
}
