import Basics
import Templates
import Testing

/// `{{words.name}}`, which is replaced when templates are compiled.
@Suite struct WordsTests {
  private static let words = [
    "hello": "Hello & <welcome>", "page_of": "Page {page} of {pages}", "edited": "edited {edited}",
    "plain": "a *b*", "closing": ", no description",
  ]

  private func render(
    _ text: String, _ value: TemplateObject = [:], kind: TemplateKind = .html
  ) throws -> String {
    let words = TemplateWords(try Self.words.mapValues { try #require(BracedText($0)) })
    let set = try TemplateSet(
      kind: kind, [TemplateSource(name: "page", file: "page.mustache", text: text)], words: words)
    var output = UTF8Buffer()
    try set.render("page", value, into: &output)
    return output.string
  }

  private func failure(_ text: String) -> String {
    do {
      return "no error, but: " + (try render(text))
    } catch {
      return "\(error)"
    }
  }

  @Test func wordsAreEscapedLikeValues() throws {
    #expect(try render("<b>{{words.hello}}</b>") == "<b>Hello &amp; &lt;welcome&gt;</b>")
    #expect(try render("<b>{{{words.hello}}}</b>") == "<b>Hello & <welcome></b>")
    #expect(try render("{{words.plain}}", kind: .markdown) == "a \\*b\\*")
  }

  /// Values are looked up in the context of the words, and escaped.
  @Test func valuesAreLookedUpInTheContextOfTheWords() throws {
    let value: TemplateObject = ["pagination": ["page": "<2>", "pages": "10"], "page": "outer"]
    #expect(try render("{{#pagination}}{{words.page_of}}{{/pagination}}.", value) == "Page &lt;2&gt; of 10.")
    #expect(try render("{{words.page_of}}", value) == "Page outer of ")
  }

  /// A blank between words and a value is kept. Markdown would drop it only at the ends of a line.
  @Test func keepsBlanksBesideValues() throws {
    #expect(
      try render("· {{words.edited}}", ["edited": "6 May"], kind: .markdown) == "· edited 6 May")
    #expect(try render("[x]{{words.closing}}", kind: .markdown) == "[x], no description")
  }

  @Test func indentsLinesThatBeginWithWords() throws {
    let set = try TemplateSet(
      kind: .html,
      [
        TemplateSource(name: "page", file: "page.mustache", text: "  {{>part}}\n"),
        TemplateSource(name: "part", file: "part.mustache", text: "{{words.a}} b\n{{words.a}}\n"),
      ], words: TemplateWords(["a": try #require(BracedText("A"))]))
    var output = UTF8Buffer()
    try set.render("page", [:], into: &output)
    #expect(output.string == "  A b\n  A\n")
    #expect(set.usedWords == ["a"])
  }

  @Test func unknownWordsAreAMistake() {
    #expect(
      failure("<p>\n {{words.helo}}") == """
        page.mustache:2:2: error: there is no text `helo` in the strings files. Did you mean `hello`?
         {{words.helo}}
         ^
        """)
  }

  @Test func wordsAreNotASection() {
    #expect(
      failure("{{#words.hello}}a{{/words.hello}}").hasPrefix(
        "page.mustache:1:1: error: use {{words.hello}} to insert a text; "))
  }

  /// An own value may have this name if no member of it is used.
  @Test func wordsAloneIsAValue() throws {
    #expect(try render("{{words}}", ["words": "mine"]) == "mine")
  }

  @Test(arguments: ["{", "}", "{}", "{ }", "a {b", "a} b", "{a{b}}"])
  func rejectsInvalidBraces(_ text: String) {
    #expect(BracedText(text) == nil)
  }
}
