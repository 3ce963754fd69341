import Foundation
import NetworkSources
import SitePipeline
import TestSupport
import Testing
import ThreadModel
import XNetwork

extension GrowthTests {
  /// From files to the store.
  @Suite("Imports") struct Imports {
    @Test(arguments: Answer.allCases.filter { $0 != .manyAuthors }) func oneFile(_ answer: Answer) throws {
      expectLinear(
        "importing one file: \(answer.rawValue)",
        try Growth.measure(prepare: { count in
          let folder = try TemporaryFolder(inMemory: Growth.space)
          try folder.write(Answer.document(answer.posts(count)), to: "answer.json")
          return folder
        }) { try Self.importAll($0, ["answer.json"]) })
    }

    @Test(arguments: Answer.allCases) func manyFiles(_ answer: Answer) throws {
      expectLinear(
        "importing as many files as posts: \(answer.rawValue)",
        try Growth.measure(
          share: 8,
          prepare: { count in
            let folder = try TemporaryFolder(inMemory: Growth.space)
            for (number, post) in answer.posts(count).enumerated() {
              try folder.write(Answer.document([post]), to: "answers/\(number).json")
            }
            return folder
          }
        ) { try Self.importAll($0, ["answers"]) })
    }

    private static func importAll(_ folder: TemporaryFolder, _ names: [String]) throws {
      let summary = try SiteImport(store: folder.path + "/threads") { _ in }
        .run(names.map { "\(folder.path)/\($0)" })
      try #require(summary.refusals.isEmpty && summary.conversations > 0)
    }

    /// Which conversations there are, without the files, which are written by threads of their own.
    @Test(arguments: Answer.allCases) func conversations(_ answer: Answer) throws {
      expectLinear(
        "conversations of one answer: \(answer.rawValue)",
        // Of a chain only so much is kept above each post, which shows beyond that.
        try Growth.measure(
          atLeast: answer == .manyAuthors ? 800 : 0,
          prepare: { Array(Answer.document(answer.posts($0)).utf8) }
        ) { bytes in
          var importer = XImporter()
          try importer.add(bytes, file: "answer.json")
          try #require(!importer.conversations().isEmpty)
        })
    }

    /// A stream of version 1.1 that begins with the last answer of a chain, whose root is not there.
    @Test func chainsWithoutTheirRoot() throws {
      expectLinear(
        "conversations of a chain without its root, last post first",
        try Growth.measure(
          atLeast: 1_600,
          prepare: { count in
            let lines = (2..<count + 2).reversed().map { number in
              #"{"id_str":"\#(number)","user":{"id_str":"7","screen_name":"ada"},"text":"\#(number)","#
                + #""in_reply_to_status_id_str":"\#(number - 1)","in_reply_to_user_id_str":"7"}"#
            }
            return (count: count, bytes: Array(lines.joined(separator: "\n").utf8))
          }
        ) { input in
          var importer = XImporter()
          try importer.add(input.bytes, file: "stream.jsonl")
          try #require(importer.conversations().map(\.posts.count) == [input.count])
        })
    }

    /// Each post has its whole text in a note, which is only known by the second in which it was written.
    @Test(arguments: [false, true]) func notes(inOneSecond: Bool) throws {
      expectLinear(
        "reading an archive: long posts, \(inOneSecond ? "all of one second" : "each of its own second")",
        try Growth.measure(prepare: { count in
          let folder = try TemporaryFolder(inMemory: Growth.space)
          func second(_ number: Int) -> String {
            let second = inOneSecond ? 0 : number % 36_000
            let (hour, minute) = (second / 3600, second % 3600 / 60)
            return [hour + 10, minute, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(
              separator: ":")
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
          try folder.write(
            "window.YTD.tweets.part0 = [" + posts.joined(separator: ",\n") + "]", to: "data/tweets.js")
          try folder.write(
            "window.YTD.note_tweet.part0 = [" + notes.joined(separator: ",\n") + "]", to: "data/note-tweet.js"
          )
          try folder.write(Self.account, to: "data/account.js")
          return folder
        }) { try Self.read($0) })
    }

    /// A text that is cut behind as many links, and one that begins with as many handles.
    @Test(arguments: ["links", "handles"]) func cutText(_ kind: String) throws {
      expectLinear(
        "reading an archive: a long post of \(kind)",
        try Growth.measure(
          atLeast: 16_000,
          prepare: { count in
            let folder = try TemporaryFolder(inMemory: Growth.space)
            let text =
              kind == "links"
              ? "Words…" + String(repeating: " https://t.co/abcdefgh", count: count)
              : String(repeating: "@ada ", count: count) + "and these are the words…"
            try folder.write(
              #"window.YTD.tweets.part0 = [{"tweet":{"id_str":"\#(PostID.post(1).value)","full_text":"\#(text)","created_at":"Wed Jan 01 08:41:00 +0000 2020"}}]"#,
              to: "data/tweets.js")
            try folder.write(
              #"window.YTD.note_tweet.part0 = [{"noteTweet":{"createdAt":"2020-01-01T08:41:00.000Z","core":{"text":"and other words"}}}]"#,
              to: "data/note-tweet.js")
            try folder.write(Self.account, to: "data/account.js")
            return folder
          }
        ) { try Self.read($0, mayBeEmpty: true) })
    }

    /// Files are saved by threads of their own, whose time is not measured; what a plan is made of is.
    @Test(arguments: ArchivedPosts.allCases) func archives(_ posts: ArchivedPosts) throws {
      expectLinear(
        "reading an archive: \(posts.rawValue)",
        try Growth.measure(prepare: { count in
          let folder = try TemporaryFolder(inMemory: Growth.space)
          try folder.write(
            "window.YTD.tweets.part0 = [" + posts.elements(count).joined(separator: ",\n") + "]",
            to: "data/tweets.js")
          try folder.write(Self.account, to: "data/account.js")
          return folder
        }) { try Self.read($0) })
    }

    private static let account =
      #"window.YTD.account.part0 = [{"account":{"username":"ada","accountId":"1000","accountDisplayName":"Ada"}}]"#

    private static func read(_ folder: TemporaryFolder, mayBeEmpty: Bool = false) throws {
      let archive = try XArchive.open(folder.path)
      let survey = try archive.survey()
      var plan = ArchivePlan(survey, ExportChoice())
      try plan.chooseMedia(survey, in: archive)
      var conversations = 0
      try archive.conversations(plan, of: survey, files: [:]) { _ in conversations += 1 }
      try #require(conversations > 0 || mayBeEmpty)
    }
  }
}

/// A shape of what X's API answers, version 2.
enum Answer: String, CaseIterable, CustomTestStringConvertible {
  case chain = "a chain of the author's"
  case twoAuthors = "a chain of two authors in turn"
  case quotesOfFirst = "posts that all quote the first"
  case crowd = "answers of as many people to a post that is not there"
  case threads = "posts that are threads of their own"
  case edits = "versions of one post, each naming the one before"
  case manyAuthors = "a chain of as many authors, of whom none began it"

  var testDescription: String { rawValue }

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

/// A shape of what an archive holds.
enum ArchivedPosts: String, CaseIterable, CustomTestStringConvertible {
  case chain = "a chain of the author's"
  case backwards = "a chain whose posts come last first"
  case edits = "versions of one post, each naming the one before, all answered"
  case threads = "as many threads of two"

  var testDescription: String { rawValue }

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
