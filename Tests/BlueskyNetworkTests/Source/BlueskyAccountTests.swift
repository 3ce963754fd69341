import Basics
import BlueskyStub
import Foundation
import SourceHarness
import Testing
import ThreadModel

/// Accounts and rechecks with a Bluesky stub.
@Suite struct BlueskyAccountTests {
  /// Three threads (of five, three and two posts), single posts, and replies to others.
  private static var world: BlueskyWorld {
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

  private func names(_ fetching: BlueskyFetch) -> Set<String> {
    Set(
      fetching.conversations.compactMap { conversation in
        conversation.posts.first { $0.id == conversation.id }?.text.text.split(separator: " ").first.map(
          String.init)
      })
  }

  private func account(onDeleted: String = "remove") async throws -> BlueskyFetch {
    let fetching = try BlueskyFetch(
      Self.world, configuration: "fetch:\n  on_deleted: \(onDeleted)\n" + Self.account)
    let outcome = try await fetching.fetchSources()
    try #require(outcome.hasSucceeded, "\(outcome.errors)")
    return fetching
  }

  /// A run reads five hundred pages and reports that there are more. The next run continues.
  @Test func readsALongListInTwoRuns() async throws {
    var world = BlueskyWorld.people
    var last: String?
    for number in 1...2 {
      last = world.add("Old \(number)", by: BlueskyWorld.ada, at: number * 10, answering: last)
    }
    for number in 1...502 { world.add("Alone", by: BlueskyWorld.ada, at: 1000 + number * 10) }
    let fetching = try BlueskyFetch(world, configuration: Self.account) { $0.pageSize = 1 }
    let first = try await fetching.fetchSources()
    #expect(!first.hasSucceeded && first.errors.contains("to continue"), "\(first.errors)")
    #expect(fetching.stub.requests.count { $0 == "app.bsky.feed.getAuthorFeed" } == 500)
    #expect(names(fetching) == [])
    let second = try await fetching.fetchSources()
    #expect(second.hasSucceeded, "\(second.errors)")
    #expect(names(fetching) == ["Old"])
  }

  @Test func respectsLimitsOfAnAccount() async throws {
    let fetching = try BlueskyFetch(Self.world, configuration: Self.account + "\n    min_posts: 3")
    #expect(try await fetching.fetchSources().hasSucceeded)
    #expect(names(fetching) == ["Old", "Middle"])
  }

  /// A single post becomes a thread. The new part of the list has only the last reply.
  @Test func postThatGrowsIntoAThreadIsComplete() async throws {
    let fetching = try BlueskyFetch(Self.world, configuration: Self.account + "\n    min_posts: 4") {
      $0.pageSize = 3
    }
    #expect(try await fetching.fetchSources().hasSucceeded)
    #expect(names(fetching) == ["Old"])
    fetching.stub.change { world, _ in
      let last = world.posts.last { $0.record["text"]?.string == "Middle 3" }?.uri
      world.add("Middle 4", by: BlueskyWorld.ada, at: 6000, answering: last)
    }
    let again = try await fetching.fetchSources()
    #expect(again.hasSucceeded, "\(again.errors)")
    #expect(names(fetching) == ["Old", "Middle"])
    #expect(fetching.conversations.map(\.posts.count).sorted() == [4, 5])
  }

  @Test func stopsAtEndlessPages() async throws {
    let fetching = try BlueskyFetch(Self.world, configuration: Self.account) { $0.isEndless = true }
    let outcome = try await fetching.fetchSources()
    #expect(!outcome.hasSucceeded && outcome.errors.contains("circles"), "\(outcome.errors)")
    #expect(fetching.stub.requests.count < 30)
  }

  @Test func rejectsAnAccountForSignedInUsersOnly() async throws {
    let fetching = try BlueskyFetch(
      Self.world, configuration: "sources:\n  - account: https://bsky.app/profile/shy.example.com")
    let outcome = try await fetching.fetchSources()
    #expect(!outcome.hasSucceeded && outcome.errors.contains("signed in"), "\(outcome.errors)")
  }

  @Test func keepsADeletedPostIfConfigured() async throws {
    let fetching = try await account(onDeleted: "keep")
    fetching.stub.change { world, _ in
      for place in world.posts.indices where world.posts[place].record["text"]?.string == "Old 3" {
        world.posts[place].isDeleted = true
      }
    }
    #expect(try await fetching.fetchAll().hasSucceeded)
    let posts = fetching.conversations.flatMap(\.posts)
    #expect(posts.first { $0.text.text == "Old 3" }?.removal != nil)
    #expect(posts.first { $0.text.text == "Old 4" }?.removal == nil)
  }

  @Test(arguments: [
    ("AccountTakedown", "Account has been suspended", TombstoneReason.suspended),
    ("AccountDeactivated", "Account is deactivated", "deactivated"),
    ("InvalidRequest", "Profile not found", .deleted),
  ])
  func removesAClosedAccount(error: String, message: String, reason: TombstoneReason) async throws {
    let fetching = try BlueskyFetch(Self.world)
    let post = try #require(Self.world.posts.first)
    #expect(
      try await fetching.add("https://bsky.app/profile/ada.example.com/post/\(post.key)").hasSucceeded)
    fetching.stub.change { world, _ in
      world.accounts[0].refusal = (error, message)
      for place in world.posts.indices where world.posts[place].did == BlueskyWorld.ada {
        world.posts[place].isDeleted = true
      }
    }
    _ = try await fetching.fetchAll()
    #expect(!fetching.contains("Old 3"))
    let stones = fetching.conversations.flatMap(\.tombstones)
    #expect(stones.count == 5 && stones.allSatisfy { $0.reason == reason }, "\(stones)")
  }

  /// A missing response of the AppView does not prove a deletion.
  @Test func missingResponseIsNotADeletion() async throws {
    let fetching = try await account()
    fetching.stub.fail("app.bsky.feed.getPosts", .status(400), .status(400))
    let outcome = try await fetching.fetchAll()
    #expect(!outcome.hasSucceeded)
    #expect(fetching.contains("Old 3") && fetching.contains("New 2"))
  }
}
