import Testing
import ThreadMarkdown
import ThreadModel

@Suite struct ThreadOutlineTests {
  private static let filler = "This is a sentence of some length about nothing at all. And another one."

  private func outline(_ texts: [String]) -> [ThreadOutline.Entry] {
    ThreadOutline.make(
      from: Invented.thread(texts.enumerated().map { Invented.post("\(100 + $0.offset)", $0.element) }))
  }

  private func plain(_ count: Int) -> [String] {
    (1...count).map { "Sentence number \($0) opens this one. \(Self.filler)" }
  }

  @Test func shortThreadsHaveNoOutline() {
    #expect(outline(plain(23)).isEmpty)
    #expect(!outline(plain(24)).isEmpty)
    #expect(outline(Array(repeating: "", count: 30)).isEmpty)
  }

  /// With headings, half as many posts are enough.
  @Test func headingsMakeShorterThreadsLong() {
    func numbered(_ count: Int) -> [String] { (1...count).map { "\($0). Rule\n\(Self.filler)" } }
    #expect(outline(numbered(11)).isEmpty)
    #expect(outline(numbered(12)).count == 11)
  }

  @Test func usesHeadingsAsEntries() {
    var texts = plain(14)
    texts[2] = "1. Flour\n\(Self.filler)"
    texts[5] = "Water and salt\n\n\(Self.filler)"
    texts[8] = "And then, time:\n\(Self.filler)"
    texts[11] = "9/14\n\nPart 4\n\(Self.filler)"
    let entries = outline(texts)
    #expect(entries.map(\.title) == ["1. Flour", "Water and salt", "And then, time", "Part 4"])
    #expect(entries.map(\.number) == [3, 6, 9, 12])
    #expect(entries.map(\.anchor) == ["post-102", "post-105", "post-108", "post-111"])
  }

  @Test(arguments: [
    "3.5 is a number\nand goes on", "A short line\nthat only breaks", "It ends.\n\nAnd goes on.",
    "1984 was a year\nwith twelve months", "No.\n\nReally not.", "Not set apart",
    "It goes on;\n\nthere.", "One line end \r\n\t and no empty line",
    "A line of more than seventy characters is none, however far from the rest it is set\n\nAs here.",
  ])
  func rejectsOtherTextsAsHeadings(text: String) {
    var texts = plain(24)
    for position in [2, 5, 8, 11] { texts[position] = text }
    #expect(outline(texts).count { $0.title.hasPrefix("Sentence") } > 0)
  }

  /// Headings that a quick check of the bytes must not reject.
  @Test(arguments: [
    ("Is this one?\n\n", "Is this one?"), ("Is this one? \r\n\t\r\n", "Is this one?"),
    ("Is this one?\n\u{0B}", "Is this one?"), ("Is this one?\n\u{2003}\n", "Is this one?"),
    ("Ist es übrig?\n\n", "Ist es übrig?"), ("C’est ça\n\n", "C’est ça"),
    ("Then, at last: \n", "Then, at last"),
    ("Is   this\tone?\n\n", "Is this one?"), ("(An aside)\n\n", "(An aside)"),
    ("PART 7 of it\n", "PART 7 of it"), ("#3. Bread\n", "#3. Bread"), ("3️⃣ Bread\n", "3️⃣ Bread"),
    ("4) Bread\n", "4) Bread"),
    ("\(String(repeating: "a ", count: 34))it\n\n", "\(String(repeating: "a ", count: 31))a…"),
  ])
  func acceptsHeadings(start: String, title: String) {
    var texts = plain(14)
    for position in [2, 5, 8] { texts[position] = start + Self.filler }
    #expect(outline(texts).map(\.title) == [title, title, title])
  }

  @Test func spreadsEntriesEvenlyWithoutHeadings() {
    let entries = outline(plain(40))
    let numbers = entries.compactMap(\.number)
    #expect((6...10).contains(numbers.count))
    #expect(numbers == numbers.sorted() && numbers.first.map { $0 > 2 } == true)
    let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { (2...8).contains($0) }, "\(numbers)")
    #expect(entries.first?.title.hasPrefix("Sentence number") == true)
  }

  @Test func prefersPausesAsEntries() {
    var posts = plain(24).enumerated().map { Invented.post("\(100 + $0.offset)", $0.element) }
    for position in posts.indices {
      let day: Int64 = position >= 7 ? 86_400 : 0
      posts[position].createdAt = Timestamp(seconds: 1_600_000_000 + Int64(position) * 60 + day)
    }
    #expect(ThreadOutline.make(from: Invented.thread(posts)).contains { $0.number == 8 })
  }

  @Test func thinsOutManyHeadings() {
    let entries = outline((1...60).map { "\($0). Rule number \($0)\n\(Self.filler)" })
    #expect(entries.count <= 24 && entries.count >= 15)
  }

  @Test func listsSideBranches() {
    var items = plain(24).enumerated().map {
      ThreadItem.post(ThreadPost(Invented.post("\(100 + $0.offset)", $0.element)))
    }
    let branch = SideBranch(
      label: "1", items: [.post(ThreadPost(Invented.post("200", "An aside. With more.")))])
    items[3] = .post(ThreadPost(Invented.post("103", "Here it parts."), branches: [branch]))
    let entry = ThreadOutline.make(from: Invented.thread(items)).first { $0.branch != nil }
    #expect(entry?.title == "An aside. With more" && entry?.anchor == "branch-1" && entry?.number == nil)
  }

  @Test func showsAWarningInsteadOfTheHiddenText() {
    var posts = plain(24).enumerated().map { Invented.post("\(100 + $0.offset)", $0.element) }
    for position in posts.indices {
      posts[position].text = InlineText("Secret words:\n\nin plenty")
      posts[position].contentWarning = "Spiders"
    }
    let entries = ThreadOutline.make(from: Invented.thread(posts))
    #expect(!entries.isEmpty && entries.allSatisfy { $0.title == "Spiders" })
  }

  private func headings(_ count: Int) -> [ThreadOutline.Entry] {
    var texts = plain(4 * count)
    for number in 0..<count { texts[4 * number + 1] = "Part \(number + 1)\n\n\(Self.filler)" }
    return outline(texts)
  }

  /// Up to about a dozen and a half headings, every heading has an entry; with more headings, every second or
  /// third.
  @Test func limitsTheNumberOfEntries() {
    let most = (3...60).last { headings($0).count == $0 } ?? 0
    #expect((10...30).contains(most))
    #expect(headings(most + 1).map(\.title).prefix(3) == ["Part 1", "Part 3", "Part 5"])
    #expect(headings(2 * most).count == most)
    #expect(headings(2 * most + 1).map(\.title).prefix(3) == ["Part 1", "Part 4", "Part 7"])
  }

  /// A heading has at most seventy characters, including blanks and characters beyond ASCII.
  @Test(arguments: ["a", "é", "漢"])
  func headingFitsOnALine(letter: String) {
    func titles(_ length: Int) -> [String] {
      var texts = plain(14)
      for position in [2, 5, 8] {
        texts[position] = String(repeating: letter, count: length) + "\n\n" + Self.filler
      }
      return outline(texts).map(\.title)
    }
    #expect(titles(70).count { $0.hasPrefix(letter) } == 3)
    #expect(titles(71).allSatisfy { $0.hasPrefix("Sentence") })
  }

  /// One or two headings are too few for a table of contents but still the best entries.
  @Test func prefersSingleHeadingsAsEntries() {
    var texts = plain(24)
    texts[5] = "1. Flour\n\(Self.filler)"
    let entries = outline(texts)
    #expect(entries.contains { $0.number == 6 && $0.title == "1. Flour" }, "\(entries)")
    #expect(!outline(plain(24)).contains { $0.number == 6 })
  }

  /// The second post is not an entry, because it is just below the title.
  @Test func entriesBeginAfterTheSecondPost() {
    var posts = plain(24).enumerated().map { Invented.post("\(100 + $0.offset)", $0.element) }
    for position in posts.indices {
      let days: Int64 = position >= 2 ? 2 : position >= 1 ? 1 : 0
      posts[position].createdAt = Timestamp(seconds: 1_600_000_000 + Int64(position) * 60 + days * 86_400)
    }
    let numbers = ThreadOutline.make(from: Invented.thread(posts)).compactMap(\.number)
    #expect(numbers.first.map { $0 >= 3 } == true, "\(numbers)")
  }
}
