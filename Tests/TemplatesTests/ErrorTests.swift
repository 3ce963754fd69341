import Basics
import Templates
import TestSupport
import Testing

@Suite("Mistakes in templates")
struct ErrorTests {
  @Test(
    "Each is shown where it is",
    arguments: [
      (
        "<p>\n\té {{#a}}\n",
        """
        page.mustache:2:4: error: `{{#a}}` is never closed: `{{/a}}` was expected
        \té {{#a}}
        \t  ^
        """
      ),
      (
        "a {{b\nc}}",
        """
        page.mustache:1:3: error: this tag is not closed: `}}` was expected
        a {{b
          ^
        """
      ),
      (
        "{{a b}}",
        """
        page.mustache:1:1: error: a name cannot contain white space, as `a b` does
        {{a b}}
        ^
        """
      ),
      (
        "{{a}} {{{b}}",
        """
        page.mustache:1:7: error: this tag is not closed: `}}}` was expected
        {{a}} {{{b}}
              ^
        """
      ),
      (
        "{{ }}",
        """
        page.mustache:1:1: error: this tag has no name
        {{ }}
        ^
        """
      ),
      (
        "{{a..b}}",
        """
        page.mustache:1:1: error: `a..b` has an empty part: names are joined by single full stops
        {{a..b}}
        ^
        """
      ),
      (
        "{{=<%=}}",
        """
        page.mustache:1:1: error: new delimiters are written like `{{=<% %>=}}`: two, apart, without white space or `=`
        {{=<%=}}
        ^
        """
      ),
      (
        "{{#a}}\n{{/b}}\n{{/a}}",
        """
        page.mustache:2:1: error: `{{/b}}` closes nothing; `{{#a}}` of line 1 is open
        {{/b}}
        ^
        """
      ),
      (
        "{{#a}}{{$b}}{{/a}}",
        """
        page.mustache:1:7: error: `{{$b}}` is not closed before `{{/a}}`: `{{/b}}` was expected
        {{#a}}{{$b}}{{/a}}
              ^
        """
      ),
      (
        "{{> pagee}}",
        """
        page.mustache:1:1: error: there is no template `pagee`. Did you mean `page`?
        {{> pagee}}
        ^
        """
      ),
      (
        "{{<something_else}}{{/something_else}}",
        """
        page.mustache:1:1: error: there is no template `something_else`.
        {{<something_else}}{{/something_else}}
        ^
        """
      ),
      (
        "{{>*kind}}",
        """
        page.mustache:1:1: error: a value names the template `pgae`, which does not exist. Did you mean `page`?
        {{>*kind}}
        ^
        """
      ),
      (
        "\r\n {{>page}}",
        """
        page.mustache:2:2: error: templates call each other more than 1000 deep here: does one call itself without end?
         {{>page}}
         ^
        """
      ),
    ])
  func mistakes(text: String, expected: String) {
    #expect(errors(text, ["kind": "pgae"]) == expected)
  }

  @Test("All mistakes of all templates are reported together, in order")
  func all() throws {
    let thrown = #expect(throws: TemplateErrors.self) {
      try render(["one": "{{>nine}}\n{{#a}}", "two": "ok", "three": "{{/b}} {{c"])
    }
    let places = thrown?.errors.map { "\($0.file):\($0.line):\($0.column)" }
    #expect(
      places == ["one.mustache:1:1", "one.mustache:2:1", "three.mustache:1:1", "three.mustache:1:8"])
  }

  @Test("Missing partials may be allowed")
  func missing() throws {
    #expect(
      try render(["t": "[{{>a}}{{<b}}{{/b}}{{>*c}}]"], ["c": "d"], missingPartials: .empty) == "[]")
  }

  @Test("A missing template is an error with a suggestion")
  func unknownTemplate() throws {
    let templates = try TemplateSet(kind: .text, [TemplateSource(name: "header", file: "h", text: "")])
    var output = UTF8Buffer()
    let thrown = #expect(throws: TemplateErrors.self) { try templates.render("heeder", [:], into: &output) }
    #expect(thrown?.description == "heeder: error: there is no template `heeder`. Did you mean `header`?")
  }

  @Test(
    "Hostile templates fail soon and say little", .timeLimit(.minutes(20)),
    arguments: [
      ("{{#a}}", 170_000), ("{{", 500_000), ("{{<a}}{{$b}}", 80_000), ("{{/a}}", 170_000),
      ("{{$a}}\n\n", 130_000), ("{{=", 330_000),
    ])
  func hostile(piece: String, count: Int) {
    let text = String(repeating: piece, count: count / TestDepth.cases(fast: 8, deep: 1))
    let description = errors(text)
    #expect(description.hasPrefix("page.mustache:"))
    #expect(description.utf8.count < 10_000)
  }

  @Test("A very long line is shown in part")
  func longLine() {
    let description = errors(
      String(repeating: "é", count: 5000) + "{{/a}}" + String(repeating: "x", count: 5000))
    let lines = description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0] == "page.mustache:1:5001: error: `{{/a}}` closes nothing")
    #expect(lines[1].unicodeScalars.count == 200)
    #expect(lines[2].unicodeScalars.count == 101)
  }

  @Test("Delimiters that look like sigils are allowed")
  func strangeDelimiters() throws {
    #expect(errors("{{=< >=}}<>").contains("has no name"))
    #expect(try render(["t": "{{=< >=}}<a>"], ["a": 1]) == "1")
    #expect(try render(["t": "{{=| |=}}|a||#a||.||/a|"], ["a": 1]) == "11")
  }

  @Test("Nesting just below the limit is allowed")
  func nesting() throws {
    let text = String(repeating: "{{#a}}", count: 200) + "x" + String(repeating: "{{/a}}", count: 200)
    #expect(try render(["t": text], ["a": true]) == "x")
    #expect(errors("{{#a}}" + text + "{{/a}}", ["a": true]).contains("nested more than 200 deep"))
  }
}
