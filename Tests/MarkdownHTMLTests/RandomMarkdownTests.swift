import Basics
import MarkdownHTML
import TestSupport
import Testing

/// Random documents of pieces that are meaningful in Markdown, in HTML and as markers.
@Suite struct RandomMarkdownTests {
  static let pieces: [String] = [
    "a", "b c", " ", "  \n", "\n", "\n\n", "\n    ", "\n  ", "\\", "*", "**", "_", "`", "```", "~~~", "[",
    "]", "(", ")",
    "![", "](", "](/u)", "[x](/y)", "![x](/y)", "[![x](/y)](/z)", "<", ">", "&", "&lt;", "&#10;", "&#0;",
    "\"", "'", "#",
    "\n# ", "\n> ", "\n- ", "\n1. ", "\n---\n", "\n===\n", "<b>", "</b>", "<a href=\"javascript:x\">", "<!--",
    "-->",
    "<!-- x -->", "<https://e.example>", "javascript:", "\n<!-- images -->\n", "\n<!-- /images -->\n",
    "\n<!-- poll -->\n", "\n<!-- /poll -->\n", " <!-- meter 3 -->", " <!-- winner -->", "\n<!-- video -->\n",
    "\n<!-- /video -->\n", "\n<!-- post 1 -->\n", "\n<!-- /post -->\n", "\n<!-- embed lang=de -->\n",
    "\n<!-- /embed -->\n", "\n[r]: /r\n", "[r]", "\t", "😀", "é", "\u{202E}", "\r\n", "<script>", "<?x",
    "<![CDATA[", "]]>",
  ]

  @Test(.timeLimit(.minutes(20)))
  func outputIsAlwaysWellFormed() throws {
    var random = SeededRandom(seed: 20_260)
    var rendered = 0
    for _ in 0..<4_000 {
      let markdown = (0..<Int.random(in: 1...30, using: &random))
        .map { _ in Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)] }.joined()
      // A misplaced marker is an error; everything else must give allowed HTML.
      guard let output = try? html(markdown, GoldenTests.options) else { continue }
      rendered += 1
      let violations = try BodyHTML.violations(in: output)
      #expect(violations == [], "\(markdown.debugDescription) gave \(output.debugDescription)")
    }
    #expect(rendered > 500)
  }
}
