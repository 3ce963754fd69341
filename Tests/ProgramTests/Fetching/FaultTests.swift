import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XStub

extension FetchingTests {
  /// Faults of the network: the exit code, the message, and the posts that are kept.
  @Suite("Network faults while fetching")
  struct FaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
      let name: String
      let endpoint: StubEndpoint
      let fault: StubFault
      var times = 100
      /// The program's exit code.
      let code: Int32
      /// A word in standard error.
      let word: String
      /// The allowed number of requests to the endpoint.
      var requests: ClosedRange<Int>?

      var testDescription: String { name }
    }

    static let fatal = [
      Case(
        name: "wrong token", endpoint: .posts, fault: .unauthorized, code: 77, word: "token", requests: 1...1),
      Case(
        name: "credits depleted", endpoint: .posts, fault: .creditsDepleted, code: 75, word: "credits",
        requests: 1...1),
      Case(name: "usage cap", endpoint: .posts, fault: .usageCap, code: 75, word: "cap", requests: 1...1),
      Case(name: "no access", endpoint: .posts, fault: .forbidden, code: 77, word: "access", requests: 1...1),
      Case(name: "no JSON", endpoint: .posts, fault: .invalidJSON, code: 69, word: "API", requests: 1...2),
      Case(name: "a page of HTML", endpoint: .posts, fault: .html, code: 69, word: "error", requests: 1...2),
      Case(
        name: "a gzip bomb", endpoint: .posts, fault: .gzipBomb(bytes: 64 << 20), code: 69, word: "bytes",
        requests: 1...1),
      Case(
        name: "a redirect", endpoint: .posts, fault: .redirect(to: "https://elsewhere.example/2/tweets"),
        code: 69,
        word: "error", requests: 1...2),
    ]

    @Test(arguments: fatal)
    func fatalFaultStopsTheRun(_ fault: Case) async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.stub.fail(fault.endpoint, with: fault.fault, times: fault.times)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == fault.code, "\(outcome.errors)")
      #expect(outcome.errors.contains("error: "))
      #expect(outcome.errors.lowercased().contains(fault.word.lowercased()), "\(outcome.errors)")
      if let requests = fault.requests {
        #expect(
          requests.contains(fetching.stub.requests(to: fault.endpoint).count), "\(fetching.stub.requests)")
      }
      #expect(try fetching.store.list().isEmpty)
      try await fetching.finish()
    }

    static let passing = [
      Case(
        name: "a window that is reset", endpoint: .posts, fault: .window(resetsIn: 2), times: 1, code: 0,
        word: "waiting"),
      Case(name: "500 twice", endpoint: .searchRecent, fault: .serverError, times: 2, code: 0, word: ""),
      Case(
        name: "503 with Retry-After", endpoint: .posts, fault: .unavailable(retryAfter: 1), times: 1, code: 0,
        word: ""),
      Case(
        name: "a cut in the middle", endpoint: .searchRecent, fault: .cutInTheMiddle, times: 1, code: 0,
        word: ""),
      Case(
        name: "a cut before the body", endpoint: .posts, fault: .cutAfterHeaders, times: 1, code: 0, word: ""),
    ]

    @Test(arguments: passing)
    func temporaryFaultIsRetried(_ fault: Case) async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.stub.fail(fault.endpoint, with: fault.fault, times: fault.times)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(fault.word.isEmpty || outcome.errors.contains(fault.word), "\(outcome.errors)")
      #expect(try fetching.conversation().coverage.limits == [])
      try await fetching.finish()
    }

    /// The search fails after the first post was paid for. The post is kept, and the next run resumes.
    @Test(arguments: [StubFault.creditsDepleted, .usageCap])
    func keepsFetchedPosts(_ fault: StubFault) async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.stub.fail(.searchRecent, with: fault, times: 1)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 75, "\(outcome.errors)")
      let partial = try fetching.conversation()
      #expect(partial.posts.map(\.id) == [fetching.sample.root.post])
      #expect(!partial.coverage.limits.isEmpty)
      let again = try await fetching.run("fetch", "\(fetching.sample.root)")
      #expect(again.code == 0, "\(again.errors)")
      #expect(try fetching.conversation().coverage.limits == [])
      try await fetching.finish()
    }

    @Test(arguments: [StubFault.endlessPages, .samePageForever])
    func stopsAtEndlessPages(_ fault: StubFault) async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.stub.fail(.searchRecent, with: fault, times: 1_000_000)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect([0, 69].contains(outcome.code), "\(outcome.errors)")
      #expect(fetching.stub.requests(to: .searchRecent).count < 600)
      let known = Set(try fetching.conversation().posts.map(\.id))
      for post in fetching.sample.visible { #expect(known.contains(post.post)) }
      try await fetching.finish()
    }

    @Test func stopsAtAnEndlessBody() async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.stub.fail(.posts, with: .endlessBody, times: 10)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 69, "\(outcome.errors)")
      try await fetching.finish()
    }

    @Test func withoutATokenListsThePlacesItSearched() async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.setEnvironment("X_BEARER_TOKEN", nil)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 77)
      #expect(outcome.errors.contains("X_BEARER_TOKEN"))
      #expect(fetching.stub.requests.isEmpty)
      try await fetching.finish()
    }

    @Test func reportsAMissingThreadWithItsLine() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure("sources:\n  - 1500000000000000000\n  - \(fetching.sample.root)")
      let outcome = try await fetching.run("build")
      #expect(outcome.code == 65, "\(outcome.errors)")
      #expect(outcome.errors.contains("site.yml:5:5: error: sources[0]"), "\(outcome.errors)")
      #expect(try fetching.store.list().count == 1, "the other one is kept")
      #expect(!fetching.site.folder.exists("site/index.html"))
      try await fetching.finish()
    }

    @Test func killedProcessResumes() async throws {
      let fetching = try await FetchingSite(days: 2) { $0.pageSize = 10 }
      // The process is killed while it waits for the third page of the search.
      fetching.stub.fail(.searchRecent, with: .neverAnswers, times: 1, after: 2)
      _ = try await fetching.run(
        "add", "\(fetching.sample.root)", sending: SIGKILL, after: 3, to: .searchRecent)
      fetching.stub.recover()
      let before = fetching.stub.apiRequests.count
      let outcome = try await fetching.run("add", "--json", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try fetching.conversation().coverage.limits == [])
      let after = fetching.stub.apiRequests.dropFirst(before)
      #expect(
        after.allSatisfy {
          $0.endpoint != .searchRecent || $0["next_token"] != nil || $0["pagination_token"] != nil
        })
      #expect(after.count <= 2, "received pages are not requested again: \(after)")
      #expect(outcome.output.contains("\"pages_from_earlier_run\": "))
      try await fetching.finish()
    }

    @Test func interruptKeepsReceivedPosts() async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.stub.fail(.searchRecent, with: .neverAnswers, times: 10)
      let code = try await fetching.run(
        "add", "\(fetching.sample.root)", sending: SIGINT, after: 1, to: .searchRecent)
      #expect(code == 130)
      #expect(try fetching.conversation().posts.map(\.id) == [fetching.sample.root.post])
      try await fetching.finish()
    }
  }
}
