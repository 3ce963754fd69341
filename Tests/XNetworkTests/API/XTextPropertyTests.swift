import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel

/// A post is composed of pieces as X would do it: escaped, with short links, with offsets in Unicode scalars.
/// The import must return the author's text.
@Suite struct XTextPropertyTests {
  /// A part of an author's text.
  private enum Piece {
    case plain(String)
    case link(String)
    case mention(String)
    case hashtag(String)
  }

  @Test func restoresTheAuthorsText() throws {
    var random = Random(state: 20_260_817)
    for round in 0..<400 {
      let pieces = (0..<random.below(8)).map { _ in piece(&random, from: Self.samples) }
      try check(pieces, isOffset: round % 3 == 0, "round \(round)")
    }
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func restoresNaughtyStrings() throws {
    let folder = try #require(ProjectFolders.sharedFixtures)
    let file = Array(try Data(contentsOf: folder.appending(path: "text/naughty-strings.json")))
    let strings = try JSONValue(parsing: file).array?.compactMap(\.string) ?? []
    #expect(strings.count > 400)
    for string in strings {
      try check(
        [.plain(string), .plain(" "), .link("https://a.example/?x=1&y=2"), .plain(" "), .plain(string)],
        isOffset: false, string)
    }
  }

  private static let samples = [
    "a", " ", "\n\n", "👩🏻‍💻", "日本語 ", "عربى ", "&", "<b>", "&amp;", "&lt;", "e\u{301}", "\u{200D}", "\u{202E}",
    "# ", "@ ", "1. ",
    "🇩🇪", "x < y && y > z ", "\u{FFFD}", "\u{10FFFF}", "t.co/x ", "https://", "*_`[](", "\t",
  ]

  private func piece(_ random: inout Random, from samples: [String]) -> Piece {
    switch random.below(6) {
    case 0: .link("https://\(random.below(100)).example/path?a=1&b=\(random.below(9))")
    case 1: .mention("User_\(random.below(99))")
    case 2: .hashtag(["tag", "日本", "été", "a_1"][random.below(4)])
    default: .plain(samples[random.below(samples.count)])
    }
  }

  /// - Parameter isOffset: whether all offsets are wrong by some scalars, so every entity must be searched.
  private func check(_ pieces: [Piece], isOffset: Bool, _ comment: String) throws {
    var text = ""
    var expected: [Unicode.Scalar] = []
    var marks: [Range<Int>] = []
    var entities: [String: [JSONValue]] = ["urls": [], "mentions": [], "hashtags": []]
    for (index, piece) in pieces.enumerated() {
      let start = text.unicodeScalars.count + (isOffset ? 2 : 0)
      func add(_ kind: String, _ source: String, _ shown: String, _ members: JSONObject) {
        text.unicodeScalars.append(contentsOf: source.unicodeScalars)
        marks.append(expected.count..<expected.count + shown.unicodeScalars.count)
        expected += Array(shown.unicodeScalars)
        let place: JSONObject = [
          "start": .integer(Int64(start)), "end": .integer(Int64(start + source.unicodeScalars.count)),
        ]
        entities[kind]?.append(.object(place.merging(members) { $1 }))
      }
      switch piece {
      case .plain(let string):
        text.unicodeScalars.append(contentsOf: escaped(string).unicodeScalars)
        expected += Array(string.unicodeScalars)
      case .link(let url):
        // Never at the very end, and with each short link once, as X does.
        let short = "https://t.co/\(index)abc"
        add(
          "urls", short, String(url.dropFirst("https://".count)),
          ["url": .string(short), "expanded_url": .string(url)])
      case .mention(let name):
        pad(&text, &expected)
        add("mentions", "@\(name)", "@\(name)", ["username": .string(name)])
        pad(&text, &expected)
      case .hashtag(let tag):
        pad(&text, &expected)
        add("hashtags", "#\(tag)", "#\(tag)", ["tag": .string(tag)])
        pad(&text, &expected)
      }
      // Finding an entity with a wrong offset requires separators around it.
      if isOffset { pad(&text, &expected) }
    }
    let inline = try #require(try Answers.text(text, entities.mapValues { .array($0) }))
    #expect(Array(inline.text.unicodeScalars) == expected, "\(comment)")
    let isRepeated =
      Set(entities.values.joined().map { $0["username"] ?? $0["tag"] ?? $0["url"] }).count < marks.count
    if !isRepeated { #expect(inline.entities.map(\.range) == marks, "\(comment)") }
  }

  private func pad(_ text: inout String, _ expected: inout [Unicode.Scalar]) {
    // A no-break space, which is not part of any name.
    text.unicodeScalars.append("\u{A0}")
    expected.append("\u{A0}")
  }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;", options: .literal)
      .replacingOccurrences(of: "<", with: "&lt;", options: .literal)
      .replacingOccurrences(of: ">", with: "&gt;", options: .literal)
  }

  private struct Random {
    var state: UInt64
    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % bound
    }
  }
}
