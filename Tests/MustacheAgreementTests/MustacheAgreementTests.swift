import Basics
import Mustache
import Templates
import Testing

/// Compares with swift-mustache on random templates and values.
///
/// The generator excludes cases in which swift-mustache departs from the specification, or resolves an open
/// question in another way:
/// - within an indented partial: CR LF, blank lines, sections of whole lines, other partials. swift-mustache
///   indents the text written so far; we indent the partial's own lines.
/// - an indented partial that writes nothing, or whose first line writes nothing: the indentation stays in
///   swift-mustache.
/// - a section whose opening tag is alone on its line and whose closing tag is not, or the reverse:
///   swift-mustache treats the following text as if it started a line.
/// - blanks after a tag on the last line without a newline: swift-mustache does not recognize a tag alone on
///   its line.
/// - `.` within an inverted section of an empty list: it is the list in swift-mustache.
/// - empty texts as sections: they are true in swift-mustache.
/// - controls and CR in values: we replace what HTML cannot contain.
/// - inheritance: arguments within arguments are evaluated in another environment.
@Suite("Agreement with swift-mustache")
struct MustacheAgreementTests {
  @Test("Random templates give the same output", arguments: 0..<10)
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
