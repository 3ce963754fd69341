import MarkdownHTML
import Testing

/// An error in a template states its line and the expected marker.
@Suite struct MarkerErrorTests {
  static let cases: [(markdown: String, line: Int, contains: String)] = [
    ("a\n\n<!-- poll -->\nb\n", 3, "<!-- /poll --> is expected"),
    ("<!-- /poll -->\n", 1, "closes nothing"),
    (
      "<!-- post 1 -->\n<!-- text -->\n<!-- /post -->\n<!-- /text -->\n", 3,
      "stands where <!-- /text --> is expected"
    ),
    ("<!-- embed -->\n> a\n> <!-- /embed -->\n", 3, "closes nothing"),
    ("> <!-- text -->\n> a\n\n<!-- /text -->\n", 1, "same document, block quote or list item"),
    ("- <!-- text -->\n  a\n- b\n", 1, "never closed"),
    ("<!-- post -->\n<!-- /post -->\n", 1, "needs an id"),
    ("\n<!-- post a/b -->\n<!-- /post -->\n", 2, "needs an id"),
    ("<!-- post lang=de -->\n<!-- /post -->\n", 1, "needs an id"),
    ("<!-- text class=x -->\n<!-- /text -->\n", 1, "does not allow “class”"),
    ("<!-- text 12 -->\n<!-- /text -->\n", 1, "does not allow “12”"),
    ("<!-- pause 100 -->\n<!-- /pause -->\n", 1, "from 0 to 99"),
    ("<!-- pause 3w -->\n<!-- /pause -->\n", 1, "from 0 to 99"),
    ("<!-- text -->\n<!-- /text lang=de -->\n", 2, "takes nothing after its name"),
    ("<!-- text --> *lost*\n<!-- /text -->\n", 1, "must stand alone on its line"),
    ("kept <!-- text -->\n", 1, "stands within text"),
    ("<!-- poll -->\n- a <!-- meter 101 -->\n<!-- /poll -->\n", 2, "from 0 to 100"),
    ("<!-- poll -->\n- a <!-- meter -1 -->\n<!-- /poll -->\n", 2, "from 0 to 100"),
    ("<!-- poll -->\n- a <!-- meter nan -->\n<!-- /poll -->\n", 2, "from 0 to 100"),
    ("<!-- poll -->\n- a <!-- meter 1.2.3 -->\n<!-- /poll -->\n", 2, "from 0 to 100"),
    ("<!-- poll -->\n- <!-- winner --> lost\n<!-- /poll -->\n", 2, "after other text"),
  ]

  @Test(arguments: cases)
  func reportsMistakesWithTheirLine(_ markdown: String, _ line: Int, _ message: String) {
    do throws(MarkdownHTMLError) {
      _ = try html(markdown)
      Issue.record("no error")
    } catch {
      #expect(error.line == line)
      #expect(error.message.contains(message), "\(error)")
    }
  }

  @Test func commentsInProseAreNotMarkers() throws {
    let markdown =
      "<!-- text is set -->\n\na <!-- post it here --> b\n\n<!-- text\n-->\n\n<!--text-->\n\nc\n\n<!--/text-->\n"
    #expect(try html(markdown) == "<p>a  b</p>\n<div class=\"post-text\">\n<p>c</p>\n</div>\n")
  }

  @Test func rejectsTooLongDocuments() {
    let markdown = [UInt8](repeating: UInt8(ascii: "\n"), count: MarkdownHTML.maximumLength + 1)
    #expect(throws: MarkdownHTMLError.self) { try MarkdownHTML.render(markdown) }
  }
}
