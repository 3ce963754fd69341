import MarkdownHTML
import Testing

/// Tables in GitHub's dialect, on pages of the site's owner.
@Suite struct TableTests {
  private func table(_ markdown: String, _ change: (inout HTMLOptions) -> Void = { _ in }) throws -> String {
    var options = HTMLOptions()
    options.readsTables = true
    change(&options)
    return try html(markdown, options)
  }

  private func box(_ header: String, _ rows: String...) -> String {
    let body = rows.isEmpty ? "" : "<tbody>\n" + rows.map { "<tr>\($0)</tr>\n" }.joined() + "</tbody>\n"
    return
      "<div class=\"table\">\n<table>\n<thead>\n<tr>\(header)</tr>\n</thead>\n\(body)</table>\n</div>\n"
  }

  /// The examples of https://github.github.com/gfm/#tables-extension-, numbers 198 to 205.
  @Test func followsTheSpecification() throws {
    #expect(
      try table("| foo | bar |\n| --- | --- |\n| baz | bim |\n")
        == box("<th scope=\"col\">foo</th><th scope=\"col\">bar</th>", "<td>baz</td><td>bim</td>"))
    #expect(
      try table("| abc | defghi |\n:-: | -----------:\nbar | baz\n")
        == box(
          "<th scope=\"col\" class=\"center\">abc</th><th scope=\"col\" class=\"right\">defghi</th>",
          "<td class=\"center\">bar</td><td class=\"right\">baz</td>"))
    #expect(
      try table("| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |\n")
        == box(
          "<th scope=\"col\">f|oo</th>", "<td>b <code>|</code> az</td>", "<td>b <strong>|</strong> im</td>"))
    let abc = "<th scope=\"col\">abc</th><th scope=\"col\">def</th>"
    #expect(
      try table("| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n")
        == box(abc, "<td>bar</td><td>baz</td>") + "<blockquote>\n<p>bar</p>\n</blockquote>\n")
    #expect(
      try table("| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar\n")
        == box(abc, "<td>bar</td><td>baz</td>", "<td>bar</td><td></td>") + "<p>bar</p>\n")
    #expect(
      try table("| abc | def |\n| --- |\n| bar |\n")
        == "<p>| abc | def |\n| --- |\n| bar |</p>\n")
    #expect(
      try table("| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |\n")
        == box(abc, "<td>bar</td><td></td>", "<td>bar</td><td>baz</td>"))
    #expect(try table("| abc | def |\n| --- | --- |\n") == box(abc))
  }

  @Test func readsCellsAsInlineMarkdown() throws {
    #expect(
      try table("| # a | 1. b |\n|:--|---|\n| - c | *d* & <b>e</b> |\n| > f | [g](h.md) ![i](j.png) |\n") {
        $0.destinations = ["h.md": "../h/", "j.png": "../j.png"]
        $0.vouchesForLinks = true
      }
        == box(
          "<th scope=\"col\" class=\"left\"># a</th><th scope=\"col\">1. b</th>",
          "<td class=\"left\">- c</td><td><em>d</em> &amp; e</td>",
          "<td class=\"left\">&gt; f</td><td><a href=\"../h/\">g</a> "
            + "<img src=\"../j.png\" alt=\"i\" loading=\"lazy\" decoding=\"async\"></td>"))
    // A code span does not extend over a pipe, and emphasis does not leave its cell.
    #expect(
      try table("| `a | b` |\n|---|---|\n| *c | d* |\n")
        == box("<th scope=\"col\">`a</th><th scope=\"col\">b`</th>", "<td>*c</td><td>d*</td>"))
  }

  @Test func tablesCanBeInListsAndNotInQuotes() throws {
    #expect(
      try table("- | a |\n  |---|\n  | b |\n").contains(
        "<li>\n" + box("<th scope=\"col\">a</th>", "<td>b</td>")))
    #expect(try !table("> | a |\n> |---|\n> | b |\n").contains("<table"))
    #expect(try !table("```\n| a |\n|---|\n```\n").contains("<table"))
    #expect(try !html("| a |\n|---|\n| b |\n").contains("<table"), "threads have no tables")
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func linesEndInEveryWay(_ ending: String) throws {
    let lines = ["# A", "", "| a |", "|---|", "| b |", "", "c"]
    #expect(
      try table(lines.joined(separator: ending))
        == "<h1>A</h1>\n" + box("<th scope=\"col\">a</th>", "<td>b</td>") + "<p>c</p>\n")
  }

  /// The links in cells have the lines of their rows, and are those of the HTML.
  @Test func findsDestinationsAndWords() throws {
    let markdown = "A\n\n| [a](1.md) `x |\n|---|\n| y` [b](2.md) |\n\n[c](3.md)\n"
    let found = try MarkdownHTML.destinations(of: Array(markdown.utf8), readsTables: true)
    #expect(found.map(\.url) == ["1.md", "2.md", "3.md"])
    #expect(found.map(\.line) == [3, 5, 7])
    #expect(
      try MarkdownHTML.words(of: Array("| a | b |\n|---|---|\n| c | d |\n".utf8), readsTables: true)
        == "a\nb\nc\nd\n")
    #expect(
      try MarkdownHTML.firstParagraph(of: Array("| a |\n|---|\n\nWords\n".utf8), readsTables: true) == "Words"
    )
  }

  /// Boxes that may scroll can have the focus.
  @Test func boxesCanHaveTheFocus() throws {
    let markdown = "| a |\n|---|\n\n```\nb\n```\n"
    #expect(try !table(markdown).contains("tabindex"))
    let focused = try table(markdown) { $0.focusesBoxes = true }
    #expect(focused.contains("<div class=\"table\" tabindex=\"0\">"))
    #expect(focused.contains("<pre tabindex=\"0\"><code>b\n</code></pre>"))
  }

  /// Raw HTML and markers in cells are treated as in paragraphs, and errors have the line of the row.
  @Test func rawHTMLIsTreatedAsInParagraphs() throws {
    #expect(try table("| a |\n|---|\n| <script>b</script> |\n").contains("<td>b</td>"))
    #expect(try table("| a |\n|---|\n| <u>b</u> |\n") { $0.keepsHTML = true }.contains("<td><u>b</u></td>"))
    let error = #expect(throws: MarkdownHTMLError.self) {
      try table("# A\n\n| a |\n|---|\n| b |\n| <!-- poll --> |\n")
    }
    #expect(error?.line == 6)
  }

  /// The HTML grows with the Markdown and not with rows times columns.
  @Test func hostileTablesStaySmall() throws {
    for columns in [1000, 1001] {
      let markdown =
        String(repeating: "|a", count: columns) + "|\n" + String(repeating: "|-", count: columns) + "|\n"
        + String(repeating: "|\n", count: 5000)
      let html = try table(markdown)
      #expect(html.contains("<table") == (columns == 1000))
      #expect(html.utf8.count < 50 * markdown.utf8.count)
    }
    // A pipe with a combining character is still a pipe.
    #expect(try table("|\u{301}a|\n|---|\n").contains("<table"))
  }
}
