import MarkdownHTML
import TestSupport
import Testing

/// Inputs that take quadratic time or more in some Markdown parsers. The classes come from cmark's own suite
/// (test/pathological_tests.py), CVE-2023-22484 and CVE-2023-22486.
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

  /// Inputs at a limit or of a fixed size, which are rendered. `PathologicalMarkdown` has the inputs of any
  /// length, and `Tests/Growth` counts their cost.
  static let rendered: [Input] = [
    Input("hard link in emphasis") { "**x [a*b**c*](d)" },
    Input("nested brackets at the limit") { repeated("[", 10_000) + "a" + repeated("]", 10_000) },
    Input("images of nothing at the limit") { repeated("![[]()", 5_000) },
    Input("images of nothing in many paragraphs") { repeated(repeated("![[]()", 1_000) + "\n\n", 50) },
    Input("lists nested by indentation") {
      (0..<190).map { repeated("  ", $0) + "* a\n" }.joined() + repeated("\n", many)
    },
    Input("backticks") { (1..<1_000).map { "e" + repeated("`", $0) }.joined() },
  ]

  /// Inputs beyond a limit, which are rejected before cmark reads them.
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

  @Test(arguments: PathologicalMarkdown.all)
  func isRenderedAtAnyLength(_ input: PathologicalMarkdown) throws {
    #expect(try !html(input.markdown(5_000)).isEmpty)
  }

  @Test(arguments: rendered)
  func isRendered(_ input: Input) throws {
    #expect(try !html(input.markdown()).isEmpty)
  }

  @Test(arguments: refused)
  func isRefused(_ input: Input) {
    #expect(throws: MarkdownHTMLError.self) { try html(input.markdown()) }
  }

  /// Rows of punctuation that authors draw are not nesting.
  @Test(arguments: ["-", ".", "*", "+", "=", ")", "1", "[ ", "a > ", "- a", " "])
  func acceptsRowsOfPunctuation(_ piece: String) throws {
    #expect(try !html("a" + Self.repeated("\n" + Self.repeated(piece, 1_000), 2) + "b").isEmpty)
  }
}
