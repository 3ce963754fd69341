import Basics
import MarkdownHTML
import TestSupport
import Testing

/// The published Markdown has neither markers nor blank lines in their place.
@Suite struct MarkerRemovalTests {
  private func published(_ markdown: String) throws -> String {
    let bytes = Array(markdown.utf8)
    var output = UTF8Buffer("before\n")
    MarkerRemoval.append(bytes[...], without: try MarkdownHTML.render(bytes).markerLines, to: &output)
    #expect(output.string.hasPrefix("before\n"))
    return String(output.string.dropFirst(7))
  }

  @Test(arguments: [
    (
      "<!-- post 1 -->\n\n<!-- text lang=de -->\n\na\n\n<!-- /text -->\n\n<!-- /post -->\n\n<!-- post 2 -->\n\nb\n\n<!-- /post -->\n",
      "a\n\nb\n"
    ),
    ("a\n<!-- text -->\nb\n<!-- /text -->\nc\n", "a\n\nb\n\nc\n"),
    (
      "<!-- embed -->\n\n> **B**\n>\n> <!-- text -->\n>\n> a\n>\n> <!-- /text -->\n\n<!-- /embed -->\n\nc\n",
      "> **B**\n>\n> a\n\nc\n"
    ),
    ("> a\n\n<!-- embed -->\n\n> b\n\n<!-- /embed -->\n", "> a\n\n> b\n"),
    (
      "<!-- poll -->\n\n- **a**<!-- dash --> — <!-- votes -->45 % (9)<!-- meter 45.2 --> <!-- winner -->\n- b <\n\n<!-- /poll -->\n",
      "- **a** — 45 % (9)\n- b <\n"
    ),
    ("<!-- text -->\r\n\r\na\r\n\r\n<!-- /text -->\r\n", "a\r\n"), ("<!-- note -->\n<!-- /note -->\n", ""),
    ("<!-- text -->\n\na\n\n\n\nb\n\n<!-- /text -->", "a\n\n\n\nb\n"),
  ])
  func removesMarkers(markdown: String, expected: String) throws {
    #expect(try published(markdown) == expected)
  }

  @Test(arguments: [
    "", "\n\na\n\n\nb\n\n", "```\n<!-- text -->\n\n\n<!-- /text -->\n```\n", "    <!-- text -->\n",
    "a `<!-- winner -->` \\<!-- winner -->\n", "<!-- text is set -->\n", "<b>\n", "a  \nb",
  ])
  func keepsOtherLines(markdown: String) throws {
    #expect(try published(markdown) == markdown)
  }
}
