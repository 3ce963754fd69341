import Basics
import NetworkSources
import Testing
import ThreadModel
import XNetwork

/// The formats of saved files, and the messages for files without posts.
@Suite struct XImporterTests {
  @Test(arguments: [
    ("", "a.json: error: contains no posts: the file is empty"),
    (
      "nonsense",
      "a.json:1:1: error: expected null, but found 'n'; not valid JSON: `threadsite help import` lists the files that can be imported"
    ),
    ("{\"data\":[\n{]}", "a.json:2:2: error: expected a key in double quotes, but found ']'"),
    (
      "3",
      "a.json: error: contains nothing to import (not a JSON object); `threadsite help import` lists the files that can be imported"
    ),
    (
      "{}",
      "a.json: error: contains nothing to import (it has no \"data\"); `threadsite help import` lists the files that can be imported"
    ),
    (#"{"data":[]}"#, "a.json: error: contains no posts: the response is empty"),
    (#"{"meta":{"result_count":0}}"#, "a.json: error: contains no posts: the response is empty"),
    (#"{"data":{"deleted":true}}"#, "a.json: error: contains no posts: this is the response to a deletion"),
    (
      #"{"data":[{"start":"a","end":"b","tweet_count":3}]}"#,
      "a.json: error: contains no posts: these are counts of posts"
    ),
    (
      #"{"data":[{"x":1}]}"#,
      "a.json: error: contains nothing to import (its \"data\" is of an unknown type); `threadsite help import` lists the files that can be imported"
    ),
    (#"{"data":[1,2]}"#, "a.json: error: contains no posts: the response is empty"),
    (#"{"statuses":[]}"#, "a.json: error: contains no posts: the response is empty"),
    ("[]", "a.json: error: contains no posts: its list is empty"),
    (
      "window.YTD.tweets.part0 = []",
      "a.json: error: a single file of an X archive: import the archive's zip file or the unpacked folder instead"
    ),
    (
      #"{"title":"CreditsDepleted","detail":"Your enrolled account has no credits","status":402}"#,
      "a.json: error: X returned an error and no posts: 402 CreditsDepleted: Your enrolled account has no credits"
    ),
    (
      #"{"status":503,"url":"https://api.x.com/2/tweets","body":"<html>"}"#,
      "a.json: error: X returned an error and no posts: 503 no JSON"
    ),
    (
      #"{"status":200,"url":"https://api.x.com/2/tweets","body":"<html>"}"#,
      "a.json: error: contains nothing to import (the recorded body is not a JSON object); `threadsite help import` lists the files that can be imported"
    ),
    (
      #"{"status":429,"url":"u","headers":{},"body":{"title":"Too Many Requests","detail":"Too Many Requests"}}"#,
      "a.json: error: X returned an error and no posts: 429 Too Many Requests"
    ),
    (
      #"{"errors":[{"resource_type":"tweet","value":"1","title":"Authorization Error","type":"x/not-authorized-for-resource"},{"resource_type":"tweet","value":"2","title":"Not Found Error","type":"x/resource-not-found"},{"resource_type":"tweet","value":"3","title":"Not Found Error","type":"x/resource-not-found"}]}"#,
      "a.json: error: contains no posts: 2 posts: not found; 1 post: protected"
    ),
  ])
  func reportsWhyThereAreNoPosts(source: String, description: String) {
    var importer = XImporter()
    let error = #expect(throws: SourceError.self) { try importer.take(Array(source.utf8), file: "a.json") }
    #expect(error?.description == description)
    #expect(importer.result().conversations == [])
  }

  /// The summaries group the conversations after these were moved out of memory, also with the store's.
  @Test func groupsConversationsThatWereRemoved() throws {
    func line(_ id: Int, answering parent: Int?, in conversation: Int) -> [UInt8] {
      let references = parent.map { #","referenced_tweets":[{"type":"replied_to","id":"\#($0)"}]"# } ?? ""
      return Array(
        #"{"data":[{"id":"\#(id)","author_id":"1","conversation_id":"\#(conversation)","text":"a"\#(references)}]}"#
          .utf8)
    }
    var (importer, other) = (XImporter(), XImporter())
    try importer.take(line(10, answering: nil, in: 10), file: "a.json")
    let first = importer.removeParts()
    try importer.take(line(30, answering: nil, in: 30), file: "b.json")
    try other.take(line(11, answering: 10, in: 10), file: "c.json")
    #expect(first.count == 1 && importer.removeParts().count == 1 && importer.removeParts().isEmpty)
    #expect(other.removeParts().count == 1)
    importer.add(other)
    let (groups, report) = importer.grouped(with: first.map(XImporter.summary))
    #expect(groups.map(\.id.value) == ["10", "30"])
    #expect(groups.map(\.members) == [[0, 2, 3], [1]])
    #expect(report.posts == 3)
  }

  /// The first post of Ada's thread came with a repost or a quote by Bob, the second post with a later
  /// response.
  @Test(arguments: ["retweeted", "quoted"])
  func includedFirstPostBelongsToItsThread(type: String) throws {
    let first = ##"{"id":"10","author_id":"1","conversation_id":"10","text":"first"}"##
    let other = ##"{"id":"9","author_id":"3","conversation_id":"9","text":"of no thread"}"##
    let lines = [
      ##"{"data":[{"id":"20","author_id":"2","conversation_id":"20","text":"RT","referenced_tweets":[{"type":"\##(type)","id":"10"}]}],"includes":{"tweets":[\##(first),\##(other)]}}"##,
      ##"{"data":[{"id":"11","author_id":"1","conversation_id":"10","in_reply_to_user_id":"1","text":"second","referenced_tweets":[{"type":"replied_to","id":"10"}]}]}"##,
    ]
    for lines in [lines, lines.reversed()] {
      var importer = XImporter()
      try importer.take(Array(lines.joined(separator: "\n").utf8), file: "a.jsonl")
      let conversations = importer.result().conversations
      let thread = try #require(conversations.first { $0.id.value == "10" })
      #expect(thread.posts.map(\.id.value) == ["10", "11"] && thread.tombstones.isEmpty)
      #expect(conversations.allSatisfy { !$0.posts.contains { $0.id.value == "9" } })
      #expect(importer.result().report.originals == 0)
    }
  }

  @Test(arguments: [
    #"{"data":{"id":"1","author_id":"9","text":"a"}}"#,
    #"{"data":[{"id":"1","author_id":"9","text":"a"}],"meta":{"result_count":1}}"#,
    #"[{"data":[{"id":"1","author_id":"9","text":"a"}]}]"#,
    #"{"id":"1","author_id":"9","text":"a"}"#,
    #"{"id":"1","author":{"id":"9","username":"ada"},"text":"a"}"#,
    #"{"status":200,"headers":{"date":"x"},"body":{"data":{"id":"1","author_id":"9","text":"a"}}}"#,
    #"{"url":"u","body":"{\"data\":{\"id\":\"1\",\"author_id\":\"9\",\"text\":\"a\"}}"}"#,
    "\u{FEFF}{\"data\":{\"id\":\"1\",\"author_id\":\"9\",\"text\":\"a\"}}\n\n{\"errors\":[]}\n",
    #"{"data":[{"id":"1","author_id":"9"},{"id":"1","text":"a"}]}"#,
  ])
  func readsEveryFormat(source: String) throws {
    let conversations = try Answers.conversations(source)
    #expect(conversations.map(\.id.value) == ["1"])
    #expect(conversations.first?.authorID.value == "9")
    #expect(conversations.first?.posts.map(\.text.text) == ["a"])
  }

  /// Entries among posts that are not posts are counted. A file of only such entries is rejected.
  @Test(arguments: [
    (#"{"statuses":[{"id":1,"id_str":"1","text":"a","user":{"id_str":"9"}},{"id_str":"2"},7]}"#, 1, 2),
    (#"{"data":[{"id":"1","author_id":"9","text":"a"},{"x":1}]}"#, 1, 1),
    (#"{"statuses":[{"id_str":"2"}]}"#, 0, 1),
  ])
  func countsEntriesThatAreNotPosts(source: String, posts: Int, others: Int) throws {
    var importer = XImporter()
    try importer.take(Array(source.utf8), file: "a.json")
    let file = try #require(importer.result().report.files.first)
    #expect(file.posts == posts)
    let words =
      others == 1
      ? "1 entry without an id or text, which is not a post"
      : "\(others) entries without an id or text, which are not posts"
    #expect(file.problems == (posts == 0 ? [] : [words]))
    #expect(file.refusals == (posts == 0 ? [words] : []))
  }

  @Test func reportsOneBadResponseAmongGoodOnes() throws {
    var importer = XImporter()
    let source = #"[{"data":{"id":"1","author_id":"9","text":"a"}},{"title":"Unauthorized","status":401}]"#
    try importer.take(Array(source.utf8), file: "a.json")
    #expect(importer.result().report.posts == 1)
    #expect(
      importer.result().report.problems == [
        "a.json: X returned an error and no posts: 401 Unauthorized"
      ])
  }

  @Test(arguments: [
    (#"{"data":[{"id":"1","name":"a"}]}"#, "these are lists, or communities"),
    (#"{"data":[{"id":"1","name":"a","owner_id":"9","private":false}]}"#, "these are lists"),
    (#"{"data":{"id":"1","name":"a","access":"Public"}}"#, "these are communities"),
    (
      #"{"data":[{"id":"1","type":"tweets","status":"created","upload_url":"u"}]}"#,
      "these are compliance jobs"
    ),
    (#"{"data":[{"id":"1zqKVXPQhvZJB","state":"live"}]}"#, "these are spaces"),
    (#"{"data":[{"id":"1","username":"ada"}]}"#, "these are users"),
    (#"{"users":[{"id_str":"1","screen_name":"ada"}]}"#, "these are users"),
    (#"[{"id_str":"1","screen_name":"ada"}]"#, "these are users"),
    (
      #"{"users":[],"tweets":[{"id":"1"}]}"#,
      "this is the \"includes\" part of a response without the response"
    ),
    (#"{"data":[{"id":"1","value":"from:ada"}],"meta":{"sent":"x"}}"#, "these are rules of a stream"),
    (#"{"data":[{"trend_name":"topic"}]}"#, "these are trends"),
    (#"{"data":{"project_cap":"1","project_id":"2"}}"#, "this is usage data of the API"),
    (#"{"data":{"liked":true}}"#, "this is the response to an action"),
    (#"{"data":[{"media_key":"3_1","type":"photo"}]}"#, "these are media"),
    (
      #"{"data":[{"id":"1","text":"a","event_type":"MessageCreate"}]}"#,
      "these are direct messages, which are private and are not imported"
    ),
    (
      #"{"events":[{"type":"message_create","id":"1"}]}"#,
      "these are direct messages, which are private and are not imported"
    ),
    (#"{"ids":[1,2]}"#, "these are ids without posts"),
    (#"{"lists":[{"id_str":"1"}]}"#, "these are lists"),
  ])
  func namesTheKindOfAFileWithoutPosts(source: String, kind: String) {
    var importer = XImporter()
    let error = #expect(throws: SourceError.self) { try importer.take(Array(source.utf8), file: "a.json") }
    #expect(error?.description == "a.json: error: contains no posts: \(kind)")
  }

  @Test(arguments: [
    // The last line is truncated; a line in the middle is damaged; an array with one post per line is
    // truncated.
    (
      "{\"id\":\"1\",\"author_id\":\"9\",\"text\":\"a\"}\n{\"id\":\"2\",\"author_id\":\"9\",\"te", ["1"],
      "a.jsonl:2:"
    ),
    (
      "{\"id\":\"1\",\"author_id\":\"9\",\"text\":\"a\"}\n{\"id\":!}\n{\"id\":\"3\",\"author_id\":\"9\",\"text\":\"c\"}\n",
      ["1", "3"], "a.jsonl:2:7: error: expected a value, but found '!'"
    ),
    (
      "[\n  {\"id\":\"1\",\"author_id\":\"9\",\"text\":\"a\"},\n  {\"id\":\"2\",\"author_id\":\"9\",\"text\":\"b\"},\n  {\"id\":\"3",
      ["1", "2"], "a.jsonl:4:"
    ),
  ])
  func importsCompleteLinesOfADamagedFile(source: String, ids: [String], place: String) throws {
    var importer = XImporter()
    try importer.take(Array(source.utf8), file: "a.jsonl")
    let (conversations, report) = importer.result()
    #expect(conversations.map(\.id.value) == ids)
    #expect(report.files[0].unread.count == 1)
    #expect(report.files[0].unread[0].hasPrefix(place), "\(report.files[0].unread)")
  }

  @Test func fileOfRepostsGivesNothing() throws {
    var importer = XImporter()
    let source = """
      {"data":[{"id":"2","author_id":"9","text":"RT","referenced_tweets":[{"type":"retweeted","id":"1"}]}],
      "includes":{"tweets":[{"id":"1","author_id":"8","text":"a"}]}}
      """
    try importer.take(Array(source.utf8), file: "a.json")
    let report = importer.result().report
    #expect(report.reposts == 1 && report.originals == 1 && report.posts == 0)
    #expect(report.files[0].refusals == ["contains only reposts of others' posts (1), which are not threads"])
  }

  @Test func rejectsBadIDs() throws {
    let bad: [JSONValue] = [
      1_346_889_436_626_259_968, .number("1e18"), "12345678901234567890", "", "../1", "1 ", "-1", "١", nil,
      ["1"],
    ]
    var posts: [JSONValue] = bad.map { ["id": $0, "author_id": "9", "text": "a"] }
    posts.append(["id": "1", "author_id": "../9", "text": "a"])
    posts.append(["id": "2", "author_id": "9", "conversation_id": "x/../y", "text": "kept, as its own"])
    var importer = XImporter()
    let answer: JSONValue = [
      "data": .array(posts),
      "includes": ["users": [["id": "../9", "username": "a"], ["id": "9", "username": "../a"]]],
    ]
    try importer.take(JSONWriter.text(of: answer).bytes, file: "a.json")
    let (conversations, report) = importer.result()
    #expect(conversations.map(\.id.value) == ["2"])
    #expect(conversations.first?.author?.handle == nil)
    #expect(conversations.first?.posts.first?.url == "https://x.com/i/status/2")
    #expect(
      report.problems == [
        "a.json: 1 post (1) without author_id: fetch again with tweet.fields=author_id",
        "a.json: 10 ids (1346889436626259968, a number, 1e18, a number, \"12345678901234567890\", …) that are not strings "
          + "of 1 to 19 digits, as X's ids are",
      ])
  }

  @Test func unknownFieldsSurvive() throws {
    let post = try Answers.post(
      [
        "text": "a", "brand_new": ["x": [1, .number("2.50")]], "gone": nil,
        "attachments": ["media_keys": ["99_1"]],
        "public_metrics": ["like_count": "7", "reply_count": .number("1.5")],
      ],
      includes: ["media": [["media_key": "99_1", "type": "hologram", "depth": 3]]])
    #expect(post?.extra == ["brand_new": ["x": [1, .number("2.50")]]])
    #expect(post?.media.first?.kind == "hologram")
    #expect(post?.media.first?.extra == ["depth": 3])
    #expect(post?.metrics == Metrics(likes: 7))
  }

  @Test func wrongTypesDoNotCrash() throws {
    let odd: [JSONValue] = [nil, true, -1, "x", [], [nil, 1, "x", [:]], [:], ["a": [:]], .number("1e999")]
    let keys = [
      "text", "author_id", "conversation_id", "entities", "attachments", "referenced_tweets",
      "public_metrics",
      "note_tweet", "edit_history_tweet_ids", "withheld", "created_at", "lang", "article",
      "in_reply_to_user_id",
    ]
    for key in keys {
      for value in odd {
        var importer = XImporter()
        var members: JSONObject = ["id": "1", "author_id": "9", "text": "a"]
        members[key] = value
        let answer: JSONValue = [
          "data": [.object(members)], "includes": value, "errors": value, "meta": value,
        ]
        // An error is a valid result.
        do { try importer.take(JSONWriter.text(of: answer).bytes, file: "a.json") } catch { continue }
        #expect(importer.result().conversations.count <= 1)
      }
    }
  }

  @Test func rejectsDeepNesting() {
    var importer = XImporter()
    let source = #"{"data":"# + String(repeating: "[", count: 100_000)
    let error = #expect(throws: SourceError.self) { try importer.take(Array(source.utf8), file: "a.json") }
    #expect(error?.description == "a.json:1:264: error: nested deeper than 256 levels")
  }

  @Test func postWithoutADateHasTheDateOfItsID() throws {
    #expect(
      try Answers.post(["id": "1346889436626259968", "text": "a"])?.createdAt?.iso8601
        == "2021-01-06T18:40:40Z")
    #expect(try Answers.post(["id": "20", "text": "a"])?.createdAt == nil)
  }
}
