import Basics
import Foundation
import MarkdownHTML
import Templates
import TestSupport

extension FuzzTarget {
  private static let marks = [
    "\n", "\n\n", "  \n", "\n    ", "\\", "*", "**", "_", "`", "```", "~~~", "[", "](", "](/u)", "![", "<",
    ">",
    "&", "&lt;", "&#10;", "&#0;", "\n# ", "\n> ", "\n- ", "\n1. ", "\n---\n", "\n===\n", "<b>", "<!--", "-->",
    "<https://e.example>", "javascript:", "\n[r]: /r\n", "\t", "\r\n", "|", "$$", "<?x", "<![CDATA[", "]]>",
    "\u{202E}", "\u{2028}", "\u{A0}", "\u{FEFF}",
  ]

  /// The text of a post: cmark shows the escaped Markdown as exactly that text.
  static let postText = FuzzTarget("post-text", dictionary: marks, testRuns: 400) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isEmpty else { return }
    var block = UTF8Buffer("<!-- text lang=en -->\n")
    var paragraphs = MarkdownTextWriter(.block)
    paragraphs.plain(text)
    block.append(paragraphs.finish())
    block.append("\n<!-- /text -->\n" as StaticString)
    let html = try MarkdownHTML.render(block.bytes).whole.string
    let violations = try BodyHTML.violations(in: html)
    try require(violations.isEmpty, "\(violations)\n\(html)")
    let sections = try HTMLTokens(html).contents(ofClass: "post-text")
    try require(sections.count == 1, "\(sections.count) sections\n\(html)")
    let shown = sections[0].contents { $0.name == "p" }.map { $0.text() }.joined(separator: "\n\n")
    let expected = ExactText.shown(text)
    try require(
      shown.unicodeScalars.elementsEqual(expected.unicodeScalars),
      "\(expected.debugDescription) is shown as \(shown.debugDescription)")
    // On one line, like titles, names and descriptions.
    var line = UTF8Buffer("# x")
    var writer = MarkdownTextWriter(.inline, startsLine: false)
    writer.plain(text)
    line.append(writer.finish())
    line.append("x\n" as StaticString)
    let heading = try MarkdownHTML.render(line.bytes).whole.string
    let inline = try BodyHTML.violations(in: heading)
    try require(inline.isEmpty, "\(inline)\n\(heading)")
    try require(
      try HTMLTokens(heading).text(lineBreak: "").unicodeScalars.elementsEqual(
        "x\(expected)x\n".unicodeScalars),
      "on a line, \(expected.debugDescription) becomes \(heading.debugDescription)")
  }

  /// Any Markdown, as in a site's own template: the HTML is strictly well-formed with only allowed elements.
  static let markdown = FuzzTarget(
    "markdown",
    dictionary: marks + [
      "\n<!-- post 1 -->\n", "\n<!-- /post -->\n", "\n<!-- images -->\n", "\n<!-- /images -->\n",
      "![a](b.jpg)",
      "\n<!-- poll -->\n", "\n<!-- /poll -->\n", " <!-- meter 50 -->", " <!-- winner -->",
      "\n<!-- video -->\n",
      "\n<!-- /video -->\n", "\n<!-- embed lang=de -->\n", "\n<!-- /embed -->\n", "\n<!-- text lang=en -->\n",
      "\n<!-- /text -->\n", "\n<!-- reply 1 -->\n", "\n<!-- /reply -->\n", "<details>", "|", "\\|",
      "\n\n| a | b |\n|---|:-:|\n| c | d |\n",
    ], seeds: [Seeds("Tests/MarkdownHTMLTests/Fixtures", ".md")],
    openers: bytes("> ", "- ", "[", "![", "*a ", "("), testRuns: 600
  ) { bytes in
    let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
    let lines = 1 + text.count { $0 == 0x0A || $0 == 0x0D }
    for readsTables in [false, true] {
      var options = HTMLOptions(baseURL: "https://ada.example/")
      options.readsTables = readsTables
      options.namesHeadings = readsTables
      options.linksHeadings = readsTables
      options.focusesBoxes = readsTables
      let html: String
      do throws(MarkdownHTMLError) {
        html = try MarkdownHTML.render(text, options: options).whole.string
      } catch {
        try require((1...lines).contains(error.line ?? 1), "line \(error.line ?? 0) of \(lines)")
        continue
      }
      let violations = try BodyHTML.violations(in: html, tables: readsTables)
      try require(violations.isEmpty, "\(violations)\n\(html)")
    }
  }

  /// Templates: an error has its place. A valid template can be rendered and escapes every value unless it
  /// requests raw output.
  static let template = FuzzTarget(
    "template",
    dictionary: [
      "{{", "}}", "{{{", "}}}", "{{#list}}", "{{/list}}", "{{^text}}", "{{/text}}", "{{>part}}", "{{>*text}}",
      "{{<part}}", "{{/part}}", "{{$block}}", "{{/block}}", "{{!", "{{=", "=}}", "{{=<% %>=}}", "{{&text}}",
      "{{.}}", "{{object.text}}", "{{words.replies}}", "\n", "{{>t}}", "{{#object}}", "{{/object}}",
    ], maximumLength: 2048, seeds: [Seeds("templates", ".mustache"), Seeds("themes", ".mustache")],
    openers: bytes("{{#text}}", "{{^text}}"), testRuns: 400
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    for kind in [TemplateKind.html, .markdown] {
      let set: TemplateSet
      do throws(TemplateErrors) {
        set = try TemplateSet(
          kind: kind,
          [
            TemplateSource(name: "t", file: "t.mustache", text: text),
            TemplateSource(name: "part", file: "part.mustache", text: "({{$block}}{{text}}{{/block}})"),
          ], words: TemplateWords(["replies": BracedText("{n} <replies>")].compactMapValues(\.self)),
          missingPartials: .empty)
      } catch {
        try TemplateForm.check(error, in: text)
        continue
      }
      try TemplateForm.checkRendering(of: set, kind, text)
    }
  }
}

/// The text that HTML shows: characters that no document should contain (Unicode's controls and
/// noncharacters) are U+FFFD, and every line ends with a newline.
enum ExactText {
  static func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": result.append("\n")
      case "\n" where previous == "\r": break
      case "\n", "\t": result.append(scalar)
      case _ where scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint:
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}

private enum TemplateForm {
  static func check(_ errors: TemplateErrors, in text: String) throws(PropertyFailure) {
    try require(!errors.errors.isEmpty, "refused without a mistake")
    let lines = 1 + text.utf8.count { $0 == 0x0A }
    for error in errors.errors {
      try require((0...lines).contains(error.line), "line \(error.line) of \(lines)")
      try require(error.line == 0 || error.column >= 1, "column \(error.column)")
    }
  }

  /// The value would end a tag, an attribute and a line of Markdown.
  private static let hostile = "\"'<i>&{{text}}"

  static func checkRendering(of set: TemplateSet, _ kind: TemplateKind, _ text: String) throws {
    let object: TemplateObject = [
      "text": .text(hostile), "name": .text(hostile), "list": [1, .text(hostile), ["text": .text(hostile)]],
      "object": ["text": .text(hostile), "none": []], "flag": true, "empty": "",
    ]
    var first = UTF8Buffer()
    var second = UTF8Buffer()
    do throws(TemplateErrors) {
      try set.render("t", object, into: &first)
      try set.render("t", object, into: &second)
    } catch {
      try check(error, in: text)
      return
    }
    try require(first == second, "rendered twice, it is another")
    let output = first.string
    // The template's own text may contain anything.
    let saysRaw = text.contains("{{{") || text.contains("&") || text.contains("=") || text.contains("<i>")
    try require(saysRaw || !output.contains("<i>"), "a value came out as it was: \(output.debugDescription)")
    try require(!output.contains("{{text}}") || text.contains("{{"), "a value became a template")
  }
}
