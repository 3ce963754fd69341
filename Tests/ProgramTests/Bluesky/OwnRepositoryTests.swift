import Basics
import BlueskyStub
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// The owner of an account that only signed-in users may see publishes it by importing their own file.
@Suite("Importing one's own repository", .serialized)
struct OwnRepositoryTests {
  private static var world: BlueskyWorld {
    var world = BlueskyWorld.people
    let first = world.add("Boats float on water.", by: BlueskyWorld.shy, at: 1000)
    world.add("They sink in air.", by: BlueskyWorld.shy, at: 1010, answering: first)
    return world
  }

  private func fetching(_ configuration: String = "media: none") throws -> BlueskySite {
    let fetching = try BlueskySite(Self.world, configuration: configuration)
    let file = InventedRepository(
      of: BlueskyWorld.shy, in: Self.world, labels: ["!no-unauthenticated"])
    try fetching.site.folder.write(Data(file.bytes), to: "repo.car")
    return fetching
  }

  @Test func isRejectedWithoutTheOptionThatTheMessageNames() async throws {
    let fetching = try fetching()
    let outcome = try await fetching.run("import", "repo.car")
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("signed in to Bluesky") && outcome.errors.contains("--own"), "\(outcome.errors)"
    )
    #expect(try fetching.store.list().isEmpty)
  }

  @Test(arguments: ["remove", "keep"])
  func staysAfterFetchingFromTheNetwork(onDeleted: String) async throws {
    let fetching = try fetching("media: none\nfetch:\n  on_deleted: \(onDeleted)")
    let outcome = try await fetching.run("import", "--own", "repo.car")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try fetching.conversation().posts.count == 2)
    let again = try await fetching.run("fetch", "--all")
    #expect(again.code == 0, "\(again.errors)")
    let conversation = try fetching.conversation()
    #expect(conversation.posts.count == 2 && conversation.posts.allSatisfy { $0.removal == nil })
    let build = try await fetching.run("build", "--offline")
    #expect(build.code == 0, "\(build.errors)")
    let html = try fetching.page().html
    #expect(html.contains("Boats float") && html.contains("They sink"))
    // Deleted posts are still removed from the site.
    fetching.stub.change { world, _ in
      world.accounts[2].labels = []
      for index in world.posts.indices where world.posts[index].record["text"] == "They sink in air." {
        world.posts[index].isDeleted = true
      }
    }
    let last = try await fetching.run("fetch", "--all")
    #expect(last.code == 0, "\(last.errors)")
    let left = try fetching.conversation()
    #expect(onDeleted == "remove" ? left.posts.count == 1 : left.posts.contains { $0.removal != nil })
  }

  @Test func worksAsASourceInSiteYML() async throws {
    let source = "media: none\nsources:\n  - archive: repo.car"
    let fetching = try fetching(source)
    let refused = try await fetching.run("fetch")
    #expect(refused.code == 65 && refused.errors.contains("own: true"), "\(refused.errors)")
    try fetching.configure(source + "\n    own: true")
    let outcome = try await fetching.run("fetch")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try fetching.conversation().posts.count == 2)
  }
}
