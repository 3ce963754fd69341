import MarkdownHTML
import Testing

/// Documents as values, the source of the manual.
@Suite struct MarkdownBlockTests {
  private func words(_ markdown: String) throws -> [[String]]? {
    guard case .table(let header, let rows)? = try MarkdownBlock.read(markdown).first else { return nil }
    return ([header] + rows).map { $0.map(MarkdownInline.words) }
  }

  @Test func readsTheCellsOfTables() throws {
    #expect(
      try words("| a | b |\n|---|:-:|\n| 1 | `2` |\n|3|*4*|\n") == [["a", "b"], ["1", "2"], ["3", "4"]])
    #expect(
      try words("| a | b |\r\n| - | - |\r\n| 1 | 2 | \t\r\n") == [
        ["a", "b"], ["1", "2"],
      ])
    // A row may have fewer cells, more cells, which are ignored, or empty cells.
    #expect(
      try words("| a | b | c |\n|---|---|---|\n| 1 |\n| 1 || 3 | 4 |\n") == [
        ["a", "b", "c"], ["1", "", ""], ["1", "", "3"],
      ])
  }

  @Test func cellsMayContainAPipe() throws {
    #expect(
      try words("| a \\| b | c |\n|---|---|\n| `x \\| y` | \\* |\n") == [["a | b", "c"], ["x | y", "*"]])
  }

  @Test(arguments: ["| a | b |\n", "| a | b |\n| x | y |\n", "a | b\n--- | ---x\n", "| a |\n|---|---|\n"])
  func rejectsOtherTextAsTable(markdown: String) throws {
    #expect(try words(markdown) == nil)
  }

  @Test func readsBlocks() throws {
    let blocks = try MarkdownBlock.read(
      "# A *b*\n\nc\\\nd\n\n3. e\n4. f\n\n> g\n\n```\nh\n```\n\n---\n<p>left out</p>\n")
    #expect(
      blocks == [
        .heading(level: 1, [.text("A "), .emphasis([.text("b")])]),
        .paragraph([.text("c"), .lineBreak, .text("d")]),
        .list(start: 3, isTight: true, items: [[.paragraph([.text("e")])], [.paragraph([.text("f")])]]),
        .quote([.paragraph([.text("g")])]), .code("h\n"), .rule,
      ])
  }
}
