import Basics
import Foundation
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import XNetwork

/// The result or the error for every file of the real data.
@Suite(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures")) struct FixtureTests {
  enum Outcome: Equatable {
    /// Requested posts, and the number of their conversations.
    case imported(posts: Int, conversations: Int)
    /// The posts have no author.
    case lacksAuthor(posts: Int)
    /// The file contains only reposts.
    case reposts(Int)
    case refused(String)
    /// Any other result, as text.
    case other(String)
  }

  static let direct = "contains no posts: these are direct messages, which are private and are not imported"
  static let users = "contains no posts: these are users"

  static let expected: [String: Outcome] = [
    "docs/016-x-api-fundamentals-conversation-id.json": .lacksAuthor(posts: 1),
    "docs/017-x-api-fundamentals-conversation-id.json": .imported(posts: 3, conversations: 3),
    "docs/018-x-api-fundamentals-data-dictionary.json": .lacksAuthor(posts: 1),
    "docs/019-x-api-fundamentals-data-dictionary.json": .lacksAuthor(posts: 1),
    "docs/020-x-api-fundamentals-data-dictionary.json": .lacksAuthor(posts: 1),
    "docs/021-x-api-fundamentals-data-dictionary.json": .refused(direct),
    "docs/022-x-api-fundamentals-data-dictionary-reference.json": .lacksAuthor(posts: 1),
    "docs/023-x-api-fundamentals-data-dictionary-reference.json": .imported(posts: 1, conversations: 1),
    "docs/024-x-api-fundamentals-data-dictionary-reference.json": .imported(posts: 1, conversations: 1),
    "docs/025-x-api-fundamentals-data-dictionary-reference.json": .imported(posts: 1, conversations: 1),
    "docs/026-x-api-fundamentals-data-dictionary-reference.json": .imported(posts: 1, conversations: 1),
    "docs/027-x-api-fundamentals-data-dictionary-reference.json": .imported(posts: 1, conversations: 1),
    "docs/028-x-api-fundamentals-data-dictionary-reference.json": .imported(posts: 1, conversations: 1),
    "docs/029-x-api-fundamentals-data-dictionary-reference.json": .reposts(1),
    "docs/030-x-api-fundamentals-edit-posts.json": .lacksAuthor(posts: 1),
    "docs/031-x-api-fundamentals-edit-posts.json": .lacksAuthor(posts: 1),
    "docs/032-x-api-fundamentals-edit-posts.json": .lacksAuthor(posts: 1),
    "docs/033-x-api-fundamentals-expansions.json": .imported(posts: 1, conversations: 1),
    "docs/034-x-api-fundamentals-expansions.json": .imported(posts: 1, conversations: 1),
    "docs/035-x-api-fundamentals-fields.json": .lacksAuthor(posts: 1),
    "docs/036-x-api-fundamentals-fields.json": .imported(posts: 1, conversations: 1),
    "docs/037-x-api-fundamentals-metrics.json": .lacksAuthor(posts: 1),
    "docs/038-x-api-fundamentals-metrics.json": .lacksAuthor(posts: 1),
    "docs/040-x-api-fundamentals-pagination.json": .lacksAuthor(posts: 2),
    "docs/042-x-api-fundamentals-response-codes-and-errors.json": .lacksAuthor(posts: 1),
    "docs/049-x-api-posts-lookup-integrate.json": .lacksAuthor(posts: 1),
    "docs/050-x-api-posts-lookup-integrate.json": .lacksAuthor(posts: 1),
    "docs/051-x-api-posts-lookup-integrate.json": .lacksAuthor(posts: 1),
    "docs/052-x-api-posts-lookup-quickstart.json": .lacksAuthor(posts: 1),
    "docs/053-x-api-posts-lookup-quickstart.json": .imported(posts: 1, conversations: 1),
    "docs/059-x-api-posts-search-quickstart-full-archive-search.json": .lacksAuthor(posts: 2),
    "docs/060-x-api-posts-search-quickstart-recent-search.json": .lacksAuthor(posts: 2),
    "docs/061-x-api-posts-search-quickstart-recent-search.json": .imported(posts: 1, conversations: 1),
    "docs/064-x-api-users-lookup-integrate.json": .refused(users),
    "docs/065-x-api-users-lookup-integrate.json": .refused(users),
    "exchanges/lookup-partial-errors-all-missing.json": .refused("contains no posts: 15 posts: not found"),
    "exchanges/lookup-partial-errors.json": .reposts(2),
    "exchanges/search-400.json": .refused(
      "X returned an error and no posts: 400 Invalid Request: Invalid 'start_time':'2020-06-21T01:00Z'. "
        + "'start_time' must be before 'end_time':2020-06-21T00:00Z"),
    "exchanges/search-401.json": .refused("X returned an error and no posts: 401 Unauthorized"),
    "exchanges/search-all-page-1.json": .imported(posts: 247, conversations: 161),
    "exchanges/timeline-unavailable-user.json": .refused("contains no posts: 1 user: not found"),
    "exchanges/users-by-partial-errors.json": .refused(users),
    "threads/1387925710145134597-3.json": .imported(posts: 3, conversations: 1),
    "threads/1388519428753530883-5.json": .imported(posts: 5, conversations: 1),
    "threads/1390388622692601860-4.json": .imported(posts: 4, conversations: 1),
    "tweets/edited.jsonl": .imported(posts: 1, conversations: 1),
    "tweets/edited_after.jsonl": .imported(posts: 1, conversations: 1),
    "tweets/edited_before.jsonl": .imported(posts: 1, conversations: 1),
    // 474 posts without conversation IDs. The conversation of a reply to a missing post is unknown.
    "tweets/entities_test.jsonl": .other(
      "160 posts, 314 reposts, 156 conversations; 27 posts (1574186961383718912, 1574186742730588160, "
        + "1574185923922771968, …) that are replies without conversation_id: imported with the known posts "
        + "that they answer; to assign them to their conversations, fetch again with "
        + "tweet.fields=conversation_id"),
    "tweets/many_urls.jsonl": .imported(posts: 1, conversations: 1),
    "tweets/media_tweet.jsonl": .imported(posts: 1, conversations: 1),
    "tweets/two_tweets.jsonl": .reposts(1),
  ]

  @Test func importsEveryFileOrReportsTheReason() throws {
    let files = try files()
    #expect(Set(files.map(\.name)) == Set(Self.expected.keys))
    for file in files {
      let outcome = outcome(of: file.bytes, file.name)
      #expect(outcome == Self.expected[file.name], "\(file.name)")
    }
  }

  private func outcome(of bytes: [UInt8], _ name: String) -> Outcome {
    var importer = XImporter()
    do {
      try importer.take(bytes, file: name)
    } catch {
      return .refused(error.message)
    }
    let (conversations, report) = importer.result()
    guard let file = report.files.first, report.files.count == 1 else { return .other("no report") }
    if file.problems.isEmpty, file.refusals.isEmpty {
      return .imported(posts: file.posts, conversations: conversations.count)
    }
    if file.refusals == ["contains only reposts of others' posts (\(file.reposts)), which are not threads"] {
      return .reposts(file.reposts)
    }
    if file.posts == 0, file.refusals.count == 1, let problem = file.refusals.first,
      problem.hasSuffix(
        "without author_id: fetch again with tweet.fields=author_id"
      ),
      let count = Int(problem.prefix { $0 != " " })
    {
      return .lacksAuthor(posts: count)
    }
    return .other(
      "\(file.posts) posts, \(file.reposts) reposts, \(conversations.count) conversations; "
        + file.problems.joined(separator: "; "))
  }

  @Test(arguments: [
    ("1387925710145134597-3", 3), ("1390388622692601860-4", 4), ("1388519428753530883-5", 5),
  ])
  func threadsAreComplete(name: String, count: Int) throws {
    var importer = XImporter()
    let file = try #require(try files().first { $0.name == "threads/\(name).json" })
    try importer.take(file.bytes, file: file.name)
    let conversation = try #require(importer.result().conversations.first)
    #expect(conversation.id.value == String(name.prefix { $0 != "-" }))
    #expect(conversation.posts.count == count)
    #expect(conversation.posts.allSatisfy { $0.authorID == conversation.authorID })
    #expect(conversation.author != nil)
    for (post, next) in zip(conversation.posts, conversation.posts.dropFirst()) {
      #expect(next.inReplyTo == post.id)
    }
  }

  @Test func noShortLinksOrEscapesRemain() throws {
    var importer = XImporter()
    for file in try files() {
      // Files without posts are tested above.
      do { try importer.take(file.bytes, file: file.name) } catch { continue }
    }
    let conversations = importer.result().conversations
    #expect(conversations.count > 250)
    for post in conversations.flatMap({ $0.posts + $0.related }) where post.id.value != "1260294888811347969"
    {
      // The exception has a link and no entities.
      #expect(!post.text.text.contains("t.co/"), "\(post.text.text)")
      for escape in ["&amp;", "&lt;", "&gt;"] {
        #expect(!post.text.text.contains(escape), "\(post.text.text)")
      }
      #expect(post.text.text.last?.isWhitespace != true || post.media.isEmpty)
    }
  }

  @Test func importedDataSurviveTheStore() throws {
    for file in try files() {
      var importer = XImporter()
      // Files without posts are tested above.
      do { try importer.take(file.bytes, file: file.name) } catch { continue }
      for conversation in importer.result().conversations {
        let bytes = ConversationCoding.encode(conversation).bytes
        #expect(try ConversationCoding.decode(bytes, file: file.name) == conversation)
        #expect(conversation.merged(with: conversation) == conversation)
      }
    }
  }

  @Test func editedPostIsItsNewestVersion() throws {
    for name in ["edited", "edited_before", "edited_after"] {
      var importer = XImporter()
      let file = try #require(try files().first { $0.name == "tweets/\(name).jsonl" })
      try importer.take(file.bytes, file: file.name)
      let post = try #require(importer.result().conversations.first?.posts.first)
      #expect(post.id.value == "1576994789110992896")
      #expect(post.text == InlineText("hey :)"))
      #expect(post.earlierVersions.map(\.value) == ["1576994746135764992"])
      #expect(post.createdAt?.iso8601 == "2022-10-03T17:57:01Z")
      #expect(post.editedAt?.iso8601 == "2022-10-03T17:57:11Z")
      #expect(post.media == [])
    }
  }

  @Test func randomMutationsNeverCrash() throws {
    let seeds = try files().filter { $0.bytes.count < 16_000 }
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % bound
    }
    var imported = 0
    for round in 0..<600 {
      var bytes = seeds[round % seeds.count].bytes
      for _ in 0...random(4) {
        let index = random(bytes.count)
        switch random(3) {
        case 0: bytes[index] = Array("0123456789\"{}[],:-nt&;@#".utf8)[random(24)]
        case 1: bytes.remove(at: index)
        default: bytes.insert(Array("9\\\"{}[],-".utf8)[random(9)], at: index)
        }
      }
      var importer = XImporter()
      // An error is a valid result.
      do { try importer.take(bytes, file: "mutation") } catch { continue }
      imported += importer.result().conversations.count
    }
    #expect(imported > 20)
  }

  private func files() throws -> [(name: String, bytes: [UInt8])] {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "x")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.sorted().filter { $0.contains(".json") }.map {
      ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
    }
  }
}
