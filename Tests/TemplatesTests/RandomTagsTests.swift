import Basics
import Templates
import Testing

/// Random tags: each set compiles and renders, or is rejected with errors that state their place.
@Suite("Random tags")
struct RandomTagsTests {
  static let pieces = [
    "{{#a}}", "{{/a}}", "{{^b}}", "{{/b}}", "{{a}}", "{{{a}}}", "{{.}}", "{{<p}}", "{{/p}}", "{{$x}}",
    "{{/x}}", "{{>p}}",
    "{{>*a}}", "{{!", "}}", "{{", "{{=<% %>=}}", "<%={{ }}=%>", "{{={ }=}}", "{={{ }}=}", "{{=| |=}}",
    "|={{ }}=|", "|",
    "<%", "%>", "{", "}", "=", "\n", "\n", "\r\n", " ", "  ", "\t", "text", "é", "👩‍👩‍👧", "{{ a . b }}", "{{}}",
    "{{#}}",
    "{{/ a }}", "{{&a}}",
  ]

  @Test("They compile or give errors with a place", arguments: 0..<8)
  func random(seed: Int) throws {
    var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    func text() -> String {
      (0...below(16)).map { _ in Self.pieces[below(Self.pieces.count)] }.joined()
    }
    var rendered = 0
    var refused = 0
    for _ in 0..<300 {
      let sources = ["main": text(), "p": text()].sorted { $0.key < $1.key }
        .map { TemplateSource(name: $0.key, file: $0.key, text: $0.value) }
      do {
        let templates = try TemplateSet(kind: .html, sources)
        var output = UTF8Buffer()
        try templates.render("main", ["a": ["p", "", 1], "b": ["a": "x"]], into: &output)
        rendered += 1
      } catch {
        #expect(!error.errors.isEmpty)
        for error in error.errors {
          let source = try #require(sources.first { $0.file == error.file })
          let lines = source.text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
          #expect((1...lines.count).contains(error.line))
          let line = lines[error.line - 1]
          // Longer lines are shown in part.
          #expect(line.unicodeScalars.count > 100 || error.sourceLine == line)
          #expect((1...line.unicodeScalars.count).contains(error.column))
        }
        refused += 1
      }
    }
    #expect(rendered > 0 && refused > 0)
  }
}
