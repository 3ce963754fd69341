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
    @Test(arguments: Answer.allCases) func oneFile(_ answer: Answer) throws {
      expectLinear(
        "importing one file: \(answer.rawValue)",
        try Growth.measure(
          prepare: { count in
            let folder = try TemporaryFolder()
            try folder.write(Answer.document(answer.posts(count)), to: "answer.json")
            return folder
          }
        ) { try Self.importAll($0, ["answer.json"]) })
    }

    @Test(arguments: Answer.allCases) func manyFiles(_ answer: Answer) throws {
      expectLinear(
        "importing as many files as posts: \(answer.rawValue)",
        try Growth.measure(
          share: 8,
          prepare: { count in
            let folder = try TemporaryFolder()
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

    /// Files are saved by threads of their own, whose time is not measured; what a plan is made of is.
    @Test(arguments: ArchivedPosts.allCases) func archives(_ posts: ArchivedPosts) throws {
      expectLinear(
        "reading an archive: \(posts.rawValue)",
        try Growth.measure(prepare: { count in
          let folder = try TemporaryFolder()
          try folder.write(
            "window.YTD.tweets.part0 = [" + posts.elements(count).joined(separator: ",\n") + "]",
            to: "data/tweets.js")
          try folder.write(
            #"window.YTD.account.part0 = [{"account":{"username":"ada","accountId":"1000","accountDisplayName":"Ada"}}]"#,
            to: "data/account.js")
          return folder
        }) { folder in
          let archive = try XArchive.open(folder.path)
          let survey = try archive.survey()
          var plan = ArchivePlan(survey, ExportChoice())
          try plan.chooseMedia(survey, in: archive)
          var conversations = 0
          try archive.conversations(plan, of: survey, files: [:]) { _ in conversations += 1 }
          try #require(conversations > 0)
        })
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

  var testDescription: String { rawValue }

  static func document(_ posts: [String]) -> String {
    #"{"data":["# + posts.joined(separator: ",\n") + "]}"
  }

  func posts(_ count: Int) -> [String] {
    (1...count).map { number in
      let isOthers = (self == .twoAuthors && number.isMultiple(of: 2)) || self == .crowd
      let author = AuthorID.author(isOthers ? (self == .crowd ? number : 1) : 0).value
      let conversation = self == .threads ? number : self == .crowd ? 0 : 1
      var references: [String] = []
      func refer(_ type: String, _ other: Int) {
        references.append(#"{"type":"\#(type)","id":"\#(PostID.post(other).value)"}"#)
      }
      var versions = ""
      switch self {
      case .chain, .twoAuthors, .quotesOfFirst: if number > 1 { refer("replied_to", number - 1) }
      case .crowd: refer("replied_to", 0)
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
