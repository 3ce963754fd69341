import Basics
import Foundation
import SearchIndex
import TestSupport
import Testing

/// Whole indexes: the same bytes for any division of the work, and the results of the script.
@Suite struct SearchTests {
  private static let documents: [SearchDocument] = {
    var documents = (0..<60).map { number in
      var document = SearchDocument(
        url: "x/ada/\(number)/", title: "Notes on subject \(number)", author: "Ada Example")
      document.authorNames = ["ada_example", "Ada Example"]
      document.passages = [
        .init("Lanterns and ladders, part \(number) of many. The harbour is quiet."),
        .init("Somebody else wrote about whales.", .half),
      ]
      return document
    }
    documents[7].title = "A short history of lanterns"
    documents[7].tags = ["Café culture", "history"]
    documents[11].passages.append(.init("The quiet harbour is a phrase in this order: folded lantern paper."))
    documents[12].passages.append(.init("静かな朝の東京、naïve café"))
    documents[15].passages.append(.init("ﾊﾞｽで行く"))
    documents[13].authorNames = ["bo_x", "Bo"]
    documents[14].passages.append(.init("Folded was the paper; by no lantern."))
    return documents
  }()

  private func index(workers: Int) throws -> SearchIndex {
    var collectors = [SearchCollector](repeating: SearchCollector(), count: workers)
    for (number, document) in Self.documents.enumerated() {
      try collectors[(number * 7) % workers].add(document, at: Self.documents.count - 1 - number)
    }
    return try SearchIndex(collectors, order: Self.documents.reversed().map(\.url))
  }

  @Test func outputIsIndependentOfTheWorkers() throws {
    let one = try index(workers: 1)
    let four = try index(workers: 4)
    #expect(one.files.map(\.path) == four.files.map(\.path))
    #expect(one.files.map(\.bytes) == four.files.map(\.bytes))
    #expect(one.documents == 60)
    #expect(Set(one.files.map(\.path)).count == one.files.count)
  }

  @Test func skipsDocumentsOutsideOfTheOrder() throws {
    var collector = SearchCollector()
    for (number, document) in Self.documents.enumerated() { try collector.add(document, at: number * 2) }
    #expect(try SearchIndex([collector], order: ["x/ada/0/", "x/none/"]).documents == 1)
    let empty = try SearchIndex([], order: [])
    #expect(empty.documents == 0 && empty.files.count == 1)
  }

  /// Scripts find the file of a term by comparing strings, which JavaScript orders by UTF-16 code units.
  @Test func dictionaryHasTheOrderOfScripts() throws {
    var document = SearchDocument(url: "x/ada/1/", title: "Seals", author: "Ada")
    for first in ["\u{FA0E}", "\u{20BB7}", "一", "a"] {
      let words = (0x4E00..<0x5200).compactMap { Unicode.Scalar(UInt32($0)) }.map { "\(first)\($0)" }
      document.passages.append(.init(words.joined(separator: " ")))
    }
    var collector = SearchCollector()
    try collector.add(document, at: 0)
    let index = try SearchIndex([collector], order: [document.url])
    let manifest = try JSONValue(parsing: try #require(index.files.first).bytes)
    let shards = (manifest["shards"]?.array ?? []).compactMap(\.string)
    #expect(shards.contains { $0.hasPrefix("\u{FA0E}") } && shards.contains { $0.hasPrefix("\u{20BB7}") })
    #expect(zip(shards, shards.dropFirst()).allSatisfy { $0.utf16.lexicographicallyPrecedes($1.utf16) })
  }

  struct Answer {
    let count: Int
    let partly: Bool
    let urls: [String]
    /// `typed→corrected`, separated by commas.
    let corrected: String
  }

  private func answers(_ queries: [String]) throws -> [Answer] {
    let folder = try TemporaryFolder()
    for file in try index(workers: 2).files {
      try folder.write(Data(file.bytes), to: "search/" + file.path)
    }
    let lines = queries.map { JSONWriter.text(of: .string($0), .compact).string + "\n" }.joined()
    let printed = try Node.run(
      ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: "query.mjs").path, Node.script,
      folder.path, input: lines)
    return try printed.split(separator: "\n").map { line in
      let value = try JSONValue(parsing: Array(line.utf8))
      return Answer(
        count: value["count"]?.int ?? -1, partly: value["partly"]?.bool ?? false,
        urls: (value["results"]?.array ?? []).compactMap { $0["url"]?.string },
        corrected: (value["corrected"]?.array ?? []).map { word in
          (word["typed"]?.string ?? "") + "→"
            + (word["found"]?.array ?? []).compactMap(\.string).joined(separator: "|")
        }.joined(separator: ", "))
    }
  }

  /// The files of an index are named by their contents, so a new index has other files, and the old ones are gone.
  @Test(.enabled(if: Node.exists, "node is not installed"))
  func scriptReadsANewIndexAfterTheSiteWasPublishedAgain() throws {
    let folder = try TemporaryFolder()
    for file in try index(workers: 1).files { try folder.write(Data(file.bytes), to: "new/" + file.path) }
    var document = SearchDocument(url: "x/ada/1/", title: "Seals", author: "Ada")
    document.passages = [.init("Seals sleep.")]
    var collector = SearchCollector()
    try collector.add(document, at: 0)
    for file in try SearchIndex([collector], order: [document.url]).files {
      try folder.write(Data(file.bytes), to: "old/" + file.path)
    }
    let program = """
      import { readFileSync } from 'node:fs'
      const [script, folder] = process.argv.slice(1)
      const { Index } = await import('data:text/javascript;base64,' + readFileSync(script).toString('base64'))
      let version = 'old'
      const index = new Index(async (path) => new Uint8Array(readFileSync(`${folder}/${version}/${path}`)))
      const titles = (query) => index.retried(async () => {
        const { found } = await index.find(query)
        return Promise.all(found.map(async ({ doc }) => (await index.record(doc)).title))
      })
      const ask = async (query) => console.log(await titles(query).catch(() => 'failed'))
      // The old index is read, but none of its results.
      await index.find('')
      version = 'new'
      await ask('history')
      version = 'none'
      await ask('whales -part')
      await ask('ladders whales naive')
      version = 'new'
      await ask('tag:history')
      """
    let printed = try Node.run("--input-type=module", "-e", program, Node.script, folder.path)
    let lines = printed.split(separator: "\n").map(String.init)
    let found = "[ 'A short history of lanterns' ]"
    // The words of the second question were read before, and every document with the first word has the second.
    #expect(lines == [found, "[]", "failed", found], "\(printed)")
  }

  /// A query, the number of matching documents, and the first one; `nil` if any may be first.
  static let questions: [(String, Int, Int?)] = [
    ("", 0, nil), ("   ", 0, nil), ("xyzzy", 0, nil),
    ("lanterns ", 60, 7),
    ("lanter", 60, nil),
    ("history lanterns", 1, 7),
    ("tag:history", 1, 7), ("tag:\"cafe culture\"", 1, 7), ("tag:CaféCulture lanterns", 1, 7),
    ("from:bo_x harbour", 1, 13), ("from:Bo", 1, 13), ("from:nobody harbour", 0, nil),
    ("\"quiet harbour\"", 1, 11), ("\"harbour is quiet\"", 60, nil), ("\"quiet lantern\"", 0, nil),
    ("folded lantern paper ", 2, 11),
    ("naive CAFE", 1, 12), ("静か", 1, 12), ("東京", 1, 12), ("京", 1, 12), ("\"静かな朝\"", 1, 12),
    ("part 42 ", 1, 42), ("ﾊﾞｽ", 1, 15), ("バス", 1, 15),
    ("whales xyzzy", 60, nil), ("@ada_example", 59, nil),
    // Exclusions: a word, a phrase, a tag, an author, consecutive ideographs.
    ("harbour -folded", 58, nil), ("-part", 0, nil), ("-history -folded -naive", 56, nil),
    ("harbour -history", 59, nil),
    ("harbour -\"quiet harbour\"", 59, nil), ("harbour -tag:history", 59, nil),
    ("harbour -from:ada_example", 1, 13),
    ("harbour -静かな朝", 59, nil), ("harbour -静な", 60, nil), ("lanterns-harbour ", 60, nil),
    ("harbour -", 60, nil),
    ("harbour -xyzzy", 60, nil),
    // Exclusions match exactly, without prefixes or corrections.
    ("harbour -histor", 60, nil), ("harbour -hisotry", 60, nil),
    // One mistake: two letters exchanged, one more, one less, a different one; in the first letter, in a
    // name.
    ("hisotry ", 1, 7), ("histtory ", 1, 7), ("hstory ", 1, 7), ("histary ", 1, 7), ("nistory ", 1, 7),
    ("ihstory ", 1, 7),
    ("tag:hisotry", 1, 7), ("from:ada_exmaple harbour", 59, nil), ("hisotry lantrens", 1, 7),
    ("hisotr", 1, 7),
    // Words with two mistakes are not corrected, and neither are short words, numbers and quoted words.
    ("hisotyr ", 0, nil), ("nayn ", 0, nil), ("bsu ", 0, nil), ("1984 ", 0, nil), ("\"hisotry\"", 0, nil),
    ("\"quiet harbuor\"", 0, nil),
  ]

  @Test(.enabled(if: Node.exists, "node is not installed"))
  func scriptFindsTheExpectedDocuments() throws {
    let found = try answers(Self.questions.map(\.0))
    #expect(found.count == Self.questions.count)
    for (question, answer) in zip(Self.questions, found) {
      #expect(answer.count == question.1, "\(question.0)")
      if let first = question.2 { #expect(answer.urls.first == "x/ada/\(first)/", "\(question.0)") }
    }
    #expect(found.filter(\.partly).count == 1)
    let corrected = zip(Self.questions, found).filter { !$1.corrected.isEmpty }.map {
      "\($0.0): \($1.corrected)"
    }
    #expect(
      corrected == [
        "hisotry : hisotry→history", "histtory : histtory→history", "hstory : hstory→history",
        "histary : histary→history",
        "nistory : nistory→history", "ihstory : ihstory→history", "tag:hisotry: hisotry→history",
        "from:ada_exmaple harbour: ada_exmaple→ada_example",
        "hisotry lantrens: hisotry→history, lantrens→lanterns",
        "hisotr: hisotr→history",
      ])
  }
}
