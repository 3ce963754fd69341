import InterfaceText
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// If a thread's title is the beginning of its text, the page shows it once, as the heading above the rest of
/// the post.
struct ThreadOpeningTests {
  private func document(
    _ posts: [Post], beside: Bool = false, change: (inout UnrolledThread) -> Void = { _ in }
  ) throws -> ThreadDocument {
    var thread = Invented.thread(posts)
    change(&thread)
    let title = ThreadTitle(of: thread, in: .english, by: .utc)
    var meta = ThreadMeta(title: title.text)
    meta.titleSource = title.source
    var options = Components.options
    options.showsTitle = !beside
    return try Components.render(thread, meta: meta, options: options)
  }

  /// The text of the heading and of the posts without white space.
  private func words(of document: ThreadDocument) throws -> String {
    let html = try Components.html(of: document)
    var text = ""
    for match in html.matches(
      of: #/<h1>(.*?)<\/h1>|<div class="post-text">(.*?)<\/div>/#.dotMatchesNewlines())
    {
      let part = String(match.1 ?? match.2 ?? "")
      text += part.replacing(#/<[^>]*>/#, with: "")
    }
    return text.replacing("&amp;", with: "&").filter { !$0.isWhitespace }
  }

  @Test(arguments: [
    "The engine weaves patterns. And more.", "The engine weaves patterns.",
    "1/ The engine weaves & patterns\n\nAnd more",
    "The engine weaves 🎉 #tag", "The engine weaves patterns # and ** more: 1. one",
    "The engine weaves! \n\n 2 spaces",
    "So.\nThe engine weaves", "Does it?! “It does.” she said. And more", "The engine weaves\n- a\n- b",
  ])
  func showsEveryCharacterOnce(text: String) throws {
    let document = try document([Invented.post("10", text), Invented.post("11", "Second.")])
    let all = try words(of: document)
    let expected = (text + "Second.").filter { !$0.isWhitespace }
    // Two lines do not make a heading, so the title is shown in addition to the text.
    if text.hasPrefix("So.") {
      #expect(all == "So.Theengineweaves" + expected)
    } else {
      #expect(all == expected)
    }
  }

  /// The heading and the first post's text as a reader sees them; the heading is `nil` unless it is made from
  /// the text.
  private func parts(_ text: String) throws -> (heading: String?, text: String) {
    let html = try Components.html(of: document([Invented.post("10", text)]))
    let isHeading = html.hasPrefix("<header class=\"thread-header\" id=")
    let heading = html.firstMatch(of: #/<h1>(.*?)<\/h1>/#).map { String($0.1) }
    return (
      isHeading ? heading : nil,
      try HTMLTokens(html).contents(ofClass: "post-text").first.map { section in
        section.contents { $0.name == "p" }.map { $0.text() }.joined(separator: "\n\n")
      } ?? ""
    )
  }

  @Test(arguments: [
    "“The engine weaves patterns. It counts, too.”",
    "„Die Maschine webt Muster. Sie zählt auch.“", "»Die Maschine webt Muster. Sie zählt auch.«",
    "« La machine tisse. Elle compte aussi. »", "The engine weaves patterns. ”",
    "The engine weaves patterns\n”", "The engine weaves patterns\n)\n", "The engine weaves patterns\n…",
    "The engine weaves (patterns\nand stars) for all", "The engine weaves patterns\n\n—",
  ])
  func keepsTextWholeThatAHeadingWouldCut(text: String) throws {
    let (heading, shown) = try parts(text)
    #expect(heading == nil)
    #expect(shown == text.trimmingPrefix("\n"))
  }

  @Test(arguments: [
    ("It weaves :) for you. And more", "It weaves :) for you.", "And more"),
    ("It “weaves” (at last) for you. And “more”", "It “weaves” (at last) for you.", "And “more”"),
    ("The 5\" engine weaves. And more", "The 5\" engine weaves.", "And more"),
    // The break below the heading replaces up to two line breaks.
    ("The engine weaves\n\nAnd more", "The engine weaves", "And more"),
    ("The engine weaves\n\n\n\nAnd more", "The engine weaves", "\n\nAnd more"),
    ("The engine weaves \r\n\r\n\r\nAnd more", "The engine weaves", "\nAnd more"),
    ("The engine weaves\n  - one\n  - two", "The engine weaves", "  - one\n  - two"),
    ("The engine weaves.  And more", "The engine weaves.", "And more"),
  ])
  func showsEveryLineBreak(text: String, heading: String, rest: String) throws {
    let parts = try parts(text)
    #expect(parts.heading?.replacing("&quot;", with: "\"") == heading)
    #expect(parts.text == rest)
  }

  @Test func headingsDoNotEndWithAnAbbreviation() throws {
    #expect(try parts("The loom is in my incl.\nlist of engines. And more").heading == nil)
    #expect(
      try parts("The loom is in my incl. List of engines. And more").heading?.hasSuffix("engines.") == true)
    // Authors who write no capital letters still write sentences.
    #expect(try parts("the loom is in my list.\nand more").heading == "the loom is in my list.")
  }

  @Test func firstPostHasTheAnchorOfTheHeading() throws {
    let html = try Components.html(of: document([Invented.post("10", "The engine weaves. And more.")]))
    #expect(html.hasPrefix("<header class=\"thread-header\" id=\"post-10\">\n<h1>The engine weaves.</h1>"))
    #expect(html.contains("<section class=\"post\">\n<div class=\"post-text\">\n<p>And more.</p>"))
    #expect(html.ranges(of: "id=\"post-10\"").count == 1)
  }

  @Test func textBeforeThePostPreventsASplit() throws {
    let text = "The engine weaves. And more."
    var warned = Invented.post("10", text)
    warned.contentWarning = "Engines"
    var titled = Invented.post("10", text)
    titled.title = "On engines"
    let answered: (inout UnrolledThread) -> Void = {
      $0.context = .post(Invented.post("9", "Well?"), author: nil, quote: nil)
    }
    for html in [
      try Components.html(of: document([warned])), try Components.html(of: document([titled])),
      try Components.html(of: document([Invented.post("10", text)], change: answered)),
    ] {
      #expect(html.contains("<section class=\"post\" id=\"post-10\">"))
      #expect(html.contains("<p>The engine weaves. And more.</p>"))
    }
  }

  /// A feed reader shows the title above the content.
  @Test func omitsTheHeadingBesideATitle() throws {
    let html = try Components.html(
      of: document([Invented.post("10", "The engine weaves. And more.")], beside: true))
    #expect(!html.contains("<h1>") && !html.contains("The engine weaves"))
    #expect(html.contains("<p>And more.</p>"))
    let text = "@ada The engine weaves. And more."
    let answer = Invented.post(
      "10", text, entities: [Invented.entity("@ada", in: text, .mention(handle: "ada", url: nil))])
    // The title does not name the recipient.
    #expect(try words(of: document([answer], beside: true)) == text.filter { $0 != " " })
    #expect(try words(of: document([answer])) == text.filter { $0 != " " })
  }
}
