import Basics
import Testing
import ThreadModel
import ThreadsNetwork

/// Links, mentions and tags in plain text.
@Suite struct TextTests {
  /// Returns the text with each mark in brackets.
  private func marked(_ text: String) throws -> String {
    let one = InventedThread.post(101, by: "ada", text)
    let post = try #require(try imported([JSONWriter.text(of: one).bytes]).conversations.first?.posts.first)
    return post.text.segments.map { $0.entity == nil ? String($0.text) : "[\($0.text)]" }.joined()
  }

  @Test(arguments: [
    ("plain", "plain"), ("@ada", "[@ada]"), ("@ada.lovelace. So", "[@ada.lovelace]. So"),
    ("(@ada_1)", "([@ada_1])"),
    ("ada@example.com", "ada@example.com"), ("@ada@social.example", "@ada@social.example"), ("@ @.", "@ @."),
    ("@äda", "@äda"), ("#tides", "[#tides]"), ("#1 #2026", "#1 #2026"), ("#潮汐。", "[#潮汐]。"),
    ("a#b &#39;", "a#b &#39;"),
    ("https://a.example", "[https://a.example]"),
    ("see HTTP://a.example/b?c=d#e.", "see [HTTP://a.example/b?c=d#e]."),
    ("(https://a.example/b_(c))", "([https://a.example/b_(c)])"),
    ("https://a.example/です", "[https://a.example/]です"),
    ("xhttps://a.example", "xhttps://a.example"), ("https://", "https://"), ("https://?", "https://?"),
    ("https://a.example/@ada#b", "[https://a.example/@ada#b]"), ("👩‍🚀 @ada", "👩‍🚀 [@ada]"),
  ])
  func marks(text: String, expected: String) throws {
    #expect(try marked(text) == expected)
  }
}
