import Foundation
import TestSupport
import Testing
import ThreadModel
import XStub

extension FetchingTests {
  /// `threadsite add <URL of any post>` in an empty site, then `threadsite build`.
  @Suite("Fetching a thread from X")
  struct WholeThreadTests {
    static let entrances: [@Sendable (SampleThread) -> StubID] = [
      { $0.root }, { $0.posts[8] }, { $0.last },
    ]

    /// Checks the whole thread with photos, a video, a quote, a poll and a gap.
    private func check(_ fetching: FetchingSite, method: FindingMethod) async throws {
      let sample = fetching.sample
      let conversation = try fetching.conversation()
      let known = Set(conversation.posts.map(\.id))
      for post in sample.visible { #expect(known.contains(post.post), "\(post) is missing") }
      #expect(conversation.tombstones.contains { $0.id == sample.missing.post })
      #expect(conversation.coverage.foundBy == method)
      let build = try await fetching.run("build")
      #expect(build.code == 0, "\(build.errors)")
      let page = try fetching.page()
      for post in sample.visible {
        #expect(page.contains("id=\"post-\(post)\""), "\(post) is not on the page")
      }
      #expect(page.contains("<meter"), "the poll is missing")
      #expect(page.contains("class=\"gap\""), "the gap is missing")
      #expect(page.contains("A boat is a hole in the water"), "the quote is missing")
      #expect(page.contains("Watch the video"), "the video is missing")
      #expect(
        page.matches(of: #/<img [^>]*src="[^"]*media/[0-9a-f]+\.(jpg|png)"/#).count >= 5, "photos and posters"
      )
      #expect(!page.contains(#/(src|srcset|poster)="[^"]*http/#), "the page loads something from elsewhere")
    }

    @Test(arguments: [0, 1, 2])
    func fetchesAThreadOfTwoDaysAgo(entrance: Int) async throws {
      let fetching = try await FetchingSite(days: 2)
      let post = Self.entrances[entrance](fetching.sample)
      let outcome = try await fetching.run("add", "https://x.com/i/status/\(post)?s=20")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(fetching.stub.apiRequests.count <= 4, "\(fetching.stub.apiRequests)")
      try await check(fetching, method: .recentSearch)
      try await fetching.finish()
    }

    @Test(arguments: [0, 2])
    func fetchesAThreadOfTwoYearsAgoFromTheFullArchive(entrance: Int) async throws {
      let fetching = try await FetchingSite(days: 730)
      let outcome = try await fetching.run("add", "\(Self.entrances[entrance](fetching.sample))")
      #expect(outcome.code == 0, "\(outcome.errors)")
      for request in fetching.stub.requests(to: .searchAll) { #expect(request["start_time"] != nil) }
      try await check(fetching, method: .fullSearch)
      try await fetching.finish()
    }

    @Test func fetchesAThreadOfTwoYearsAgoFromTheTimeline() async throws {
      let fetching = try await FetchingSite(days: 730) { $0.allowsSearchAll = false }
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(!fetching.stub.requests(to: .timeline).isEmpty)
      try await check(fetching, method: .timeline)
      // The refusal is remembered, so it is not requested again.
      fetching.stub.clearLog()
      try await fetching.run("fetch", "\(fetching.sample.root)")
      #expect(fetching.stub.requests(to: .searchAll).isEmpty)
      try await fetching.finish()
    }

    @Test func fetchesAThreadOfTwoYearsAgoByClimbing() async throws {
      let fetching = try await FetchingSite(days: 730) {
        $0.allowsSearchAll = false
        $0.timelineDepth = 0
      }
      let outcome = try await fetching.run("add", "\(fetching.sample.last)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversation = try fetching.conversation()
      #expect(conversation.coverage.foundBy == .climbing)
      #expect(
        !conversation.coverage.limits.isEmpty,
        "what is beside the climb may be missing, and the thread says so"
      )
      let known = Set(conversation.posts.map(\.id))
      let sample = fetching.sample
      // A deleted post in the middle ends the climb. The posts below it and the first post are found.
      for post in sample.visible where post > sample.missing { #expect(known.contains(post.post)) }
      #expect(known.contains(sample.root.post))
      try await fetching.finish()
    }

    @Test func laterFetchWithMoreAccessCompletesTheThread() async throws {
      let fetching = try await FetchingSite(days: 730) {
        $0.allowsSearchAll = false
        $0.timelineDepth = 0
      }
      try await fetching.run("add", "\(fetching.sample.last)")
      fetching.stub.behave { $0.allowsSearchAll = true }
      // The refusal is remembered for some days in a file that may be deleted at any time.
      try FileManager.default.removeItem(atPath: fetching.site.path + "/.threadsite/x-client.json")
      let outcome = try await fetching.run("fetch", "\(fetching.sample.last)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try fetching.conversation().coverage.limits == [])
      try await check(fetching, method: .fullSearch)
      try await fetching.finish()
    }

    @Test func buildFetchesListedThreads() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure("sources:\n  - \(fetching.sample.posts[3])")
      let outcome = try await fetching.run("build")
      #expect(outcome.code == 0, "\(outcome.errors)")
      try await check(fetching, method: .recentSearch)
      fetching.stub.clearLog()
      #expect(try await fetching.run("build").code == 0)
      #expect(fetching.stub.requests.isEmpty, "stored posts are not requested")
      try await fetching.finish()
    }

    @Test func addListsTheThread() async throws {
      let fetching = try await FetchingSite(days: 2)
      let other = fetching.sample.quoted
      try fetching.configure(
        "sources:\n  - \(other)\ninclude: listed\nthreads:\n  - url: \(other)\n    title: Another")
      #expect(try await fetching.run("fetch").code == 0)
      #expect(try await fetching.run("add", "\(fetching.sample.posts[2])").code == 0)
      let text = try fetching.site.folder.text("site.yml")
      let entry = "  - https://x.com/i/status/\(fetching.sample.posts[2])\n"
      #expect(text.contains("sources:\n  - \(other)\n\(entry)include: listed\n"))
      #expect(text.hasSuffix("    title: Another\n\(entry)"))
      #expect(try await fetching.run("add", "\(fetching.sample.last)").code == 0)
      #expect(
        try fetching.site.folder.text("site.yml") == text, "another post of the same thread is no new entry")
      let build = try await fetching.run("build")
      #expect(build.errors.contains("2 threads"), "\(build.errors)")
      try await fetching.finish()
    }

    /// A thread that the store does not accept is not listed, because the site would lack it in every build.
    @Test(arguments: [true, false]) func addListsNoRefusedThread(isRemoved: Bool) async throws {
      let fetching = try await FetchingSite(days: 2)
      let author = fetching.sample.author.username
      let sources = "sources:\n  - \(fetching.sample.quoted)"
      if isRemoved {
        try fetching.configure(sources)
        #expect(try await fetching.run("add", "\(fetching.sample.root)").code == 0)
        #expect(try await fetching.run("remove", "--yes", "--author", author).code == 0)
        // Only the account is recorded, as for a thread that was written later.
        let record = try JSONSerialization.jsonObject(
          with: Data(fetching.site.folder.text("threads/removed.json").utf8))
        var members = try #require(record as? [String: Any])
        members["threads"] = [Any]()
        try fetching.site.folder.write(
          try JSONSerialization.data(withJSONObject: members), to: "threads/removed.json")
      } else {
        try fetching.configure(sources + "\nleave_out: ['@\(author)']")
      }
      let before = try fetching.site.folder.text("site.yml")
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 65 && outcome.errors.contains("was not added"), "\(outcome.errors)")
      #expect(try fetching.site.folder.text("site.yml") == before)
      try await fetching.finish()
    }

    @Test func deadURLDoesNotBlockOtherThreads() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure("sources:\n  - \(fetching.sample.quoted)")
      #expect(try await fetching.run("fetch").code == 0)
      let outcome = try await fetching.run(
        "add", "1500000000000000000", "x.com/i/status/\(fetching.sample.posts[2])")
      #expect(outcome.code == 65 && outcome.errors.contains("1500000000000000000"), "\(outcome.errors)")
      #expect(try fetching.site.folder.tree().keys.contains { $0.hasSuffix("/\(fetching.sample.root).json") })
      let text = try fetching.site.folder.text("site.yml")
      #expect(text.contains("/\(fetching.sample.posts[2])") && !text.contains("1500000000000000000"))
      try await fetching.finish()
    }

    @Test func acceptsAKeyAndItsSecretInsteadOfAToken() async throws {
      let fetching = try await FetchingSite(days: 2) { $0.consumerSecret = "stubSecret/with+signs&more%3A:" }
      fetching.setEnvironment("X_BEARER_TOKEN", nil)
      fetching.setEnvironment("X_CONSUMER_KEY", fetching.stub.behaviour.consumerKey)
      fetching.setEnvironment("X_CONSUMER_SECRET", fetching.stub.behaviour.consumerSecret)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(fetching.stub.requests(to: .token).count == 1)
      try await fetching.finish()
    }

    /// `finish` checks every request of every test here. This test makes every kind of request and is skipped
    /// without X's document.
    @Test(
      .enabled(if: ProjectFolders.sharedReference != nil, "needs X's OpenAPI document beside the repository"))
    func everyRequestMatchesXsDocument() async throws {
      let document = try #require(FetchingSite.document)
      let fetching = try await FetchingSite(days: 20)
      let handle = fetching.sample.author.username
      try fetching.configure(
        """
        fetch:
          followers: 20
        sources:
          - post: \(fetching.sample.root)
            replies: true
          - account: https://x.com/\(handle)
            since: 2020-01-01
          - search: "from:\(handle) dusk"
        """)
      #expect(try await fetching.run("fetch").code == 0)
      #expect(try await fetching.run("fetch", "--all").code == 0)
      fetching.stub.behave { $0.allowsSearchAll = false }
      #expect(try await fetching.run("fetch", "\(fetching.sample.last)").code == 0)
      let asked = Set(fetching.stub.apiRequests.compactMap(\.endpoint))
      #expect(asked.isSuperset(of: [.posts, .searchAll, .userByName, .timeline, .followers]), "\(asked)")
      #expect(fetching.stub.problems(by: document) == [])
      try await fetching.finish()
    }
  }
}
