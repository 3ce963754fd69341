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

  /// Tables of random cells, in random places: the HTML is well formed, and the destinations that are resolved are those of the HTML.
  @Test(.timeLimit(.minutes(20)))
  func tablesAreAlwaysWellFormed() throws {
    let pieces =
      Self.pieces.filter { !$0.contains("<!--") } + [
        "|", "|", "|", "\\|", "\n|---|\n", "\n\n| a | b |\n|---|--:|\n", "\n\n| [x](/y) |\n|:-:|\n",
        "| c |\n",
        "\n\na | b\n-|-\n",
      ]
    var options = HTMLOptions()
    options.readsTables = true
    options.namesHeadings = true
    options.linksHeadings = true
    options.focusesBoxes = true
    options.destinations = Dictionary(uniqueKeysWithValues: ["/u", "/y", "/z", "/r"].map { ($0, "/known") })
    var random = SeededRandom(seed: 20_261)
    var tables = 0
    for _ in 0..<4_000 {
      let markdown = (0..<Int.random(in: 1...30, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      guard let output = try? html(markdown, options) else { continue }
      if output.contains("<table") { tables += 1 }
      let violations = try BodyHTML.violations(in: output, tables: true)
      #expect(violations == [], "\(markdown.debugDescription) gave \(output.debugDescription)")
      let found = try MarkdownHTML.destinations(of: Array(markdown.utf8), readsTables: true)
      let links = try HTMLTokens(output).startTags.filter { $0.name == "a" && $0["href"] == "/known" }.count
      let known = found.filter { !$0.isImage && options.destinations[$0.url] != nil }.count
      // Links in the alt text of images are words.
      #expect(links <= known, "\(markdown.debugDescription) gave \(output.debugDescription)")
    }
    #expect(tables > 200)
  }
}
