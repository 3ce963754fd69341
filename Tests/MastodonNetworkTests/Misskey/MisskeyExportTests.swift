import Basics
import Foundation
import MastodonNetwork
import NetworkSources
import SiteConfig
import TestSupport
import Testing
import ThreadModel

/// Notes as Misskey exports them (`ExportNotesProcessorService.ts`), invented for these tests.
@Suite("Exports of Misskey and related servers")
struct MisskeyExportTests {
  private let folder: TemporaryFolder
  private static let ada = AccountReference(platform: .mastodon, handle: "ada", instance: "misskey.example")

  init() throws { folder = try TemporaryFolder() }

  private static func id(_ id: String) -> PostID { PostID(id, by: "misskey.example", on: .mastodon) }

  /// A note. Its id has the length of Misskey's ids.
  private static func note(
    _ number: Int, _ text: JSONValue, answers: Int? = nil, _ changes: JSONObject = [:]
  ) -> JSONValue {
    var note: JSONObject = [
      "id": .string(name(number)), "text": text,
      "createdAt": .string("2024-05-02T10:\(10 + number % 50):00.000Z"), "fileIds": [], "files": [],
      "replyId": answers.map { .string(name($0)) } ?? .null, "renoteId": nil, "poll": nil, "cw": nil,
      "visibility": "public", "visibleUserIds": [], "localOnly": false, "reactionAcceptance": nil,
    ]
    note.merge(changes) { $1 }
    return .object(note)
  }

  private static func name(_ number: Int) -> String { "9sxk2v\(1000 + number)" }

  private func write(_ notes: [JSONValue]) throws -> String {
    let text = notes.map { JSONWriter.text(of: $0, .compact).string }.joined(separator: ",\n")
    return try write("[" + text + "]")
  }

  private func write(_ text: String) throws -> String {
    let path = folder.path + "/notes-2024-05-03-10-00-00.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func read(_ notes: [JSONValue], minPosts: Int = 2, unlisted: Bool = false) throws -> ReadExport {
    try ReadExport(write(notes), minPosts: minPosts, withUnlisted: unlisted, account: Self.ada)
  }

  @Test func readsAThread() throws {
    let picture: JSONValue = [
      "id": "9sxk2f0001", "type": "image/webp", "url": "https://media.misskey.example/a.webp",
      "comment": "A *star*", "isSensitive": true, "properties": ["width": 400, "height": 300],
      "thumbnailUrl": "https://media.misskey.example/t.webp", "blurhash": "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
    ]
    let notes = [
      Self.note(
        1, "**one** by @bea@other.example #tag", ["files": [picture], "fileIds": ["9sxk2f0001"]]),
      Self.note(2, "two\n[link](https://a.example/)", answers: 1, ["cw": "Spiders", "visibility": "home"]),
      Self.note(3, "three", answers: 2, ["renoteId": .string(Self.name(9))]),
      Self.note(
        4, nil, answers: 3,
        [
          "poll": [
            "choices": ["left", "right"], "votes": [2, 1], "multiple": true,
            "expiresAt": "2024-05-09T00:00:00.000Z",
          ]
        ]),
      Self.note(5, nil, ["renoteId": .string(Self.name(1))]),
      Self.note(6, "to somebody", answers: 800), Self.note(9, "alone and quoted"),
    ]
    for order in [notes, notes.reversed(), notes + notes] {
      let found = try read(order)
      let thread = try #require(found.conversations.first)
      #expect(found.conversations.count == 1 && thread.id == Self.id(Self.name(1)))
      let posts = thread.posts.sorted { $0.id < $1.id }
      #expect(posts.map(\.id.value) == (1...4).map(Self.name))
      #expect(posts.map(\.text.text) == ["one by @bea@other.example #tag", "two\nlink", "three", ""])
      #expect(posts[0].url == "https://misskey.example/notes/\(Self.name(1))")
      #expect(posts[0].createdAt == Timestamp(iso8601: "2024-05-02T10:11:00Z"))
      #expect(
        posts[0].text.entities.map(\.kind) == [
          .mention(handle: "bea@other.example", url: "https://other.example/@bea"),
          .hashtag(tag: "tag", url: "https://misskey.example/tags/tag"),
        ])
      let media = try #require(posts[0].media.first)
      #expect(media.kind == .photo && media.id == "9sxk2f0001" && media.altText == "A *star*")
      #expect(
        media.url == "https://media.misskey.example/a.webp" && media.width == 400 && posts[0].isSensitive)
      #expect(posts[1].contentWarning == "Spiders" && posts[1].inReplyTo == posts[0].id)
      #expect(posts[2].quotes == Self.id(Self.name(9)))
      #expect(thread.related.map(\.text.text) == ["alone and quoted"])
      let poll = try #require(posts[3].poll)
      #expect(poll.options == [PollOption("left", votes: 2), PollOption("right", votes: 1)])
      #expect(poll.allowsMultiple && poll.endsAt == Timestamp(iso8601: "2024-05-09T00:00:00Z"))
      let author = try #require(thread.authors.first)
      #expect(author.id == AuthorID("acct.ada", by: "misskey.example", on: .mastodon))
      #expect(author.handle == "ada@misskey.example" && author.url == "https://misskey.example/@ada")
      #expect(MastodonSource().provisionalID(of: author) == author.id)
      #expect(found.plan.leftOut.words.contains("1 reply to others (--with-replies imports its thread)"))
      #expect(found.plan.mediaMissing.isEmpty && found.plan.mediaAbsence == nil)
    }
  }

  @Test(
    arguments: [
      (["visibility": "followers"], "1 post for followers only"),
      (["visibility": "specified"], "1 direct message"),
      (["localOnly": true], "1 post for its server only"),
    ] as [(JSONObject, String)])
  func leavesAGapForPrivateNotes(_ change: JSONObject, _ words: String) throws {
    let found = try read([
      Self.note(1, "one"), Self.note(2, "secret words", answers: 1, change.merging(["cw": "secret"]) { $1 }),
      Self.note(3, "three", answers: 2), Self.note(4, "four", answers: 3),
    ])
    let thread = try #require(found.conversations.first)
    #expect(thread.posts.map(\.text.text).sorted() == ["four", "one", "three"])
    #expect(
      thread.tombstones.map(\.id) == [Self.id(Self.name(2))] && thread.tombstones.first?.reason == .protected)
    #expect(!String(reflecting: thread.posts.map(\.facts)).contains("secret"))
    #expect(found.plan.leftOut.words.contains(words), "\(found.plan.leftOut.words)")
  }

  @Test func unknownVisibilitiesAreNotPublic() throws {
    let found = try read(
      [
        Self.note(1, "one", ["visibility": "friends"]), Self.note(2, "two", ["visibility": nil]),
        Self.note(3, "three"),
      ],
      minPosts: 1)
    #expect(found.conversations.flatMap(\.posts).map(\.text.text) == ["three"])
  }

  @Test func threadsThatBeginOnTheHomeTimelineAreUnlisted() throws {
    let notes = [Self.note(1, "one", ["visibility": "home"]), Self.note(2, "two", answers: 1)]
    #expect(try read(notes).conversations.isEmpty)
    #expect(try read(notes, unlisted: true).conversations.count == 1)
  }

  @Test func filesWithoutDescriptionsKeepTheirIDs() throws {
    var note = Self.note(1, "one", ["fileIds": ["9sxk2f0001", "../x", 7]]).object ?? [:]
    note["files"] = nil
    let found = try read([.object(note)], minPosts: 1)
    #expect(found.conversations.flatMap(\.posts).flatMap(\.media).map(\.id) == ["9sxk2f0001"])
  }

  @Test func theAccountMustBeGivenOnlyForSuchFiles() throws {
    let path = try write([Self.note(1, "one")])
    let export = try #require(try MastodonSource().export(at: path))
    let unnamed = #expect(throws: SourceError.self) { try export.survey { _, _ in } }
    #expect(unnamed?.description.contains("--account") == true)
    #expect(throws: SourceError.self) { try export.of(AccountReference(platform: "x", handle: "ada")) }
    let elsewhere = AccountReference(
      platform: .mastodon, handle: "ada@own.example", instance: "misskey.example")
    #expect(try export.of(elsewhere).survey { _, _ in }.author.handle == "ada@own.example")
    let archive = try InventedExport().write(.folder, in: folder)
    let other = try #require(try MastodonSource().export(at: archive))
    let named = #expect(throws: SourceError.self) { try other.of(Self.ada) }
    #expect(named?.description.contains("names its account") == true)
  }

  @Test func survivesWrongTypes() throws {
    let wrong: [JSONValue] = [nil, 7, "x", [], ["a": 1], true, .number("1e400")]
    var notes: [JSONValue] = [Self.note(1, "one")]
    for key in (Self.note(1, nil).object ?? [:]).keys.sorted() {
      for value in wrong { notes.append(Self.note(2 + notes.count, "text", [key: value])) }
    }
    notes += wrong
    notes.append(
      Self.note(
        700, "many",
        [
          "files": .array(
            Array(repeating: ["type": "image/png", "url": "https://a.example/a.png"], count: 5000))
        ]))
    let found = try read(notes, minPosts: 1)
    #expect(found.conversations.flatMap(\.posts).contains { $0.text.text == "one" })
    #expect(found.conversations.flatMap(\.posts).allSatisfy { $0.media.count <= 100 })
  }

  @Test func breaksCirclesAndRejectsTruncatedFiles() throws {
    let circle = [Self.note(1, "one", answers: 2), Self.note(2, "two", answers: 1)]
    #expect(try read(circle).conversations.first?.posts.count == 2)
    let whole = "[" + JSONWriter.text(of: Self.note(1, "one"), .compact).string + "]"
    let export = try #require(try MastodonSource().export(at: write(String(whole.dropLast(2)))))
    #expect(throws: SourceError.self) { try export.of(Self.ada).survey { _, _ in } }
  }

  @Test func deepNestingIsRejected() throws {
    let start = JSONWriter.text(of: Self.note(1, "one"), .compact).string
    let text = "[" + start + "," + String(repeating: "[", count: 200_000)
    let export = try #require(try MastodonSource().export(at: write(text)))
    #expect(throws: SourceError.self) { try export.of(Self.ada).survey { _, _ in } }
  }
}
