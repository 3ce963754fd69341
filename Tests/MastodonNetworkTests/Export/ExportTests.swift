import Basics
import Foundation
import MastodonNetwork
import NetworkSources
import TestSupport
import Testing
import ThreadModel

@Suite("Exports of Mastodon and related software")
struct ExportTests {
  private let folder: TemporaryFolder
  private static let followers = InventedExport.actor + "/followers"

  init() throws { folder = try TemporaryFolder() }

  private static func id(_ id: Int) -> PostID { PostID("\(id)", by: "social.example", on: .mastodon) }

  /// A thread of three posts with a photo, a reply to someone else, and a boost.
  private var sample: InventedExport {
    var export = InventedExport()
    export.entries = [
      InventedExport.post(
        103, "three", answers: InventedExport.address(102), to: [Self.followers], cc: ["as:Public"]),
      InventedExport.post(
        101, "one",
        [
          "attachment": [
            [
              "type": "Document", "mediaType": "image/png", "name": "A star",
              "url": "/bucket/media_attachments/files/110/285/480/original/a.png", "width": 400,
              "height": 300,
              "focalPoint": [.number("0.5"), .number("-0.25")],
            ],
            [
              "type": "Document", "mediaType": "video/mp4",
              "url": "media_attachments/files/000/000/007/original/b.mp4",
            ],
          ]
        ]),
      [
        "type": "Announce", "actor": .string(InventedExport.actor), "published": "2024-05-09T00:00:00Z",
        "object": "https://other.example/users/bob/statuses/5",
      ],
      InventedExport.post(102, "two", answers: InventedExport.address(101)),
      InventedExport.post(109, "to bob", answers: "https://other.example/users/bob/statuses/5"),
      InventedExport.post(110, "and on", answers: InventedExport.address(109)),
      InventedExport.post(120, "alone"),
    ]
    export.files = [
      "bucket/media_attachments/files/110/285/480/original/a.png": InventedExport.png,
      "avatar.png": InventedExport.png + Data([1]), "likes.json": Data("{".utf8), "bookmarks.json": Data(),
    ]
    return export
  }

  // MARK: Imported posts

  @Test(arguments: InventedExport.Form.allCases)
  func everyFormatGivesTheSame(form: InventedExport.Form) throws {
    let read = try ReadExport(sample.write(form, in: folder))
    let conversation = try #require(read.conversations.first)
    #expect(read.conversations.count == 1)
    #expect(conversation.id == Self.id(101))
    #expect(Set(conversation.posts.map(\.id)) == [Self.id(101), Self.id(102), Self.id(103)])
    let posts = read.posts()
    #expect(posts["two"]?.inReplyTo == Self.id(101) && posts["three"]?.inReplyTo == Self.id(102))
    #expect(posts["one"]?.url == "https://social.example/@ada/101")
    #expect(posts["one"]?.createdAt == Timestamp(iso8601: "2024-05-02T10:11:00Z"))
    #expect(posts["one"]?.language == "en")
    let media = try #require(posts["one"]?.media)
    #expect(media.map(\.id) == ["110285480", "7"], "the IDs of the API")
    #expect(media.first?.altText == "A star" && media.first?.width == 400)
    #expect(media.first?.extra["focus"]?["y"]?.double == -0.25)
    #expect(media.first?.file == "file-329" && media.first?.isFileFromArchive == true)
    #expect(media.last?.file == nil && media.last?.kind == .video)
    #expect(read.plan.mediaMissing == ["media_attachments/files/000/000/007/original/b.mp4"])
    #expect(read.files.values.contains(Array(InventedExport.png)))
    #expect(
      read.plan.leftOut.words == [
        "1 post in no thread or in a short thread",
        "2 replies to others (--with-replies imports their threads)", "1 boost of another's post",
      ])
    let author = try #require(conversation.authors.first)
    #expect(author.id == AuthorID("acct.ada", by: "social.example", on: .mastodon))
    #expect(author.handle == "ada@social.example" && author.name == "Ada :star:")
    #expect(author.bio?.text == "Writes here" && author.avatarFile == "file-330")
    #expect(conversation.provenance.map(\.source) == [.mastodonArchive])
    #expect(conversation.posts.allSatisfy { $0.archive?.isOnlySource == true && $0.observedAt == nil })
    #expect(MastodonSource().provisionalID(of: author) == author.id)
  }

  @Test func orderOfEntriesDoesNotMatter() throws {
    var export = sample
    let first = try ReadExport(export.write(.zip, in: folder), minPosts: 1, withReplies: true)
    export.entries.reverse()
    export.entries.append(contentsOf: export.entries.prefix(3))
    let second = try ReadExport(export.write(.folder, in: folder), minPosts: 1, withReplies: true)
    #expect(first.conversations == second.conversations)
    #expect(first.conversations.count == 3)
  }

  @Test func replyToAnotherServerNamesTheAnsweredPost() throws {
    let read = try ReadExport(sample.write(.zip, in: folder), withReplies: true)
    let answers = try #require(read.conversations.last)
    let theirs = PostID("5", by: "other.example", on: .mastodon)
    #expect(answers.id == Self.id(109) && answers.posts.contains { $0.inReplyTo == theirs })
    #expect(answers.tombstones.map(\.id) == [theirs] && answers.tombstones.first?.reason == .notInArchive)
  }

  @Test func importsPollsWarningsEmojiEditsAndQuotes() throws {
    var export = InventedExport()
    export.entries = [
      InventedExport.post(
        1, "which? :star:",
        [
          "type": "Question", "summary": "spoilers", "sensitive": true, "updated": "2024-06-01T00:00:00Z",
          "endTime": "2024-05-10T00:00:00Z", "closed": "2024-05-10T00:00:00Z", "votersCount": 3,
          "anyOf": [
            ["type": "Note", "name": "left", "replies": ["type": "Collection", "totalItems": 2]],
            ["type": "Note", "name": "right", "replies": ["type": "Collection", "totalItems": 1]],
          ],
          "tag": [
            [
              "type": "Emoji", "name": ":star:",
              "icon": ["type": "Image", "url": "https://social.example/star.png"],
            ]
          ],
        ]),
      InventedExport.post(
        2, "own <a href='\(InventedExport.address(9))'>quote</a>", answers: InventedExport.address(1),
        ["quote": .string(InventedExport.address(9))]),
      InventedExport.post(
        3, "agreed", answers: InventedExport.address(2),
        [
          "quote": "https://other.example/users/bob/statuses/5",
          "quoteAuthorization": "https://other.example/users/bob/quote_authorizations/1",
        ]),
      InventedExport.post(
        4, "not agreed", answers: InventedExport.address(3),
        ["quote": "https://other.example/users/bob/statuses/6"]),
      InventedExport.post(9, "quoted"),
    ]
    let read = try ReadExport(export.write(.zip, in: folder))
    let posts = read.posts()
    let first = try #require(posts["which? :star:"])
    #expect(first.contentWarning == "spoilers" && first.isSensitive)
    #expect(first.editedAt == Timestamp(iso8601: "2024-06-01T00:00:00Z"))
    #expect(
      first.text.entities.map(\.kind) == [.emoji(shortcode: "star", url: "https://social.example/star.png")])
    let poll = try #require(first.poll)
    #expect(poll.options == [PollOption("left", votes: 2), PollOption("right", votes: 1)])
    #expect(poll.allowsMultiple && poll.status == .closed && poll.voters == 3)
    #expect(posts["own quote"]?.quotes == Self.id(9))
    let conversation = try #require(read.conversations.first)
    #expect(conversation.related.map(\.text.text) == ["quoted"])
    #expect(posts["agreed"]?.quotes == PostID("5", by: "other.example", on: .mastodon))
    let refused = conversation.tombstones.first { $0.id.value == "6" }
    #expect(refused?.reason == .quotePending && refused?.detail == nil)
    #expect(read.survey.date == Timestamp(iso8601: "2024-06-01T00:00:00Z"))
  }

  // MARK: Visibility

  @Test func skipsAndCountsPostsThatAreNotPublic() throws {
    var export = InventedExport()
    export.entries = [
      InventedExport.post(1, "one"),
      InventedExport.post(
        2, "SECRET", answers: InventedExport.address(1), to: [Self.followers], ["name": "SECRET"]),
      InventedExport.post(3, "three", answers: InventedExport.address(2)),
      InventedExport.post(4, "SECRET", to: ["https://other.example/users/bob"]),
      InventedExport.post(5, "SECRET", to: []),
      // Its entry names more recipients than the post itself.
      .object(
        (InventedExport.post(6, "SECRET", to: [Self.followers]).object ?? [:])
          .merging(["to": .array([.string(InventedExport.everybody)])]) { $1 }),
    ]
    let read = try ReadExport(export.write(.zip, in: folder), minPosts: 1)
    #expect(read.conversations.count == 1 && read.plan.posts == 2)
    #expect(read.plan.leftOut.words.contains("2 posts for followers only"))
    #expect(read.plan.leftOut.words.contains { $0 == "2 direct messages" })
    #expect(!String(describing: read.conversations).contains("SECRET"))
    #expect(read.conversations.first?.tombstones.map(\.reason) == [.protected])
  }

  @Test func skipsAndReportsThreadsThatBeginUnlisted() throws {
    var export = InventedExport()
    let unlisted = [Self.followers]
    export.entries = [
      InventedExport.post(1, "one", to: unlisted, cc: [InventedExport.everybody]),
      InventedExport.post(2, "two", answers: InventedExport.address(1)),
      InventedExport.post(3, "three"),
      InventedExport.post(4, "four", answers: InventedExport.address(3), to: unlisted, cc: ["Public"]),
    ]
    let read = try ReadExport(export.write(.zip, in: folder))
    #expect(read.conversations.map(\.id) == [Self.id(3)])
    #expect(read.plan.leftOut.words == ["1 unlisted thread (--unlisted imports it)"])
  }

  // MARK: Invalid exports

  @Test func doesNotFollowLinksAndPathsOutsideOfTheArchive() throws {
    var entries = sample.allFiles.map { InventedExport.Entry($0.name, $0.data) }
    var link = InventedExport.Entry("media_attachments/files/000/000/007/original/b.mp4", Data())
    link.symbolicLink = "/etc/passwd"
    entries.append(link)
    entries.append(InventedExport.Entry("../outbox.json", Data("[]".utf8)))
    entries.append(InventedExport.Entry("../media_attachments/x.png", InventedExport.png))
    for form in [InventedExport.Form.gzip, .zip] {
      let path = folder.path + "/links.\(form)"
      InventedExport.pack(entries, form, to: path)
      let read = try ReadExport(path)
      #expect(read.conversations.count == 1 && read.files.count == 2)
      #expect(read.passedOver.count == 3, "\(read.passedOver)")
    }
    var hard = InventedExport.Entry("actor.json", Data())
    hard.hardLink = "outbox.json"
    InventedExport.pack(
      [InventedExport.Entry("outbox.json", sample.outbox), hard], .tar, to: folder.path + "/h.tar")
    #expect(try ReadExport(folder.path + "/h.tar").conversations.first?.authors.first?.name == "ada")
    let unpacked = try sample.write(.folder, in: folder)
    try FileManager.default.removeItem(atPath: unpacked + "/outbox.json")
    try FileManager.default.createSymbolicLink(
      atPath: unpacked + "/outbox.json", withDestinationPath: "/etc/passwd")
    #expect(throws: SourceError.self) { try ReadExport(unpacked) }
  }

  /// Some programs unpack the archive into a folder of its name, possibly within another one.
  @Test(arguments: 0...3) func findsTheExportInFolders(_ depth: Int) throws {
    let around = String(repeating: "around/", count: depth)
    let packed = "\(folder.path)/export.zip"
    InventedExport.pack(
      sample.allFiles.map { InventedExport.Entry(around + $0.name, $0.data) }, .zip, to: packed)
    for (name, data) in sample.allFiles { try folder.write(data, to: "unpacked/\(around)\(name)") }
    for path in [packed, "\(folder.path)/unpacked"] {
      if depth > 2 {
        #expect(try MastodonSource().export(at: path) == nil)
      } else {
        let read = try ReadExport(path)
        #expect(read.conversations.count == 1 && read.files.count == 2, "\(path): \(read.files.keys)")
      }
    }
  }

  @Test func rejectsTwoOutboxes() throws {
    let entries = sample.allFiles.map { InventedExport.Entry($0.name, $0.data) }
    let others = entries.map { InventedExport.Entry("b/" + $0.name, $0.data) }
    for (name, list) in [("same", entries + entries.prefix(1)), ("other", entries + others)] {
      for form in [InventedExport.Form.gzip, .zip] {
        let path = folder.path + "/\(name).\(form)"
        InventedExport.pack(list, form, to: path)
        let error = #expect(throws: SourceError.self) { try ReadExport(path) }
        #expect(
          error?.description.contains("appears twice") == true
            || error?.description.contains("more than one archive") == true, "\(error?.description ?? "")")
      }
    }
  }

  @Test func rejectsTruncatedFilesAndBombs() throws {
    let whole = try Data(contentsOf: URL(filePath: sample.write(.gzip, in: folder)))
    for part in [2, 4] {
      try folder.write(whole.prefix(whole.count * (part - 1) / part), to: "cut.tar.gz")
      let error = #expect(throws: (any Error).self) { try ReadExport(folder.path + "/cut.tar.gz") }
      #expect("\(error.map { "\($0)" } ?? "")".contains("damaged or incomplete"))
    }
    var bomb = InventedExport.Entry("outbox.json", Data("{".utf8))
    bomb.zeros = 100 << 20
    for name in ["outbox.json", "unread.bin"] {
      bomb.name = name
      InventedExport.pack(
        [bomb, InventedExport.Entry("actor.json", Data("{}".utf8))], .gzip, to: folder.path + "/bomb.tar.gz")
      let error = #expect(throws: (any Error).self) { try ReadExport(folder.path + "/bomb.tar.gz") }
      #expect("\(error.map { "\($0)" } ?? "")".contains("200 times"))
    }
    var cut = sample
    cut.files["outbox.json"] = nil
    let text = String(decoding: cut.outbox, as: UTF8.self)
    try folder.write(String(text.prefix(text.count / 2)), to: "half/outbox.json")
    let error = #expect(throws: SourceError.self) { try ReadExport(folder.path + "/half") }
    #expect(error?.place?.hasPrefix("\(folder.path)/half/outbox.json:") == true)
  }

  @Test func ignoresCirclesAndPostsOfOthers() throws {
    var export = InventedExport()
    func named(_ address: String) -> JSONValue {
      InventedExport.post(7, "FOREIGN", ["id": .string(address)])
    }
    export.entries = [
      InventedExport.post(1, "one", answers: InventedExport.address(3)),
      InventedExport.post(2, "two", answers: InventedExport.address(1)),
      InventedExport.post(3, "three", answers: InventedExport.address(2)),
      InventedExport.post(4, "four", answers: InventedExport.address(4)),
      named("https://other.example/users/ada/statuses/8"), named("javascript:alert(1)"), named("../../8"),
      InventedExport.post(5, "FOREIGN", ["attributedTo": "https://social.example/users/bob"]),
      ["type": "Create", "object": ["type": "Article", "id": "https://social.example/a"]], "nothing", nil,
    ]
    let first = try ReadExport(export.write(.zip, in: folder))
    export.entries.reverse()
    let second = try ReadExport(export.write(.folder, in: folder))
    #expect(first.conversations == second.conversations)
    #expect(first.conversations.map(\.id) == [Self.id(1)] && first.plan.posts == 3)
    #expect(!String(describing: first.conversations).contains("FOREIGN"))
    #expect(first.plan.leftOut.words.contains("4 entries of another account or server"))
    #expect(first.plan.leftOut.words.contains { $0.hasPrefix("4 posts in cycles of replies") })
    #expect(first.plan.leftOut.words.contains("1 entry that is not a post (Article)"))
  }

  @Test func removesActiveContentFromText() throws {
    var export = InventedExport()
    export.entries = [
      InventedExport.post(
        1, "<script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:alert(1)'>here</a>",
        ["url": "javascript:alert(1)"])
    ]
    let read = try ReadExport(export.write(.zip, in: folder), minPosts: 1)
    let post = try #require(read.conversations.first?.posts.first)
    #expect(post.text.text == "here" && post.text.entities.isEmpty)
    #expect(post.url == InventedExport.address(1))
  }

  // MARK: Related software

  @Test func readsIDsAndFilesOfPleroma() throws {
    let actor = "https://pleroma.example/users/bea"
    func post(_ id: String, answers: String?) -> JSONValue {
      [
        "type": "Create", "id": .string("https://pleroma.example/activities/\(id)"), "actor": .string(actor),
        "object": [
          "type": "Note", "id": .string("https://pleroma.example/objects/\(id)"), "actor": .string(actor),
          "attributedTo": .string(actor), "content": "Hello", "published": "2024-01-02T03:04:05.678901Z",
          "to": ["https://www.w3.org/ns/activitystreams#Public"], "cc": [.string(actor + "/followers")],
          "inReplyTo": answers.map { .string("https://pleroma.example/objects/\($0)") } ?? .null,
          "attachment": [
            [
              "type": "Document", "mediaType": "image/png", "name": "",
              "url": [
                [
                  "type": "Link", "mediaType": "image/png", "width": 5, "height": 6,
                  "href": "https://pleroma.example/media/a.png",
                ]
              ],
            ]
          ],
        ],
      ]
    }
    var export = InventedExport()
    export.account = ["id": .string(actor), "preferredUsername": "bea", "name": "Bea", "type": "Person"]
    let (one, two) = ("0b1c2d3e-0000-4000-8000-000000000001", "0b1c2d3e-0000-4000-8000-000000000002")
    export.entries = [post(two, answers: one), post(one, answers: nil)]
    let read = try ReadExport(export.write(.zip, in: folder))
    let conversation = try #require(read.conversations.first)
    #expect(conversation.id == PostID("object." + one, by: "pleroma.example", on: .mastodon))
    #expect(conversation.posts.count == 2)
    let media = try #require(conversation.posts.first?.media.first)
    #expect(media.url == "https://pleroma.example/media/a.png" && media.kind == .photo && media.height == 6)
    #expect(read.plan.mediaMissing.isEmpty)
    #expect(conversation.posts.first?.createdAt == Timestamp(iso8601: "2024-01-02T03:04:05.678Z"))
  }

  @Test func newerURLsContainTheAccountID() throws {
    var export = InventedExport()
    let actor = "https://social.example/ap/users/1160"
    export.account = ["id": .string(actor), "preferredUsername": "ada", "type": "Person"]
    export.entries = [
      InventedExport.post(
        1, "one",
        ["id": .string(actor + "/statuses/1"), "attributedTo": .string(actor), "actor": .string(actor)])
    ].map {
      .object(($0.object ?? [:]).merging(["actor": .string(actor)]) { $1 })
    }
    let read = try ReadExport(export.write(.zip, in: folder), minPosts: 1)
    #expect(read.conversations.map(\.id) == [Self.id(1)])
    #expect(read.survey.author.id == AuthorID("1160", by: "social.example", on: .mastodon))
    let other = AuthorID("77", by: "social.example", on: .mastodon)
    #expect(read.survey.by(other).author.id == other)
  }

  // MARK: Lists of statuses

  /// A status as in Pixelfed's `pixelfed-statuses.json`, with the members of Mastodon's API and of Pixelfed.
  private static func status(
    _ id: Int, _ text: String, answers parent: Int? = nil, _ changes: JSONObject = [:],
    by account: String = "7"
  ) -> JSONValue {
    let address = "https://pix.example/\(account == "7" ? "ada" : "bob")"
    var status: JSONObject = [
      "_v": 1, "id": .string("\(id)"), "uri": .string("https://pix.example/p/ada/\(id)"),
      "url": .string("https://pix.example/p/ada/\(id)"),
      "in_reply_to_id": parent.map { .string("\($0)") } ?? .null,
      "in_reply_to_account_id": parent == nil ? .null : .string(account), "reblog": .null,
      "content": .string("<p>\(text)</p>"), "content_text": .string(text), "visibility": "public",
      "created_at": .string("2025-02-03T10:\(10 + id % 50):00.000000Z"),
      "sensitive": false, "spoiler_text": "", "place": .null, "comments_disabled": false,
      "account": [
        "id": .string(account), "username": account == "7" ? "ada" : "bob",
        "acct": account == "7" ? "ada" : "bob", "display_name": "Ada", "url": .string(address),
        "note": "<p>Pictures</p>",
      ],
      "media_attachments": [],
    ]
    status.merge(changes) { $1 }
    return .object(status)
  }

  private func read(_ statuses: [JSONValue], minPosts: Int = 2) throws -> ReadExport {
    let path = folder.path + "pixelfed-statuses.json"
    try Data(JSONWriter.text(of: .array(statuses), .pretty).bytes).write(to: URL(filePath: path))
    return try ReadExport(path, minPosts: minPosts)
  }

  @Test func readsPixelfedsStatuses() throws {
    let picture: JSONObject = [
      "media_attachments": [
        [
          "id": "55", "type": "image", "url": "https://pix.example/storage/a.jpg", "description": "A star",
          "meta": ["original": ["width": 400, "height": 300]],
        ]
      ]
    ]
    let statuses = [
      Self.status(101, "one", picture), .string("no status"), Self.status(103, "three", answers: 102),
      Self.status(102, "two", answers: 101), Self.status(104, "for followers", ["visibility": "private"]),
      Self.status(105, "RT", ["reblog": ["id": "9"]]), Self.status(106, "by bob", by: "8"),
      Self.status(107, "in a circle", answers: 108), Self.status(108, "in a circle", answers: 107),
    ]
    for order in [statuses, statuses.reversed()] {
      let found = try read(order)
      let thread = try #require(found.conversations.first { $0.id.value == "101" })
      #expect(thread.posts.map(\.id.value).sorted() == ["101", "102", "103"])
      #expect(thread.posts.map(\.text.text).sorted() == ["one", "three", "two"])
      #expect(thread.authorID == AuthorID("7", by: "pix.example", on: .mastodon))
      #expect(thread.authors.first?.name == "Ada" && thread.authors.first?.handle == "ada@pix.example")
      let media = try #require(thread.posts.flatMap(\.media).first)
      #expect(media.url == "https://pix.example/storage/a.jpg" && media.altText == "A star")
      #expect(found.plan.mediaMissing.isEmpty && found.plan.mediaAbsence == nil)
      let words = found.plan.leftOut.words
      for omission in [
        "1 post for followers only", "1 boost of another's post", "1 entry of another account or server",
      ] { #expect(words.contains(omission), "\(words)") }
      #expect(!found.conversations.flatMap(\.posts).contains { $0.text.text == "for followers" })
    }
  }

  @Test func ignoresOtherListsAndRejectsATruncatedOne() throws {
    for text in ["[]", "[{}]", #"[{"id":"1","text":"a","author_id":"2"}]"#, #"{"data":[]}"#] {
      try Data(text.utf8).write(to: URL(filePath: folder.path + "a.json"))
      #expect(try MastodonSource().export(at: folder.path + "a.json") == nil, "\(text)")
    }
    let whole = JSONWriter.text(of: .array([Self.status(101, "one")]), .compact).bytes
    try Data(whole.dropLast(2)).write(to: URL(filePath: folder.path + "a.json"))
    let export = try #require(try MastodonSource().export(at: folder.path + "a.json"))
    #expect(throws: SourceError.self) { try export.survey { _, _ in } }
  }

  @Test func rejectsListsOfAccounts() throws {
    try folder.write("Account address\nbob@other.example\n", to: "following.csv")
    let error = #expect(throws: SourceError.self) {
      _ = try MastodonSource().export(at: folder.path + "/following.csv")
    }
    #expect(error?.description.contains("GoToSocial exports only CSV files") == true)
    try folder.write("{\"data\":[]}", to: "answer.json")
    #expect(try MastodonSource().export(at: folder.path + "/answer.json") == nil)
    #expect(try MastodonSource().export(at: folder.path) == nil)
  }
}

@Suite("Real exports", .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
struct RealExportTests {
  private static func file(_ name: String) throws -> URL {
    try #require(ProjectFolders.sharedFixtures).appending(path: "networks/\(name)")
  }

  @Test func readsAnArchiveOfMastodon() throws {
    let read = try ReadExport(
      Self.file("mastodon-export/mastodon-4.1-export.zip").path, minPosts: 1, withReplies: true)
    #expect(read.survey.posts == 18)
    #expect(read.conversations.reduce(0) { $0 + $1.posts.count } == 18)
    #expect(read.conversations.flatMap(\.posts).filter { $0.inReplyTo != nil }.count == 4)
    #expect(read.files.count == 2, "the photo and the avatar")
    #expect(read.conversations.flatMap(\.posts).flatMap(\.media).map(\.id) == ["110285480112204631"])
    #expect(read.plan.mediaMissing.isEmpty)
  }

  /// Lists of statuses that servers returned, as files.
  @Test(arguments: ["gotosocial-account-statuses", "snac-account-statuses"])
  func readsStatusesOfServers(name: String) throws {
    let folder = try TemporaryFolder()
    let answer = try JSONValue(
      parsing: Array(Data(contentsOf: Self.file("mastodon-peers/\(name).json"))))
    let statuses = try #require((answer["body"] ?? answer).array)
    let path = folder.path + "statuses.json"
    try Data(JSONWriter.text(of: .array(statuses), .pretty).bytes).write(to: URL(filePath: path))
    let read = try ReadExport(path, minPosts: 1, withReplies: true, withUnlisted: true)
    let posts = Dictionary(
      read.conversations.flatMap(\.posts).map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
    var compared = 0
    for value in statuses {
      let status = try MastodonStatus(value)
      guard let post = posts[status.id] else { continue }
      compared += 1
      let fetched = try status.post(on: MastodonServer(try #require(post.id.authority)), seenAt: nil)
      #expect(post.id == fetched.id && post.authorID == fetched.authorID && post.text == fetched.text)
      #expect(post.inReplyTo == fetched.inReplyTo && post.createdAt == fetched.createdAt)
    }
    #expect(compared >= 4)
  }

  /// The API and the export give the same seven posts.
  @Test func snacsOutboxGivesTheSameIDsAsItsAPI() throws {
    let read = try ReadExport(Self.file("mastodon-export/snac-export-outbox.json").path)
    let answer = try JSONValue(
      parsing: Array(Data(contentsOf: Self.file("mastodon-peers/snac-account-statuses.json"))))
    let statuses = try #require(answer["body"]?.array)
    let exported = Dictionary(
      uniqueKeysWithValues: try #require(read.conversations.first).posts.map { ($0.id.value, $0) })
    #expect(read.conversations.count == 1 && exported.count == 7)
    var compared = 0
    for value in statuses {
      let status = try MastodonStatus(value)
      guard let post = exported[status.id] else { continue }
      compared += 1
      let server = MastodonServer("127.0.0.1:8001")
      let fetched = try status.post(on: server, seenAt: nil)
      #expect(post.id == fetched.id && post.authorID == fetched.authorID)
      #expect(post.text == fetched.text && post.inReplyTo == fetched.inReplyTo)
      #expect(post.contentWarning == fetched.contentWarning && post.url == fetched.url)
      #expect(post.createdAt == fetched.createdAt && post.editedAt == fetched.editedAt)
    }
    #expect(compared >= 4)
    #expect(read.conversations.first?.tombstones.map(\.reason) == [.protected])
    #expect(read.plan.leftOut.words.contains("1 post for followers only"))
  }
}
