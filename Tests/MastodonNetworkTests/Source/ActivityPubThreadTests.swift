import Basics
import Foundation
import LoopbackServer
import MastodonStub
import SourceHarness
import Synchronization
import TestSupport
import Testing
import ThreadModel

/// Threads of a server with a closed API, read over ActivityPub as other servers read them.
@Suite struct ActivityPubThreadTests {
  /// The expected thread of a world: its own posts 1/30 to 30/30 in order.
  static func expected(_ world: MastodonStub.World) -> [(id: String, text: String)] {
    (1...30).compactMap { world.statuses[1000 + $0 * 10] }.map { status in
      (world.name(status.id), MastodonStub.shown(status.content))
    }
  }

  static func expect(
    _ fetching: MastodonFetch, holds expected: [(id: String, text: String)],
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let conversations = fetching.conversations
    #expect(conversations.count == 1, sourceLocation: place)
    let posts = conversations.flatMap(\.posts).sorted {
      ($0.createdAt?.milliseconds ?? 0) < ($1.createdAt?.milliseconds ?? 0)
    }
    #expect(posts.map(\.id.value) == expected.map(\.id), sourceLocation: place)
    #expect(posts.map(\.text.text) == expected.map(\.text), sourceLocation: place)
  }

  @Test(arguments: [ActivityStub.Style.snac, .mastodon], [1, 15, 30])
  func fetchesThirtyPostsFromAnyOfThem(_ style: ActivityStub.Style, _ number: Int) async throws {
    let world = ActivityStub.thread(style)
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add(ActivityStub.page(1000 + number * 10, world))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try Self.expect(fetching, holds: Self.expected(world))
    let conversation = try #require(fetching.conversations.first)
    #expect(conversation.coverage.limits.isEmpty && conversation.tombstones.isEmpty)
    #expect(conversation.provenance.map(\.source) == [.activityPub])
    #expect(
      conversation.author?.handle == "ada@social.example"
        && conversation.author?.bio?.text == "Writes things")
    #expect(conversation.author?.avatarURL == "https://files.social.example/ada.png")
    #expect(conversation.author?.emoji == [world.blobcat])
    // The API is requested once, and each post needs at most two requests.
    #expect(fetching.stub.requests.filter { $0.path.hasPrefix("/api/") }.count == 1)
    #expect(fetching.stub.requests.count <= 64 && fetching.stub.requests.allSatisfy { !$0.hasToken })
  }

  /// snac lists the latest twenty entries of an outbox; two of them are of another thread.
  @Test(arguments: [1, 15, 30]) func readsTheOutboxWithoutListsOfReplies(_ number: Int) async throws {
    let world = ActivityStub.thread(.snac) { $0.listsReplies = false }
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add(ActivityStub.page(1000 + number * 10, world))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try Self.expect(fetching, holds: Self.expected(world))
    #expect(fetching.conversations.first?.coverage.limits.isEmpty == true)
  }

  @Test func outboxLeadsPastADeletedPost() async throws {
    let world = ActivityStub.thread(.snac) { stub in
      stub.listsReplies = false
      stub.deleted = [1200]
    }
    let fetching = try MastodonFetch(world)
    #expect(try await fetching.add(ActivityStub.page(1010, world)).hasSucceeded)
    try Self.expect(fetching, holds: Self.expected(world).filter { !$0.text.hasPrefix("20/") })
    let stones = fetching.conversations.flatMap(\.tombstones)
    #expect(stones.map(\.id.value) == [world.name(1200)] && stones.map(\.reason) == [.deleted])
  }

  @Test func reportsAnOutboxThatIsTooShort() async throws {
    var world = ActivityStub.thread(.snac) { $0.listsReplies = false }
    for number in 0..<30 {
      world.statuses[3000 + number] = MastodonStub.Status(
        id: 3000 + number, account: "ada", content: "<p>Later</p>")
    }
    let fetching = try MastodonFetch(world)
    #expect(try await fetching.add(ActivityStub.page(1150, world)).hasSucceeded)
    try Self.expect(fetching, holds: Array(Self.expected(world).prefix(15)))
    #expect(fetching.conversations.first?.coverage.limits.map(\.kind) == [.climbing])
  }

  @Test func listOfTheConversationFindsPostsBelowAGap() async throws {
    var world = ActivityStub.thread(.mastodon) { $0.listsContexts = true }
    world.statuses[1150]?.visibility = "private"
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add(ActivityStub.page(1010, world))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try Self.expect(fetching, holds: Self.expected(world).filter { !$0.text.hasPrefix("15/") })
    #expect(fetching.conversations.first?.tombstones.map(\.id.value) == ["1150"])
    #expect(!fetching.contains("15/30"))
  }

  /// Another server with an open API has a copy; the author's server has a closed one.
  @Test(arguments: [ActivityStub.Style.snac, .mastodon])
  func copyOnAnotherServerLeadsToTheOriginal(_ style: ActivityStub.Style) async throws {
    var world = ActivityStub.thread(style)
    world.statuses[1150]?.visibility = "public"
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add("https://other.example/@ada@social.example/6150")
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try Self.expect(fetching, holds: Self.expected(world))
    #expect(fetching.stub.requests.first?.path == "/other/api/v1/statuses/6150")
  }

  /// snac calls its own accounts by their full handles.
  @Test func readsSnacsAPIWithAToken() async throws {
    let world = ActivityStub.thread(.snac)
    let fetching = try MastodonFetch(world, environment: ["SESAME": "sesame-9f8e7d6c"])
    try fetching.configure(server: "      token_env: SESAME\n")
    let outcome = try await fetching.add(ActivityStub.page(1100, world))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try Self.expect(fetching, holds: Self.expected(world))
    #expect(fetching.conversations.first?.author?.handle == "ada@social.example")
    #expect(fetching.conversations.first?.provenance.map(\.source) == [.mastodonAPI])
    // Without the token, each post is requested by its URL.
    try fetching.configure()
    let open = try await fetching.fetchAll()
    #expect(open.hasSucceeded, "\(open.errors)")
    try Self.expect(fetching, holds: Self.expected(world))
  }

  @Test func recheckFindsDeletedAndNewPosts() async throws {
    let world = ActivityStub.thread(.snac)
    let fetching = try MastodonFetch(world)
    #expect(try await fetching.add(ActivityStub.page(1010, world)).hasSucceeded)
    fetching.stub.change { world in
      world.activity?.deleted = [1150]
      world.statuses[1200]?.visibility = "private"
      world.statuses[1310] = MastodonStub.Status(
        id: 1310, account: "ada", content: "<p>31, at last</p>", parent: 1300)
      world.activity?.notes[1300] = ["content": "<p>30/30, edited</p>", "updated": "2026-01-01T00:00:00Z"]
    }
    let again = try await fetching.fetchAll()
    #expect(again.hasSucceeded, "\(again.errors)")
    let conversation = try #require(fetching.conversations.first)
    let texts = conversation.posts.map(\.text.text)
    #expect(conversation.posts.count == 29)
    #expect(texts.contains("31, at last") && texts.contains("30/30, edited"))
    #expect(!texts.contains { $0.hasPrefix("15/30") || $0.hasPrefix("20/30") })
    let reasons = Dictionary(uniqueKeysWithValues: conversation.tombstones.map { ($0.id.value, $0.reason) })
    #expect(reasons == [world.name(1150): .deleted, world.name(1200): .notFound])
    // Then the account itself.
    fetching.stub.change { world in
      world.activity?.deleted = Set(world.statuses.keys)
      world.accounts = []
    }
    #expect(try await fetching.fetchAll().hasSucceeded)
    let closed = try #require(fetching.conversations.first)
    #expect(
      closed.posts.isEmpty && closed.author?.removal?.reason == .deleted && closed.author?.bio == nil)
  }

  @Test func readsThePartsOfAPost() async throws {
    let world = ActivityStub.thread(.mastodon) { stub in
      stub.notes[1020] = [
        "type": "Question",
        "oneOf": [
          ["name": "Tea", "replies": ["totalItems": 3]], ["name": "Rain", "replies": ["totalItems": 4]],
        ],
        "endTime": "2024-01-01T00:00:00Z", "votersCount": 7,
      ]
      stub.notes[1030] = [
        "summary": "About spiders", "sensitive": true, "updated": "2024-05-05T00:00:00Z",
        "content": "<p>3/30 a cat :blobcat:</p>",
        "tag": [
          [
            "type": "Emoji", "name": ":blobcat:",
            "icon": ["url": "https://files.social.example/blobcat.png"],
          ]
        ],
        "attachment": [
          [
            "type": "Document", "mediaType": "image/png", "name": "A spider", "width": 40, "height": 30,
            "url": "https://files.social.example/media_attachments/files/110/000/001/original/a.png",
          ]
        ],
      ]
      stub.notes[1040] = [
        "quote": "https://other.example/users/carl/statuses/5",
        "quoteAuthorization": "https://other.example/a/1",
      ]
      stub.notes[1050] = ["quote": "https://other.example/users/carl/statuses/6"]
      stub.elsewhere["/users/carl/statuses/5"] = [
        "type": "Note", "id": "https://other.example/users/carl/statuses/5",
        "attributedTo": "https://other.example/users/carl", "to": "as:Public",
        "content": "<p>What is quoted</p>",
        "published": "2023-01-01T00:00:00Z",
      ]
      stub.elsewhere["/users/carl"] = [
        "type": "Person", "id": "https://other.example/users/carl", "preferredUsername": "carl",
        "name": "Carl",
      ]
    }
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add(ActivityStub.page(1010, world))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let conversation = try #require(fetching.conversations.first)
    func post(_ id: String) throws -> Post { try #require(conversation.posts.first { $0.id.value == id }) }
    #expect(try post("1020").poll?.options.map(\.votes) == [3, 4] && post("1020").poll?.voters == 7)
    let third = try post("1030")
    #expect(third.contentWarning == "About spiders" && third.isSensitive && third.editedAt != nil)
    #expect(third.media.map(\.altText) == ["A spider"] && third.media.first?.id == "110000001")
    #expect(third.emoji == [world.blobcat])
    let quoted = PostID("5", by: "other.example", on: .mastodon)
    #expect(try post("1040").quotes == quoted)
    #expect(
      conversation.related.map(\.id) == [quoted]
        && conversation.related.first?.text.text == "What is quoted")
    let carl = try #require(conversation.authors.first { $0.name == "Carl" })
    #expect(carl.handle == "carl@other.example" && carl.id.authority == "other.example")
    // The other quote has no approval of the quoted author.
    #expect(conversation.tombstones.map(\.id) == [PostID("6", by: "other.example", on: .mastodon)])
  }

  @Test func fetchesRepliesOfOthersOnRequest() async throws {
    var world = ActivityStub.thread(.snac)
    let foreign = "https://other.example/users/carl/statuses/5"
    let (first, second) = (ActivityStub.page(1010, world), ActivityStub.page(1020, world))
    world.activity?.notes[1010] = [
      "replies": [
        "type": "Collection",
        "items": [
          .string(second),
          .string(foreign), "http://127.0.0.1:1/users/x/statuses/1", 7,
        ],
      ]
    ]
    world.activity?.elsewhere["/users/carl/statuses/5"] = [
      "type": "Note", "id": .string(foreign), "attributedTo": "https://other.example/users/carl",
      "to": "as:Public",
      "inReplyTo": .string(first), "content": "<p>From far away</p>",
      "published": "2024-01-01T00:00:00Z",
    ]
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add(ActivityStub.page(1010, world), withReplies: true)
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    let conversation = try #require(fetching.conversations.first)
    let texts = conversation.posts.map(\.text.text)
    #expect(
      texts.contains("An answer to 8") && texts.contains("Thank you, Bea")
        && texts.contains("From far away"))
    #expect(
      conversation.posts.first { $0.text.text == "From far away" }?.id
        == PostID("5", by: "other.example", on: .mastodon))
    #expect(
      conversation.authors.map(\.handle).compactMap(\.self).sorted() == [
        "ada@social.example", "bea@social.example", "carl@other.example",
      ])
  }

  static let lies: [(JSONObject, String)] = [
    (["id": "https://victim.example/ada/p/1700060600.001010"], "a different server"),
    (["attributedTo": "https://victim.example/ada"], "a different server"),
    (["id": "https://social.example/ada/p/1700060600.009999"], "instead of the post"),
    (["attributedTo": ["https://social.example/ada", "https://social.example/bea"]], "token_env"),
    (["to": [], "cc": []], "this post is not public"),
    (["type": "Article"], "token_env"),
  ]

  @Test(arguments: lies)
  func rejectsFalseData(_ lies: JSONObject, _ words: String) async throws {
    let world = ActivityStub.thread(.snac) { $0.note = lies }
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add(ActivityStub.page(1010, world))
    #expect(!outcome.hasSucceeded && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(fetching.conversations.isEmpty)
  }

  /// An outbox contains full posts that are not requested from their own server. Only the account's own posts
  /// are accepted.
  @Test func outboxCountsOnlyForItsOwnAccount() async throws {
    let world = ActivityStub.thread(.snac) { stub in
      stub.listsReplies = false
      stub.notes[1300] = [
        "id": "https://other.example/users/carl/statuses/7",
        "attributedTo": "https://other.example/users/carl", "content": "<p>Never said</p>",
      ]
      stub.notes[1290] = ["attributedTo": "https://social.example/bea", "content": "<p>Never said</p>"]
      stub.elsewhere["/users/carl"] = [
        "type": "Person", "id": "https://other.example/users/carl", "preferredUsername": "carl",
      ]
    }
    let fetching = try MastodonFetch(world)
    #expect(try await fetching.add(ActivityStub.page(1010, world), withReplies: true).hasSucceeded)
    let found = fetching.conversations.flatMap { $0.posts + $0.related }
    #expect(found.count >= 28 && !found.contains { $0.text.text == "Never said" })
  }

  /// False data within a thread leaves a gap.
  @Test(arguments: [1010, 1300]) func skipsAFalsePostWithinAThread(_ given: Int) async throws {
    let world = ActivityStub.thread(.snac) { stub in
      stub.notes[1150] = ["attributedTo": "https://social.example/bea"]
      stub.notes[1160] = ["id": "https://victim.example/ada/p/1700069600.001160"]
    }
    let fetching = try MastodonFetch(world)
    #expect(try await fetching.add(ActivityStub.page(given, world)).hasSucceeded)
    let found = fetching.conversations.flatMap(\.posts).map(\.text.text)
    #expect(!found.contains { $0.hasPrefix("15/") || $0.hasPrefix("16/") })
    #expect(found.filter { $0.contains("/30") }.count >= 14)
  }

  @Test func rejectsOtherContentTypes() async throws {
    for type in ["text/html", "application/json", "text/plain"] {
      let fetching = try MastodonFetch(ActivityStub.thread(.snac) { $0.contentType = type })
      let world = fetching.stub.world.withLock { $0 }
      let outcome = try await fetching.add(ActivityStub.page(1010, world))
      #expect(
        !outcome.hasSucceeded && outcome.errors.contains(type) && outcome.errors.contains("token_env"),
        "\(outcome.errors)")
      #expect(fetching.conversations.isEmpty)
    }
  }

  @Test func reportsClosedAndDeletedPosts() async throws {
    let world = ActivityStub.thread(.mastodon) { $0.isClosed = true }
    let fetching = try MastodonFetch(world)
    let closed = try await fetching.add(ActivityStub.page(1010, world))
    #expect(
      !closed.hasSucceeded && closed.errors.contains("token_env")
        && closed.errors.contains("host: social.example"))
    fetching.stub.change { world in
      world.activity?.isClosed = false
      world.activity?.deleted = [1010]
    }
    let gone = try await fetching.add(ActivityStub.page(1010, world))
    #expect(!gone.hasSucceeded && gone.errors.contains("was deleted"), "\(gone.errors)")
    let missing = try await fetching.add("https://social.example/@ada/77")
    #expect(!missing.hasSucceeded && missing.errors.contains("no such post"), "\(missing.errors)")
    #expect(fetching.conversations.isEmpty)
  }

  @Test func stopsAtEndlessLists() async throws {
    let world = ActivityStub.thread(.snac) { $0.isEndless = true }
    let fetching = try MastodonFetch(world)
    let outcome = try await fetching.add(ActivityStub.page(1300, world))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    try Self.expect(fetching, holds: Self.expected(world))
    #expect(fetching.stub.requests.count < 400)
    #expect(fetching.conversations.first?.coverage.limits.map(\.kind) == [.timelineCut])
  }

  @Test func circularRepliesTerminate() async throws {
    let world = ActivityStub.thread(.snac)
    let circle = try #require(world.statuses[1300].flatMap { ActivityStub.address(of: $0, world) })
    let fetching = try MastodonFetch(world)
    fetching.stub.change { $0.activity?.notes[1010] = ["inReplyTo": .string(circle)] }
    let outcome = try await fetching.add(ActivityStub.page(1150, world))
    #expect(outcome.hasSucceeded, "\(outcome.errors)")
    #expect(fetching.conversations.first?.posts.count == 30)
  }

  @Test func rejectsRedirectsToOtherHosts() async throws {
    let world = ActivityStub.thread(.snac)
    let fetching = try MastodonFetch(world)
    for target in ["https://10.0.0.1/ada", "https://[::ffff:192.168.0.1]/", "file:///etc/passwd"] {
      fetching.stub.fail(MastodonStub.json([:], status: 401), .redirect(to: target))
      let outcome = try await fetching.add(ActivityStub.page(1010, world))
      #expect(!outcome.hasSucceeded && outcome.errors.contains("error:"), "\(outcome.errors)")
      #expect(fetching.conversations.isEmpty)
    }
  }
}
