import Basics
import BlueskyNetwork
import BlueskyStub
import Foundation
import Intake
import NetworkSources
import TestSupport
import ThreadModel
import XNetwork

/// Claims about importing files to the store.
enum ImportClaims {
  static func all() -> [Claim] {
    Answer.allCases.filter { $0 != .manyAuthors }.map(oneFile) + Answer.allCases.map(manyFiles)
      + Answer.allCases.map(conversations) + [
        chainWithoutRoot, notes(inOneSecond: false), notes(inOneSecond: true), repliesWithoutRoot,
        repository("as many threads of two", isChain: false),
        repository("a chain whose posts do not name the first", isChain: true),
      ]
      + ["links", "handles"].map(cutText) + ArchivedPosts.allCases.map(archive)
  }

  private static func oneFile(_ answer: Answer) -> Claim {
    Claim(
      "importing one file: \(answer.rawValue)",
      prepare: { count in
        let folder = try TemporaryFolder(inMemory: Claim.space)
        try folder.write(Answer.document(answer.posts(count)), to: "answer.json")
        return folder
      }
    ) { try importAll($0, ["answer.json"]) }
  }

  private static func manyFiles(_ answer: Answer) -> Claim {
    Claim(
      "importing as many files as posts: \(answer.rawValue)",
      // Only a limited number of the posts above a post is kept; the sizes are beyond that limit.
      first: answer == .manyAuthors ? 100 : 25, deepest: 1000,
      prepare: { count in
        let folder = try TemporaryFolder(inMemory: Claim.space)
        for (number, post) in answer.posts(count).enumerated() {
          try folder.write(Answer.document([post]), to: "answers/\(number).json")
        }
        return folder
      }
    ) { try importAll($0, ["answers"]) }
  }

  private static func importAll(_ folder: TemporaryFolder, _ names: [String]) throws {
    let summary = try SiteImport(store: folder.path + "/threads") { _ in }
      .run(names.map { "\(folder.path)/\($0)" })
    guard summary.refusals.isEmpty, summary.conversations > 0 else {
      throw ClaimError("not everything was imported")
    }
  }

  /// Assembles conversations without the files of the store.
  private static func conversations(_ answer: Answer) -> Claim {
    Claim(
      "conversations of one answer: \(answer.rawValue)",
      // Only a limited number of the posts above a post is kept; the sizes are beyond that limit.
      first: 100,
      prepare: { Array(Answer.document(answer.posts($0)).utf8) }
    ) { bytes in
      var importer = XImporter()
      try importer.take(bytes, file: "answer.json")
      guard !importer.result().conversations.isEmpty else { throw ClaimError("no conversation was found") }
    }
  }

  /// A stream of version 1.1 that begins with the last answer of a chain, and does not have its root.
  private static let chainWithoutRoot = Claim(
    "conversations of a chain without its root, last post first",
    first: 400,
    prepare: { count in
      let lines = (2..<count + 2).reversed().map { number in
        #"{"id_str":"\#(number)","user":{"id_str":"7","screen_name":"ada"},"text":"\#(number)","#
          + #""in_reply_to_status_id_str":"\#(number - 1)","in_reply_to_user_id_str":"7"}"#
      }
      return (count: count, bytes: Array(lines.joined(separator: "\n").utf8))
    }
  ) { input in
    var importer = XImporter()
    try importer.take(input.bytes, file: "stream.jsonl")
    guard importer.result().conversations.map(\.posts.count) == [input.count] else {
      throw ClaimError("the chain was not put together")
    }
  }

  /// Every other reply is hidden, so that each conversation could have the tombstones of all.
  private static let repliesWithoutRoot = Claim(
    "conversations of answers of as many people to a post that is not there, of which half are hidden",
    prepare: { count in
      var part = Conversation(id: .post(0), authorID: .author(0))
      for number in 1...count {
        var post = Post.Facts(id: .post(number), authorID: .author(number))
        post.inReplyTo = .post(0)
        post.conversationID = .post(0)
        part.posts.append(Post(post))
        guard number.isMultiple(of: 2) else { continue }
        var stone = Tombstone(id: .post(number), reason: .notShown)
        stone.authorID = .author(number)
        part.tombstones.append(stone)
      }
      return part
    }
  ) { part in
    let placement = ConversationPlacement(isPost: { _ in true }, hides: { $0.reason == .notShown })
    let found = placement.resolve([part], as: part.id, by: Set(part.posts.map(\.authorID)))
    let again = placement.resolve(found, as: part.id)
    guard again == found, found.reduce(0, { $0 + $1.tombstones.count }) == part.tombstones.count else {
      throw ClaimError("the conversations are not those of the authors")
    }
  }

  private static func repository(_ name: String, isChain: Bool) -> Claim {
    Claim(
      "reading a Bluesky repository: \(name)",
      prepare: { count in
        var repository = InventedRepository(of: BlueskyWorld.ada, in: BlueskyWorld(), labels: [])
        repository.nodeSize = 1_000
        func address(_ number: Int) -> String { "app.bsky.feed.post/\(1_000_000 + number)" }
        for number in 0..<2 * count {
          var record: [String: JSONValue] = [
            "$type": "app.bsky.feed.post", "text": .string("Post \(number)"),
            "createdAt": "2026-01-01T00:00:00Z",
          ]
          let isReply = isChain ? number > 0 : !number.isMultiple(of: 2)
          if isReply {
            record["reply"] = [
              "parent": ["uri": .string("at://\(repository.did)/\(address(number - 1))")]
            ]
          }
          repository.add(.object(record), at: address(number))
        }
        return (threads: isChain ? 1 : count, bytes: repository.bytes)
      }
    ) { input in
      guard BlueskyRepositoryFile.conversations(in: input.bytes)?.count == input.threads else {
        throw ClaimError("the posts are not in the expected threads")
      }
    }
  }

  /// Each post has its full text in a note. Only the second of their creation connects the two.
  private static func notes(inOneSecond: Bool) -> Claim {
    Claim(
      "reading an archive: long posts, \(inOneSecond ? "all of one second" : "each of its own second")",
      prepare: { count in
        func second(_ number: Int) -> String {
          let second = inOneSecond ? 0 : number % 36_000
          return [second / 3600 + 10, second % 3600 / 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
        }
        let words = { (number: Int) in "This is long post number \(number), and it goes on" }
        let posts = (1...count + 1).map { number in
          let answer =
            number == 1
            ? ""
            : #","in_reply_to_user_id_str":"1000","in_reply_to_status_id_str":"\#(PostID.post(number - 1).value)""#
          return
            #"{"tweet":{"id_str":"\#(PostID.post(number).value)","full_text":"\#(words(number))… https://t.co/abc","#
            + #""created_at":"Wed Jan 01 \#(second(number)) +0000 2020"\#(answer)}}"#
        }
        let notes = (1...count).map { number in
          #"{"noteTweet":{"createdAt":"2020-01-01T\#(second(number)).000Z","core":{"text":"\#(words(number)) and on."}}}"#
        }
        return try archiveFolder(tweets: posts, notes: notes)
      }
    ) { try read($0) }
  }

  /// A text that is truncated before many links, and one that begins with many handles.
  private static func cutText(_ kind: String) -> Claim {
    Claim(
      "reading an archive: a long post of \(kind)", first: 2_000,
      prepare: { count in
        let text =
          kind == "links"
          ? "Words…" + String(repeating: " https://t.co/abcdefgh", count: count)
          : String(repeating: "@ada ", count: count) + "and these are the words…"
        return try archiveFolder(
          tweets: [
            #"{"tweet":{"id_str":"\#(PostID.post(1).value)","full_text":"\#(text)","created_at":"Wed Jan 01 08:41:00 +0000 2020"}}"#
          ],
          notes: [
            #"{"noteTweet":{"createdAt":"2020-01-01T08:41:00.000Z","core":{"text":"and other words"}}}"#
          ])
      }
    ) { try read($0, mayBeEmpty: true) }
  }

  private static func archive(_ posts: ArchivedPosts) -> Claim {
    Claim(
      "reading an archive: \(posts.rawValue)",
      prepare: { try archiveFolder(tweets: posts.elements($0), notes: []) }
    ) { try read($0) }
  }

  private static func archiveFolder(tweets: [String], notes: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(inMemory: Claim.space)
    func write(_ elements: [String], _ name: String, to file: String) throws {
      try folder.write(
        "window.YTD.\(name).part0 = [" + elements.joined(separator: ",\n") + "]", to: "data/\(file).js")
    }
    try write(tweets, "tweets", to: "tweets")
    if !notes.isEmpty { try write(notes, "note_tweet", to: "note-tweet") }
    try write(
      [#"{"account":{"username":"ada","accountId":"1000","accountDisplayName":"Ada"}}"#], "account",
      to: "account")
    return folder
  }

  private static func read(_ folder: TemporaryFolder, mayBeEmpty: Bool = false) throws {
    let archive = try XArchive.open(folder.path)
    let survey = try archive.readSurvey()
    let plan = try ArchivePlan(survey, ExportChoice())
    var conversations = 0
    try plan.conversations(files: [:]) { _ in conversations += 1 }
    guard conversations > 0 || mayBeEmpty else { throw ClaimError("the archive gave no conversation") }
  }
}

/// A form of responses of X's API, version 2.
enum Answer: String, CaseIterable {
  case chain = "a chain of the author's"
  case twoAuthors = "a chain of two authors in turn"
  case quotesOfFirst = "posts that all quote the first"
  case crowd = "answers of as many people to a post that is not there"
  case threads = "posts that are threads of their own"
  case edits = "versions of one post, each naming the one before"
  case manyAuthors = "a chain of as many authors, of whom none began it"

  static func document(_ posts: [String]) -> String {
    #"{"data":["# + posts.joined(separator: ",\n") + "]}"
  }

  func posts(_ count: Int) -> [String] {
    (1...count).map { number in
      let isCrowd = self == .crowd || self == .manyAuthors
      let isOthers = (self == .twoAuthors && number.isMultiple(of: 2)) || isCrowd
      let author = AuthorID.author(isOthers ? (isCrowd ? number : 1) : 0).value
      let conversation = self == .threads ? number : isCrowd ? 0 : 1
      var references: [String] = []
      func refer(_ type: String, _ other: Int) {
        references.append(#"{"type":"\#(type)","id":"\#(PostID.post(other).value)"}"#)
      }
      var versions = ""
      switch self {
      case .chain, .twoAuthors, .quotesOfFirst: if number > 1 { refer("replied_to", number - 1) }
      case .crowd: refer("replied_to", 0)
      case .manyAuthors: refer("replied_to", number - 1)
      case .threads: break
      case .edits:
        let ids = [number - 1, number].filter { $0 > 0 }.map { "\"\(PostID.post($0).value)\"" }
        versions = #","edit_history_tweet_ids":[\#(ids.joined(separator: ","))]"#
      }
      if self == .quotesOfFirst, number > 1 { refer("quoted", 1) }
      let answered =
        references.isEmpty ? "" : #","referenced_tweets":[\#(references.joined(separator: ","))]"#
      return
        #"{"id":"\#(PostID.post(number).value)","author_id":"\#(author)","conversation_id":"\#(PostID.post(conversation).value)","text":"Post \#(number)"\#(answered)\#(versions)}"#
    }
  }
}

/// A form of the posts in an archive.
enum ArchivedPosts: String, CaseIterable {
  case chain = "a chain of the author's"
  case backwards = "a chain whose posts come last first"
  case edits = "versions of one post, each naming the one before, all answered"
  case threads = "as many threads of two"

  func elements(_ count: Int) -> [String] {
    let all = (1...count + 1).map { number in
      var more = ""
      func answer(_ parent: Int) {
        more +=
          #","in_reply_to_status_id_str":"\#(PostID.post(parent).value)","in_reply_to_user_id_str":"1000""#
      }
      switch self {
      case .chain, .backwards: if number > 1 { answer(number - 1) }
      case .edits:
        if number > 1, number <= count / 2 {
          let ids = [number - 1, number].map { "\"\(PostID.post($0).value)\"" }
          more = #","edit_info":{"initial":{"editTweetIds":[\#(ids.joined(separator: ","))]}}"#
        }
        if number > count / 2, number > 1 { answer(1) }
      case .threads: if number.isMultiple(of: 2) { answer(number - 1) }
      }
      return
        #"{"tweet":{"id_str":"\#(PostID.post(number).value)","full_text":"Post \#(number)","created_at":"Wed Jan 01 08:41:00 +0000 2020"\#(more)}}"#
    }
    return self == .backwards ? all.reversed() : all
  }
}
