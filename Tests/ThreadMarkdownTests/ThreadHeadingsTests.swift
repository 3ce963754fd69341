import Basics
import MarkdownHTML
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Short first lines of posts become headings of the document, if several posts have one.
struct ThreadHeadingsTests {
  private func document(_ texts: [String], stripsCounters: Bool = false) throws -> ThreadDocument {
    let posts = texts.enumerated().map { Invented.post("\(100 + $0.offset)", $0.element) }
    var options = Components.options
    options.stripsCounters = stripsCounters
    return try Components.render(Invented.thread(posts), meta: ThreadMeta(title: "T"), options: options)
  }

  private func headings(_ texts: [String], stripsCounters: Bool = false) throws -> [String] {
    let document = try document(texts, stripsCounters: stripsCounters)
    return try Components.html(of: document).matches(of: #/<h2>(.*?)<\/h2>/#).map { String($0.1) }
  }

  @Test func setsFirstLinesAsHeadings() throws {
    let texts = [
      "Three breads.", "1. Rye\nDark & slow.", "#2: Wheat\n\nLight.", "And then, time:\nA night.",
      "Done. And more.",
    ]
    let found = try headings(texts)
    #expect(
      found == [
        "<span class=\"number\">1.</span> Rye", "<span class=\"number\">#2:</span> Wheat", "And then, time:",
      ])
    let html = try Components.html(of: document(texts))
    #expect(html.contains("Rye</h2>\n<p>Dark &amp; slow.</p>"), "\(html)")
    #expect(html.contains("<p>Done. And more.</p>"))
  }

  /// The published Markdown has the same headings, without the marker of the number.
  @Test func publishesHeadingsAsMarkdown() throws {
    let document = try document(["Three breads.", "1. Rye\nDark.", "2. Wheat\nLight.", "3. Oats\nNone."])
    let html = try MarkdownHTML.render(document.body, options: HTMLOptions())
    let published = document.published(with: html).string
    #expect(published.contains("\n## 1. Rye\n\nDark."), "\(published)")
  }

  /// Two short lines may be greetings. In a short thread, most posts must have a heading; in a long one, three are
  /// enough.
  @Test func singleLinesStayText() throws {
    let (heading, text) = ("Rye:\nDark.", "A sentence. And another one.")
    #expect(try headings([text, heading, heading]).isEmpty)
    #expect(try headings([text, heading, heading, heading, text, text, text]).count == 3)
    #expect(try headings([text, heading, heading, heading, text, text, text, text]).isEmpty)
    #expect(
      try headings([text, heading, heading, heading] + Array(repeating: text, count: 8)).count == 3)
  }

  /// The page begins with the first post, whose first line is the title. A line with nothing below it is a text.
  @Test func firstPostsAndSingleLinesAreTexts() throws {
    #expect(try headings(["1. A\nText.", "2. B\nText.", "3. C\nText.", "4. D\nText."]).count == 3)
    #expect(try headings(["Rules.", "1. A\nText.", "2. B\nText.", "3. C"]).count == 2)
  }

  @Test func headingsFollowCounters() throws {
    let texts = ["Rules. 1/4", "2/4 1. A\nText.", "3/4 2. B\nText.", "4/4 3. C\nText."]
    #expect(try headings(texts, stripsCounters: true).count == 3)
    // A counter that is shown stays the beginning of its post.
    #expect(try headings(texts).isEmpty)
  }

  @Test func keepsLinksWhole() throws {
    var posts = ["Rules.", "1. A b\nText.", "2. B\nText.", "3. C\nText."].enumerated().map {
      Invented.post("\(100 + $0.offset)", $0.element)
    }
    posts[1].text = InlineText(
      "1. A b\nText.", entities: [TextEntity(3..<10, .link(url: "https://a.example/", short: nil))])
    posts[2].text = InlineText(
      "2. B\nText.", entities: [TextEntity(3..<4, .link(url: "https://b.example/", short: nil))])
    let html = try Components.html(
      of: Components.render(
        Invented.thread(posts), meta: ThreadMeta(title: "T"), options: Components.options))
    let found = html.matches(of: #/<h2>(.*?)<\/h2>/#).map { String($0.1) }
    #expect(found.count == 2, "\(html)")
    #expect(found.first?.contains("<a href=\"https://b.example/\"") == true, "\(found)")
  }
}
