import Foundation
import TestSupport
import Testing
import ThreadModel
import XStub

extension FetchingTests {
  @Suite("What a fetch costs")
  struct MoneyTests {
    @Test func aDryRunAsksNobody() async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.setEnvironment("X_BEARER_TOKEN", nil)
      let outcome = try await fetching.run("add", "--dry-run", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("GET /2/tweets/search/recent"))
      #expect(outcome.output.contains("Nothing was asked."))
      let json = try await fetching.run("fetch", "--dry-run", "--json", "--quiet", "\(fetching.sample.root)")
      #expect(json.output.contains("\"cost\": 0."))
      #expect(fetching.stub.requests.isEmpty)
      #expect(!fetching.site.folder.exists("threads/x"))
      try await fetching.finish()
    }

    @Test func theCapIsNotPassed() async throws {
      let fetching = try await FetchingSite(days: 2)
      // A lookup of one post with two users is within it; a page of ten posts is not.
      let outcome = try await fetching.run("add", "--max-cost", "0.04", "\(fetching.sample.root)")
      #expect(outcome.code == 75, "\(outcome.errors)")
      #expect(outcome.errors.contains("0.04"))
      #expect(fetching.stub.cost <= 0.04)
      #expect(try fetching.conversation().posts.count >= 1, "what was paid for is kept")
      try await fetching.finish()
    }

    @Test func theSummarySaysWhatWasRead() async throws {
      let fetching = try await FetchingSite(days: 2)
      let outcome = try await fetching.run("add", "--json", "--quiet", "\(fetching.sample.root)")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      let cost = try #require(object["cost"] as? Double)
      #expect(abs(cost - fetching.stub.cost) < 0.05)
      #expect(object["added"] as? Int == 1)
      #expect((object["media"] as? Int ?? 0) >= 10)
      #expect((object["media_failures"] as? [String])?.count == 3, "gone, HTML and SVG")
      try await fetching.finish()
    }

    @Test func whatIsUpToDateIsNotAskedFor() async throws {
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
