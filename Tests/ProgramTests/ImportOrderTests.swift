import Basics
import Foundation
import Intake
import SiteConfig
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// One import of all files gives the same store as several imports in any order.
@Suite("The order of imported files never matters") struct ImportOrderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Stores

  private func store(_ name: String) -> ThreadStore { ThreadStore(folder: "\(folder.path)/\(name)") }

  @discardableResult
  private func run(_ files: [String], into name: String, _ options: FileOptions = FileOptions()) throws
    -> ImportSummary
  {
    try SiteImport(store: "\(folder.path)/\(name)", jobs: 2) { _ in }.run(files, files: options)
  }

  /// Writes responses as files and returns their paths.
  private func write(_ answers: [String]) throws -> [String] {
    try answers.enumerated().map { index, answer in
      try folder.write(answer, to: "answers/\(index).json")
      return "\(folder.path)/answers/\(index).json"
    }
  }

  private func conversations(in name: String) throws -> [Conversation] {
    let store = store(name)
    return try store.list().map { try store.read($0) }
  }

  /// Imports the files at once, then in random orders and portions, and compares the stores byte for byte.
  private func check(_ files: [String], rounds: Int, _ dice: inout Dice, _ what: String) throws {
    try run(files, into: "\(what)-whole")
    let whole = try folder.tree("\(what)-whole")
    #expect(!whole.isEmpty, "\(what)")
    for round in 0..<rounds {
      let name = "\(what)-\(round)"
      var rest = files.shuffled(using: &dice)[...]
      while !rest.isEmpty {
        let portion = rest.prefix(Int.random(in: 1...max(1, files.count), using: &dice))
        rest = rest.dropFirst(portion.count)
        try run(Array(portion), into: name)
      }
      let parts = try folder.tree(name)
      #expect(Set(parts.keys) == Set(whole.keys), "\(what), round \(round)")
      for (file, bytes) in whole where parts[file] != bytes {
        Issue.record("\(what), round \(round): \(file) differs:\n\(difference(bytes, parts[file] ?? Data()))")
      }
      try folder.remove(name)
    }
  }

  /// The lines that only one of two files has, at most ten of each.
  private func difference(_ whole: Data, _ parts: Data) -> String {
    let (whole, parts) = (lines(whole), lines(parts))
    let removed = whole.filter { !parts.contains($0) }.prefix(10).map { "- " + $0 }
    let added = parts.filter { !whole.contains($0) }.prefix(10).map { "+ " + $0 }
    return (removed + added).joined(separator: "\n")
  }

  private func lines(_ data: Data) -> [Substring] {
    String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  private struct Dice: RandomNumberGenerator {
    let seed: UInt64
    private var random: SeededRandom

    init(_ what: String) {
      seed = SeededRandom.seedOfRun
      random = SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 { random.next() }

    mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &self) < part }
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  }

  // MARK: Invented responses

  /// Conversations of a few authors with replies, quotes and edits. Responses contain random parts of them at
  /// random times.
  private struct World {
    struct Truth {
      var id: Int
      var author: Int
      var conversation: Int
      var parent: Int?
      var quoted: Int?
      /// All versions of an edited post.
      var versions: [Int]
    }

    var posts: [Truth] = []

    init(_ dice: inout Dice) {
      var id = 1000
      for _ in 0..<3 {
        let first = posts.count
        for _ in 0...(1 + dice.below(6)) {
          id += 1 + dice.below(3)
          let isFirst = posts.count == first
          let parent = isFirst ? nil : posts[first..<posts.count].randomElement(using: &dice)
          var post = Truth(
            id: id, author: isFirst ? 1 + dice.below(2) : 1 + dice.below(3),
            conversation: isFirst ? id : posts[first].id, parent: parent?.id, versions: [id])
          if dice.chance(0.3) { post.quoted = posts.randomElement(using: &dice)?.id }
          if !isFirst, dice.chance(0.2) {
            id += 1
            post.versions.append(id)
            posts.append(post)
            post.id = id
          }
          posts.append(post)
        }
      }
    }

    private func observation(_ post: Truth, _ dice: inout Dice) -> JSONObject {
      let link = "https://t.co/\(post.id)"
      let text = "post \(post.id) \(link)"
      var entity: JSONObject = [
        "url": .string(link), "start": .integer(Int64(text.utf8.count - link.utf8.count)),
        "end": .integer(Int64(text.utf8.count)), "expanded_url": .string("https://a.example/\(post.id)"),
      ]
      if dice.chance(0.5) { entity["title"] = .string("title \(dice.below(2))") }
      if dice.chance(0.5) { entity["description"] = "about it" }
      if dice.chance(0.5) {
        entity["images"] = [["url": "https://pbs.example/i", "width": 10, "height": 5]]
      }
      var result: JSONObject = [
        "id": .string("\(post.id)"), "text": .string(text), "author_id": .string("\(post.author)"),
      ]
      if dice.chance(0.8) { result["entities"] = ["urls": [.object(entity)]] }
      if dice.chance(0.7) { result["conversation_id"] = .string("\(post.conversation)") }
      if dice.chance(0.5) { result["lang"] = .string(["en", "fr"][dice.below(2)]) }
      if dice.chance(0.5) { result["public_metrics"] = ["like_count": .integer(Int64(dice.below(9)))] }
      if dice.chance(0.3) { result["source"] = .string("s\(dice.below(3))") }
      if dice.chance(0.5) { result["attachments"] = ["media_keys": [.string("3_\(post.id)")]] }
      if post.versions.count > 1 {
        result["edit_history_tweet_ids"] = .array(post.versions.map { .string("\($0)") })
      }
      var references: [JSONValue] = []
      if let parent = post.parent {
        references.append(["type": "replied_to", "id": .string("\(parent)")])
        if let author = posts.first(where: { $0.id == parent })?.author {
          result["in_reply_to_user_id"] = .string("\(author)")
        }
      }
      if let quoted = post.quoted { references.append(["type": "quoted", "id": .string("\(quoted)")]) }
      if !references.isEmpty { result["referenced_tweets"] = .array(references) }
      return result
    }

    func answer(_ dice: inout Dice) -> String {
      let asked = posts.shuffled(using: &dice).prefix(1 + dice.below(4))
      var included: [JSONValue] = []
      var errors: [JSONValue] = []
      var users: [JSONValue] = []
      var media: [JSONValue] = []
      for id in asked.flatMap({ [$0.parent, $0.quoted] }).compactMap(\.self) {
        if dice.chance(0.2) {
          errors.append([
            "resource_type": "tweet", "resource_id": .string("\(id)"), "title": "Not Found Error",
            "type": "https://api.x.com/2/problems/resource-not-found",
          ])
        } else if dice.chance(0.6), let post = posts.first(where: { $0.id == id }) {
          included.append(.object(observation(post, &dice)))
        }
      }
      for author in 1...3 where dice.chance(0.6) {
        var user: JSONObject = [
          "id": .string("\(author)"),
          "username": .string(dice.chance(0.9) ? "user\(author)" : "renamed\(author)"),
        ]
        if dice.chance(0.5) { user["name"] = .string("Name \(dice.below(2))") }
        if dice.chance(0.5) { user["public_metrics"] = ["followers_count": .integer(Int64(dice.below(5)))] }
        users.append(.object(user))
      }
      for post in asked where dice.chance(0.5) {
        var object: JSONObject = [
          "media_key": .string("3_\(post.id)"), "type": "photo", "url": "https://pbs.example/p.jpg",
        ]
        if dice.chance(0.5) { object["alt_text"] = .string("alt \(dice.below(2))") }
        media.append(.object(object))
      }
      let body: JSONValue = [
        "data": .array(asked.map { .object(observation($0, &dice)) }), "errors": .array(errors),
        "includes": ["tweets": .array(included), "users": .array(users), "media": .array(media)],
      ]
      guard dice.chance(0.7) else { return JSONWriter.text(of: body).string }
      let exchange: JSONValue = [
        "status": 200, "body": body,
        "headers": ["date": .string("Sun, 19 Dec 2021 20:4\(dice.below(4)):25 GMT")],
      ]
      return JSONWriter.text(of: exchange).string
    }
  }

  /// A thread quotes a post that answers an edited post of another thread. One response has the newer version of the edited post, one
  /// states that the older version is missing, and one has both versions.
  @Test func versionsOfAPostInAnotherThread() throws {
    func post(
      _ id: Int, by author: Int, in conversation: Int, answers: (id: Int, author: Int)? = nil,
      quotes: Int? = nil,
      versions: [Int] = []
    ) -> JSONValue {
      var post: JSONObject = [
        "id": .string("\(id)"), "text": "text", "author_id": .string("\(author)"),
        "conversation_id": .string("\(conversation)"),
      ]
      var references: [JSONValue] = []
      if let answers {
        references.append(["type": "replied_to", "id": .string("\(answers.id)")])
        post["in_reply_to_user_id"] = .string("\(answers.author)")
      }
      if let quotes { references.append(["type": "quoted", "id": .string("\(quotes)")]) }
      post["referenced_tweets"] = .array(references)
      if !versions.isEmpty { post["edit_history_tweet_ids"] = .array(versions.map { .string("\($0)") }) }
      return .object(post)
    }
    func response(_ posts: [JSONValue], included: [JSONValue], missing: [Int] = [], at date: String? = nil)
      -> String
    {
      let body: JSONValue = [
        "data": .array(posts),
        "errors": .array(
          missing.map {
            [
              "resource_type": "tweet", "resource_id": .string("\($0)"), "title": "Not Found Error",
              "type": "https://api.x.com/2/problems/resource-not-found",
            ]
          }),
        "includes": [
          "tweets": .array(included),
          "users": .array((1...3).map { ["id": .string("\($0)"), "username": .string("user\($0)")] }),
        ],
      ]
      guard let date else { return JSONWriter.text(of: body).string }
      return JSONWriter.text(of: ["status": 200, "headers": ["date": .string(date)], "body": body]).string
    }
    let quoting = post(1017, by: 2, in: 1017, quotes: 1008)
    let quoted = post(1008, by: 2, in: 1002, answers: (1005, 3))
    let older = post(1005, by: 3, in: 1002, answers: (1003, 1), versions: [1005, 1006])
    let newer = post(1006, by: 3, in: 1002, answers: (1003, 1), versions: [1005, 1006])
    let files = try write([
      response([quoting, newer], included: [quoted]),
      response([quoting, quoted], included: [], missing: [1005]),
      response([quoting, quoted], included: [older], at: "Sun, 19 Dec 2021 20:40:25 GMT"),
    ])
    var dice = Dice("versions")
    try check(files, rounds: 20, &dice, "versions")
  }

  @Test func inventedResponsesInAnyOrder() throws {
    var dice = Dice("invented answers")
    for world in 0..<TestDepth.cases(fast: 4, deep: 300) {
      let world = (number: world, facts: World(&dice))
      let files = try write((0..<(4 + dice.below(8))).map { _ in world.facts.answer(&dice) })
      try check(files, rounds: 3, &dice, "world-\(world.number) of seed \(dice.seed)")
    }
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func realResponsesInAnyOrder() throws {
    let top = try #require(ProjectFolders.sharedFixtures).appending(path: "x")
    let names = try FileManager.default.subpathsOfDirectory(atPath: top.path)
    let files = names.sorted().filter { $0.hasSuffix(".json") || $0.hasSuffix(".jsonl") }
    var dice = Dice("\(files.count) real files")
    try check(
      files.map { top.appending(path: $0).path }, rounds: TestDepth.cases(fast: 1, deep: 4), &dice, "real")
    // Splits one search into one response per post, each with all of the includes.
    let page = try JSONValue(
      parsing: Array(try Data(contentsOf: top.appending(path: "exchanges/search-all-page-1.json"))))
    let body = try #require(page["body"])
    let posts = try #require(body["data"]?.array)
    var portions: [String] = []
    for start in stride(from: 0, to: posts.count, by: 60) {
      let portion = posts[start..<min(start + 60, posts.count)]
      var answer = try #require(page.object)
      var includes = try #require(body["includes"]?.object)
      // The requested posts are added to the includes, because the posts may refer to them.
      includes["tweets"] = .array((includes["tweets"]?.array ?? []) + posts.filter { !portion.contains($0) })
      var part = try #require(body.object)
      part["data"] = .array(Array(portion))
      part["includes"] = .object(includes)
      answer["body"] = .object(part)
      portions.append(JSONWriter.text(of: .object(answer)).string)
    }
    try run([top.appending(path: "exchanges/search-all-page-1.json").path], into: "page")
    for (index, file) in try write(portions).shuffled(using: &dice).enumerated() {
      try run([file], into: "portions")
      #expect(index < 10)
    }
    let (page1, portioned) = (try folder.tree("page"), try folder.tree("portions"))
    #expect(Set(page1.keys) == Set(portioned.keys))
    #expect(page1 == portioned)
  }

  // MARK: Authors of threads

  private static func post(
    _ id: Int, _ author: Int, answers: (id: Int, author: Int)? = nil, _ more: String = "", quotes: Int? = nil
  )
    -> String
  {
    let references =
      [
        answers.map { #"{"type":"replied_to","id":"\#($0.id)"}"# },
        quotes.map { #"{"type":"quoted","id":"\#($0)"}"# },
      ]
      .compactMap(\.self)
    let reference =
      (answers.map { #","in_reply_to_user_id":"\#($0.author)""# } ?? "")
      + (references.isEmpty ? "" : #","referenced_tweets":[\#(references.joined(separator: ","))]"#)
    return #"{"id":"\#(id)","author_id":"\#(author)","text":"\#(id)"\#(reference)\#(more)}"#
  }

  private static func answer(_ posts: String..., users: [Int] = []) -> String {
    let users = users.map { #"{"id":"\#($0)","username":"user\#($0)"}"# }.joined(separator: ",")
    return #"{"data":[\#(posts.joined(separator: ","))],"includes":{"users":[\#(users)]}}"#
  }

  @Test func repliesBelongToTheAuthorOfTheConversation() throws {
    let said = #","conversation_id":"10""#
    let files = try write([
      Self.answer(Self.post(11, 2, answers: (10, 1), said), users: [2]),
      Self.answer(Self.post(12, 3, answers: (11, 2), said), users: [3]),
      Self.answer(Self.post(10, 1, said), users: [1]),
    ])
    try run([files[0]], into: "threads")
    try run([files[1]], into: "threads")
    #expect(try store("threads").list().map(\.path) == ["x/user2/10.json", "x/user3/10.json"])
    let summary = try run([files[2]], into: "threads")
    #expect(summary.added == 1 && summary.conversations == 1)
    #expect(try store("threads").list().map(\.path) == ["x/user1/10.json"])
    #expect(try conversations(in: "threads")[0].posts.map(\.id.value) == ["10", "11", "12"])
  }

  /// Facts that arrive in a later import change the conversation of a stored post. All orders give the same store.
  @Test(arguments: [
    [
      // The earlier version of a post states its conversation, and the newest version does not.
      answer(post(26, 3, answers: (23, 1), #","edit_history_tweet_ids":["25","26"]"#), users: [3]),
      answer(post(25, 3, answers: (23, 1), #","conversation_id":"19""#), users: [3]),
      answer(post(27, 3, answers: (19, 1), #","conversation_id":"19""#), users: [3]),
    ],
    [
      // A quoted post states the conversation of the post that answers it.
      #"{"data":[\#(post(17, 1, answers: (12, 2), #","conversation_id":"12""#, quotes: 14))],"includes":{"tweets":[\#(post(14, 2, answers: (12, 2), #","conversation_id":"12""#))]}}"#,
      answer(post(15, 3, answers: (14, 2)), users: [3]),
      answer(post(12, 2, #","conversation_id":"12""#), users: [2]),
    ],
    [
      // A post of another conversation quotes a stored post and states its conversation.
      answer(post(7, 1, answers: (6, 3)), users: [1]),
      #"{"data":[\#(post(8, 2, #","conversation_id":"8""#, quotes: 7))],"includes":{"tweets":[\#(post(7, 1, answers: (6, 3), #","conversation_id":"3""#))]}}"#,
    ],
    [
      // The missing first post of a chain is a reply.
      answer(
        post(11, 1, answers: (8, 1)), post(14, 3, answers: (11, 1), #","lang":"en""#), users: [1, 3]),
      answer(post(11, 1, answers: (8, 1), #","conversation_id":"3""#), users: [1]),
      answer(post(14, 3, answers: (11, 1), #","conversation_id":"3""#), users: [3]),
      answer(post(3, 1), users: [1]),
    ],
  ])
  func laterFactsMoveStoredPosts(_ answers: [String]) throws {
    let files = try write(answers)
    try run(files, into: "whole")
    let whole = try folder.tree("whole")
    for order in [Array(files.indices), files.indices.reversed()] {
      for (count, index) in order.enumerated() {
        try run([files[index]], into: "parts")
        // Another import of the same files changes nothing.
        let before = try folder.tree("parts")
        try run(order[...count].map { files[$0] }, into: "parts")
        #expect(try folder.tree("parts") == before)
      }
      #expect(try folder.tree("parts") == whole, "\(order)")
      try folder.remove("parts")
    }
  }

  @Test func fetchedThreadIsNotSplit() throws {
    var chosen = Conversation(id: PostID("10", on: .x), authorID: AuthorID("2", on: .x))
    chosen.posts = [Post(id: PostID("11", on: .x), authorID: AuthorID("2", on: .x), text: InlineText("11"))]
    chosen.posts[0].inReplyTo = PostID("10", on: .x)
    chosen.posts[0].conversationID = chosen.id
    chosen.coverage.foundBy = .timeline
    try store("threads").save(chosen)
    let said = #","conversation_id":"10","lang":"en""#
    try run(
      try write([
        Self.answer(Self.post(10, 1, said), Self.post(11, 2, answers: (10, 1), said), users: [1, 2])
      ]),
      into: "threads")
    let stored = try conversations(in: "threads")
    #expect(stored.map(\.authorID.value).sorted() == ["1", "2"])
    #expect(stored.allSatisfy { $0.posts.last?.language == "en" })
  }

  @Test func chainIsJoinedWhenItsFirstPostArrives() throws {
    let files = try write([
      Self.answer(Self.post(13, 1, answers: (12, 1)), users: [1]),
      Self.answer(Self.post(12, 1, answers: (11, 1)), users: [1]),
      Self.answer(Self.post(11, 1), users: [1]),
    ])
    try folder.write(#"{"x/user1/12":"x/user1/a-page-12/"}"#, to: "threads/permalinks.json")
    for file in files { try run([file], into: "threads") }
    #expect(try store("threads").list().map(\.path) == ["x/user1/11.json"])
    let conversation = try conversations(in: "threads")[0]
    #expect(conversation.posts.map(\.id.value) == ["11", "12", "13"])
    #expect(conversation.posts.allSatisfy { $0.conversationID?.value == "11" })
    #expect(try folder.text("threads/permalinks.json").contains(#""x/user1/11": "x/user1/a-page-12/""#))
  }

  /// Some file systems ignore case in folder names.
  @Test func handlesThatDifferInCaseShareAFolder() throws {
    func answer(_ id: Int, _ author: Int, _ handle: String) -> String {
      #"{"data":[\#(Self.post(id, author))],"includes":{"users":[{"id":"\#(author)","username":"\#(handle)"}]}}"#
    }
    let files = try write([answer(10, 1, "Ada"), answer(11, 1, "ada"), answer(12, 2, "ADA")])
    try run(files, into: "threads")
    #expect(try store("threads").list().map(\.path) == ["x/ada/10.json", "x/ada/11.json", "x/ada/12.json"])
    var chosen = Conversation(id: PostID("5", on: .x), authorID: AuthorID("1", on: .x))
    chosen.posts = [Post(id: chosen.id, authorID: chosen.authorID, text: InlineText("5"))]
    chosen.authors = [Author(id: chosen.authorID, handle: "Ada")]
    chosen.coverage.foundBy = .timeline
    try store("fetched").save(chosen)
    try run(files, into: "fetched")
    #expect(
      try store("fetched").list().map(\.path) == [
        "x/Ada/10.json", "x/Ada/11.json", "x/Ada/5.json", "x/ada-2/12.json",
      ])
  }

  @Test func laterEditReplacesThePostAndMovesTheFile() throws {
    let history = #","edit_history_tweet_ids":["10","11"]"#
    let files = try write([
      Self.answer(
        Self.post(10, 1), Self.post(20, 1, answers: (10, 1), #","conversation_id":"10""#), users: [1]),
      Self.answer(Self.post(11, 1, history + #","conversation_id":"11""#), users: [1]),
    ])
    for (name, order) in [("one", [0, 1]), ("other", [1, 0])] {
      for index in order { try run([files[index]], into: name) }
      #expect(try store(name).list().map(\.path) == ["x/user1/11.json"])
      let posts = try conversations(in: name)[0].posts
      #expect(posts.map(\.id.value) == ["11", "20"])
      #expect(posts[0].earlierVersions.map(\.value) == ["10"])
      #expect(posts[1].inReplyTo?.value == "11")
    }
    #expect(try folder.tree("one") == folder.tree("other"))
  }

  /// Each version names only the previous one. Following the whole chain for each version would take minutes.
  @Test func longChainOfEditsIsOnePost() throws {
    let count = TestDepth.cases(fast: 3_000, deep: 30_000)
    let posts = (0..<count).map { index in
      Self.post(
        1_000_000 + index, 1,
        index == 0 ? "" : #","edit_history_tweet_ids":["\#(999_999 + index)","\#(1_000_000 + index)"]"#)
    }
    try run(try write([#"{"data":[\#(posts.joined(separator: ","))]}"#]), into: "threads")
    let stored = try conversations(in: "threads")
    #expect(stored.map { $0.posts.count } == [1])
    #expect(stored[0].posts[0].earlierVersions.count == count - 1)
  }

  // MARK: Limits

  @Test func limitsAreTheSameAsForArchives() throws {
    let files = try write([
      Self.answer(
        Self.post(10, 1, #","created_at":"2022-01-01T10:00:00.000Z""#), Self.post(11, 1, answers: (10, 1)),
        Self.post(20, 1, #","created_at":"2023-01-01T10:00:00.000Z""#),
        Self.post(31, 2, answers: (30, 9), #","conversation_id":"30""#), users: [1])
    ])
    #expect(try run(files, into: "all").added == 3)
    var options = FileOptions()
    options.limits.minPosts = 2
    let long = try run(files, into: "long", options)
    #expect(long.added == 1 && long.leftOut.short == 2)
    options = FileOptions()
    options.includesReplies = false
    let own = try run(files, into: "own", options)
    #expect(own.added == 2 && own.leftOut.replies == 1)
    options = FileOptions()
    options.limits.since = try CalendarDay("2022-06-01")
    let late = try run(files, into: "late", options)
    #expect(late.added == 1 && late.leftOut.outOfRange == 2)
    #expect(late.leftOut.words == ["2 threads outside the requested dates"])
  }
}
