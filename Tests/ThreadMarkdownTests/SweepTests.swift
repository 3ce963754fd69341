import Basics
import Foundation
import InterfaceText
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// The ends of titles, excerpts, outlines and shortened lines for texts of every length: a changed constant
/// moves an end.
///
/// The fast run has some of the kinds of texts, drawn with the seed of the run. The golden files are tables
/// that show the effect of a change in the rules. A row is a range of lengths with the same result.
struct SweepTests {
  private static func file(_ name: String) -> URL {
    ProjectFolders.fixtures(of: "ThreadMarkdownTests").appending(path: "sweeps/\(name).txt")
  }

  // MARK: Invented texts

  private static let words = [
    "engine", "weaves", "a", "pattern", "of", "brass", "and", "steel", "every", "evening", "in", "the", "old",
    "house", "by",
    "candles",
  ]

  /// Exactly this many characters of words with single spaces. The last word may be cut, and the last
  /// character is never a space.
  private static func piece(_ length: Int) -> String {
    var text = "The"
    var next = 0
    while text.count <= length {
      text += " " + words[next % words.count]
      next += 1
    }
    var cut = text.prefix(length)
    if cut.last == " " { cut = cut.dropLast() + "x" }
    return String(cut)
  }

  /// Kinds of texts with a mark after a number of characters.
  private static let kinds: [(name: String, text: @Sendable (Int) -> String)] = [
    ("sentence", { piece($0) + ". And it goes on for some more words." }),
    ("question", { piece($0) + "? It goes on." }),
    ("line", { piece($0) + "\nThe next line stands here" }),
    ("empty line", { piece($0) + "\n\nThe next line stands here" }),
    ("only sentence", { piece($0) + "." }),
    ("no end", { piece($0) }),
    ("comma", { piece($0) + ", " + piece(160) }),
    ("semicolon", { piece($0) + "; " + piece(160) }),
    ("colon", { piece($0) + ": " + piece(160) }),
    ("dash", { piece($0) + " – " + piece(160) }),
    ("bracket", { piece($0) + " (" + piece(12) + ") " + piece(160) }),
    ("open bracket", { "A (" + piece($0) + ") " + piece(160) }),
    ("quotation", { "“" + piece($0) + "” said she. " + piece(60) }),
    ("comma in quotation", { "“" + piece($0) + ", " + piece(120) + "” said she. " + piece(60) }),
    ("abbreviation", { piece($0) + " e.g. here. " + piece(60) }),
    ("short sentence", { "So. " + piece($0) + ". " + piece(60) }),
    ("two sentences", { piece(10) + ". " + piece($0) + ". " + piece(60) }),
    ("one word", { String(repeating: "x", count: $0) }),
    ("one word and more", { String(repeating: "x", count: $0) + " " + piece(160) }),
    ("ideographs", { String(repeating: "機", count: $0) + "。" + String(repeating: "機", count: 80) }),
    ("ideographic comma", { String(repeating: "機", count: $0) + "、" + String(repeating: "機", count: 80) }),
    ("emoji", { piece($0) + " 🎉✌🏽 " + piece(160) }),
    ("link", { piece($0) + " https://a.example/" + String(repeating: "p", count: 30) + " " + piece(60) }),
    (
      "long link", { piece(20) + " https://a.example/" + String(repeating: "p", count: $0) + " " + piece(60) }
    ),
    ("tags", { piece(30) + String(repeating: " #weave", count: $0 / 8) + ". " + piece(60) }),
    ("tags first", { String(repeating: "#weave ", count: $0 / 8) + piece(60) }),
    ("tags last", { piece(60) + String(repeating: " #weave", count: $0 / 8) }),
    ("number", { "\($0). " + piece(60) }),
    ("counter", { "\($0)/200 " + piece(60) }),
    ("counter last", { piece(60) + " (\($0)/200)" }),
    ("retweet", { "RT @ada: " + piece($0) + ". " + piece(60) }),
    ("handles", { String(repeating: "@ada_l ", count: $0 / 8) + piece(60) }),
  ]

  /// The kinds of this run; all kinds if the golden files are recorded.
  private static var drawnKinds: [(name: String, text: @Sendable (Int) -> String)] {
    Golden.isRecording ? kinds : TestDepth.sample(kinds, fast: 6)
  }

  /// A golden file of sections, of which a run may have some.
  private struct Table {
    let title: String
    var sections: [(name: String, rows: String)] = []

    init(_ title: String) { self.title = title }

    /// Compares the sections with those of the same names in the file.
    func compare(with file: URL) throws {
      let whole = title + "\n" + sections.map { "\n\($0.name)\n\($0.rows)" }.joined()
      guard !Golden.isRecording, !TestDepth.isDeep else { return try Golden.compare(whole, with: file) }
      let expected = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n")
      #expect(expected.first == title)
      #expect(Set(expected.dropFirst().map { $0.prefix { $0 != "\n" } }) == Set(kinds.map { $0.name[...] }))
      for section in sections {
        let rows = expected.first { $0.hasPrefix(section.name + "\n") }
        #expect(
          rows?.trimmingCharacters(in: .newlines)
            == "\(section.name)\n\(section.rows)".trimmingCharacters(in: .newlines), "\(section.name)")
      }
    }
  }

  /// Rows of numbers with one result, or with results that grow with the number: `12–20: 12–20 heading`.
  private static func rows(
    _ results: [(number: Int, length: Int, words: String)], showingLengths: Bool = true
  ) -> String {
    var rows: [String] = []
    var start = 0
    while start < results.count {
      let first = results[start]
      var end = start + 1
      var isGrowing: Bool?
      while end < results.count, results[end].words == first.words {
        let (last, next) = (results[end - 1], results[end])
        let grows = next.length - last.length == next.number - last.number
        guard grows || next.length == last.length, isGrowing ?? grows == grows else { break }
        isGrowing = grows
        end += 1
      }
      let last = results[end - 1]
      let numbers = first.number == last.number ? "\(first.number)" : "\(first.number)–\(last.number)"
      let lengths = first.length == last.length ? "\(first.length)" : "\(first.length)–\(last.length)"
      rows.append(
        "  \(numbers): "
          + [showingLengths ? lengths : "", first.words].filter { !$0.isEmpty }.joined(separator: " "))
      start = end
    }
    return rows.joined(separator: "\n") + "\n"
  }

  // MARK: Titles and excerpts

  private static func thread(_ text: String) -> UnrolledThread {
    Invented.thread([
      Invented.post("10", text), Invented.post("11", "And a second post follows the first one."),
    ])
  }

  @Test func endsOfTitles() throws {
    var table = Table(
      "Where titles end, by the length of what stands before a mark; what becomes of the text behind them.")
    for (name, text) in Self.drawnKinds {
      let results = (1...170).map { number in
        let title = ThreadTitle(of: Self.thread(text(number)), in: .english, by: .utc)
        let source = title.source
        let words =
          "\(source?.end == title.text.unicodeScalars.count ? "" : "of \((source?.end ?? 0) - title.text.unicodeScalars.count) more")"
          + "\(source?.isHeading == true ? " heading" : "")\(source?.isWhole == true ? " whole" : "")\(source?.isCut == true ? " cut" : "")"
        return (number, title.text.unicodeScalars.count, words)
      }
      table.sections.append((name, Self.rows(results)))
    }
    try table.compare(with: Self.file("titles"))
  }

  @Test func endsOfExcerpts() throws {
    var table = Table("How long excerpts are behind a thread's title, and how they end.")
    for (name, text) in Self.drawnKinds {
      let results = (1...170).map { number in
        let thread = Self.thread(text(number))
        let excerpt = ThreadExcerpt.make(from: thread, after: ThreadTitle(of: thread, in: .english, by: .utc))
        return (number, excerpt.count, "“\(excerpt.prefix(6))” “\(excerpt.suffix(4))”")
      }
      table.sections.append((name, Self.rows(results)))
    }
    try table.compare(with: Self.file("excerpts"))
  }

  @Test func shortensLines() throws {
    let lines = [
      ("words", Self.piece(130)), ("one word", String(repeating: "x", count: 130)),
      ("two words", String(repeating: "x", count: 40) + " " + String(repeating: "y", count: 90)),
      ("ideographs", String(repeating: "機", count: 130)),
      (
        "letters of two bytes",
        "Überall wären Müller über Öfen für ähnliche Größen " + String(repeating: "ö ü ", count: 20)
      ),
      ("emoji", String(repeating: "👩🏽‍🔬 weaves ", count: 14)), ("accent", "Cafe\u{301} " + Self.piece(100)),
    ]
    var table = "How long lines are that are shortened to a number of characters.\n"
    for (name, line) in lines {
      let results = (1...132).map { limit in
        let short = PlainText.shortened(line, to: limit)
        return (limit, short.count, short == line ? "whole" : "“\(short.suffix(3))”")
      }
      table += "\n\(name)\n" + Self.rows(results)
    }
    try Golden.compare(table, with: Self.file("lines"))
  }

  // MARK: Outlines

  /// The posts in the table of contents for threads of many sizes.
  @Test func selectsOutlineEntries() throws {
    typealias Change = @Sendable (inout Post, Int, Int) -> Void
    let kinds: [(String, Change)] = [
      ("even", { _, _, _ in }),
      (
        "lengths", { post, index, size in post.text = InlineText(Self.piece(20 + (index * 67 + size) % 260)) }
      ),
      (
        "long ones",
        { post, index, size in
          post.text = InlineText(Self.piece((index * 5 + size) % 7 == 0 ? 238 + (index + size) % 4 : 120))
        }
      ),
      (
        "pauses",
        { post, index, _ in
          let minutes = [0, 29, 30, 31, 359, 360, 361][index * 3 % 7]
          post.createdAt = Invented.time(Int64(index * 1000 + minutes))
        }
      ),
      (
        "short pauses",
        { post, index, _ in
          post.createdAt = Invented.time(Int64(index * 10 + (index * 3 / 7) * 20 + (index / 9) * 340))
        }
      ),
      (
        "pictures",
        { post, index, size in
          if (index + size) % 5 == 0 { post.media = [Invented.photo("p\(index)", alt: "x")] }
        }
      ),
      (
        "headings",
        { post, index, size in
          if index % max(1, size / 6) == 1 { post.text = InlineText("\(index). Bread\n" + Self.piece(90)) }
        }
      ),
      (
        "two headings",
        { post, index, _ in
          if index == 4 || index == 9 { post.text = InlineText("Water and salt\n\n" + Self.piece(90)) }
        }
      ),
      ("many headings", { post, index, _ in post.text = InlineText("\(index). Bread\n" + Self.piece(90)) }),
      ("silent posts", { post, index, _ in if index % 3 == 1 { post.text = InlineText("") } }),
    ]
    var table = "Which posts of a thread its table of contents lists, by the number of posts.\n"
    for (name, change) in kinds {
      table += "\n\(name)\n"
      for size in Array(10...52) + [80, 99, 100, 101, 140] {
        let posts = (0..<size).map { index in
          var post = Invented.post("\(100 + index)", Self.piece(100 + index % 9) + ". And more.")
          change(&post, index, size)
          return post
        }
        let entries = ThreadOutline.make(from: Invented.thread(posts))
        table += "  \(size): \(entries.map { $0.number.map(String.init) ?? "-" }.joined(separator: " "))\n"
      }
    }
    try Golden.compare(table, with: Self.file("outlines"))
  }

  /// Headings by their lengths and the text after them.
  @Test func recognizesHeadings() throws {
    let kinds: [(String, @Sendable (Int) -> String)] = [
      ("apart", { Self.piece($0) + "\n\n" + Self.piece(120) }),
      ("colon", { Self.piece($0) + ":\n" + Self.piece(120) }),
      ("numbered", { "3. " + Self.piece($0) + "\n" + Self.piece(120) }),
      ("part", { "Part two: " + Self.piece($0) + "\n" + Self.piece(120) }),
      ("far number", { String(repeating: " ", count: $0) + "3. Bread\n" + Self.piece(120) }),
      ("letters of two bytes", { String(repeating: "ö", count: $0) + "\n\n" + Self.piece(120) }),
    ]
    var table =
      "Which first lines are headings: the posts that the table of contents lists, of a thread of 20 with such lines in 3, 8, 13 and 18.\n"
    for (name, text) in kinds {
      let results = (1...100).map { number in
        let posts = (0..<20).map { index in
          Invented.post(
            "\(100 + index)", [2, 7, 12, 17].contains(index) ? text(number) : Self.piece(110) + ". And more.")
        }
        let entries = ThreadOutline.make(from: Invented.thread(posts))
        return (number, 0, entries.map { $0.number.map(String.init) ?? "-" }.joined(separator: " "))
      }
      table += "\n\(name)\n" + Self.rows(results, showingLengths: false)
    }
    try Golden.compare(table, with: Self.file("headings"))
  }

  // MARK: Lengths of time

  @Test func roundsDurationsOfAudio() throws {
    var table = "How long sounds are said to be, by their milliseconds.\n\n"
    for milliseconds in [
      -1, 0, 1, 499, 500, 999, 1000, 1499, 1500, 9499, 9500, 59_499, 59_500, 60_499, 69_499, 69_500, 599_499,
      599_500,
      3_599_499, 3_599_500, 3_609_500, 35_999_499, 35_999_500, 3_599_999_999, 3_600_000_000,
    ] {
      var media = Media(id: "1", kind: .audio)
      media.url = "https://a.example/sound.mp3"
      media.durationMilliseconds = milliseconds
      var post = Invented.post("10", "")
      post.media = [media]
      let markdown = try Components.render(Invented.thread([post])).markdown.string
      let said = markdown.split(separator: "\n").first { $0.hasPrefix("![") || $0.hasPrefix("[") } ?? ""
      table += "\(milliseconds): \(said)\n"
    }
    try Golden.compare(table, with: Self.file("sounds"))
  }

  @Test func describesPauses() throws {
    var table = "What is said of a pause, by its days; nothing of less than two weeks.\n\n"
    var last = ""
    for days in 1...1500 {
      let posts = [0, days].enumerated().map { index, days in
        var post = Invented.post("\(index + 1)", "Post")
        post.createdAt = Invented.time(Int64(days) * 1440)
        return post
      }
      let markdown = try Components.render(Invented.thread(posts), meta: ThreadMeta(title: "Title")).markdown
        .string
      let lines = markdown.split(separator: "\n")
      let words = lines.firstIndex { $0.hasPrefix("<!-- pause") }.map { String(lines[$0 + 1]) } ?? "nothing"
      if words != last { table += "\(days): \(words)\n" }
      last = words
    }
    try Golden.compare(table, with: Self.file("pauses"))
  }
}
