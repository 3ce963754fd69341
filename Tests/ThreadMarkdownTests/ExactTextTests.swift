import Basics
import Foundation
import Templates
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Readers see exactly the author's text in a post, in a quote of it, and in a quote of that quote.
struct ExactTextTests {
  /// A template that does not set first lines as headings, which would replace the line breaks after them.
  private static let withoutHeadings = Result {
    try Components.make([
      TemplateSource(
        name: "text", file: "text.mustache",
        text: "<!-- text{{#dir}} dir={{{.}}}{{/dir}} -->\n\n{{{text}}}\n\n<!-- /text -->\n")
    ])
  }

  /// Renders all texts in one thread, each as a post with `depth` nested quotes, and reads them back.
  private func check(
    _ texts: [InlineText], depth: Int = 2, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let items = texts.enumerated().map { index, text in
      func post(_ level: Int) -> Post {
        var post = Invented.post("\(index + 10)\(level)", "")
        post.text = text
        return post
      }
      var quote: Quote?
      for level in stride(from: depth, to: 0, by: -1) {
        quote = .post(post(level), author: Invented.babbage, quote: quote)
      }
      return ThreadItem.post(ThreadPost(post(0), quote: quote))
    }
    let tokens = try Components.tokens(
      of: Components.render(
        Invented.thread(items), meta: ThreadMeta(title: "T"), components: try Self.withoutHeadings.get()))
    let shown = try ReadBack.postTexts(tokens)
    let expected = texts.filter { !$0.isEmpty }.flatMap { text in
      Array(repeating: ReadBack.representable(text.text), count: depth + 1)
    }
    #expect(shown.count == expected.count, sourceLocation: sourceLocation)
    for (shown, expected) in zip(shown, expected)
    where !shown.unicodeScalars.elementsEqual(expected.unicodeScalars) {
      Issue.record(
        "expected \(Self.visible(expected))\nbut got  \(Self.visible(shown))", sourceLocation: sourceLocation)
      return
    }
    #expect(Allowlist.violations(tokens).isEmpty, sourceLocation: sourceLocation)
  }

  private static func visible(_ text: String) -> String {
    text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
  }

  @Test func textsThatLookLikeMarkdown() throws {
    let texts = [
      "1. one\n2. two\n\n3) three", "- one\n+ two\n* three", "# Heading\n## Two ##\nText #",
      "Title\n===\nTitle\n---",
      "    code\n\tcode\n```\nfence\n```\n~~~", "> quote\n>quote", "<!-- /post -->\n<!-- post 1 -->\n<!--",
      "***\n---\n___",
      "*a* _b_ **c** __d__ `e` ~~f~~ $g$", "[a](https://b.example) ![c](d) [e]: f\n[e]",
      "<https://a.example> <b> </b> &amp; &#35; &copy",
      "a\\\nb\\*c \\", "| a | b |\n|---|---|\n| 1 | 2 |", "\n\n leading\n \n\n\n  more  \n trailing \n\n",
      "\r\na\rb\r\r\nc",
      "{{title}} {{{text}}} {{#posts}} {{/posts}} {{>post}}", "1986. A great year\n1986\\. Not",
      "<script>alert(1)</script>",
      "a  \nb\tc\u{A0}\u{2028}\u{2029}\u{85}d\u{3000}",
      "\u{0}\u{1}\u{1F}\u{7F}\u{9F}\u{FFFE}\u{FFFF}\u{FEFF}", "\u{FEFF}bom", "http://a.example/_b_?c=*d*",
      "👩‍👩‍👧‍👦 #️⃣ ❤️ 🇩🇪", "مرحبا بالعالم\nשלום", "日本語のテキスト。\n次の行", "<!-- text -->", "--> <!-- /text --> -->",
      "- <!-- winner -->",
    ]
    try check(texts.map { InlineText($0) })
  }

  @Test func everySequenceOfPunctuation() throws {
    let marks = (0x21...0x7E as ClosedRange<UInt8>).map { Unicode.Scalar($0) }.filter {
      !$0.properties.isAlphabetic && $0.properties.numericType == nil
    }
    #expect(marks.count == 32)
    var texts: [InlineText] = []
    var triplets: [InlineText] = []
    for first in marks {
      let pairs = marks.map { "\(first)\($0)" }
      let triples = pairs.flatMap { pair in marks.map { "\(pair)\($0)" } }
      texts.append(InlineText(pairs.joined(separator: "\n\n")))
      texts.append(InlineText(pairs.map { "\($0) \($0)a\($0) 1\($0)" }.joined(separator: "\n")))
      triplets.append(InlineText(triples.joined(separator: "\n")))
      triplets.append(InlineText(triples.map { "a\($0)b" }.joined(separator: " ")))
    }
    try check(texts)
    try check(triplets, depth: 0)
  }

  @Test(arguments: 0..<UInt64(TestDepth.cases(fast: 5, deep: 60))) func randomTexts(number: UInt64) throws {
    var random = SeededRandom(seed: SeededRandom.seedOfRun &+ number)
    try check((0..<40).map { _ in RandomText.make(using: &random) })
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func naughtyStrings() throws {
    let texts = try Hostile.strings("text/naughty-strings.json")
    #expect(texts.count > 400)
    try check(texts.map { InlineText($0) })
    let whole = texts.joined(separator: "\n")
    try check([InlineText(whole)])
  }

  @Test func pathologicalLengths() throws {
    let texts = [
      String(repeating: "*a_", count: 20_000), String(repeating: "> ", count: 2_000),
      String(repeating: "\n", count: 3_000) + "x",
      String(repeating: " ", count: 5_000) + "x", String(repeating: "<!-- ", count: 4_000),
      String(repeating: "&", count: 5_000),
      String(repeating: "`", count: 5_000), String(repeating: "[", count: 12_000),
      String(repeating: "![", count: 12_000), String(repeating: "- ", count: 2_000),
    ]
    try check(texts.map { InlineText($0) })
    let tags = InlineText(
      String(repeating: "#a", count: 12_000),
      entities: (0..<12_000).map {
        TextEntity($0 * 2..<$0 * 2 + 2, .hashtag(tag: "a", url: "https://x.com/hashtag/a"))
      })
    try check([tags], depth: 0)
  }
}
