import Basics
import Foundation
import MastodonNetwork
import MastodonStub
import SiteConfig
import SourceHarness
import TestSupport
import Testing
import ThreadModel

/// Threads of a server of the Misskey family, read without a token.
@Suite struct MisskeyThreadTests {
  /// A stub server, and the network's source that reads it.
  private final class MisskeyFetch: Sendable {
    let stub: MisskeyStub
    private let harness: SourceHarness

    init(_ world: MisskeyStub.World) throws {
      stub = try MisskeyStub(world)
      harness = try SourceHarness(MastodonSource(), configuration: stub.settings)
    }

    deinit { stub.stop() }

    var conversations: [Conversation] { harness.conversations }
    /// The posts of all conversations in the order of their time.
    var posts: [Post] {
      conversations.flatMap(\.posts).sorted {
        ($0.createdAt?.milliseconds ?? 0) < ($1.createdAt?.milliseconds ?? 0)
      }
    }

    func add(_ number: Int, withReplies: Bool = false) async throws -> SourceHarness.Outcome {
      try await harness.add(MisskeyStub.address(number), withReplies: withReplies)
    }
    func fetchAll() async throws -> SourceHarness.Outcome { try await harness.fetchAll() }
    func profile(of author: AuthorID) async throws -> Profile? {
      try await harness.profile(of: author, followers: 0)
    }
    func contains(_ text: String) -> Bool { harness.contains(text) }
  }

  @Test(arguments: [1, 15, 30], [false, true])
  func fetchesThirtyPostsFromAnyOfThem(_ number: Int, _ hasTrees: Bool) async throws {
    var world = MisskeyStub.thread()
    world.hasTrees = hasTrees
    let fetching = try MisskeyFetch(world)
    let outcome = try await fetching.add(number * 10)
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let conversation = try #require(fetching.conversations.first)
    #expect(fetching.conversations.count == 1)
    #expect(fetching.posts.map(\.id.value) == (1...30).map { MisskeyStub.id($0 * 10) })
    #expect(
      fetching.posts.map(\.text.text) == (1...30).map { "\($0)/30 Notes & <queries> :blobcat: 12:30:00" })
    #expect(conversation.id.value == MisskeyStub.id(10) && conversation.id.authority == MisskeyStub.host)
    #expect(conversation.coverage.limits.isEmpty && conversation.tombstones.isEmpty)
    #expect(conversation.provenance.map(\.source) == ["misskey-api"])
    let author = try #require(conversation.author)
    #expect(author.handle == "ada@misskey.example" && author.name == "Ada :blobcat:")
    #expect(author.url == "https://misskey.example/@ada" && author.id.value == "u-ada")
    let blobcat = CustomEmoji(shortcode: "blobcat", url: "https://files.misskey.example/blobcat.webp")
    #expect(author.emoji == [blobcat] && fetching.posts.allSatisfy { $0.emoji == [blobcat] })
    let first = try #require(fetching.posts.first)
    #expect(first.url == MisskeyStub.address(10) && first.metrics.likes == 5)
    // The emoji is requested once, and each post with replies needs one request.
    #expect(fetching.stub.requests.filter { $0 == "/api/emoji" }.count == 1)
    #expect(fetching.stub.requests.count <= 36, "\(fetching.stub.requests)")
  }

  @Test func readsRepliesOfOthersIfWanted() async throws {
    let fetching = try MisskeyFetch(MisskeyStub.thread())
    #expect(try await fetching.add(10, withReplies: true).hasSucceeded)
    #expect(fetching.posts.count == 36)
    let bea = fetching.conversations.flatMap(\.authors).first { $0.id.value == "u-bea" }
    #expect(bea?.handle == "bea@other.example" && bea?.url == "https://other.example/@bea")
    #expect(fetching.posts.contains { $0.text.text == "Thank you, Bea" })
  }

  /// A chain above the page size of `notes/conversation`, and more replies than a page has.
  @Test func readsLongChainsAndManyReplies() async throws {
    var world = MisskeyStub.World()
    for number in 1...250 { world.add(.init(number, "\(number)", parent: number > 1 ? number - 1 : nil)) }
    for number in 1...230 { world.add(.init(1000 + number, by: "bea@other.example", "reply", parent: 100)) }
    let fetching = try MisskeyFetch(world)
    let outcome = try await fetching.add(250)
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(fetching.posts.map(\.text.text) == (1...250).map { "\($0)" })
    #expect(fetching.conversations.first?.coverage.limits.isEmpty == true)
  }

  @Test(arguments: ["followers", "specified"]) func privateNotesBecomeGaps(_ visibility: String) async throws
  {
    var world = MisskeyStub.thread()
    world.notes[150]?.visibility = visibility
    // Not every server hides the content.
    world.notes[150]?.more = ["text": "secret", "cw": "secret"]
    for number in [10, 300] {
      let fetching = try MisskeyFetch(world)
      #expect(try await fetching.add(number).hasSucceeded)
      let stones = fetching.conversations.flatMap(\.tombstones)
      #expect(fetching.posts.count == 29 && fetching.conversations.count == 1)
      #expect(stones.map(\.id.value) == [MisskeyStub.id(150)] && stones.map(\.reason) == [.protected])
      #expect(!fetching.contains("secret"))
      let outcome = try await fetching.add(150)
      #expect(!outcome.hasSucceeded && outcome.errors.contains("not public"), "\(outcome.errors)")
    }
  }

  @Test(
    arguments: [["localOnly": true], ["isHidden": true], ["visibility": "unlisted"], ["localOnly": "x"]]
      as [JSONObject])
  func neverStoresNotesThatAreNotForEverybody(_ change: JSONObject) async throws {
    var world = MisskeyStub.World()
    world.add(.init(1, "secret", change))
    let fetching = try MisskeyFetch(world)
    let outcome = try await fetching.add(1)
    #expect(!outcome.hasSucceeded && outcome.errors.contains("not public"), "\(outcome.errors)")
    #expect(fetching.conversations.isEmpty)
  }

  @Test func readsQuotesPollsAndFiles() async throws {
    var world = MisskeyStub.World()
    world.add(
      .init(1, by: "bea@other.example", "quoted"), .init(2, "secret", visibility: "followers"),
      .init(
        3, "one", renote: 1,
        [
          "cw": "",
          "files": [
            [
              "id": "f1", "type": "video/mp4", "url": "https://files.misskey.example/a.mp4",
              "comment": "A cat",
              "thumbnailUrl": "https://files.misskey.example/a.webp",
              "properties": ["width": 640, "height": 480],
            ],
            [
              "id": "f2", "type": "image/png", "url": "javascript:alert(1)", "comment": nil,
              "properties": [:],
            ],
          ], "fileIds": ["f1", "f2"],
        ]),
      .init(
        4, "two", parent: 3, renote: 2,
        [
          "poll": [
            "multiple": false, "expiresAt": "2024-05-03T00:00:00.000Z",
            "choices": [
              ["text": "a", "votes": 2, "isVoted": false], ["text": "b", "votes": 0, "isVoted": false],
            ],
          ]
        ]))
    let fetching = try MisskeyFetch(world)
    #expect(try await fetching.add(4).hasSucceeded)
    let posts = fetching.posts.filter { $0.authorID.value == "u-ada" }
    try #require(posts.count == 2)
    #expect(
      posts[0].quotes?.value == MisskeyStub.id(1) && posts[0].isSensitive && posts[0].contentWarning != nil)
    #expect(
      posts[0].media.map(\.kind) == [.video, .photo] && posts[0].media.map(\.altText) == ["A cat", nil])
    #expect(
      posts[0].media[0].posterURL == "https://files.misskey.example/a.webp" && posts[0].media[1].url == nil)
    #expect(posts[1].poll?.options == [PollOption("a", votes: 2), PollOption("b", votes: 0)])
    #expect(posts[1].poll?.status == .closed)
    let conversation = try #require(fetching.conversations.first)
    #expect(conversation.related.map(\.text.text) == ["quoted"])
    #expect(conversation.related.first?.url == "https://other.example/users/bea/statuses/1")
    #expect(conversation.tombstones.map(\.reason) == [.protected] && !fetching.contains("secret"))
  }

  /// Emoji in the form of Misskey 12 and Firefish, an emoji of the server, and an unknown one.
  @Test func findsEmoji() async throws {
    var world = MisskeyStub.World()
    world.emoji = ["blobcat": "https://files.misskey.example/blobcat.webp"]
    let known: JSONValue = [["name": "star", "url": "https://files.misskey.example/star.png"]]
    world.add(.init(1, ":star: :blobcat: :unknown:", ["emojis": known]))
    let fetching = try MisskeyFetch(world)
    let outcome = try await fetching.add(1)
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(fetching.posts.first?.emoji.map(\.shortcode) == ["blobcat", "star"])
    #expect(fetching.stub.requests.filter { $0 == "/api/emoji" }.count == 2, "\(fetching.stub.requests)")
  }

  @Test func explainsBoostsAndMissingNotes() async throws {
    let fetching = try MisskeyFetch(MisskeyStub.thread())
    let boost = try await fetching.add(306)
    #expect(
      boost.errors.contains("boost") && boost.errors.contains(MisskeyStub.address(10)), "\(boost.errors)")
    let missing = try await fetching.add(999)
    #expect(missing.errors.contains("has no public post"), "\(missing.errors)")
    #expect(fetching.conversations.isEmpty)
  }

  /// Some servers have notes at Misskey's URLs, but only Mastodon's API.
  @Test func asksMastodonsAPIIfTheServerHasNoOther() async throws {
    var world = MisskeyStub.World()
    world.isMisskey = false
    let fetching = try MisskeyFetch(world)
    let outcome = try await fetching.add(1)
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(fetching.posts.map(\.text.text) == ["one"] && fetching.posts.first?.id.value == MisskeyStub.id(1))
  }

  @Test func rejectsAnotherNoteThanTheRequestedOne() async throws {
    var world = MisskeyStub.thread()
    world.lies = ["id": .string(MisskeyStub.id(20))]
    let fetching = try MisskeyFetch(world)
    let outcome = try await fetching.add(10)
    #expect(outcome.errors.contains("rejected") && fetching.conversations.isEmpty, "\(outcome.errors)")
  }

  @Test(
    arguments: [
      ["user": nil], ["user": 7], ["user": ["id": "../x", "username": "a"]], ["visibility": nil],
      ["user": ["id": "1", "username": "a@evil.example"]],
      ["text": ["a": 1], "files": 7, "poll": [], "reactions": "x"],
      ["replyId": .string(MisskeyStub.id(10))], ["files": .array(Array(repeating: ["type": 7], count: 1000))],
    ] as [JSONObject])
  func survivesFalseMembers(_ lies: JSONObject) async throws {
    var world = MisskeyStub.World()
    world.add(.init(10, "one"), .init(20, "two", parent: 10))
    world.lies = lies
    let fetching = try MisskeyFetch(world)
    _ = try await fetching.add(20)
    #expect(fetching.posts.allSatisfy { $0.id.authority == MisskeyStub.host && $0.media.count <= 100 })
    #expect(!fetching.contains("evil.example"))
    #expect(fetching.stub.requests.count < 30, "\(fetching.stub.requests.count)")
  }

  @Test func recheckFindsChangedNewAndDeletedNotes() async throws {
    let fetching = try MisskeyFetch(MisskeyStub.thread())
    #expect(try await fetching.add(10).hasSucceeded)
    fetching.stub.change { world in
      world.notes[20]?.text = "edited"
      world.notes[20]?.more["updatedAt"] = "2026-01-01T00:00:00.000Z"
      world.notes[300] = nil
      world.add(.init(303, "new", parent: 290))
    }
    let outcome = try await fetching.fetchAll()
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let texts = Set(fetching.posts.map(\.text.text))
    #expect(texts.contains("edited") && texts.contains("new"))
    #expect(!texts.contains { $0.hasPrefix("30/30") })
  }

  @Test func readsTheProfile() async throws {
    let fetching = try MisskeyFetch(MisskeyStub.thread())
    let profile = try await fetching.profile(of: AuthorID("u-ada", by: MisskeyStub.host, on: .mastodon))
    #expect(profile?.author.bio?.text == "Writes things at https://ada.example/")
    #expect(profile?.author.followers == 10 && profile?.author.handle == "ada@misskey.example")
  }
}

/// URLs of notes.
@Suite struct MisskeyAddressTests {
  @Test(arguments: [
    "9sxk2v1001", "9sxk2v100100ab00", "65a1b2c3d4e5f60718293a4b", "01HQ2N5T7X9YB3C4D5E6F7G8H9",
  ])
  func readsNotes(_ id: String) throws {
    let address = try NetworkAddress("https://Misskey.example/notes/\(id)?a=1#b")
    let post = try #require(try MastodonAddresses().post(address))
    #expect(post.postID == PostID(id, by: "misskey.example", on: .mastodon))
    #expect(post.address == "https://misskey.example/notes/\(id)")
    let beside = try #require(MastodonAddresses().post(named: id, besides: post))
    #expect(beside == post)
  }

  @Test(arguments: [
    "notes/my-first-garden", "notes/", "notes/9sxk2v1001/more", "notes/9SXK2V1001",
  ])
  func otherPagesAreNotNotes(_ path: String) throws {
    #expect(try MastodonAddresses().post(NetworkAddress("https://blog.example/\(path)")) == nil)
  }

  @Test func linksOfNotesNeedNoHandle() {
    let note = PostID("9sxk2v1001", by: "misskey.example", on: .mastodon)
    #expect(MastodonLinks().url(of: note, handle: nil) == "https://misskey.example/notes/9sxk2v1001")
  }
}
