import MarkdownHTML
import Testing

@Suite struct SoleURLTests {
  /// CR LF is one Character, at which a text is not split into lines.
  @Test(arguments: ["\n", "\r\n"])
  func findsParagraphsOfOneURL(lineBreak: String) throws {
    let lines = [
      "Words", "", "https://a.example/1", "", "  <https://a.example/2>  ", "", "- https://a.example/3", "",
      "https://a.example/4", "and words", "",
    ]
    let found = try MarkdownHTML.soleURLs(of: Array(lines.joined(separator: lineBreak).utf8))
    #expect(found.map(\.url) == ["https://a.example/1", "https://a.example/2"])
    #expect(found.map(\.line) == [3, 5])
  }
}
