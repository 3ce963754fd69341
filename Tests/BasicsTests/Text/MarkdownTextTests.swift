import Basics
import Testing

@Suite("Text that CommonMark shows unchanged")
struct MarkdownTextTests {
  @Test(
    "Paragraphs",
    arguments: [
      ("", ""),
      ("Hello, world! 👋 (really) \"quoted\" it's 100% #yes @ada e-mail a+b=c", nil),
      ("*a* _b_ `c` ~d~ $e$ [f] \\g", "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\$e\\$ \\[f\\] \\\\g"),
      ("<b> 1 > 0 --> x", "&lt;b> 1 > 0 --> x"),
      ("AT&T & co &amp; &#38; &copy &; x&y", "AT&T & co &amp;amp; &amp;#38; &copy &; x&amp;y"),
      ("tab\there", "tab&#9;here"),
      ("a\u{B}b\u{0}c\u{FFFF}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
      ("\u{FEFF}mark", "&#xFEFF;mark"),
      ("hey!", nil),
    ] as [(String, String?)])
  func paragraphs(text: String, expected: String?) {
    #expect(block(text) == expected ?? text)
  }

  @Test(
    "Line breaks and white space",
    arguments: [
      ("a\nb", "a  \nb"),
      ("a\r\nb\rc", "a  \nb  \nc"),
      ("a\n\nb", "a\n\nb"),
      ("a\n\n\nb", "a\n\n&#10;b"),
      ("a\n\n\n\n# b", "a\n\n&#10;&#10;# b"),
      ("\n\na", "&#10;&#10;a"),
      ("a\n", "a&#10;"),
      ("\n", "&#10;"),
      (" ", "&#32;"),
      ("  ", "&#32;&#32;"),
      ("a  b", "a  b"),
      ("  a  ", "&#32; a &#32;"),
      ("a \n b", "a&#32;  \n&#32;b"),
      ("a\n \nb", "a  \n&#32;  \nb"),
      ("a \n \n", "a&#32;  \n&#32;&#10;"),
      ("\ta\t", "&#9;a&#9;"),
    ])
  func whitespace(text: String, expected: String) {
    #expect(block(text) == expected)
  }

  @Test(
    "What would start a block at a line's start does so no more",
    arguments: [
      ("# a", "\\# a"), ("#a", "\\#a"), ("> a", "\\> a"), ("- a", "\\- a"), ("-a", "-a"), ("---", "\\---"),
      ("+ a", "\\+ a"), ("+1", "+1"), ("===", "\\==="), ("1. a", "1\\. a"), ("1.", "1\\."),
      ("12) a", "12\\) a"),
      ("1.5 million", "1.5 million"), (". a", ". a"), (") a", ") a"), ("| a |", "\\| a |"), (":-)", "\\:-)"),
      (":)", ":)"),
      ("5 > 4", "5 > 4"), ("5>4", "5>4"), ("2026-11-20", "2026-11-20"), ("```", "\\`\\`\\`"),
      ("* a", "\\* a"),
      ("–1", "–1"), ("    code", "&#32;   code"), ("1\t.", "1&#9;."),
    ])
  func lineStarts(text: String, expected: String) {
    #expect(block(text) == expected)
    #expect(block("x\n" + text) == "x  \n" + expected)
    #expect(block("x\n\n" + text) == "x\n\n" + expected)
  }

  @Test("Text and links alternate")
  func links() {
    var writer = MarkdownTextWriter()
    writer.plain("See! ")
    writer.link(text: "@ada_l", url: "https://x.com/ada_l")
    writer.plain("  !")
    writer.link(text: "wiki [1]!", url: "https://example.org/a_(b)?c=d&amp;e=f&copy=1")
    writer.plain("\r")
    writer.plain("\n- ")
    writer.image(alt: "*two*\nlines", url: "https://example.org/ü<>\\")
    writer.plain("(x) \n")
    writer.link(text: "click", url: "javascript:alert(1)")
    writer.plain("\n\n")
    #expect(
      writer.finish().string == """
        See! [@ada\\_l](https://x.com/ada_l)  \\![wiki \\[1\\]!](https://example.org/a_\\(b\\)?c=d&amp;amp;e=f&copy=1)\("  ")
        \\- ![\\*two\\*&#10;lines](https://example.org/ü%3C%3E\\\\)(x)&#32;\("  ")
        click&#10;&#10;
        """)
  }

  @Test("Chunks may be split between any scalars")
  func chunks() {
    let text = "1. a\r\n\r\n- b  \n#\u{FEFF}é!\n\n\n  **c** 12) &amp; ok"
    var writer = MarkdownTextWriter()
    for scalar in text.unicodeScalars { writer.plain(String(scalar)) }
    // The end of a chunk hides the next character, so more is escaped than necessary; here only `&`.
    #expect(writer.finish().string == block(text))
  }

  @Test(
    "Within a line",
    arguments: [
      ("a\nb\r\n", "a&#10;b&#10;"),
      (" a  b ", "&#32;a  b&#32;"),
      ("# a", "\\# a"),
      ("C# in C ##", "C# in C \\##"),
      ("Hello!", "Hello\\!"),
      ("1. a", "1\\. a"),
      ("\n# a", "&#10;# a"),
    ])
  func inline(text: String, expected: String) {
    var buffer = UTF8Buffer("x ")
    buffer.appendEscapingMarkdown(text)
    #expect(buffer.string == "x " + expected)
  }

  @Test(
    "Link destinations",
    arguments: [
      ("https://example.org/a b\n<c>", "https://example.org/a%20b%0A%3Cc%3E"),
      ("https://example.org/(a)\\", "https://example.org/\\(a\\)\\\\"),
      ("https://[::1]/a[0]", "https://\\[::1]/a\\[0]"),
      ("?a=b&c=d&copy;&x", "?a=b&c=d&amp;copy;&amp;x"),
      ("ü\u{FFFF}\u{FEFF}", "ü%EF%BF%BF\u{FEFF}"),
    ])
  func destinations(url: String, expected: String) {
    var buffer = UTF8Buffer()
    buffer.appendLinkDestination(url)
    #expect(buffer.string == expected)
  }

  private func block(_ text: String) -> String {
    var writer = MarkdownTextWriter()
    writer.plain(text)
    return writer.finish().string
  }
}
