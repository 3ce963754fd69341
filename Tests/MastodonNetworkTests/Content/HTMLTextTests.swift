import Basics
import Foundation
import MastodonNetwork
import TestSupport
import Testing
import ThreadModel

@Suite("Untrusted HTML as inline text")
struct HTMLTextTests {
  /// The text with its entities in brackets: `see [x.org/a](https://x.org/a)`.
  static func marked(_ text: InlineText?) -> String {
    (text?.segments ?? []).map { segment in
      switch segment.entity {
      case nil: String(segment.text)
      case .link(let url, _)?: "[\(segment.text)](\(url))"
      case .mention(let handle, let url, _)?: "[\(segment.text)](mention \(handle) \(url ?? "-"))"
      case .hashtag(let tag, let url)?: "[\(segment.text)](hashtag \(tag) \(url ?? "-"))"
      case .cashtag(let symbol, let url)?: "[\(segment.text)](cashtag \(symbol) \(url ?? "-"))"
      case .emoji(let shortcode, let url)?: "[\(segment.text)](emoji \(shortcode) \(url))"
      }
    }.joined()
  }

  private func read(_ html: String, _ surroundings: HTMLSurroundings = HTMLSurroundings()) -> String {
    Self.marked(InlineText(html: html, surroundings))
  }

  @Test(arguments: [
    ("<p>One</p><p>Two<br />three<br>four</p>", "One\n\nTwo\nthree\nfour"),
    // The output of snac: no paragraphs, a break at the end, bare and numeric references.
    ("2/7 Second line<br>third line<br><br><br>and a gap<br>", "2/7 Second line\nthird line\n\n\nand a gap"),
    ("bees & <em>“honey”</em> &amp; &lt;em> &#35;1 &copy; &amp;copy;", "bees & “honey” & <em> #1 © &copy;"),
    ("a &notanentity; b &b=2", "a &notanentity; b &b=2"),
    ("<p>two  blanks\nand a\n  line of layout</p>\n<p>next</p>", "two  blanks and a line of layout\n\nnext"),
    ("<p>a <b>b</b> <i>c</i><s>d</s> <u>e</u></p>", "a b cd e"),
    (
      "<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul><p>after</p>",
      "• one\n• two\n  • inner\n\nafter"
    ),
    ("<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"),
    (
      "<p>He said:</p><blockquote><p>yes</p><p>no<br>never</p></blockquote>",
      "He said:\n\n> yes\n\n> no\n> never"
    ),
    ("<pre><code>let a = 1\n  let b  = 2\n</code></pre><p>x</p>", "let a = 1\n  let b  = 2\n\nx"),
    ("<p>run <code>swift  build</code></p>", "run swift  build"),
    ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    ("a<script>alert(1)</script>b<style>p{}</style>c<svg><a href='https://x.org'>d</a></svg>e", "abce"),
    ("<madeup>kept</madeup> <img alt='a cat' src=x onerror=alert(1)>", "kept a cat"),
    ("<!-- gone -->here<?php gone ?>", "here"),
    ("no markup at all", "no markup at all"), ("", ""), ("<p></p><p> </p>", ""),
    ("</div></body></html>still here", "still here"),
  ])
  func readsBlocksAndText(_ html: String, _ text: String) {
    #expect(read(html) == text)
  }

  @Test func linksHaveTheirFullURLAndTheShownText() {
    let long =
      "<a href=\"https://www.example.org/money/2019/dec/07/i-lost\" rel=\"nofollow\"><span class=\"invisible\">https://www.</span>"
      + "<span class=\"ellipsis\">example.org/money/2019/dec</span><span class=\"invisible\">/07/i-lost</span></a>"
    #expect(
      read("<p>see \(long), yes</p>")
        == "see [example.org/money/2019/dec…](https://www.example.org/money/2019/dec/07/i-lost), yes")
    #expect(read("<a href='https://x.org/?a=1&amp;b=2&#35;top'>x</a>") == "[x](https://x.org/?a=1&b=2#top)")
    #expect(
      read("<a href='https://x.org/'><span class='invisible'>x</span></a>")
        == "[https://x.org/](https://x.org/)")
    for bad in [
      "javascript:alert(1)", " java\nscript:alert(1)", "data:text/html,x", "/local", "ipfs://x", "//x.org",
    ] {
      #expect(read("<a href=\"\(bad)\">words</a>") == "words")
    }
  }

  @Test func readsMentionsAndTags() {
    let mention =
      "<span class=\"h-card\" translate=\"no\"><a href=\"https://b.example/@bea\" class=\"u-url mention\">@<span>bea</span></a></span>"
    #expect(read(mention) == "[@bea](mention bea@b.example https://b.example/@bea)")
    let known = HTMLSurroundings(mentions: [
      .init(url: "https://b.example/@bea", handle: "bea@elsewhere.example")
    ])
    #expect(read(mention, known) == "[@bea](mention bea@elsewhere.example https://b.example/@bea)")
    #expect(
      read(
        "<a href=\"https://a.example/tags/Bees\" class=\"mention hashtag\" rel=\"tag\">#<span>Bees</span></a>"
      )
        == "[#Bees](hashtag Bees https://a.example/tags/Bees)")
    // One of Pleroma, and one of Mastodon before 2023.
    #expect(
      read("<a class=\"hashtag\" data-tag=\"love\" href=\"https://m.example/tag/love\">#love</a>")
        == "[#love](hashtag love https://m.example/tag/love)")
    #expect(read("<a rel='tag' href='https://m.example/x'>no tag</a>") == "[no tag](https://m.example/x)")
  }

  @Test func readsCustomEmoji() {
    let emoji = HTMLSurroundings(emoji: [
      "blobcat": "https://a.example/b.png", "x-1": "https://a.example/x.png",
    ])
    #expect(
      read("<p>:blobcat: hello:blobcat::x-1: :unknown: 12:30:45 :</p>", emoji)
        == "[:blobcat:](emoji blobcat https://a.example/b.png) hello[:blobcat:](emoji blobcat https://a.example/b.png)"
        + "[:x-1:](emoji x-1 https://a.example/x.png) :unknown: 12:30:45 :")
    #expect(read("<a href='https://x.org'>:blobcat:</a>", emoji) == "[:blobcat:](https://x.org)")
  }

  @Test func keepsLinesThatRepeatAQuote() {
    let link =
      "<a href=\"https://a.example/@ada/1\"><span class=\"invisible\">https://</span>a.example/@ada/1</a>"
    let line = "RE: [a.example/@ada/1](https://a.example/@ada/1)"
    #expect(read("<p class=\"quote-inline\">RE: \(link)</p><p>Mine</p>") == line + "\n\nMine")
    #expect(read("Mine<span class=\"quote-inline\"><br><br>RE: \(link)</span>") == "Mine\n\n" + line)
  }

  @Test(.timeLimit(.minutes(20))) func limitsDeepAndLongTexts() throws {
    for opening in [
      "<b>", "<ul><li>", "<blockquote>", "<a href='https://x.org'>", "<p><table>", "<font><span>",
    ] {
      _ = InlineText(html: String(repeating: opening, count: 900_000 / opening.utf8.count) + "x")
    }
    #expect(InlineText(html: String(repeating: "a", count: 2 << 20)) == nil)
    #expect(InlineText(html: String(repeating: "<b>", count: 200) + "deep")?.text == "deep")
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func removesActiveContent() throws {
    let folder = try #require(ProjectFolders.sharedFixtures)
    let payloads = try JSONValue(
      parsing: Array(Data(contentsOf: folder.appending(path: "xss/owasp-payloads.json"))))
    let texts = try #require(payloads.array).compactMap(\.string)
    #expect(texts.count > 50)
    for payload in texts {
      for html in [
        payload, "<p>\(payload)</p>", "<a href=\"\(payload)\">x</a>", "<p class=\"\(payload)\">x</p>",
      ] {
        let text = try #require(InlineText(html: html))
        for entity in text.entities {
          if case .link(let url, _) = entity.kind { #expect(WebAddress.isSafe(url)) }
        }
      }
    }
  }
}
