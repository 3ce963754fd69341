import Basics
import SearchIndex
import TestSupport
import Testing

/// Patched indexes have the same files as new ones.
@Suite struct PatchTests {
  private static let words = [
    "lantern", "river", "harbour", "stone", "the", "a", "of", "quiet", "naïve", "東京", "𠮷野", "\u{FA0E}",
    "ada_example",
    "letter", "copper", "valley", "orchard", "silver", "morning", "whale",
  ]

  private struct Site {
    var documents: [SearchDocument]

    /// The files of a new index by their paths, its state, and the terms of the documents by their numbers.
    func index() throws -> (files: [String: [UInt8]], state: SearchIndexState, terms: [SearchTerms]) {
      var analyzer = SearchAnalyzer()
      let terms = documents.map { analyzer.terms(of: $0) }
      var collector = SearchCollector()
      for (number, document) in terms.enumerated() { try collector.add(document, at: number) }
      var writer = SearchIndexWriter([collector], order: documents.map(\.url))
      var files: [String: [UInt8]] = [:]
      while let next = try writer.next() {
        for file in next { files[file.path] = file.bytes }
      }
      return (files, writer.state, terms)
    }
  }

  private func text(_ numbers: inout SeededRandom) -> String {
    (0..<Int.random(in: 1...30, using: &numbers)).map { _ in
      let word = Self.words.randomElement(using: &numbers) ?? ""
      return Int.random(in: 0..<3, using: &numbers) == 0
        ? word + "\(Int.random(in: 0..<400, using: &numbers))" : word
    }.joined(separator: " ")
  }

  private func document(_ number: Int, _ numbers: inout SeededRandom) -> SearchDocument {
    var document = SearchDocument(url: "x/\(number)/", title: text(&numbers), author: "Ada")
    document.authorNames = ["ada_example"]
    document.tags = [Self.words.randomElement(using: &numbers) ?? ""]
    for _ in 0..<4 { document.passages.append(.init(text(&numbers), .full)) }
    return document
  }

  @Test func equalsANewIndexAfterEachEdit() throws {
    var numbers = SeededRandom(seed: SeededRandom.seedOfRun)
    var site = Site(documents: (0..<700).map { document($0, &numbers) })
    var old = try site.index()
    var patched = 0
    var extended = 0
    for _ in 0..<TestDepth.cases(fast: 12, deep: 300) {
      let count = site.documents.count
      var changed = Set(
        (0..<Int.random(in: 1...3, using: &numbers)).map { _ in Int.random(in: 0..<count, using: &numbers) })
      for number in changed {
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: site.documents[number].title += " " + (Self.words.randomElement(using: &numbers) ?? "")
        case 1: site.documents[number].passages[1] = .init(text(&numbers), .full)
        case 2:
          site.documents[number].passages.append(
            .init("only\(Int.random(in: 0..<9000, using: &numbers))", .half))
        case 3: site.documents[number].url = "moved/\(Int.random(in: 0..<1_000_000, using: &numbers))/"
        default: site.documents[number] = document(number, &numbers)
        }
      }
      // So many new documents that lists with one bit per document become longer in some cases.
      if Int.random(in: 0..<2, using: &numbers) == 0 {
        for _ in 0..<Int.random(in: 1...6, using: &numbers) {
          changed.insert(site.documents.count)
          site.documents.append(document(site.documents.count, &numbers))
        }
      }
      let new = try site.index()
      let patch = SearchIndexPatch(
        changed.sorted().map { number in
          .init(document: number, old: number < count ? old.terms[number] : nil, new: new.terms[number])
        }, of: old.state,
        order: site.documents.map(\.url), read: { old.files[$0] }, terms: { new.terms[$0] })
      if let patch {
        patched += 1
        if site.documents.count > count { extended += 1 }
        var files = old.files.filter { !patch.removed.contains($0.key) }
        for file in patch.files {
          #expect(old.files[file.path] != file.bytes, "\(file.path) is already there")
          files[file.path] = file.bytes
        }
        #expect(files.keys.sorted() == new.files.keys.sorted())
        #expect(files == new.files)
        #expect(Set(patch.kept + patch.files.map(\.path)) == Set(new.files.keys))
        #expect(patch.state == new.state)
      }
      old = new
    }
    #expect(patched > 0)
    #expect(extended > 0)
  }

  @Test func refusesOtherNumbersOfDocuments() throws {
    var numbers = SeededRandom(seed: 3)
    var site = Site(documents: (0..<700).map { document($0, &numbers) })
    let old = try site.index()
    let added = document(700, &numbers)
    func patch(_ change: SearchIndexPatch.Change, terms: [SearchTerms]) -> SearchIndexPatch? {
      SearchIndexPatch(
        [change], of: old.state, order: site.documents.map(\.url), read: { old.files[$0] },
        terms: { terms.indices.contains($0) ? terms[$0] : nil })
    }
    site.documents.append(added)
    var new = try site.index()
    #expect(patch(.init(document: 700, old: nil, new: new.terms[700]), terms: new.terms) != nil)
    #expect(patch(.init(document: 701, old: nil, new: new.terms[700]), terms: new.terms) == nil)
    site.documents.swapAt(10, 700)
    new = try site.index()
    #expect(patch(.init(document: 10, old: nil, new: new.terms[10]), terms: new.terms) == nil)
    site.documents.remove(at: 700)
    new = try site.index()
    #expect(patch(.init(document: 10, old: nil, new: new.terms[10]), terms: new.terms) == nil)
  }

  @Test func readsAndWritesFewFiles() throws {
    var numbers = SeededRandom(seed: 1)
    var site = Site(documents: (0..<700).map { document($0, &numbers) })
    let old = try site.index()
    site.documents[350].passages[0] = .init(site.documents[350].passages[0].text + " unheard", .full)
    let new = try site.index()
    var read: Set<String> = []
    let patch = try #require(
      SearchIndexPatch(
        [.init(document: 350, old: old.terms[350], new: new.terms[350])], of: old.state, order: nil,
        read: {
          read.insert($0)
          return old.files[$0]
        }, terms: { new.terms[$0] }))
    #expect(read.count < old.files.count / 2, "\(read.count) of \(old.files.count)")
    #expect(patch.files.count < 20)
  }

  /// A title with a frequent word does not change the scores of the other documents with this word in their titles.
  @Test func readsFewOtherDocuments() throws {
    var numbers = SeededRandom(seed: 2)
    var documents = (0..<700).map { document($0, &numbers) }
    for number in 0..<300 { documents[number].title = "Frequent \(number)" }
    var site = Site(documents: documents)
    let old = try site.index()
    site.documents[350].title = "Frequent as well"
    let new = try site.index()
    var asked: Set<Int> = []
    let patch = try #require(
      SearchIndexPatch(
        [.init(document: 350, old: old.terms[350], new: new.terms[350])], of: old.state, order: nil,
        read: { old.files[$0] },
        terms: {
          asked.insert($0)
          return new.terms[$0]
        }))
    #expect(asked.count < 50, "\(asked.count)")
    for file in patch.files { #expect(new.files[file.path] == file.bytes) }
  }

  @Test func refusesDamagedFilesAndUnknownDocuments() throws {
    var numbers = SeededRandom(seed: 2)
    var site = Site(documents: (0..<50).map { document($0, &numbers) })
    let old = try site.index()
    site.documents[3].title += " unheard"
    let new = try site.index()
    func patch(document: Int = 3, read: @escaping (String) -> [UInt8]?) -> SearchIndexPatch? {
      SearchIndexPatch(
        [.init(document: document, old: old.terms[3], new: new.terms[3])], of: old.state, order: nil,
        read: read,
        terms: { new.terms[$0] })
    }
    #expect(patch { old.files[$0] } != nil)
    #expect(patch(document: 50) { old.files[$0] } == nil)
    #expect(patch { _ in nil } == nil)
    #expect(patch { $0.hasPrefix("d/") ? old.files[$0].map { $0 + [0] } : old.files[$0] } == nil)
    let others = SearchIndexPatch(
      [], of: old.state, order: site.documents.reversed().map(\.url), read: { old.files[$0] },
      terms: { _ in nil })
    #expect(others == nil)
    #expect(patch { $0 == "index.json" ? Array("{}".utf8) : old.files[$0] } == nil)
  }
}
