import Basics
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Texts by the site's owner about a thread.
@Suite struct OwnersTextTests {
  /// YAML keeps a CR that is written as `\r`.
  @Test func findsURLsInLinesThatEndWithCRLF() throws {
    var meta = ThreadMeta(title: "Title")
    meta.words.introduction = "Words\r\n\r\nhttps://a.example/1"
    let document = try Components.render(Invented.thread([Invented.post("10", "Text")]), meta: meta)
    #expect(document.markdown.string.contains("<https://a.example/1>"))
  }
}
