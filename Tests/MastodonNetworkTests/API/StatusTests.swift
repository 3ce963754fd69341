import Basics
import MastodonNetwork
import Testing
import ThreadModel

@Suite("Reading a status as a post")
struct StatusTests {
  private let server = MastodonServer("social.example")

  private func status(_ members: JSONObject = [:]) -> JSONValue {
    let all: JSONObject = [
      "id": "10", "content": "<p>Hello</p>", "visibility": "public", "created_at": "2026-01-02T03:04:05.678Z",
      "uri": "https://social.example/users/ada/statuses/10", "url": "https://social.example/@ada/10",
      "account": ["id": "1", "acct": "ada", "username": "ada", "display_name": "Ada :x:"],
    ].merging(members) { $1 }
    return .object(all)
  }

  private func post(_ members: JSONObject) throws -> Post {
    try MastodonStatus(status(members)).post(on: server, seenAt: nil)
  }

  private func conversation(_ members: JSONObject) throws -> Conversation {
    var fetchIndex = MastodonFetchIndex(server)
    fetchIndex.add(try MastodonStatus(status(members)), at: Timestamp(seconds: 1))
    return fetchIndex.conversation(from: "10", by: "1").conversation
  }

  @Test func readsFields() throws {
    let post = try post([
      "language": "de", "edited_at": "2026-01-03T00:00:00.000Z", "spoiler_text": "Spiders & <b>more</b>",
      "sensitive": true, "favourites_count": 3, "reblogs_count": 2, "replies_count": "1", "in_reply_to_id": 9,
      "in_reply_to_account_id": "1", "application": ["name": "Web"], "visibility": "unlisted",
    ])
    #expect(post.createdAt == Timestamp(iso8601: "2026-01-02T03:04:05.678Z"))
    #expect(post.editedAt == Timestamp(iso8601: "2026-01-03T00:00:00Z"))
    #expect(post.contentWarning == "Spiders & <b>more</b>" && post.isSensitive && post.language == "de")
    #expect(post.metrics == Metrics(likes: 3, replies: 1, reposts: 2))
    #expect(post.inReplyTo?.value == "9" && post.inReplyToAuthor?.value == "1")
    #expect(post.url == "https://social.example/@ada/10")
    #expect(post.extra["visibility"] == "unlisted" && post.extra["application"] == "Web")
  }

  @Test func readsPolls() throws {
    let open = try #require(
      try post([
        "poll": [
          "id": "7", "expires_at": nil, "expired": false, "multiple": true, "voters_count": nil,
          "options": [["title": "a", "votes_count": nil], ["title": "b <i>", "votes_count": 2]],
        ]
      ]).poll)
    #expect(open.status == .open && open.endsAt == nil && open.allowsMultiple && open.voters == nil)
    #expect(open.options == [PollOption("a"), PollOption("b <i>", votes: 2)])
  }

  @Test func readsMedia() throws {
    let media = try post([
      "media_attachments": [
        [
          "id": "1", "type": "image", "url": "https://f.example/a.png",
          "preview_url": "https://f.example/s.png",
          "description": "A cat",
          "meta": [
            "original": ["width": 640, "height": 480], "focus": ["x": .number("-0.5"), "y": .number("0.25")],
          ],
        ],
        [
          "id": 2, "type": "audio", "url": "https://f.example/a.mp3",
          "preview_url": "https://f.example/a.mp3",
          "description": "", "meta": ["original": ["duration": .number("12.5"), "bitrate": 192000]],
        ],
        [
          "id": "3", "type": "gifv", "url": "https://f.example/g.mp4",
          "preview_url": "https://f.example/g.png",
          "description": nil,
        ],
        ["type": "unknown", "url": nil, "remote_url": "https://elsewhere.example/x.bin"],
        ["id": "5", "type": "image", "url": "javascript:alert(1)"],
      ]
    ]).media
    #expect(media.map(\.kind) == [.photo, .audio, .gif, "unknown", .photo])
    #expect(media[0].altText == "A cat" && media[0].width == 640 && media[0].posterURL == nil)
    #expect(media[0].extra["focus"]?["x"]?.double == -0.5)
    #expect(media[1].posterURL == nil && media[1].durationMilliseconds == 12_500 && media[1].altText == nil)
    #expect(media[2].posterURL == "https://f.example/g.png")
    #expect(media[3].id == "10-3" && media[3].url == "https://elsewhere.example/x.bin")
    #expect(media[4].url == nil)
  }

  @Test(
    arguments: [
      ("pending", .quotePending), ("rejected", .quoteRejected), ("revoked", .quoteRevoked),
      ("unauthorized", .notShown), ("something_new", .notShown),
    ] as [(String, TombstoneReason)])
  func readsQuotesThatAreNotShown(_ state: String, _ reason: TombstoneReason) throws {
    let conversation = try conversation(["quote": ["state": .string(state), "quoted_status": nil]])
    #expect(conversation.related.isEmpty)
    let stone = try #require(conversation.tombstones.first)
    #expect(stone.reason == reason && stone.detail == nil && stone.id == conversation.posts.first?.quotes)
  }

  @Test func hidesQuotesOfBlockedAccounts() throws {
    let quoted = status(["id": "5", "account": ["id": "2", "acct": "bea@b.example", "username": "bea"]])
    for state in ["blocked_account", "blocked_domain", "muted_account"] {
      let conversation = try conversation(["quote": ["state": .string(state), "quoted_status": quoted]])
      #expect(conversation.related.isEmpty && conversation.tombstones.first?.reason == .blocked)
    }
    #expect(
      try conversation(["quote": ["state": "deleted", "quoted_status": nil]]).tombstones.first?.reason
        == .deleted)
    let shown = try conversation(["quote": ["state": "accepted", "quoted_status": quoted]])
    #expect(shown.related.first?.text.text == "Hello")
    #expect(Set(shown.authors.compactMap(\.handle)) == ["ada@social.example", "bea@b.example"])
    let hidden = status(["id": "5", "visibility": "private"])
    let withheld = try conversation(["quote": ["state": "accepted", "quoted_status": hidden]])
    #expect(withheld.related.isEmpty && withheld.tombstones.first?.reason == .protected)
    let shallow = try conversation(["quote": ["state": "accepted", "quoted_status_id": "5"]])
    #expect(shallow.posts.first?.quotes?.value == "5" && shallow.related.isEmpty)
  }

  @Test(arguments: ["private", "direct", "local", "list", "mutuals_only", "anything"])
  func skipsPostsThatAreNotPublic(_ visibility: String) throws {
    let conversation = try conversation(["visibility": .string(visibility), "content": "<p>secret</p>"])
    #expect(conversation.posts.isEmpty && conversation.related.isEmpty && conversation.authors.isEmpty)
    #expect(conversation.tombstones.first?.reason == .protected)
  }

  @Test func ignoresBoosts() throws {
    var fetchIndex = MastodonFetchIndex(server)
    let boost = try MastodonStatus(status(["reblog": status(["id": "3"])]))
    let isNew = fetchIndex.add(boost, at: Timestamp(seconds: 1))
    #expect(!isNew && fetchIndex.statuses.isEmpty)
  }

  @Test func rejectsAStatusWithoutVisibility() throws {
    #expect(throws: MastodonRefusal.unknownAudience("10")) { try MastodonStatus(status(["visibility": nil])) }
    #expect(throws: MastodonRefusal.notAStatus("no object")) { try MastodonStatus("text") }
  }

  @Test func readsCards() throws {
    let card = try #require(
      try post([
        "card": [
          "url": "https://example.org/a", "title": "T", "description": "", "type": "link", "width": "520",
          "height": 300,
          "image": "https://f.example/c.png", "html": "<iframe src='https://evil.example'>",
        ]
      ]).card)
    #expect(card.title == "T" && card.summary == nil && card.imageWidth == 520 && card.imageHeight == 300)
    #expect(try post(["card": ["url": "javascript:alert(1)", "title": "T"]]).card == nil)
  }

  /// A reply to another account's post names that account, and the posts below it in the chain also name it.
  @Test func readsAChainBelowAnotherAccountsPost() throws {
    var fetchIndex = MastodonFetchIndex(server)
    let bea: JSONValue = ["id": "2", "acct": "bea", "username": "bea"]
    for status in [
      status(["id": "1", "account": bea]),
      status(["id": "2", "in_reply_to_id": "1", "in_reply_to_account_id": "2"]),
      status(["id": "3", "in_reply_to_id": "2", "in_reply_to_account_id": "2"]),
      status(["id": "4", "in_reply_to_id": "3", "in_reply_to_account_id": "2", "account": bea]),
      status(["id": "5", "in_reply_to_id": "4", "in_reply_to_account_id": "1"]),
    ] { fetchIndex.add(try MastodonStatus(status), at: Timestamp(seconds: 1)) }
    #expect(fetchIndex.top(of: "3") == "2")
    let (own, _) = fetchIndex.conversation(from: "2", by: "1")
    #expect(own.posts.map(\.id.value) == ["2", "3"] && own.related.map(\.id.value) == ["1"])
    let (all, _) = fetchIndex.conversation(from: "2", by: "1", withReplies: true)
    #expect(all.posts.map(\.id.value) == ["2", "3", "4", "5"])
  }
}
