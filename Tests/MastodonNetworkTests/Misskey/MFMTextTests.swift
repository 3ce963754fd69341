import Basics
import Foundation
import MastodonNetwork
import TestSupport
import Testing
import ThreadModel

/// Texts in Misskey's markup. Expected values follow mfm.js's `docs/syntax.md`; segments with a meaning are shown in brackets as in
/// `HTMLTextTests`.
@Suite("Misskey's markup as inline text")
struct MFMTextTests {
  private static let server = MastodonServer("misskey.example")

  private func read(_ text: String) -> String {
    HTMLTextTests.marked(
      InlineText(mfm: text, on: Self.server, emoji: ["blobcat": "https://files.misskey.example/cat.png"]))
  }

  @Test(arguments: [
    ("", ""), ("no markup at all\n\n and  spaces", "no markup at all\n\n and  spaces"),
    // Emphasis.
    ("a **bold** b", "a bold b"), ("***big***!", "big!"), ("<b>b</b> <i>i</i> <s>s</s>", "b i s"),
    ("<small>quiet</small>", "quiet"), ("*it* _alic_ __bold__", "it alic bold"), ("~~gone~~", "gone"),
    ("**a *b* <small>c ~~d~~</small>**", "a b c d"), ("**two\nlines**", "two\nlines"),
    // Markers without a counterpart are text.
    ("**open", "**open"), ("a ~~b\nc~~", "a ~~b\nc~~"), ("2 * 3 * 4", "2 * 3 * 4"),
    ("snake_case_word", "snake_case_word"),
    ("*日本語*", "*日本語*"), ("<b>open", "<b>open"), ("closed</small>", "closed</small>"), ("****", "****"),
    ("-- ~~~~ --", "-- ~~~~ --"), ("_ _", "_ _"), ("a < b > c <marquee>", "a < b > c <marquee>"),
    ("**~~a**~~", "~~a~~"),
    // Functions.
    ("$[tada yes]", "yes"), ("$[x2 **$[spin.speed=2s,left wow]** and]", "wow and"),
    ("$[fg.color=f00 red [and] more]", "red [and] more"), ("$[ruby 漢字 かんじ]", "漢字 かんじ"),
    ("$[open it", "$[open it"), ("$[] $[x] $5 [a] b]", "$[] $[x] $5 [a] b]"),
    // Code is not markup.
    ("run `**not bold**` now", "run **not bold** now"), ("`open", "`open"), ("``", "``"),
    ("see\n```js\nlet a = `**b**`\n\n  c()\n```\ndone", "see\nlet a = `**b**`\n\n  c()\ndone"),
    ("```\nopen **b**", "```\nopen b"), ("<plain>**a** @bea $[x b]</plain> **c**", "**a** @bea $[x b] c"),
    (#"\(a**b**c\) **d**"#, #"\(a**b**c\) d"#), ("\\[\nx **y**\n\\]", "\\[\nx **y**\n\\]"),
    // Quotes and centered lines.
    ("> a **b**\n> c\nd", "> a b\n> c\nd"), ("<center>\nmid\n</center>", "mid\n"),
    ("a<center>b</center>c", "a\nb\nc"),
    ("MFM [Search]", "MFM [Search]"),
  ])
  func reducesMarkupToItsText(_ text: String, _ shown: String) {
    #expect(read(text) == shown)
  }

  @Test(arguments: [
    (
      "see https://a.example/b_(c)?d=1#e.",
      "see [https://a.example/b_(c)?d=1#e](https://a.example/b_(c)?d=1#e)."
    ),
    ("(http://a.example/b)", "([http://a.example/b](http://a.example/b))"),
    ("<https://a.example/日本>", "[https://a.example/日本](https://a.example/日本)"),
    ("https:// http://. httpsx", "https:// http://. httpsx"), ("javascript:alert(1)", "javascript:alert(1)"),
    ("[a **page**](https://a.example/)", "[a page](https://a.example/)"),
    ("?[quiet](<https://a.example/(>)", "[quiet](https://a.example/()"),
    ("[@bea #tag https://b.example](https://a.example)", "[@bea #tag https://b.example](https://a.example)"),
    (
      "[a](javascript:alert(1)) [b](c) [](https://a.example)",
      "[a](javascript:alert(1)) [b](c) [](" + "[https://a.example](https://a.example))"
    ),
    ("$[x2 https://a.example/b]", "[https://a.example/b](https://a.example/b)"),
    ("@bea, hi", "[@bea](mention bea@misskey.example https://misskey.example/@bea), hi"),
    (
      "(@Bea@Other.example.)", "([@Bea@Other.example](mention Bea@other.example https://other.example/@Bea).)"
    ),
    ("mail@bea.example @-x @ @@", "mail@bea.example @-x @ @@"),
    (
      "#tag #日本語! #a(b)c",
      "[#tag](hashtag tag https://misskey.example/tags/tag) [#日本語](hashtag 日本語 https://misskey.example/tags/%E6%97%A5%E6%9C%AC%E8%AA%9E)! [#a(b)c](hashtag a(b)c https://misskey.example/tags/a%28b%29c)"
    ),
    ("#1 a#b #️⃣ # #(open", "#1 a#b #️⃣ # #(open"),
    (
      ":blobcat: :nothing: a:blobcat: 1:2",
      "[:blobcat:](emoji blobcat https://files.misskey.example/cat.png) :nothing: a:blobcat: 1:2"
    ),
    ("**@bea** and `@bea`", "[@bea](mention bea@misskey.example https://misskey.example/@bea) and @bea"),
  ])
  func marksLinksMentionsTagsAndEmoji(_ text: String, _ marked: String) {
    #expect(read(text) == marked)
  }

  /// Deep nesting and repeated openers take time in proportion to their length. All of these texts have no complete element, or only the
  /// innermost ones.
  @Test(arguments: [
    "$[x ", "**", "[", "?[a](", "<b>", "<plain>", "```\n", "`", "\\(", "\n\\[", "~~", "<https://a",
    "https://a(", "#(", "@a@", ":a",
    "***a ", "_a", "[a](https://a(", "<center>", "]", "$[a.",
  ])
  func endsOnRepeatedOpeners(_ opener: String) throws {
    let source = String(repeating: opener, count: 200_000 / opener.utf8.count)
    let text = try #require(InlineText(mfm: source, on: Self.server))
    #expect(text.text.utf8.count <= source.utf8.count && !text.text.isEmpty)
    #expect(text.segments.map { String($0.text) }.joined() == text.text)
  }

  @Test func limitsDepthAndLength() throws {
    let deep = String(repeating: "$[x ", count: 100) + "core" + String(repeating: "]", count: 100)
    let text = try #require(InlineText(mfm: deep, on: Self.server)).text
    #expect(text == String(repeating: "$[x ", count: 80) + "core" + String(repeating: "]", count: 80))
    #expect(InlineText(mfm: String(repeating: "a", count: 2 << 20), on: Self.server) == nil)
  }

  /// No letter is ever lost: whatever the markup, the words between the markers remain.
  @Test func keepsWordsOfRandomMarkup() throws {
    let pieces = [
      "**", "***", "*", "_", "__", "~~", "`", "```\n", "\n", " ", "$[x ", "]", "[", "](https://a.example)",
      "<b>", "</b>", "<center>",
      "</center>", "<small>", "</small>", "<plain>", "</plain>", "\\(", "\\)", "> ", "?[",
      "<https://a.example>", "@é", "#é",
    ]
    var generator = SeededRandom()
    for _ in 0..<TestDepth.cases(fast: 300, deep: 20_000) {
      var source = ""
      var words = 0
      for _ in 0..<40 {
        if Bool.random(using: &generator) {
          source += "é"
          words += 1
        } else {
          let piece = pieces.randomElement(using: &generator) ?? ""
          source += piece
          words += piece.unicodeScalars.count { $0 == "é" }
        }
      }
      let text = try #require(InlineText(mfm: source, on: Self.server))
      #expect(text.text.unicodeScalars.count { $0 == "é" } == words, "\(source)")
      #expect(text.segments.map { String($0.text) }.joined() == text.text, "\(source)")
    }
  }
}
