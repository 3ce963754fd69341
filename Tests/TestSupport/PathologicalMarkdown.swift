/// A Markdown document of any length on which parsers have taken quadratic time or more.
///
/// The classes are those of cmark's own suite (`test/pathological_tests.py`) and of CVE-2023-22484 and CVE-2023-22486.
package struct PathologicalMarkdown: Sendable, CustomStringConvertible {
  package let name: String
  /// Repeats the difficult part the given number of times.
  package let markdown: @Sendable (_ count: Int) -> String

  package var description: String { name }

  private init(_ name: String, _ markdown: @escaping @Sendable (Int) -> String) {
    self.name = name
    self.markdown = markdown
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  package static let all: [PathologicalMarkdown] = [
    PathologicalMarkdown("nested strong emphasis") { count in
      repeated("*a **a ", count) + "b" + repeated(" a** a*", count)
    },
    PathologicalMarkdown("closers without openers") { count in repeated("a_ ", count) },
    PathologicalMarkdown("openers without closers") { count in repeated("_a ", count) },
    PathologicalMarkdown("link closers") { count in repeated("a]", count) },
    PathologicalMarkdown("mismatched") { count in repeated("*a_ ", count) },
    PathologicalMarkdown("openers and closers in turn") { count in repeated("*_* _ ", count) },
    PathologicalMarkdown("multiples of three") { count in "a**b" + repeated("c* ", count) },
    PathologicalMarkdown("escaped brackets") { count in repeated("\\[", count) },
    PathologicalMarkdown("brackets, and then many lines") { count in
      repeated("[\n\n", count) + repeated("a\n\n", count)
    },
    PathologicalMarkdown("unclosed links, pointy") { count in repeated("[a](<b", count) },
    PathologicalMarkdown("unclosed links") { count in repeated("[a](b", count) },
    PathologicalMarkdown("unclosed titles") { count in repeated("[a](b \"", count) },
    PathologicalMarkdown("nested quotes at the limit") { count in
      repeated("> ", 100) + "a\n" + repeated(">\n", count)
    },
    PathologicalMarkdown("nested lists at the limit") { count in
      repeated("- ", 99) + "a" + repeated("\n", count)
    },
    PathologicalMarkdown("emphasis in deep quotes") { count in repeated(">", 100) + repeated("a*", count) },
    PathologicalMarkdown("a number before angle brackets, which is text") { count in
      "1 " + repeated(">", count)
    },
    PathologicalMarkdown("huge list") { count in repeated("- a\n", count) },
    PathologicalMarkdown("huge ordered list") { count in (1...count).map { "\($0). a\n" }.joined() },
    PathologicalMarkdown("unclosed comments") { count in "a </" + repeated("<!--", count) },
    PathologicalMarkdown("unclosed instructions") { count in "a " + repeated("<?", count) },
    PathologicalMarkdown("unclosed declarations") { count in "a " + repeated("<!A ", count) },
    PathologicalMarkdown("unclosed CDATA") { count in "a " + repeated("<![CDATA[", count) },
    PathologicalMarkdown("unclosed tags") { count in "a " + repeated("<a ", count) },
    PathologicalMarkdown("pointy brackets") { count in repeated("<", count) },
    PathologicalMarkdown("ampersands") { count in repeated("&", count) },
    PathologicalMarkdown("NUL") { count in repeated("abc\0de\0", count) },
    PathologicalMarkdown("many references") { count in
      (0..<count).map { "[\($0)]: u\n\n" }.joined() + repeated("[0] ", count)
    },
    // The output is longer than the input by a bounded amount (cmark stops at 100 KB).
    PathologicalMarkdown("one long reference") { count in
      "[a]: /" + repeated("u", count) + "\n\n" + repeated("[a] ", count)
    },
    PathologicalMarkdown("sections in sections") { count in
      repeated("<!-- note -->\n", count) + repeated("<!-- /note -->\n", count)
    },
    PathologicalMarkdown("images after images") { count in
      repeated("<!-- images -->\n![a](b)\n<!-- /images -->\n", count)
    },
    PathologicalMarkdown("items in a deep poll") { count in
      repeated("<!-- note -->\n", count) + "<!-- poll -->\n" + repeated("- a\n", count) + "<!-- /poll -->\n"
        + repeated("<!-- /note -->\n", count)
    },
  ]
}
