import Basics
import Testing
import ThreadModel

/// The limits of strangers' words.
@Suite struct WebMentionTests {
  private func mention(
    source: String = "https://b.example/1", target: String = "https://a.example/x/", author: String? = nil,
    text: String? = nil
  ) -> WebMention? {
    WebMention(.reply, source: source, target: target, author: author, text: text)
  }

  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "mailto:a@b.example", "https://", "//b.example/", "",
    "b.example",
    "https://b.example/a b", "https://b.example/" + String(repeating: "a", count: 2000),
  ])
  func onlyPagesOfTheWebAreSources(_ url: String) {
    #expect(mention(source: url) == nil && mention(target: url) == nil)
  }

  @Test func directionsInURLsAreEncoded() throws {
    let found = try #require(mention(source: "https://b.example/\u{202E}gpj"))
    #expect(found.source == "https://b.example/%E2%80%AEgpj" && found.host == "b.example")
  }

  /// Otherwise the store's file could not be read again.
  @Test func encodedURLsHaveTheLimitOfReadURLs() throws {
    let start = "https://b.example/\u{202E}"
    func mention(bytes: Int) -> WebMention? {
      // Encoding adds six bytes.
      self.mention(source: start + String(repeating: "a", count: bytes - start.utf8.count - 6))
    }
    let longest = try #require(mention(bytes: 2000))
    #expect(longest.source.utf8.count == 2000 && WebMention(longest.json) == longest)
    #expect(mention(bytes: 2001) == nil)
  }

  @Test func namesAreOneLineOfVisibleText() throws {
    let found = try #require(mention(author: "\u{202E}Ada\u{0}\n\u{85} <b>Lovelace</b>\u{2066} "))
    #expect(found.author == "Ada <b>Lovelace</b>")
    #expect(mention(author: " \u{202E}\u{0}")?.author == nil)
    let long = try #require(mention(author: String(repeating: "e\u{301}", count: 5000))?.author)
    #expect(long.unicodeScalars.count <= 201)
  }

  @Test func textIsCutAtWholeCharacters() throws {
    let short = try #require(mention(text: "One.\r\n\r\n\r\n\r\nTwo\u{2028}three\t \u{1B}[31mfour  "))
    #expect(short.text == "One.\n\nTwo\nthree [31mfour" && !short.isCut)
    let family = "👩‍👩‍👧"
    let long = try #require(mention(text: String(repeating: family, count: 1000)))
    #expect(long.isCut && long.text == String(repeating: family, count: 200))
    let single = try #require(mention(text: "a" + String(repeating: "\u{301}", count: 100_000)))
    #expect(single.isCut && single.text?.unicodeScalars.count == WebMention.longestText)
    let lines = try #require(mention(text: String(repeating: "a\n", count: 400)))
    #expect(lines.isCut && lines.text?.utf8.count == 79)
    #expect(mention(text: " \n ")?.text == nil && mention(text: " \n ")?.isCut == false)
  }

  @Test func otherKindsHaveNoWords() {
    let like = WebMention(.like, source: "https://b.example/", target: "https://a.example/", text: "Spam")
    #expect(like?.text == nil)
  }

  @Test func surviveTheStore() throws {
    for text in ["Two\n\nlines", String(repeating: "word ", count: 900), nil] {
      let mention = try #require(
        WebMention(
          .mention, source: "https://b.example/1", target: "https://a.example/",
          author: String(repeating: "A", count: 300),
          authorURL: "https://b.example/", writtenAt: Timestamp(seconds: 1_700_000_000), text: text))
      #expect(WebMention(mention.json) == mention)
    }
    #expect(
      WebMention(["kind": "follow-of", "source": "https://b.example/", "target": "https://a.example/"]) == nil
    )
    #expect(WebMention(["kind": 1, "source": [], "target": .null]) == nil)
  }
}
