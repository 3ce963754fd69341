import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

@Suite struct ConversationCodingTests {
  @Test func everyFieldReadsBack() throws {
    let conversation = SampleConversations.full()
    let bytes = ConversationCoding.encode(conversation).bytes
    let again = try ConversationCoding.decode(bytes, file: "a.json")
    #expect(again == conversation)
    #expect(ConversationCoding.encode(again).bytes == bytes)
  }

  /// A server may send empty words, for which a file has no place.
  @Test func emptyWordsAreWrittenAsUnknown() throws {
    var post = Post(id: PostID("1", on: .x), authorID: AuthorID("2", on: .x), text: InlineText("a"))
    post.media = [Media(id: "m", kind: "")]
    post.warnings = [""]
    var conversation = Conversation(id: post.id, authorID: post.authorID)
    conversation.posts = [post]
    let bytes = ConversationCoding.encode(conversation).bytes
    let read = try #require(try ConversationCoding.decode(bytes, file: "a.json").posts.first)
    #expect(read.media.map(\.kind) == ["unknown"] && read.warnings == ["unknown"])
  }

  /// They are found without reading the other posts, and equal them.
  @Test func readsOnlyTheAuthorsPosts() throws {
    var full = SampleConversations.full()
    var other = Post(id: PostID("77", on: .x), authorID: AuthorID("12", on: .x), text: InlineText("theirs"))
    full.posts.append(other)
    other = Post(id: PostID("78@b", by: "c", on: .mastodon), authorID: full.authorID, text: InlineText("own"))
    full.posts.append(other)
    let small = SampleConversations.small(id: "1", author: "2", handle: nil)
    for conversation in [full, small] {
      let bytes = ConversationCoding.encode(conversation).bytes
      let read = try ConversationCoding.decodeOwnPosts(bytes, file: "a.json")
      #expect(read.conversation == conversation.id)
      #expect(read.authorID == conversation.authorID)
      #expect(read.posts == conversation.posts.filter { $0.authorID == conversation.authorID }.map(\.id))
      #expect(!read.posts.isEmpty)
      #expect(throws: ThreadStoreError.self) {
        try ConversationCoding.decodeOwnPosts(Array(bytes.prefix(bytes.count / 2)), file: "a.json")
      }
    }
  }

  /// A repeated value is read once. A similar one is not confused with it.
  @Test func similarPostsReadBack() throws {
    let x = Platform.x
    var conversation = Conversation(id: PostID("1519573750119768980", on: x), authorID: AuthorID("77", on: x))
    let other = Platform(rawValue: "elsewhere")
    for number in 0..<6 {
      var post = Post(
        id: PostID("151957375011976898\(number)", on: x), authorID: AuthorID(number < 4 ? "77" : "78", on: x),
        text: InlineText("post \(number)"))
      post.conversationID = number == 3 ? PostID("1519573750119768980", on: other) : conversation.id
      post.inReplyTo =
        number == 0 ? nil : PostID("151957375011976898\(number / 2)", on: number == 5 ? other : x)
      post.inReplyToAuthor = AuthorID("7\(number % 2)", on: x)
      post.observedAt = Timestamp(seconds: 1_600_000_000 + Int64(number / 2))
      post.extra = ["flag": number % 3 == 0 ? "yes" : "no!", "depth": [["a": 1]]]
      conversation.posts.append(post)
    }
    let bytes = ConversationCoding.encode(conversation).bytes
    #expect(try ConversationCoding.decode(bytes, file: "a.json") == conversation)
  }

  @Test func authoritiesPrecedeTheirIDs() throws {
    let (did, host) = ("did:plc:aaaaaaaaaaaaaaaaaaaaaaaa", "social.example:3000")
    let ada = AuthorID(did, on: .bluesky)
    var conversation = Conversation(id: PostID("3k43tv4rft22g", by: did, on: .bluesky), authorID: ada)
    var post = Post(id: conversation.id, authorID: ada, text: InlineText("a"))
    post.conversationID = conversation.id
    post.inReplyTo = PostID("3k", by: "did:web:bob.example", on: .bluesky)
    post.earlierVersions = [PostID("3j", by: did, on: .bluesky)]
    post.quotes = PostID("109348684215482921", by: host, on: .mastodon)
    post.inReplyToAuthor = AuthorID("7", by: host, on: .mastodon)
    conversation.posts = [post]
    conversation.tombstones = [Tombstone(id: PostID("3m", by: did, on: .bluesky), reason: .deleted)]
    let bytes = ConversationCoding.encode(conversation).bytes
    let value = try JSONValue(parsing: bytes)
    #expect(value["id"] == .string("\(did)/3k43tv4rft22g"))
    #expect(value["author_id"] == .string(did))
    let written = try #require(value["posts"]?.array?.first)
    #expect(written["conversation_id"] == value["id"])
    #expect(written["in_reply_to"] == "did:web:bob.example/3k")
    #expect(written["earlier_versions"] == .array([.string("\(did)/3j")]))
    #expect(written["quotes"] == ["id": .string("\(host)/109348684215482921"), "platform": "mastodon"])
    #expect(written["in_reply_to_author"] == ["id": .string("\(host)/7"), "platform": "mastodon"])
    #expect(value["tombstones"]?.array?.first?["id"] == .string("\(did)/3m"))
    #expect(try schema().problems(of: value) == [])
    #expect(try ConversationCoding.decode(bytes, file: "a.json") == conversation)
  }

  @Test func fileFormatIsStable() throws {
    let text = ConversationCoding.encode(SampleConversations.full()).string
    let golden = ProjectFolders.fixtures(of: "ThreadStoreTests").appending(path: "full.json")
    try Golden.compare(text, with: golden)
  }

  @Test func writtenFilesFollowTheSchema() throws {
    let schema = try schema()
    let small = SampleConversations.small(id: "1", author: "2", handle: nil)
    for conversation in [SampleConversations.full(), small] {
      let value = try JSONValue(parsing: ConversationCoding.encode(conversation).bytes)
      #expect(schema.problems(of: value) == [])
    }
  }

  @Test func schemaRejectsWhatTheReaderRejects() throws {
    let schema = try schema()
    for (source, _) in Self.wrong {
      // Invalid JSON has no schema.
      guard let value = try? JSONValue(parsing: Array(source.utf8)) else { continue }
      #expect(!schema.problems(of: value).isEmpty, "\(source)")
    }
  }

  /// Invalid files, each with the message after the file's name.
  static let wrong: [(String, String)] = [
    (
      "",
      "1:1: error: expected an object, but found the end of the input; the file is truncated: restore it from version control or a backup, or delete it and fetch or import the thread again"
    ),
    (
      "[]",
      "1:1: error: expected an object, but found an array; the file is damaged: restore it from version control or a backup, or delete it and fetch or import the thread again"
    ),
    ("{}", #"1:1: error: a conversation without "format""#),
    (#"{"format":1}"#, #"1:1: error: a conversation without "platform""#),
    (#"{"format":0,"platform":"x"}"#, "1:11: error: expected a format of 1 or more"),
    (#"{"format":1,"platform":"x","id":"1"}"#, #"1:1: error: a conversation without "author_id""#),
    (
      "{\"format\":1,\"platform\":\"x\",\n  \"id\":\"1\",\"author_id\":\"2\",\"psots\":[]}",
      #"2:28: error: unknown key "psots" of a conversation: put unknown data under "extra""#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[{"id":"1","author_id":"2"}]}"#,
      #"1:62: error: a post without "text""#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[{"id":1}]}"#,
      "1:68: error: expected a string, but found a number"
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","provenance":[{"source":"x-api","fetched_at":"today"}]}"#,
      #"1:98: error: expected a time such as 2021-01-06T18:40:40Z, but found "today""#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","coverage":{"limits":[{"day":"2024-01-01"}]}}"#,
      #"1:75: error: a limit without "limit""#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","coverage":{"limits":[{"limit":"timeline_until"}]}}"#,
      #"1:75: error: a limit without "day""#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","coverage":{"limits":[{"limit":"climbing","day":"May"}]}}"#,
      #"1:101: error: expected a date such as 2024-01-01, but found "May""#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","authors":[{"id":"2","bio":"a","bio_entities":[{"start":0,"end":1,"type":"link"}]}]}"#,
      "1:100: error: a text entity is a link with url, a mention with handle, a hashtag with tag, a cashtag with symbol, "
        + "or an emoji with shortcode and url"
    ),
  ]

  static let noID =
    "is not an id: write the id or, on networks that need it, the account's DID or the server's host, a slash and the id"
  /// Files with an invalid ID, each with the message after the file's name.
  static let wrongIDs: [(String, String)] = [
    (
      #"{"format":1,"platform":"mastodon","id":"a.example/1/2","author_id":"2"}"#,
      "1:40: error: \"a.example/1/2\" \(noID)"
    ),
    (#"{"format":1,"platform":"mastodon","id":"/1","author_id":"2"}"#, "1:40: error: \"/1\" \(noID)"),
    (#"{"format":1,"platform":"mastodon","id":"a/","author_id":"2"}"#, "1:40: error: \"a/\" \(noID)"),
    (#"{"format":1,"platform":"bluesky","id":"1","author_id":"a\u0001"}"#, "1:55: error: \"a\u{1}\" \(noID)"),
    (
      "{\"format\":1,\"platform\":\"x\",\"id\":\"1\",\"author_id\":\"2\",\n\"tombstones\":[{\"id\":{\"platform\":\"mastodon\",\"id\":\"a//1\"}}]}",
      "2:49: error: \"a//1\" \(noID)"
    ),
  ]

  @Test(arguments: wrongIDs) func reportsInvalidIDs(source: String, message: String) throws {
    reportsInvalidFiles(source: source, message: message)
    #expect(try !schema().problems(of: JSONValue(parsing: Array(source.utf8))).isEmpty)
  }

  /// Files with a repeated key, as after a merge in git that kept both sides, each with the message after the file's name.
  static let repeated: [(String, String)] = [
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[],"posts":[]}"#,
      #"1:64: error: the key "posts" is repeated in this conversation: merge both values into one"#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[],"id":"1"}"#,
      #"1:64: error: the key "id" is repeated in this conversation: merge both values into one"#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[{"id":"1","author_id":"2","text":"ab","text":"b"}]}"#,
      #"1:100: error: the key "text" is repeated in this post: merge both values into one"#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[{"id":"1","author_id":"2","text":"ab","entities":[],"entities":[]}]}"#,
      #"1:114: error: the key "entities" is repeated in this post: merge both values into one"#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[{"id":"1","author_id":"2","text":"ab","in_reply_to":{"id":"3","platform":"mastodon","id":"4"}}]}"#,
      #"1:146: error: the key "id" is repeated in this id: merge both values into one"#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","coverage":{"limits":[{"day":"2024-01-01","limit":"climbing","day":"2024-01-02"}]}}"#,
      #"1:114: error: the key "day" is repeated in this limit: merge both values into one"#
    ),
    (
      #"{"format":1,"platform":"x","id":"1","author_id":"2","posts":[{"id":"1","author_id":"2","text":"ab","entities":[{"start":0,"end":1,"type":"hashtag","tag":"a","end":2}]}]}"#,
      "1:112: error: a text entity with a repeated key: keep one of its values"
    ),
  ]

  @Test(arguments: repeated) func rejectsRepeatedKeys(source: String, message: String) {
    reportsInvalidFiles(source: source, message: message)
  }

  @Test(arguments: wrong) func reportsInvalidFiles(source: String, message: String) {
    let error = #expect(throws: ThreadStoreError.self) {
      try ConversationCoding.decode(Array(source.utf8), file: "x/ada/1.json")
    }
    #expect(error?.description == "x/ada/1.json:" + message)
  }

  @Test func entitiesMustFitTheText() throws {
    let post = { (entities: String) in
      """
      {"format":1,"platform":"x","id":"1","author_id":"2","posts":[
      {"id":"1","author_id":"2","text":"👀 #a","entities":[\(entities)]}]}
      """
    }
    let tag = { (start: Int, end: Int) in #"{"start":\#(start),"end":\#(end),"type":"hashtag","tag":"a"}"# }
    _ = try ConversationCoding.decode(Array(post(tag(2, 4)).utf8), file: "a")
    for bad in [tag(2, 5), tag(-1, 2), tag(3, 3), tag(4, 2), tag(2, 4) + "," + tag(3, 4)] {
      let error = #expect(throws: ThreadStoreError.self) {
        try ConversationCoding.decode(Array(post(bad).utf8), file: "a")
      }
      #expect(error?.description.contains("2:") == true)
    }
  }

  /// Times in the program's own format are parsed on a fast path, and others on a slower one.
  @Test(arguments: [
    ("2021-01-06T18:40:40Z", 1_609_958_440_000), ("1999-12-31T23:59:58Z", 946_684_798_000),
    ("2021-01-06T18:40:40.250Z", 1_609_958_440_250), ("2021-01-06T19:40:40+01:00", 1_609_958_440_000),
    ("2024-02-29T00:00:01Z", 1_709_164_801_000),
  ])
  func readsTimes(text: String, milliseconds: Int64) throws {
    let source = """
      {"format":1,"platform":"x","id":"1","author_id":"2","provenance":[{"source":"x-api","fetched_at":"\(text)"}]}
      """
    let conversation = try ConversationCoding.decode(Array(source.utf8), file: "1.json")
    #expect(conversation.provenance.first?.fetchedAt == Timestamp(milliseconds: milliseconds))
  }

  @Test(arguments: [
    "2021-13-06T18:40:40Z", "2021-02-29T18:40:40Z", "2021-01-06T25:40:40Z",
    "2021-01-06T18-40-40Z", "2021-0:-06T18:40:40Z", "2021-01-06T1::40:40Z", "2021-01-06T18:40:4/Z",
    "2O21-01-06T18:40:40Z", "2021-01-06T18:40:40", "2021-01-06",
  ])
  func rejectsInvalidTimes(text: String) {
    let source = """
      {"format":1,"platform":"x","id":"1","author_id":"2","provenance":[{"source":"x-api","fetched_at":"\(text)"}]}
      """
    #expect(throws: ThreadStoreError.self) {
      try ConversationCoding.decode(Array(source.utf8), file: "1.json")
    }
  }

  @Test(arguments: [(-1, false), (0, true), (3, true)]) func positionIsZeroOrMore(
    position: Int, isRead: Bool
  ) {
    let source = """
      {"format":1,"platform":"x","id":"1","author_id":"2","posts":[{"id":"1","author_id":"2","text":"",
      "media":[{"id":"m","kind":"photo","position":\(position)}]}]}
      """
    let conversation = try? ConversationCoding.decode(Array(source.utf8), file: "1.json")
    #expect(conversation?.posts.first?.media.first?.position == (isRead ? position : nil))
  }

  @Test func newerFileIsNotADamagedOne() {
    let source = #"{"author_id":{"new":"shape"},"format":3,"platform":"x","whatever":1}"#
    let error = #expect(throws: ThreadStoreError.self) {
      try ConversationCoding.decode(Array(source.utf8), file: "x/ada/1.json")
    }
    #expect(
      error?.description
        == "x/ada/1.json: error: written by a newer threadsite (format 3; this one reads 1): update threadsite to read it"
    )
  }

  @Test func truncatedFileIsAnError() {
    let bytes = ConversationCoding.encode(SampleConversations.full()).bytes
    for length in stride(from: 0, to: bytes.count - 1, by: 7) {
      #expect(throws: ThreadStoreError.self) {
        try ConversationCoding.decode(Array(bytes[..<length]), file: "a.json")
      }
    }
  }

  private func schema() throws -> JSONSchema {
    let file = ProjectFolders.repository.appending(path: "docs/conversation.schema.json")
    return JSONSchema(root: try JSONValue(parsing: Array(try Data(contentsOf: file))))
  }
}
