import Basics
import NetworkSources
import NostrNetwork
import NostrSigner
import SiteConfig
import SourceHarness
import Testing
import ThreadModel

/// Accounts on relays on loopback.
@Suite struct RelayAccountTests {
  private let world = NostrWorld()

  private static let account = NostrID.name(ofKey: NostrWorld.ada.key)

  private static func source(_ account: String = account, _ more: String = "") -> String {
    "sources:\n  - account: https://njump.me/\(account)\n\(more)"
  }

  /// Returns a thread of Ada.
  private func chain(_ name: String, _ count: Int, at start: Int64) -> [SignedEvent] {
    var posts: [SignedEvent] = []
    for number in 1...count {
      var tags: [[String]] = []
      if let root = posts.first, let last = posts.last {
        tags = [["e", root.id, "", "root", root.author], ["e", last.id, "", "reply", last.author]]
      }
      posts.append(
        NostrWorld.ada.signed("\(name) \(number)", tags: tags, at: NostrWorld.start + start + Int64(number)))
    }
    return posts
  }

  private func names(_ fetch: NostrFetch) -> Set<String> {
    Set(
      fetch.conversations.compactMap { thread in
        thread.posts.first { $0.id == thread.id }?.text.text.split(separator: " ").first.map(String.init)
      })
  }

  @Test(arguments: [500, 12]) func readsAllThreadsOfAnAccount(_ most: Int) async throws {
    let single = NostrWorld.ada.signed("Alone", at: NostrWorld.start + 100_000)
    let answer = NostrWorld.ada.signed(
      "To Bo", tags: [["e", world.quoted.id, "", "root", NostrWorld.bo.key]], at: NostrWorld.start + 100_100)
    let short = chain("Short", 2, at: 200_000)
    let relay = try await LoopbackRelay(world.all + [single, answer] + short, most: most)
    let fetch = try NostrFetch([relay], configuration: Self.source())
    let outcome = try await fetch.fetchSources()
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors)")
    #expect(names(fetch) == ["1/60", "Short"])
    let long = try #require(fetch.conversations.first { $0.id == world.thread[0].post })
    #expect(long.ownPosts == world.thread.map(\.post))
    #expect(
      long.posts.contains { $0.id == world.question.post } && long.related.map(\.id) == [world.quoted.post])
    #expect(long.coverage.foundBy == .timeline && long.coverage.limits.isEmpty)
    #expect(!fetch.contains("A wrong number"))
  }

  @Test func leavesOutShortThreads() async throws {
    let relay = try await LoopbackRelay(chain("Short", 2, at: 0) + chain("Longer", 3, at: 1000))
    let fetch = try NostrFetch([relay], configuration: Self.source(Self.account, "    min_posts: 3\n"))
    _ = try await fetch.fetchSources()
    #expect(names(fetch) == ["Longer"])
  }

  @Test func readsOnlyNewPostsInTheNextRun() async throws {
    let relay = try await LoopbackRelay(chain("Old", 3, at: 0))
    let fetch = try NostrFetch([relay], configuration: Self.source())
    _ = try await fetch.fetchSources()
    #expect(names(fetch) == ["Old"])
    let count = relay.requests.count
    relay.add(chain("New", 2, at: 500_000))
    let outcome = try await fetch.fetchSources()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(names(fetch) == ["Old", "New"])
    let list = relay.requests[count]
    #expect(list["since"]?.integer == NostrWorld.start + 3 - 24 * 3600)
  }

  /// The first posts are older than the newest post of the last run.
  @Test func readsThreadsThatContinueAfterTheLastRun() async throws {
    let thread = chain("Slow", 3, at: 0)
    let late = chain("Later", 2, at: 800_000)
    let relay = try await LoopbackRelay([thread[0]] + late)
    let fetch = try NostrFetch([relay], configuration: Self.source())
    _ = try await fetch.fetchSources()
    #expect(names(fetch) == ["Later"])
    let last = NostrWorld.ada.signed(
      "Slow 4",
      tags: [["e", thread[0].id, "", "root", NostrWorld.ada.key], ["e", thread[2].id, "", "reply"]],
      at: NostrWorld.start + 900_000)
    relay.add(Array(thread.dropFirst()) + [last])
    let outcome = try await fetch.fetchSources()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(names(fetch) == ["Later", "Slow"])
    #expect(
      fetch.conversations.first { $0.id == thread[0].post }?.ownPosts == thread.map(\.post) + [last.post])
  }

  /// The next run reads everything again, because only the failed relay may have some of the posts.
  @Test func readsAllPostsAgainAfterARelayFailed() async throws {
    let relay = try await LoopbackRelay(chain("One", 2, at: 0))
    let broken = try await LoopbackRelay([]) { _ in [.disconnect] }
    let fetch = try NostrFetch([relay, broken], configuration: Self.source())
    let outcome = try await fetch.fetchSources()
    #expect(outcome.hasSucceeded && outcome.notes.count == 1, "\(outcome.notes)")
    let count = relay.requests.count
    _ = try await fetch.fetchSources()
    #expect(relay.requests[count]["since"] == nil)
  }

  @Test func findsAnAccountByItsNameAtADomain() async throws {
    let relay = try await LoopbackRelay(world.all)
    let fetch = try NostrFetch(
      [relay], configuration: Self.source("ada@tides.example"), names: ["ada": NostrWorld.ada.key])
    let outcome = try await fetch.fetchSources()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(names(fetch) == ["1/60"])
    // The domain is asked once.
    #expect(fetch.domains.requests.count == 1)
  }

  @Test func refusesANameThatItsDomainDoesNotAssign() async throws {
    let relay = try await LoopbackRelay(world.all)
    let fetch = try NostrFetch([relay], configuration: Self.source("ada@tides.example"))
    let outcome = try await fetch.fetchSources()
    #expect(
      outcome.failures.map(\.kind) == [.content] && outcome.errors.contains("npub1"), "\(outcome.errors)")
  }

  /// The newest profile counts. Relays do not know followers.
  @Test func readsTheProfileOfAnAuthor() async throws {
    let former = NostrWorld.ada.signed("{\"name\":\"Former\"}", kind: 0, at: NostrWorld.start - 9000)
    let fetch = try NostrFetch([try await LoopbackRelay(world.profiles + [former])])
    let profile = try #require(try await fetch.profile(of: NostrID.author(NostrWorld.ada.key)))
    #expect(profile.author.name == "Ada" && profile.followers.isEmpty)
    #expect(try await fetch.profile(of: NostrID.author(NostrWorld.eve.key)) == nil)
  }

  /// Each request goes to all relays.
  @Test func plansTheRequestsToAllRelays() throws {
    let config = try SiteConfig.decode(
      yaml: "nostr:\n  relays: [\"wss://a.example\", \"wss://b.example\"]\n", file: "site.yml",
      addresses: AddressBook([NostrAddresses()])
    ).config
    let run = SourceRun(
      config: config, environment: [:], transport: NoTransport(), workFolder: "/nonexistent",
      absolutePath: { $0 }, maximumCost: .zero, now: { Timestamp(seconds: 1_790_000_000) })
    let plan = NostrSource().planner(for: run).plan(thread: ThreadRequest(nil, postID: world.thread[0].post))
    #expect(plan.contains { $0.endpoint == "REQ #e" && $0.requests.lowerBound == 6 && $0.cost == nil })
    #expect(
      plan.filter { $0.endpoint.hasPrefix("REQ") }.allSatisfy { $0.requests.upperBound.isMultiple(of: 2) })
  }
}
