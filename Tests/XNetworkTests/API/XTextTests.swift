import Basics
import NetworkSources
import Testing
import ThreadModel

@Suite struct XTextTests {
  @Test func offsetsCountUnicodeScalars() throws {
    let text = "👩🏻‍💻 日本 #tag and @Ada_1 $ACME"
    let marked = Answers.marked(
      try Answers.text(
        text,
        [
          "hashtags": [["start": 8, "end": 12, "tag": "tag"]],
          "mentions": [["start": 17, "end": 23, "username": "ada_1", "id": "5"]],
          "cashtags": [["start": 24, "end": 29, "tag": "ACME"]],
        ]))
    #expect(
      marked
        == "👩🏻‍💻 日本 [#tag](hashtag tag https://x.com/hashtag/tag) and [@Ada_1](mention Ada_1 https://x.com/Ada_1) "
        + "[$ACME](cashtag ACME https://x.com/search?q=%24ACME)")
  }

  /// Without a limit of the compared scalars, the search for this URL would compare 100,000 scalars at each of as many places.
  @Test func hostileURLsAreNotSearchedForEndlessly() throws {
    let text = String(repeating: "a", count: 200_000)
    for end in ["b", "&"] {
      let url = String(repeating: "a", count: 100_000) + end
      let entity: JSONValue = [
        "start": 5, "end": 2, "url": .string(url), "expanded_url": "https://a.example/",
      ]
      let urls = JSONValue.array(Array(repeating: entity, count: 50))
      #expect(try Answers.text(text, ["urls": urls]) == InlineText(text))
    }
  }

  @Test func findsEntitiesWithWrongOffsetsOrLeavesPlainText() throws {
    func marked(_ text: String, start: Int, end: Int, _ tag: String = "tag") throws -> String {
      let entity: JSONValue = [
        "start": .integer(Int64(start)), "end": .integer(Int64(end)), "tag": .string(tag),
      ]
      return Answers.marked(try Answers.text(text, ["hashtags": [entity]]))
    }
    let found = "😀😀 [#tag](hashtag tag https://x.com/hashtag/tag) b"
    // UTF-16 offsets, and invalid offsets.
    for (start, end) in [(5, 9), (-4, -1), (9, 5), (Int.max - 1, .max), (0, .max), (.min, .max), (0, 0)] {
      #expect(try marked("😀😀 #tag b", start: start, end: end) == found)
    }
    #expect(
      try marked("#tags b#tag", start: 0, end: 4) == "[#tag](hashtag tag https://x.com/hashtag/tag)s b#tag")
    #expect(try marked("#tags b#tag", start: 1, end: 5) == "#tags b#tag")
    #expect(try marked("no such thing", start: 0, end: 4) == "no such thing")
    // The nearest of several.
    #expect(
      try marked("#tag #tag #tag", start: 6, end: 10)
        == "#tag [#tag](hashtag tag https://x.com/hashtag/tag) #tag")
  }

  @Test func replacesEveryLinkByItsOwnEntity() throws {
    let text = "a https://t.co/1 b https://t.co/1 c https://t.co/2."
    let second: JSONValue = [
      "start": 19, "end": 33, "url": "https://t.co/1", "expanded_url": "http://two.example/?a=1&b=2",
    ]
    let third = Answers.url(
      "https://t.co/2", in: text, to: "https://bit.example/x",
      ["unwound_url": "https://three.example/long", "status": 200])
    let inline = try Answers.text(
      text, ["urls": [second, third, Answers.url("https://t.co/1", in: text, to: "https://one.example/")]])
    #expect(
      Answers.marked(inline) == "a [one.example](https://one.example/) b "
        + "[two.example/?a=1&b=2](http://two.example/?a=1&b=2) c [bit.example/x](https://bit.example/x)."
    )
    #expect(inline?.entities.first?.kind == .link(url: "https://one.example/", short: "https://t.co/1"))
  }

  @Test func missingPageDoesNotReplaceItsLink() throws {
    let text = "https://t.co/1"
    let entity = Answers.url(
      text, in: text, to: "https://a.example/x", ["unwound_url": "https://a.example/login", "status": 404])
    #expect(
      Answers.marked(try Answers.text(text, ["urls": [entity]])) == "[a.example/x](https://a.example/x)")
  }

  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "", "https://", "https://a b", "\u{1}https://a.example",
    "vbscript:x", "//a.example",
  ])
  func unsafeURLsKeepTheShortLink(expanded: String) throws {
    let text = "see https://t.co/1"
    let entity = Answers.url("https://t.co/1", in: text, to: expanded)
    #expect(Answers.marked(try Answers.text(text, ["urls": [entity]])) == "see [t.co/1](https://t.co/1)")
    let hostile: JSONValue = ["start": 4, "end": 14, "url": "javascript:", "expanded_url": .string(expanded)]
    #expect(
      Answers.marked(try Answers.text("see javascript:x", ["urls": [hostile]])) == "see javascript:x")
  }

  @Test func unescapesEachPieceOnce() throws {
    let text = "a &amp; b &lt;i&gt; &amp;lt; &amp;amp; https://t.co/1 &quot; #x&amp;y"
    let inline = try Answers.text(
      text,
      [
        "urls": [Answers.url("https://t.co/1", in: text, to: "https://a.example/?q=&amp;")],
        "hashtags": [["start": 55, "end": 57, "tag": "x"]],
      ])
    // Escaped text contains no bare ampersands, so this text is not escaped.
    #expect(inline?.text == "a &amp; b &lt;i&gt; &amp;lt; &amp;amp; a.example/?q=&amp; &quot; #x&amp;y")
    let escaped = "a &amp; b &lt;i&gt; &amp;lt; &amp;amp; https://t.co/1 #x&amp;y"
    let start = Int64(escaped.unicodeScalars.count - 7)
    let marked = Answers.marked(
      try Answers.text(
        escaped,
        [
          "urls": [Answers.url("https://t.co/1", in: escaped, to: "https://a.example/?q=&amp;")],
          "hashtags": [["start": .integer(start), "end": .integer(start + 2), "tag": "x"]],
        ]))
    #expect(
      marked == "a & b <i> &lt; &amp; [a.example/?q=&amp;](https://a.example/?q=&amp;) "
        + "[#x](hashtag x https://x.com/hashtag/x)&y")
  }

  @Test func findsEntitiesWithOffsetsIntoTheUnescapedText() throws {
    let marked = Answers.marked(
      try Answers.text("a &amp; b #tag", ["hashtags": [["start": 6, "end": 10, "tag": "tag"]]]))
    #expect(marked == "a & b [#tag](hashtag tag https://x.com/hashtag/tag)")
  }

  // MARK: Attachments

  @Test func removesTheSharedLinkOfFourPhotos() throws {
    let text = "Look!\n\nhttps://t.co/p"
    let entities = (1...4).map { number in
      Answers.url(
        "https://t.co/p", in: text, to: "https://twitter.com/ada/status/100/photo/1",
        ["media_key": .string("3_\(number)")])
    }
    let post = try Answers.post(["text": .string(text), "entities": ["urls": .array(entities)]])
    #expect(post?.text == InlineText("Look!"))
    #expect(post?.media.map(\.id) == ["3_1", "3_2", "3_3", "3_4"])
    #expect(post?.media.allSatisfy { $0.kind == .photo } == true)
  }

  @Test(arguments: [
    ("https://x.com/ada/status/100/video/1", "a"), ("https://twitter.com/ada/status/100/photo/1", "a"),
    ("https://x.com/bob/status/7/photo/1", "a"), ("https://twitter.com/i/web/status/100", "a"),
    ("https://twitter.com/Bob/status/55", "a"), ("https://x.com/Bob/status/55?s=20", "a"),
    ("https://mobile.twitter.com/i/web/status/55", "a"),
    ("https://x.com/bob/status/7", "a [x.com/bob/status/7](https://x.com/bob/status/7)"),
    (
      "https://x.com.evil.example/b/status/55",
      "a [x.com.evil.example/b/status/55](https://x.com.evil.example/b/status/55)"
    ),
  ])
  func removesLinksToAttachmentsAtTheEnd(expanded: String, result: String) throws {
    let text = "a https://t.co/1"
    let more: JSONObject = [
      "referenced_tweets": [["type": "quoted", "id": "55"]], "attachments": ["media_keys": ["3_1"]],
    ]
    let marked = Answers.marked(
      try Answers.text(text, ["urls": [Answers.url("https://t.co/1", in: text, to: expanded)]], more))
    #expect(marked == result)
  }

  @Test func keepsALinkToUnknownMedia() throws {
    let text = "a https://t.co/1"
    let url = Answers.url("https://t.co/1", in: text, to: "https://x.com/ada/status/100/photo/1")
    let marked = Answers.marked(try Answers.text(text, ["urls": [url]]))
    #expect(marked == "a [x.com/ada/status/100/photo/1](https://x.com/ada/status/100/photo/1)")
  }

  @Test func quoteBeforeAPhotoIsAlsoAtTheEnd() throws {
    let text = "a #b https://t.co/q https://t.co/p \n"
    let quote: JSONObject = [
      "referenced_tweets": [["type": "quoted", "id": "55"]], "attachments": ["media_keys": ["3_1"]],
    ]
    let inline = try Answers.text(
      text,
      [
        "urls": [
          Answers.url("https://t.co/q", in: text, to: "https://x.com/bob/status/55"),
          Answers.url("https://t.co/p", in: text, to: "https://x.com/ada/status/100/photo/1"),
        ],
        "hashtags": [["start": 2, "end": 4, "tag": "b"]],
      ], quote)
    #expect(inline?.text.hasPrefix("a #b") == true)
    #expect(inline?.text.contains("x.com") == false)
  }

  @Test func keepsALinkToTheQuotedPostInsideTheText() throws {
    let text = "as https://t.co/q says"
    let quote: JSONObject = ["referenced_tweets": [["type": "quoted", "id": "55"]]]
    let marked = Answers.marked(
      try Answers.text(
        text, ["urls": [Answers.url("https://t.co/q", in: text, to: "https://x.com/bob/status/55")]], quote))
    #expect(marked == "as [x.com/bob/status/55](https://x.com/bob/status/55) says")
  }

  @Test func photoInsideTheTextLeavesNoGap() throws {
    let text = "https://t.co/a one https://t.co/b two"
    let key: JSONObject = ["media_key": "3_1"]
    let inline = try Answers.text(
      text,
      [
        "urls": [
          Answers.url("https://t.co/a", in: text, to: "https://x.com/ada/status/100/photo/1", key),
          Answers.url("https://t.co/b", in: text, to: "https://x.com/ada/status/100/photo/1", key),
        ]
      ])
    #expect(inline == InlineText("one two"))
  }

  // MARK: Long posts

  @Test func noteReplacesTheShortText() throws {
    let members: JSONObject = [
      "text": "Long &amp; … https://t.co/n",
      "note_tweet": [
        "text": "Long &amp; wide https://t.co/x",
        "entities": [
          "urls": [["start": 16, "end": 30, "url": "https://t.co/x", "expanded_url": "https://a.example/"]]
        ],
      ],
    ]
    #expect(Answers.marked(try Answers.post(members)?.text) == "Long & wide [a.example](https://a.example/)")
  }

  @Test(arguments: [
    ("a &amp;lt; b", "a &amp;lt; b and more", "a &lt; b and more"),
    ("a &amp;lt; b", "a &lt; b and more", "a &lt; b and more"),
    ("a &lt; b", "a < b and more", "a < b and more"),
    ("AT&amp;T", "AT&T and more &amp;", "AT&T and more &amp;"),
    ("no escape yet", "no escape yet, then &amp;", "no escape yet, then &"),
  ])
  func noteMayBeEscapedOrNot(short: String, long: String, result: String) throws {
    let members: JSONObject = ["text": .string(short), "note_tweet": ["text": .string(long)]]
    #expect(try Answers.post(members)?.text.text == result)
  }

  @Test func biosAreNotEscaped() throws {
    let conversation = try Answers.conversations(
      """
      {"data":{"id":"100","author_id":"1","text":"a"},"includes":{"users":[{"id":"1","username":"ada",
      "description":"&amp; @bob https://t.co/1","entities":{"description":{
      "mentions":[{"start":6,"end":10,"username":"bob"}],
      "urls":[{"start":11,"end":25,"url":"https://t.co/1","expanded_url":"https://a.example"}]}}}]}}
      """
    ).first
    #expect(
      Answers.marked(conversation?.author?.bio)
        == "&amp; [@bob](mention bob https://x.com/bob) [a.example](https://a.example)")
  }

  // MARK: Hostile

  @Test func tagsAndNamesStayWithinTheirURL() throws {
    let marked = Answers.marked(
      try Answers.text("#a/../b?c @x/y", ["hashtags": [["start": 0, "end": 9, "tag": "a/../b?c"]]]))
    #expect(marked == "[#a/../b?c](hashtag a/../b?c https://x.com/hashtag/a%2F%2E%2E%2Fb%3Fc) @x/y")
    let name = Answers.marked(
      try Answers.text("@x/../y", ["mentions": [["start": 0, "end": 7, "username": "x/../y"]]]))
    #expect(name == "@x/../y")
  }

  @Test func importsAHugeTextWithWrongEntities() throws {
    let text = String(repeating: "é &amp; ", count: 60_000)
    let entities = JSONValue.array((0..<3000).map { ["start": .integer($0), "end": 9, "tag": "none"] })
    let inline = try Answers.text(text, ["hashtags": entities])
    #expect(inline?.text == String(repeating: "é & ", count: 60_000))
  }

  @Test func keepsTheFirstKindOfOverlappingEntities() throws {
    let text = "https://t.co/1"
    let marked = Answers.marked(
      try Answers.text(
        "x#a " + text,
        [
          "urls": [
            Answers.url(text, in: "x#a " + text, to: "https://a.example/1"),
            ["start": 6, "end": 18, "url": "tps://t.co/1", "expanded_url": "https://b.example"],
          ],
          "hashtags": [["start": 1, "end": 3, "tag": "a"], ["start": 1, "end": 3, "tag": "a"]],
        ]))
    #expect(marked == "x[#a](hashtag a https://x.com/hashtag/a) [a.example/1](https://a.example/1)")
  }
}
