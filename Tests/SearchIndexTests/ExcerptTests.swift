import Basics
import Foundation
import MarkdownHTML
import SearchIndex
import TestSupport
import Testing

/// The excerpt of a search result contains words of posts and none that the program adds around them.
@Suite(.enabled(if: Node.exists, "node is not installed"))
struct ExcerptTests {
  /// The page of a thread with its controls, in a layout with content between header and text.
  private static func page(_ name: String) throws -> String {
    let file = ProjectFolders.fixtures(of: "ThreadMarkdownTests").appending(path: name + ".md")
    let markdown = try String(contentsOf: file, encoding: .utf8)
    let body = try #require(markdown.range(of: "\n---\n\n")).upperBound
    var options = HTMLOptions()
    options.controls = ControlNames(enlarge: "Enlarge", close: "Close", show: "Show")
    let html = try MarkdownHTML.render(Array(markdown[body...].utf8), options: options)
    return "<!doctype html><script>1<2</script><p>Site</p><article>" + html.header.string
      + "<p>Contents</p><div>" + html.body.string + "</div></article><div class=\"card\">Related</div>"
  }

  /// Every component of threads, with text by people.
  @Test func postsContainOnlyTheirAuthorsWords() throws {
    let script = ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: "posts.mjs").path
    let threads = ["whole", "text", "poll", "gap", "gone", "replies", "media-none", "note"]
    let lines = try threads.map { name in
      "## \(name)\n" + (try Node.run(script, Node.script, input: try Self.page(name)))
    }
    try Golden.compare(
      lines.joined(), with: ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: "posts.txt"))
  }

  @Test func cutsTheExcerptAroundTheMatch() throws {
    let folder = try TemporaryFolder()
    var collector = SearchCollector()
    var document = SearchDocument(url: "x/ada/10/", title: "A thread", author: "Ada")
    document.passages = [.init("And on 42. A branch. Pictures of engines")]
    try collector.add(document, at: 0)
    for file in try SearchIndex([collector], order: [document.url]).files {
      try folder.write(Data(file.bytes), to: "search/" + file.path)
    }
    try folder.write(Data(try Self.page("whole").utf8), to: "x/ada/10/index.html")
    // The last one is found by its title, which is not part of its posts.
    let printed = try Node.run(
      ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: "query.mjs").path, Node.script,
      folder.path, input: "\"pictures engines\"\n\"on 42\"\n\"thread\"\n")
    let results = try printed.split(separator: "\n").map { line in
      try JSONValue(parsing: Array(line.utf8))["results"]?.array?.first
    }
    #expect(results.map { $0?["post"]?.string } == ["64", "42", nil])
    #expect(results.map { $0?["marked"]?.string } == ["A thread", "A thread", "A [thread]"])
    #expect(
      results.map { $0?["text"]?.string } == [
        "[Pictures] of [engines] A drawing [of] *wheels* and \"cards\" Audio: The sound of it After the rest",
        "And [on] [42]",
        "Thanks @c_babbage! See https://a.example/b_c_d?x=(1)&y=2 #engines $ENG, and not javascript:alert(1)",
      ])
  }
}
