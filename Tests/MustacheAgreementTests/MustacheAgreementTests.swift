import Basics
import Mustache
import Templates
import Testing

/// swift-mustache as a second opinion on random templates and values.
///
/// Where swift-mustache departs from the specification, or answers what the specification leaves open in another way, the
/// generator leaves it out:
/// - within an indented partial: CR LF, blank lines, sections of whole lines, other partials; swift-mustache indents by
///   what was written so far, we indent the partial's own lines;
/// - an indented partial that writes nothing, or whose first line does: the indentation stays there;
/// - a section whose opening tag stands alone on its line and whose closing tag does not, or the other way round: it
///   treats what follows as if it started a line;
/// - blanks behind a tag on the last line, without a newline: it does not see that the tag stands alone;
/// - `.` within an inverted section of an empty list: it is the list there;
/// - empty texts as sections: they are true there;
/// - controls and CR in values: we replace what HTML cannot hold;
/// - inheritance: arguments within arguments are evaluated in another environment.
@Suite("Agreement with swift-mustache")
struct MustacheAgreementTests {
  @Test("Random templates render the same", arguments: 0..<10)
  func random(seed: Int) throws {
    for number in 0..<60 {
      var generator = TemplateGenerator(seed: UInt64(seed * 1000 + number))
      let sources = generator.templates()
      let value = generator.object(depth: 0)

      let templates = try TemplateSet(kind: .html, sources)
      var output = UTF8Buffer()
      try templates.render("main", root: value.ours, into: &output)

      var library = MustacheLibrary()
      for source in sources { try library.register(source.text, named: source.name) }
      let expected = library.render(value.theirs, withTemplate: "main")
      guard output.string != expected else { continue }
      Issue.record(
        """
        seed \(seed * 1000 + number)
        \(sources.map { "\($0.name): \($0.text.debugDescription)" }.joined(separator: "\n"))
        value: \(value.theirs)
        ours:   \(output.string.debugDescription)
        theirs: \((expected ?? "nothing").debugDescription)
        """)
      return
    }
  }
}
