import Basics
import Testing

@Suite("Escaping for HTML, XML and JSON")
struct EscapingTests {
  static let markupCases: [(String, String)] = [
    ("", ""),
    ("plain – ünïcödé 👩‍👩‍👧 日本語", "plain – ünïcödé 👩‍👩‍👧 日本語"),
    ("<a href=\"x\" title='y'>&amp;", "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;"),
    ("a\r\nb\rc\n\td", "a\nb\nc\n\td"),
    ("\r", "\n"),
    (
      "nul \0 bell \u{7} feed \u{C} escape \u{1B}", "nul \u{FFFD} bell \u{FFFD} feed \u{FFFD} escape \u{FFFD}"
    ),
    ("\u{FFFE}\u{FFFF}\u{FFFD}\u{FEFF}\u{F8FF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FEFF}\u{F8FF}"),
    ("\u{7F}\u{85}\u{A0}\u{E000}", "\u{FFFD}\u{FFFD}\u{A0}\u{E000}"),
  ]

  @Test("HTML and XML text", arguments: markupCases)
  func escapesMarkup(text: String, expected: String) {
    var html = UTF8Buffer()
    html.appendEscapingHTML(text)
    #expect(html.string == expected)

    var xml = UTF8Buffer()
    xml.appendEscapingXML(text)
    #expect(xml.string == expected)

    var fromBuffer = UTF8Buffer()
    fromBuffer.appendEscapingHTML(UTF8Buffer(text))
    #expect(fromBuffer == html)
  }

  @Test(
    "JSON strings",
    arguments: [
      ("", #""""#),
      ("say \"hi\" \\ /", #""say \"hi\" \\ /""#),
      ("a\nb\r\tc\u{8}\u{C}", #""a\nb\r\tc\b\f""#),
      ("\0\u{1F}\u{7F}é😀", "\"\\u0000\\u001f\u{7F}é😀\""),
      ("</script>&\u{2028}", "\"</script>&\u{2028}\""),
    ])
  func escapesJSON(text: String, expected: String) {
    var buffer = UTF8Buffer()
    buffer.appendEscapingJSON(text)
    #expect(buffer.string == expected)
  }

  @Test(
    "JSON within a script element",
    arguments: [
      ("</script><!--", #""\u003c/script\u003e\u003c!--""#),
      ("a & b", #""a \u0026 b""#),
      ("\u{2028}\u{2029}\u{202A}–", "\"\\u2028\\u2029\u{202A}–\""),
    ])
  func escapesJSONForScripts(text: String, expected: String) {
    var buffer = UTF8Buffer()
    buffer.appendEscapingJSON(text, forScript: true)
    #expect(buffer.string == expected)
  }
}
