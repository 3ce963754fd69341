import Basics
import Foundation
import LoopbackServer
import MastodonStub
import Synchronization
import TestSupport
import Testing
import ThreadModel
import ThreadStore

extension FetchingTests {
  @Suite("Fetching over ActivityPub from a server with a closed API")
  struct ActivityPubTests {
    /// The expected thread of a world: its own posts 1/30 to 30/30 in order.
    static func expected(_ world: MastodonStub.World) -> [(id: String, text: String)] {
      (1...30).compactMap { world.statuses[1000 + $0 * 10] }.map { status in
        (world.name(status.id), MastodonStub.shown(status.content))
      }
    }

    static func expect(
      _ fetching: MastodonSite, holds expected: [(id: String, text: String)],
      _ place: SourceLocation = #_sourceLocation
    ) throws {
      let conversations = try fetching.conversations()
      #expect(conversations.count == 1, sourceLocation: place)
      let posts = conversations.flatMap(\.posts).sorted {
        ($0.createdAt?.milliseconds ?? 0) < ($1.createdAt?.milliseconds ?? 0)
      }
      #expect(posts.map(\.id.value) == expected.map(\.id), sourceLocation: place)
      #expect(posts.map(\.text.text) == expected.map(\.text), sourceLocation: place)
    }

    @Test func fetchesThirtyPostsFromOneInTheMiddle() async throws {
      let world = ActivityStub.thread(.snac)
      let fetching = try MastodonSite(world)
      let outcome = try await fetching.run("add", ActivityStub.page(1150, world))
      #expect(outcome.code == 0, "\(outcome.errors)")
      try Self.expect(fetching, holds: Self.expected(world))
      let conversation = try #require(try fetching.conversations().first)
      #expect(conversation.coverage.limits.isEmpty && conversation.tombstones.isEmpty)
      #expect(conversation.provenance.map(\.source) == [.activityPub])
      #expect(
        conversation.author?.handle == "ada@social.example"
          && conversation.author?.bio?.text == "Writes things")
      #expect(conversation.author?.avatarURL == "https://files.social.example/ada.png")
      #expect(conversation.author?.emoji == [world.blobcat])
      // The API is requested once, and each post needs at most two requests.
      #expect(fetching.stub.requests.filter { $0.path.hasPrefix("/api/") }.count == 1)
      #expect(fetching.stub.requests.count <= 64 && fetching.stub.requests.allSatisfy { !$0.hasToken })
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      fetching.stub.stop()
    }

    @Test func laterTokenKeepsOneThread() async throws {
      for style in [ActivityStub.Style.snac, .mastodon] {
        let world = ActivityStub.thread(style)
        let fetching = try MastodonSite(world)
        let address = ActivityStub.page(1100, world)
        #expect(try await fetching.run("add", address).code == 0)
        let first = try fetching.store.list()
        try fetching.configure("", server: "      token_env: SESAME\n")
        let again = try await fetching.run("fetch", address, environment: ["SESAME": "sesame-9f8e7d6c"])
        #expect(again.code == 0, "\(again.errors)")
        #expect(try fetching.store.list() == first)
        try Self.expect(fetching, holds: Self.expected(world))
        let conversation = try #require(try fetching.conversations().first)
        #expect(Set(conversation.provenance.map(\.source)) == [.activityPub, .mastodonAPI])
        #expect(conversation.authors.map(\.id.value) == [world.accountID("ada")])
        // Again without the token.
        try fetching.configure("")
        #expect(try await fetching.run("fetch", "--all").code == 0)
        #expect(try fetching.store.list() == first)
        try Self.expect(fetching, holds: Self.expected(world))
        #expect(try fetching.conversations().first?.authors.map(\.id.value) == [world.accountID("ada")])
        fetching.stub.stop()
      }
    }

    /// A server that shows nothing to strangers does not prove that the posts are deleted.
    @Test(arguments: [true, false]) func closedServerRemovesNothing(isClosed: Bool) async throws {
      let world = ActivityStub.thread(.snac)
      let fetching = try MastodonSite(world)
      try fetching.configure("", server: "      token_env: SESAME\n")
      let token = ["SESAME": "sesame-9f8e7d6c"]
      #expect(try await fetching.run("add", ActivityStub.page(1100, world), environment: token).code == 0)
      fetching.stub.change { world in
        world.activity?.isClosed = isClosed
        for id in world.statuses.keys { world.statuses[id]?.visibility = "private" }
      }
      try fetching.configure("")
      let again = try await fetching.run("fetch", "--all")
      #expect(again.code != 0 && again.errors.contains("token_env"), "\(again.errors)")
      try Self.expect(fetching, holds: Self.expected(world))
      fetching.stub.stop()
    }

    @Test func planListsTheRequests() async throws {
      let world = ActivityStub.thread(.snac)
      let fetching = try MastodonSite(world, "sources:\n  - post: \(ActivityStub.page(1010, world))\n")
      let plan = try await fetching.run("fetch", "--dry-run")
      #expect(
        plan.code == 0 && plan.output.contains("GET post (ActivityPub)"), "\(plan.output)\(plan.errors)")
      #expect(fetching.stub.requests.isEmpty)
      fetching.stub.stop()
    }

    @Test func fetchesAnAuthorsProfileWithoutFollowers() async throws {
      let world = ActivityStub.thread(.snac)
      let fetching = try MastodonSite(world, "fetch:\n  followers: 2\n")
      let outcome = try await fetching.run("add", ActivityStub.page(1010, world))
      #expect(outcome.code == 0, "\(outcome.errors)")
      let author = try #require(try fetching.conversations().first?.authorID)
      #expect(try fetching.store.profile(of: author)?.author.bio?.text == "Writes things")
      fetching.stub.stop()
    }
  }
}
