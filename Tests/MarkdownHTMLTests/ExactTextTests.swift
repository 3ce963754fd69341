import Basics
import Foundation
import TestSupport
import Testing

/// Text escaped by `MarkdownTextWriter` reads back exactly. Both modules guarantee this together.
@Suite struct ExactTextTests {
  /// The text of the section, with its paragraphs joined as they were split.
  static func roundTrip(_ text: String) throws -> String {
    var markdown = UTF8Buffer("<!-- text lang=en -->\n")
    var writer = MarkdownTextWriter(.block)
    writer.plain(text)
    markdown.append(writer.finish())
    markdown.append("\n<!-- /text -->\n" as StaticString)
    let output = try html(markdown.string)
    #expect(try BodyHTML.violations(in: output) == [])
    let section = try #require(try HTMLTokens(output).contents(ofClass: "post-text").first)
    return section.contents { $0.name == "p" }.map { $0.text() }.joined(separator: "\n\n")
  }

  /// Characters that HTML cannot contain are U+FFFD, and every line ends with a newline.
  static func expected(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": result.append("\n")
      case "\n" where previous == "\r": break
      case "\n", "\t": result.append(scalar)
      case _ where scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint:
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }

  static func check(_ text: String) throws {
    let actual = try roundTrip(text)
    // Compared by scalars, because comparing characters hides differences between canonically equivalent
    // texts.
    #expect(
      Array(actual.unicodeScalars) == Array(expected(text).unicodeScalars),
      "\(text.debugDescription) was read back as \(actual.debugDescription)")
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func naughtyStrings() throws {
    let folder = try #require(ProjectFolders.sharedFixtures)
    for name in ["text/naughty-strings.json", "xss/owasp-payloads.json"] {
      let strings = try JSONDecoder().decode(
        [String].self, from: Data(contentsOf: folder.appending(path: name)))
      for string in strings where !string.isEmpty { try Self.check(string) }
    }
  }

  @Test func randomText() throws {
    var random = SeededRandom(seed: 7)
    let pieces =
      RandomMarkdownTests.pieces + [
        "1.", "2)", "+ ", "= ", "|", "~~", "$$", "   ", "\u{A0}", "\u{FEFF}", "\u{85}", "\u{2028}",
      ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 1...12, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      try Self.check(text)
    }
  }
}
