import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XStub

extension FetchingTests {
  @Suite("The cost of a fetch")
  struct MoneyTests {
    @Test func dryRunSendsNoRequests() async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.setEnvironment("X_BEARER_TOKEN", nil)
      let outcome = try await fetching.run("add", "--dry-run", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("GET /2/tweets/search/recent"))
      #expect(outcome.output.contains("No request was sent."))
      let json = try await fetching.run("fetch", "--dry-run", "--json", "--quiet", "\(fetching.sample.root)")
      #expect(json.output.contains("\"cost\": 0."))
      #expect(fetching.stub.requests.isEmpty)
      #expect(!fetching.site.folder.exists("threads/x"))
      try await fetching.finish()
    }

    /// Followers are only requested for the authors of the same network.
    @Test func planCountsNoAuthorsOfOtherNetworks() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure("fetch:\n  followers: 20\n  refresh: 1d")
      #expect(try await fetching.run("add", "\(fetching.sample.root)").code == 0)
      func planned() async throws -> Double {
        let plan = try await fetching.run("fetch", "--dry-run", "--json", "--quiet", "--all")
        let object = try JSONSerialization.jsonObject(with: Data(plan.output.utf8)) as? [String: Any]
        return try #require(object?["cost"] as? Double, "\(plan.errors)")
      }
      let alone = try await planned()
      for number in 1...20 {
        let author = AuthorID("\(number)@a.example", on: "mastodon")
        var thread = Conversation(id: PostID("\(number)@a.example", on: "mastodon"), authorID: author)
        thread.authors = [Author(id: author, handle: "ada\(number)@a.example")]
        thread.posts = [Post(Post.Facts(id: thread.id, authorID: author))]
        thread.provenance = [Provenance(source: "mastodon-api")]
        try fetching.store.save(thread)
      }
      #expect(try await planned() == alone)
      try await fetching.finish()
    }

    /// The estimate for an account, whose number of posts is unknown before the fetch.
    @Test(arguments: ["", "\n    since: 2010-01-01"])
    func planOfAnAccountIsCloseToItsCost(limits: String) async throws {
      let fetching = try await FetchingSite(days: 20)
      try fetching.configure(
        "sources:\n  - account: https://x.com/\(fetching.sample.author.username)\(limits)")
      let plan = try await fetching.run("fetch", "--dry-run", "--json", "--quiet")
      #expect(plan.code == 0, "\(plan.errors)")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(plan.output.utf8)) as? [String: Any])
      let planned = try #require(object["cost"] as? Double)
      let asked = fetching.stub.apiRequests
      #expect(asked.count == 1 && fetching.stub.requests(to: .userByName).count == 1, "\(asked)")
      let before = fetching.stub.cost
      #expect(before <= 0.011, "the plan itself costs more than a cent")
      #expect(try await fetching.run("fetch").code == 0)
      let billed = fetching.stub.cost - before
      #expect(planned < 2 * billed && planned > billed / 2, "planned \(planned), billed \(billed)")
      try await fetching.finish()
    }

    /// Looking up the account is part of the run's limit.
    @Test func addOfAnAccountPrintsItsCostFirst() async throws {
      let fetching = try await FetchingSite(days: 20)
      let name = fetching.sample.author.username
      let token = fetching.stub.apiRequests.count
      fetching.setEnvironment("X_BEARER_TOKEN", nil)
      let refused = try await fetching.run("add", "@\(name)")
      #expect(refused.code == 77, "\(refused.errors)")
      #expect(try !fetching.site.folder.text("site.yml").contains("sources"))
      #expect(fetching.stub.apiRequests.count == token)
      fetching.setEnvironment("X_BEARER_TOKEN", StubBehaviour().bearerToken)
      let outcome = try await fetching.run("add", "--max-cost", "3.00", "https://x.com/\(name)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("@\(name) on X: "), "\(outcome.errors)")
      #expect(outcome.errors.contains(", at most $3.00 in one run."), "\(outcome.errors)")
      #expect(fetching.stub.cost <= 3)
      #expect(try fetching.site.folder.text("site.yml").contains("  - account: https://x.com/\(name)\n"))
      try await fetching.finish()
    }

    /// A single thread is one step. Without the number of read posts, a long one would show no progress.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func terminalShowsTheCostSoFar() async throws {
      let fetching = try await FetchingSite(days: 2)
      let shown = try await fetching.runOnATerminal("add \(fetching.sample.root)")
      #expect(shown.contains("read, about $0."), "\(shown)")
      let amounts = shown.split(separator: "about $").dropFirst().compactMap {
        Double($0.prefix { $0.isNumber || $0 == "." })
      }
      #expect(amounts.count >= 3 && amounts == amounts.sorted(), "\(amounts)")
      try await fetching.finish()
    }

    @Test func costStaysWithinTheLimit() async throws {
      let fetching = try await FetchingSite(days: 2)
      // Looking up one post with all its includes fits the limit; a page of ten posts does not.
      let outcome = try await fetching.run("add", "--max-cost", "0.07", "\(fetching.sample.root)")
      #expect(outcome.code == 75, "\(outcome.errors)")
      #expect(outcome.errors.contains("0.07"))
      #expect(fetching.stub.cost <= 0.07)
      #expect(try fetching.conversation().posts.count >= 1, "paid posts are kept")
      try await fetching.finish()
    }

    /// 1,000 followers would exceed the limit, but X counts 30.
    @Test func followersAreRequestedUpToTheirNumber() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure("fetch:\n  followers: 1000")
      let outcome = try await fetching.run("add", "--max-cost", "4.00", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let requests = fetching.stub.requests(to: .followers)
      #expect(requests.count == 1)
      #expect(
        try fetching.site.folder.tree("threads").values.contains {
          $0.contains("Follower 30")
        })
      #expect(fetching.stub.cost <= 4)
      try await fetching.finish()
    }

    /// Each post of a thread is paid for once, wherever the budget ends.
    @Test(arguments: [2.0, 20], ["0.05", "0.1", "0.2", "0.3"])
    func readsNothingTwiceAfterTheLimit(days: Double, cap: String) async throws {
      let fetching = try await FetchingSite(days: days)
      fetching.stub.behave { $0.pageSize = 10 }
      let first = try await fetching.run("add", "--max-cost", cap, "\(fetching.sample.root)")
      #expect(first.code == 75 || first.code == 0, "\(first.errors)")
      let paid = fetching.stub.apiRequests
      let second = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(second.code == 0, "\(second.errors)")
      expectNothingReadTwice(fetching, after: paid)
      try await fetching.finish()
    }

    /// The program is interrupted while it waits for a response: a page of the search, a lookup, or an image,
    /// which is copied when the thread is saved.
    @Test(arguments: [2, 3, 4, 5, 8])
    func readsNothingTwiceAfterAnInterruption(requests: Int) async throws {
      let fetching = try await FetchingSite(days: 20)
      fetching.stub.behave { $0.pageSize = 10 }
      fetching.stub.fail(nil, with: .neverAnswers, times: 1, after: requests - 1)
      let code = try await fetching.run("add", "\(fetching.sample.root)", sending: SIGINT, after: requests)
      #expect(code == 130)
      fetching.stub.recover()
      let paid = fetching.stub.apiRequests
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      expectNothingReadTwice(fetching, after: paid)
      try await fetching.finish()
    }

    /// Checks that the requests after the given ones returned at most two posts of the thread again. Those
    /// two are the answered posts at the ends of a page.
    private func expectNothingReadTwice(_ fetching: FetchingSite, after paid: [LoggedRequest]) {
      let known = paid.reduce(into: Set<StubID>()) { $0.formUnion($1.postsRead) }
        .intersection(fetching.sample.visible).subtracting([fetching.sample.root])
      for request in fetching.stub.apiRequests.dropFirst(paid.count) {
        let again = request.postsRead.intersection(known).sorted()
        #expect(again.count <= 2, "\(again.count) posts were read again: \(request), after \(paid)")
      }
    }

    @Test func reportsAnUnreadableStoreBeforeAnyRequest() async throws {
      let fetching = try await FetchingSite(days: 2)
      try await fetching.run("add", "\(fetching.sample.root)")
      let file = try #require(try fetching.store.list().first)
      try fetching.site.folder.write("{", to: "threads/\(file.path)")
      fetching.stub.clearLog()
      let outcome = try await fetching.run("fetch", "--all")
      #expect(outcome.code == 65)
      #expect(outcome.errors.contains(file.path) && outcome.errors.contains("nothing was fetched"))
      #expect(fetching.stub.apiRequests.isEmpty)
      try await fetching.finish()
    }

    @Test func summaryCountsTheReadPosts() async throws {
      let fetching = try await FetchingSite(days: 2)
      let outcome = try await fetching.run("add", "--json", "--quiet", "\(fetching.sample.root)")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      let cost = try #require(object["cost"] as? Double)
      #expect(abs(cost - fetching.stub.cost) < 0.05)
      #expect(object["added"] as? Int == 1)
      #expect((object["media"] as? Int ?? 0) >= 10)
      #expect((object["media_failures"] as? [String])?.count == 3, "missing file, HTML and SVG")
      try await fetching.finish()
    }

    @Test func skipsUpToDateThreads() async throws {
      let fetching = try await FetchingSite(days: 2)
      try await fetching.run("add", "\(fetching.sample.root)")
      fetching.stub.clearLog()
      let outcome = try await fetching.run("fetch")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(fetching.stub.apiRequests.isEmpty)
      try await fetching.finish()
    }
  }
}
