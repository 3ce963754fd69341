import BlueskyStub
import Foundation
import Intake
import MastodonStub
import TestSupport
import Testing
import ThreadModel
import Unroll

extension FetchingTests {
  /// Random conversations under each network's limits. The posts of a page do not depend on the given post,
  /// on the order of fetches, or on interruptions, and missing posts are reported.
  @Suite("A thread is complete from any of its posts")
  struct CompletenessTests {
    /// A conversation in a stub.
    private struct Copy {
      let bench: FetchBench
      /// The IDs and URLs of the thread's visible posts.
      let posts: [(id: String, address: String)]
      let author: AuthorID
      let what: String
    }

    @Test func threadsOnMastodonAreComplete() async throws {
      var random = SeededRandom()
      for number in 0..<TestDepth.cases(fast: 1, deep: 60) {
        var options = GeneratedConversation.Options()
        // Mastodon neither shows nor counts a hidden reply. A branch that begins with one is visible only
        // while its level is read.
        options.losesBranches = false
        let plan = GeneratedConversation(options, using: &random)
        var world = MastodonStub.World()
        world.accounts = ["ada", "bea", "cy"]
        let isLoggedIn = Int.random(in: 0..<4, using: &random) == 0
        if isLoggedIn { world.token = "mastodon-token" }
        func id(_ index: Int) -> Int { 1000 + plan.posts[index].second }
        for (index, post) in plan.posts.enumerated() {
          world.statuses[id(index)] = MastodonStub.Status(
            id: id(index), account: world.accounts[post.author], content: "<p>\(index)</p>",
            parent: post.parent.map(id), visibility: post.isGone ? "private" : "public")
        }
        let stub = try MastodonStub(world)
        let token = isLoggedIn ? "      token_file: token\n" : ""
        let bench = try FetchBench(
          "mastodon:\n  servers:\n    - host: social.example\n      api_url: http://127.0.0.1:\(stub.port)/\n\(token)"
        )
        if isLoggedIn { try bench.write("mastodon-token", to: "token") }
        try await check(
          Copy(
            bench: bench,
            posts: plan.thread.map { ("\(id($0))", "https://social.example/@ada/\(id($0))") },
            author: AuthorID(world.accountID("ada"), by: "social.example", on: .mastodon),
            what: "Mastodon, conversation \(number)\(isLoggedIn ? ", with a token" : "")"), &random)
        await bench.finish()
        stub.stop()
      }
    }

    @Test func threadsOnBlueskyAreComplete() async throws {
      var random = SeededRandom()
      for number in 0..<TestDepth.cases(fast: 2, deep: 60) {
        let plan = GeneratedConversation(using: &random)
        var world = BlueskyWorld.people
        let people = [BlueskyWorld.ada, BlueskyWorld.bob, BlueskyWorld.bob]
        var uris: [String] = []
        for (index, post) in plan.posts.enumerated() {
          uris.append(
            world.add(
              "\(index)", by: people[post.author], at: 1000 + post.second,
              answering: post.parent.map { uris[$0] }))
        }
        for (index, post) in plan.posts.enumerated() { world.posts[index].isDeleted = post.isGone }
        var behaviour = BlueskyStub.Behaviour()
        behaviour.depth = Int.random(in: 2...10, using: &random)
        behaviour.parentHeight = Int.random(in: 3...80, using: &random)
        behaviour.branching = Bool.random(using: &random) ? .max : Int.random(in: 2...8, using: &random)
        behaviour.countsThreads = Bool.random(using: &random)
        behaviour.listsRecords = Int.random(in: 0..<4, using: &random) > 0
        behaviour.pageSize = Int.random(in: 5...100, using: &random)
        let stub = try BlueskyStub(world, behaviour: behaviour)
        let bench = try FetchBench("bluesky:\n  api_url: \(stub.url)\n  directory_url: \(stub.url)")
        try await check(
          Copy(
            bench: bench,
            posts: plan.thread.map { index in
              let key = world.posts[index].key
              return (key, "https://bsky.app/profile/\(BlueskyWorld.ada)/post/\(key)")
            },
            author: AuthorID(BlueskyWorld.ada, on: .bluesky),
            what: "Bluesky, conversation \(number), \(behaviour)"),
          &random)
        await bench.finish()
      }
    }

    /// Fetches a thread from some of its posts, first each into an empty store, then all into one store with
    /// interruptions.
    private func check(_ copy: Copy, _ random: inout SeededRandom) async throws {
      let expected = Set(copy.posts.map(\.id))
      let given =
        [copy.posts.first, copy.posts.last].compactMap(\.self) + copy.posts.shuffled(using: &random).prefix(2)
      for post in given {
        try copy.bench.clear()
        let summary = try await copy.bench.add(post.address)
        #expect(summary.failures.isEmpty, "\(copy.what), from \(post.id): \(summary.failures)")
        try expectComplete(copy, expected, "from \(post.id)")
      }
      try copy.bench.clear()
      for post in given.shuffled(using: &random) {
        // Cuts the connection once or twice and runs the same command again.
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          try await copy.bench.add(post.address, cutAfter: Int.random(in: 0...12, using: &random))
        }
        try await copy.bench.add(post.address)
      }
      try expectComplete(copy, expected, "interrupted")
    }

    /// Checks that there is one thread with all posts, or that the thread reports possible gaps.
    private func expectComplete(_ copy: Copy, _ expected: Set<String>, _ how: String) throws {
      let conversations = try copy.bench.conversations()
      #expect(conversations.count == 1, "\(copy.what), \(how): \(conversations.map(\.id.value))")
      var pages: [String: Int] = [:]
      for conversation in conversations {
        for post in conversation.posts where post.authorID == copy.author {
          pages[post.id.value, default: 0] += 1
        }
      }
      #expect(pages.values.allSatisfy { $0 == 1 }, "\(copy.what), \(how): a post is on two pages")
      let missing = expected.subtracting(pages.keys)
      guard !missing.isEmpty, let conversation = conversations.first else { return }
      let thread = UnrolledThread(unrolling: conversation)
      #expect(
        !conversation.coverage.limits.isEmpty,
        "\(copy.what), \(how): \(missing.count) of \(expected.count) posts are missing (\(missing.sorted().prefix(5))), and nothing says so: \(thread.completeness)"
      )
    }
  }
}

extension FetchBench {
  /// Writes a file beside site.yml.
  func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }
}
