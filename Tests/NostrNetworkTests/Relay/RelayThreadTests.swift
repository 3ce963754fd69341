import Basics
import NetworkSources
import NostrNetwork
import NostrSigner
import SourceHarness
import Testing
import ThreadModel

/// Threads from relays on loopback.
@Suite struct RelayThreadTests {
  private let world = NostrWorld()

  @Test(arguments: [1, 30, 60]) func readsTheWholeThreadFromAnyPost(_ number: Int) async throws {
    let relay = try await LoopbackRelay(world.all)
    let fetch = try NostrFetch([relay])
    let outcome = try await fetch.add(world.thread[number - 1].address())
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors) \(outcome.notes)")
    let thread = try fetch.conversation()
    #expect(thread.id == world.thread[0].post && thread.authorID.value == NostrWorld.ada.key)
    #expect(thread.ownPosts == world.thread.map(\.post))
    #expect(Set(thread.posts.map(\.id)) == Set((world.thread + [world.question]).map(\.post)))
    #expect(thread.related.map(\.id) == [world.quoted.post])
    #expect(Set(thread.authors.compactMap(\.name)) == ["Ada", "Bo"])
    #expect(thread.coverage.limits.isEmpty && thread.coverage.foundBy == .conversation)
    #expect(thread.posts.flatMap(\.media).compactMap(\.altText) == ["The harbor"])
    #expect(!fetch.contains("A wrong number") && !fetch.contains("How deep?"))
  }

  /// The events were signed by another implementation, and some name their parents in the old form. The import gives the same posts.
  @Test(arguments: [0, 20, 39]) func readsTheSameThreadAsAnImport(_ number: Int) async throws {
    let events = try Fixture.objects("thread.jsonl").map(SignedEvent.init)
    let start = try #require(
      events.first { $0.json["content"]?.string?.hasPrefix("Tide \(number).") == true })
    let imported = try #require(Fixture.threads("thread.jsonl").first { $0.posts.count > 20 })
    let fetch = try NostrFetch([try await LoopbackRelay(events)])
    let outcome = try await fetch.add(start.address(), withReplies: true)
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors) \(outcome.notes)")
    let thread = try fetch.conversation()
    #expect(thread.id == imported.id && thread.authorID == imported.authorID)
    let facts = { (posts: [Post]) in
      PostOrder.sorted(posts).map { [$0.id.value, $0.text.text, $0.inReplyTo?.value, $0.quotes?.value] }
    }
    #expect(facts(thread.posts) == facts(imported.posts) && facts(thread.related) == facts(imported.related))
  }

  @Test func readsOtherAuthorsRepliesIfTheyAreWanted() async throws {
    let fetch = try NostrFetch([try await LoopbackRelay(world.all)])
    _ = try await fetch.add(world.thread[0].address(), withReplies: true)
    #expect(try fetch.conversation().posts.contains { $0.id == world.reply.post })
    #expect(!fetch.contains("A wrong number"))
  }

  @Test func usesOneConnectionAndEndsEverySubscription() async throws {
    let relay = try await LoopbackRelay(world.all)
    let fetch = try NostrFetch([relay])
    _ = try await fetch.add(world.thread[30].address())
    #expect(relay.connections == 1)
    // The relay may not have read the last message yet.
    #expect(relay.requests.count > 3 && relay.closed.count >= relay.requests.count - 1)
    for filter in relay.requests {
      for case .array(let values) in (filter.object ?? [:]).values {
        #expect((1...100).contains(values.count))
      }
    }
  }

  /// The relay sends ten posts per response, so that pages are requested by time.
  @Test func readsPagesOfARelayThatCapsResponses() async throws {
    let relay = try await LoopbackRelay(world.all, most: 10)
    let fetch = try NostrFetch([relay])
    let outcome = try await fetch.add(world.thread[59].address())
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
    #expect(relay.requests.contains { $0["until"] != nil })
  }

  /// Twenty posts of one second are two pages. The second page cannot be requested by time.
  @Test func endsIfAllEventsOfAPageHaveTheSameTime() async throws {
    let root = NostrWorld.ada.signed("Of waves", at: NostrWorld.start)
    let posts = (1...20).map { number in
      NostrWorld.ada.signed("\(number)", tags: [["e", root.id, "", "root"]], at: NostrWorld.start + 10)
    }
    let fetch = try NostrFetch([try await LoopbackRelay([root] + posts, most: 10)])
    let outcome = try await fetch.add(root.address())
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().posts.count == 11)
  }

  @Test func mergesTheEventsOfTwoRelays() async throws {
    let even = world.all.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    let odd = world.all.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    // Both relays have the first ten posts.
    let fetch = try NostrFetch([
      try await LoopbackRelay(even + world.thread.prefix(10)),
      try await LoopbackRelay(odd + world.thread.prefix(10)),
    ])
    let outcome = try await fetch.add(world.thread[59].address())
    #expect(outcome.hasSucceeded && outcome.notes.isEmpty, "\(outcome.errors)")
    let thread = try fetch.conversation()
    #expect(thread.ownPosts == world.thread.map(\.post) && thread.posts.count == 61)
  }

  @Test func fetchesAPostThatOnlyANamedRelayHas() async throws {
    let relay = try await LoopbackRelay([])
    let other = try await LoopbackRelay(world.all)
    let fetch = try NostrFetch([relay])
    let outcome = try await fetch.add(world.thread[9].address(relays: ["https://relay.invalid", other.url]))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
  }

  @Test func fetchesAQuoteFromTheRelayThatThePostNames() async throws {
    let other = try await LoopbackRelay([NostrWorld().quoted])
    let world = NostrWorld(hint: other.url)
    let relay = try await LoopbackRelay(world.withoutQuoted)
    let fetch = try NostrFetch([relay])
    let outcome = try await fetch.add(world.thread[0].address())
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().related.map(\.id) == [world.quoted.post])
    // The relay is asked only for the post that is missing.
    #expect(other.requests.count == 1 && other.requests.first?["ids"]?.array == [.string(world.quoted.id)])
  }

  @Test func fetchesAQuoteFromTheRelayThatTheTextNames() async throws {
    let other = try await LoopbackRelay([world.quoted])
    let post = NostrWorld.ada.signed(
      "Read this:\n\(world.quoted.address(relays: [other.url]))", at: NostrWorld.start)
    let fetch = try NostrFetch([try await LoopbackRelay([post])])
    let outcome = try await fetch.add(post.address())
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().related.map(\.id) == [world.quoted.post])
  }

  @Test func contactsNoNamedRelayIfNothingIsMissing() async throws {
    let other = try await LoopbackRelay([])
    let world = NostrWorld(hint: other.url)
    let fetch = try NostrFetch([try await LoopbackRelay(world.all)])
    _ = try await fetch.add(world.thread[0].address(relays: [other.url]))
    #expect(other.connections == 0)
  }

  @Test func refusesAPostThatNoRelayHas() async throws {
    let fetch = try NostrFetch([try await LoopbackRelay(world.profiles)])
    let outcome = try await fetch.add(world.thread[0].address())
    #expect(outcome.failures.map(\.kind) == [.content])
    #expect(outcome.errors.contains("no relay has this post"), "\(outcome.errors)")
  }

  @Test func refusesRepostsAndDeletedPosts() async throws {
    let repost = NostrWorld.bo.signed(
      "", kind: 6, tags: [["e", world.thread[0].id]], at: NostrWorld.start + 1)
    let post = NostrWorld.bo.signed("Never mind", at: NostrWorld.start + 2)
    let deletion = NostrWorld.bo.signed("", kind: 5, tags: [["e", post.id]], at: NostrWorld.start + 3)
    let fetch = try NostrFetch([try await LoopbackRelay([repost, post, deletion])])
    #expect(try await fetch.add(repost.address()).errors.contains("repost"))
    #expect(try await fetch.add(post.address()).errors.contains("deleted"))
    #expect(fetch.conversations.isEmpty)
  }

  /// Anyone can request the deletion of any event.
  @Test func ignoresDeletionsByOthers() async throws {
    let hostile = NostrWorld.eve.signed(
      "", kind: 5, tags: world.thread.map { ["e", $0.id] }, at: NostrWorld.start + 9999)
    let fetch = try NostrFetch([try await LoopbackRelay(world.all + [hostile])])
    _ = try await fetch.add(world.thread[0].address())
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
  }

  // MARK: Known threads

  @Test func removesPostsThatTheirAuthorDeleted() async throws {
    let relay = try await LoopbackRelay(world.all)
    let fetch = try NostrFetch([relay], configuration: "fetch:\n  on_deleted: remove\n")
    _ = try await fetch.add(world.thread[0].address())
    let last = world.thread[59]
    relay.add([NostrWorld.ada.signed("", kind: 5, tags: [["e", last.id]], at: NostrWorld.start + 9300)])
    relay.add([
      NostrWorld.eve.signed("", kind: 5, tags: [["e", world.thread[58].id]], at: NostrWorld.start + 9300)
    ])
    let outcome = try await fetch.fetchAll()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let thread = try fetch.conversation()
    #expect(thread.ownPosts == world.thread.dropLast().map(\.post))
    #expect(thread.tombstones.filter { $0.id == last.post }.map(\.reason) == [.deleted])
  }

  @Test func keepsPostsThatRelaysForgot() async throws {
    let relay = try await LoopbackRelay(world.all)
    let fetch = try NostrFetch([relay], configuration: "fetch:\n  on_deleted: remove\n")
    _ = try await fetch.add(world.thread[0].address())
    relay.remove([world.thread[40].id])
    let outcome = try await fetch.fetchAll()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(outcome.notes.contains { $0.contains("Relays forget posts") }, "\(outcome.notes)")
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
  }

  @Test func addsLaterPosts() async throws {
    let relay = try await LoopbackRelay(world.all.filter { $0.id != world.thread[59].id })
    let fetch = try NostrFetch([relay])
    _ = try await fetch.add(world.thread[0].address())
    #expect(try fetch.conversation().ownPosts.count == 59)
    relay.add([world.thread[59]])
    _ = try await fetch.fetchAll()
    #expect(try fetch.conversation().ownPosts == world.thread.map(\.post))
  }

  // MARK: Names

  @Test func usesANameThatItsDomainConfirms() async throws {
    let fetch = try NostrFetch([try await LoopbackRelay(world.all)], names: ["ada": NostrWorld.ada.key])
    _ = try await fetch.add(world.thread[0].address())
    let thread = try fetch.conversation()
    #expect(thread.author?.handle == "ada@tides.example")
    #expect(fetch.domains.requests == ["https://tides.example/.well-known/nostr.json?name=ada"])
  }

  @Test(arguments: [["ada": NostrWorld.bo.key], ["bo": NostrWorld.ada.key], [:]])
  func usesTheKeyIfADomainDoesNotConfirmTheName(_ names: [String: String]) async throws {
    let fetch = try NostrFetch([try await LoopbackRelay(world.all)], names: names)
    _ = try await fetch.add(world.thread[0].address())
    #expect(try fetch.conversation().author?.handle == NostrID.name(ofKey: NostrWorld.ada.key))
  }

  @Test func keepsAConfirmedNameWhileItsDomainDoesNotAnswer() async throws {
    let fetch = try NostrFetch([try await LoopbackRelay(world.all)], names: ["ada": NostrWorld.ada.key])
    _ = try await fetch.add(world.thread[0].address())
    fetch.domains.stop()
    let outcome = try await fetch.fetchAll()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(try fetch.conversation().author?.handle == "ada@tides.example")
  }
}
