import Basics
import NetworkSources
import NostrNetwork
import NostrSigner
import TestSupport
import Testing
import ThreadModel
import Unroll

/// A thread of two authors with 60 posts, of which one is deleted.
@Suite struct ThreadTests {
  private func thread() throws -> Conversation {
    let conversations = try Fixture.threads("thread.jsonl")
    // The other one is the quoted note.
    #expect(conversations.count == 2)
    return try #require(conversations.first { $0.posts.count > 1 })
  }

  private func post(_ text: String) throws -> Post {
    try #require(try thread().posts.first { $0.text.text.hasPrefix(text) })
  }

  @Test func mainLineHasThePostsOfItsAuthor() throws {
    let thread = try thread()
    #expect(thread.posts.count == 59 && thread.author?.name == "Ada Tides")
    #expect(thread.authors.map { $0.name ?? "" }.sorted() == ["", "Ada Tides", "Bob Rivers"])
    let unrolled = UnrolledThread(unrolling: thread)
    let numbers = unrolled.mainPosts.map { $0.post.text.text.split(separator: ".")[0] }
    #expect(numbers == ((0..<38) + [39]).map { "Tide \($0)" })
  }

  @Test func deletedPostIsAGap() throws {
    let thread = try thread()
    #expect(thread.tombstones.map(\.reason) == [.deleted])
    #expect(thread.tombstones.map(\.authorID) == [thread.authorID])
    #expect(!thread.posts.contains { $0.text.text.hasPrefix("Tide 38") })
    // Another account cannot delete a post.
    #expect(thread.posts.contains { $0.text.text == "Tide 1." })
  }

  @Test func handleOfAnAccountIsItsKey() throws {
    let ada = try #require(try thread().author)
    // No one has confirmed the claimed name `ada@tides.example`.
    #expect(ada.handle == NostrID.name(ofKey: ada.id.value) && ada.handle?.hasPrefix("npub1") == true)
    #expect(ada.bio?.text == "Tides :moon:" && ada.emoji.map(\.shortcode) == ["moon"])
    #expect(ada.url == "https://njump.me/\(ada.handle ?? "")" && ada.website == "https://ada.example/")
    let named = NostrThreads(
      try Fixture.events("thread.jsonl"), names: [ada.id.value: "ada@tides.example"],
      provenance: Provenance(source: .nostrEvents))
    #expect(named.author(ada.id)?.handle == "ada@tides.example")
  }

  @Test func quotedNoteLeavesTheText() throws {
    let post = try post("Tide 5")
    let thread = try thread()
    #expect(post.text.text == "Tide 5.")
    #expect(thread.related.map(\.id) == [post.quotes])
    #expect(thread.related.map(\.text.text) == ["The moon is 384,400 km away."])
  }

  @Test func picturesLeaveTheText() throws {
    let high = try post("Tide 10")
    #expect(high.text.text == "Tide 10.\n\nHigh water.")
    #expect(high.media.map(\.url) == ["https://media.example/high.jpg"])
    #expect(high.media[0].altText == "The harbor at high water")
    #expect(high.media[0].width == 1600 && high.media[0].height == 900)
    let low = try post("Tide 15")
    #expect(low.text.text == "Tide 15." && low.media.map(\.kind) == [.photo, .video])
    #expect(low.media[1].bestVideo?.url == "https://media.example/tide.mp4")
  }

  @Test func mentionsTagsAndLinksAreMarked() throws {
    let post = try post("Tide 30")
    #expect(post.text.text == "Tide 30. Ask @Bob Rivers and #harbors at https://tides.example/a.")
    let shown = post.text.segments.filter { $0.entity != nil }.map { String($0.text) }
    #expect(shown == ["@Bob Rivers", "#harbors", "https://tides.example/a"])
    guard case .mention(let handle, _, let id)? = post.text.entities.first?.kind else {
      Issue.record("no mention")
      return
    }
    #expect(id.map(NostrID.name(ofKey:)) == handle)
  }

  @Test func emojiAndWarnings() throws {
    #expect(try post("Tide 20").text.text == "Tide 20. :moon: :unknown:")
    #expect(try post("Tide 20").emoji.map(\.url) == ["https://media.example/moon.png"])
    #expect(try post("Tide 25").contentWarning == "Storms")
    let plain = try Signer().event("x", tags: [["content-warning"]])
    let post = try #require(try Fixture.threads([plain]).first?.posts.first)
    #expect(post.isSensitive && post.contentWarning == nil)
  }

  /// With and without markers (NIP-10).
  @Test func repliesNameTheirParents() throws {
    let events = try Fixture.events("thread.jsonl").filter { $0.kind == 1 && $0.content.hasPrefix("Tide ") }
    let root = NostrID.post(try #require(events.first).id)
    for (former, event) in zip(events, events.dropFirst()) {
      let answers = NostrThreads.parent(of: event) == NostrID.post(former.id) || event.content == "Tide 16."
      #expect(answers, "\(event.content)")
      if NostrThreads.root(of: event) != nil { #expect(NostrThreads.root(of: event) == root) }
    }
  }

  @Test func orderOfTheEventsMakesNoDifference() throws {
    let events = try Fixture.events("thread.jsonl") + Fixture.events("kinds.jsonl")
    let expected = try Fixture.threads(events)
    var random = SeededRandom()
    for _ in 0..<TestDepth.cases(fast: 5, deep: 200) {
      let shuffled = events.shuffled(using: &random) + events.prefix(10)
      #expect(try Fixture.threads(shuffled) == expected, "THREADSITE_SEED=\(SeededRandom.seedOfRun)")
    }
  }

  @Test func anyPostLeadsToTheThread() throws {
    let events = try Fixture.events("thread.jsonl")
    let threads = NostrThreads(events, provenance: Provenance(source: .nostrEvents))
    let thread = try thread()
    for position in [0, 20, 58] {
      #expect(threads.conversation(with: thread.posts[position].id) == thread)
    }
    let own = try #require(
      threads.conversation(with: thread.posts[20].id, of: thread.authorID, includesReplies: false))
    #expect(own.posts.allSatisfy { $0.authorID == thread.authorID } && own.posts.count == 39)
  }

  @Test func missingFirstPostLeavesOneThreadPerAuthor() throws {
    let events = try Fixture.events("thread.jsonl").filter { $0.content != "Tide 0." }
    let conversations = try Fixture.threads(events).filter { $0.posts.count > 1 }
    #expect(Set(conversations.map(\.id)).count == 1 && conversations.count == 2)
    #expect(conversations.allSatisfy { thread in !thread.posts.contains { $0.id == thread.id } })
  }
}

/// Articles, comments, pictures and polls.
@Suite struct KindTests {
  private func posts() throws -> [Post] { try Fixture.threads("kinds.jsonl").flatMap(\.posts) }

  @Test func newestVersionOfAnArticleCounts() throws {
    let conversation = try #require(try Fixture.threads("kinds.jsonl").first { $0.id.authority != nil })
    let article = try #require(conversation.posts.first { $0.id == conversation.id })
    #expect(article.title == "On tides" && article.id.authority == article.authorID.value)
    #expect(article.createdAt?.seconds == 1_760_000_000 && article.editedAt?.seconds == 1_760_000_100)
    #expect(article.id.value.hasPrefix("naddr1") && article.url == "https://njump.me/\(article.id.value)")
    let ada = NostrID.name(ofKey: article.authorID.value)
    #expect(
      article.text.text
        == "The moon\n\nTides follow the moon, as Newton wrote *once*.\n\n- one\n- two * 2\n\n# code https://code.example/\n\nBy @\(ada.prefix(12))…\(ada.suffix(4)) and snake_case_name."
    )
    #expect(
      article.text.entities.contains {
        if case .link("https://newton.example/a", nil) = $0.kind { true } else { false }
      })
    #expect(article.media.map(\.url) == ["https://media.example/cover", "https://media.example/harbor"])
    #expect(article.media.map(\.altText) == [nil, "A harbor"])
  }

  @Test func commentIsAReplyToTheArticle() throws {
    let conversation = try #require(try Fixture.threads("kinds.jsonl").first { $0.id.authority != nil })
    let comment = try #require(conversation.posts.first { $0.text.text == "Well said." })
    #expect(comment.inReplyTo == conversation.id && comment.inReplyToAuthor == conversation.authorID)
  }

  @Test func pictureHasItsTitleAndItsFiles() throws {
    let post = try #require(try posts().first { $0.text.text == "Low water at noon" })
    #expect(post.title == "Low water" && post.media.map(\.url) == ["https://media.example/noon"])
    #expect(post.media[0].altText == "Mud" && post.media[0].width == 30)
  }

  /// The latest vote of each account within the time of the poll counts.
  @Test func votesOfAPollAreCounted() throws {
    let poll = try #require(try posts().compactMap(\.poll).first)
    #expect(poll.options.map(\.label) == ["High", "Low"] && poll.options.map(\.votes) == [0, 2])
    #expect(poll.voters == 2 && !poll.allowsMultiple && poll.endsAt?.seconds == 1_760_005_000)
  }

  @Test func deletedVersionsOfAnArticleStayDeleted() throws {
    let signer = Signer()
    let tags = [["d", "x"], ["title", "X"]]
    let name = "30023:\(signer.key):x"
    func titles(_ events: NostrEvent...) throws -> [String] {
      try Fixture.threads(events).flatMap(\.posts).compactMap(\.title)
    }
    let first = try signer.event("1", kind: 30_023, tags: tags, at: 100)
    let second = try signer.event("2", kind: 30_023, tags: tags, at: 300)
    let deletion = try signer.event("", kind: 5, tags: [["a", name]], at: 200)
    let foreign = try Signer(9).event("", kind: 5, tags: [["a", name]], at: 400)
    #expect(try titles(first, deletion) == [])
    #expect(try titles(first, second, deletion, foreign) == ["X"])
  }
}

/// Events of granary's tests, which are in the public domain (CC0).
@Suite struct GranaryTests {
  private func post(_ start: String) throws -> Post {
    try #require(try Fixture.threads("granary.jsonl").flatMap(\.posts).first { $0.id.value.hasPrefix(start) })
  }

  @Test func notesArticleAndRepliesBecomeConversations() throws {
    let conversations = try Fixture.threads("granary.jsonl")
    #expect(conversations.map(\.posts.count).sorted() == [1, 1, 1, 1, 1, 1, 2])
    #expect(conversations.allSatisfy { $0.author?.name == "Alice" })
  }

  @Test func filesAreMedia() throws {
    let pictures = try post("51c9a64d")
    #expect(pictures.text.text == "Something to say")
    #expect(pictures.media.map(\.url) == ["http://pic/1.png", "http://pic/2"])
    #expect(pictures.media.map(\.altText) == [nil, "my alt text"])
    let files = try post("ed8312b0")
    #expect(files.text.text == "Something to say" && files.media.map(\.kind) == [.audio, .video])
  }

  @Test func replyNamesTheAuthorOfItsParent() throws {
    let reply = try post("51c8b67a")
    #expect(reply.inReplyTo?.value == "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
    #expect(
      reply.inReplyToAuthor?.value == "7d3fd9eea8a6b5521cb8f8bb1b79a00c3d6c92c2f11cd614017843ddd492194c")
  }

  @Test func referencesBecomeMentionsAndLinks() throws {
    let post = try #require(
      try Fixture.threads("granary.jsonl").flatMap(\.posts).first { $0.text.text.hasPrefix("Hey") })
    #expect(post.text.text == "Hey @Alice and @npub180cvv07…h6w6 and nevent1qqsrh…fkma and @Alice ok")
    #expect(post.quotes?.value == "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
  }

  @Test func articleHasItsTitle() throws {
    let article = try #require(
      try Fixture.threads("granary.jsonl").flatMap(\.posts).first { $0.title == "a thing" })
    #expect(article.text.text == "Something to say")
    guard case .replaceable(let name, _)? = NostrID.reference(article.id) else {
      Issue.record("not an article")
      return
    }
    #expect(name.identifier == "http://art/icle")
  }
}
