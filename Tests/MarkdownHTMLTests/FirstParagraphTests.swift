import MarkdownHTML
import Testing

@Suite struct FirstParagraphTests {
  @Test(arguments: [
    (
      "Read *these*,\nin `order`. &amp; <b>so</b> on\\\nto the [end](https://a.example/).\n\nLater.",
      "Read these, in order. & so on to the end."
    ),
    ("# A heading\n\n- a list\n\n<!-- a comment -->\n\nWords.", "Words."),
    ("![A whale](whale.png)", "A whale"),
    ("![](whale.png)\n\nفي البداية", "في البداية"),
    ("", ""), ("# Only a heading", ""),
  ])
  func findsTheWordsOfTheFirstParagraph(markdown: String, words: String) throws {
    #expect(try MarkdownHTML.firstParagraph(of: Array(markdown.utf8)) == words)
  }
}
