import MarkdownHTML
import Testing

/// Inputs on which Markdown parsers have taken time in the square of their length, or more; the classes are those of
/// cmark's own suite (test/pathological_tests.py) and of CVE-2023-22484 and 22486.
@Suite(.timeLimit(.minutes(20)), .serialized) struct PathologicalTests {
  struct Input: Sendable, CustomTestStringConvertible {
    var name: String
    var markdown: @Sendable () -> String
    var testDescription: String { name }

    init(_ name: String, _ markdown: @escaping @Sendable () -> String) {
      self.name = name
      self.markdown = markdown
    }
  }

  static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  static let many = 20_000

  /// Beyond no limit of ours: they give HTML, in time.
  static let rendered: [Input] = [
    Input("nested strong emphasis") { repeated("*a **a ", many) + "b" + repeated(" a** a*", many) },
    Input("closers without openers") { repeated("a_ ", many) },
    Input("openers without closers") { repeated("_a ", many) },
    Input("link closers") { repeated("a]", many) },
    Input("mismatched") { repeated("*a_ ", many) },
    Input("openers and closers in turn") { repeated("*_* _ ", many) },
    Input("multiples of three") { "a**b" + repeated("c* ", many) },
    Input("hard link in emphasis") { "**x [a*b**c*](d)" },
    Input("nested brackets at the limit") { repeated("[", 10_000) + "a" + repeated("]", 10_000) },
    Input("images of nothing at the limit") { repeated("![[]()", 5_000) },
    Input("images of nothing in many paragraphs") { repeated(repeated("![[]()", 1_000) + "\n\n", 50) },
    Input("escaped brackets") { repeated("\\[", many) },
    Input("brackets, and then many lines") { repeated("[\n\n", 11_000) + repeated("a\n\n", 20_000) },
    Input("unclosed links, pointy") { repeated("[a](<b", 10_000) },
    Input("unclosed links") { repeated("[a](b", 10_000) },
    Input("unclosed titles") { repeated("[a](b \"", 10_000) },
    Input("nested quotes at the limit") { repeated("> ", 100) + "a\n" + repeated(">\n", many) },
    Input("nested lists at the limit") { repeated("- ", 99) + "a" + repeated("\n", many) },
    Input("lists nested by indentation") {
      (0..<190).map { repeated("  ", $0) + "* a\n" }.joined() + repeated("\n", many)
    },
    Input("emphasis in deep quotes") { repeated(">", 100) + repeated("a*", many) },
    Input("a number before angle brackets, which is text") { "1 " + repeated(">", many) },
    Input("huge list") { repeated("- a\n", many) },
    Input("huge ordered list") { (1...many).map { "\($0). a\n" }.joined() },
    Input("backticks") { (1..<1_000).map { "e" + repeated("`", $0) }.joined() },
    Input("unclosed comments") { "a </" + repeated("<!--", many) },
    Input("unclosed instructions") { "a " + repeated("<?", many) },
    Input("unclosed declarations") { "a " + repeated("<!A ", many) },
    Input("unclosed CDATA") { "a " + repeated("<![CDATA[", 5_000) },
    Input("unclosed tags") { "a " + repeated("<a ", many) },
    Input("pointy brackets") { repeated("<", many) },
    Input("ampersands") { repeated("&", many) },
    Input("NUL") { repeated("abc\0de\0", many) },
    Input("many references") {
      (0..<10_000).map { "[\($0)]: u\n\n" }.joined() + repeated("[0] ", 10_000)
    },
    // Where what is written is longer than what was read, by a bounded amount (cmark stops at 100 KB of it).
    Input("one long reference") { "[a]: /" + repeated("u", many) + "\n\n" + repeated("[a] ", 10_000) },
    Input("sections in sections") { repeated("<!-- note -->\n", many) + repeated("<!-- /note -->\n", many) },
    Input("images after images") { repeated("<!-- images -->\n![a](b)\n<!-- /images -->\n", 10_000) },
    Input("items in a deep poll") {
      repeated("<!-- note -->\n", 10_000) + "<!-- poll -->\n" + repeated("- a\n", 10_000) + "<!-- /poll -->\n"
        + repeated("<!-- /note -->\n", 10_000)
    },
  ]

  /// Beyond a limit: refused before cmark sees them.
  static let refused: [Input] = [
    Input("nested brackets") { repeated("[", many) + "a" + repeated("]", many) },
    Input("brackets behind escaped backslashes") { repeated("\\\\[", many) },
    Input("image openers") { repeated("![a", many) },
    Input("link openers and emphasis closers") { repeated("[ a_", many) },
    Input("broken links") { repeated("[ (](", many) },
    Input("images of nothing") { repeated("![[]()\n", many) },
    Input("nested quotes") { repeated("> ", many) + "a" },
    Input("nested lists") { repeated("- ", many) + "x" + repeated("\n", many) },
    Input("nested ordered lists") { repeated("1. ", many) + "x" + repeated("\n", many) },
    Input("nested lists in a quote") { "> " + repeated("* ", many) + "x\n" + repeated(">\n", many) },
    Input("nested quotes between carriage returns") { "a\r" + repeated("> ", many) + "\r" },
    Input("quotes without spaces") { "\n" + repeated(">", many) + repeated("a*", many) },
    Input("lists nested far by indentation") { (0..<1_000).map { repeated("  ", $0) + "* a\n" }.joined() },
    Input("images never closed") { repeated("<!-- images -->\n![a](b)\n", many) },
  ]

  @Test(arguments: rendered)
  func isRendered(_ input: Input) throws {

    #expect(try !html(input.markdown()).isEmpty)
  }

  @Test(arguments: refused)
  func isRefused(_ input: Input) {
    #expect(throws: MarkdownHTMLError.self) { try html(input.markdown()) }
  }

  /// Rows that authors draw are no nesting.
  @Test(arguments: ["-", ".", "*", "+", "=", ")", "1", "[ ", "a > ", "- a", " "])
  func rowsAreFine(_ piece: String) throws {
    #expect(try !html("a" + Self.repeated("\n" + Self.repeated(piece, 1_000), 2) + "b").isEmpty)
  }
}
