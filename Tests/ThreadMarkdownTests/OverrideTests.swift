import Basics
import Foundation
import Templates
import Testing
import ThreadMarkdown
import ThreadModel

/// A user's template replaces one component and nothing else.
struct OverrideTests {
  @Test func replacesThePoll() throws {
    let own = TemplateSource(
      name: "poll", file: "templates/poll.mustache",
      text: "<!-- poll -->\n\n{{#options}}\n* {{label}}\n{{/options}}\n\n<!-- /poll -->\n")
    let thread = Invented.thread([Samples.polls[0], Samples.pictures])
    let usual = try Components.render(thread).markdown.string
    let changed = try Components.render(thread, components: Components.make([own])).markdown.string
    func withoutPoll(_ text: String) -> [String] {
      let start = text.range(of: "<!-- poll -->")?.lowerBound ?? text.startIndex
      let end = text.range(of: "<!-- /poll -->")?.upperBound ?? text.startIndex
      return [String(text[..<start]), String(text[end...])]
    }
    #expect(changed.contains("* 1\\. \\*Cards\\* &lt;b>\n* Wheels\n* Cards\n"))
    #expect(withoutPoll(changed) == withoutPoll(usual))
    #expect(changed != usual)
  }

  /// Values are never parsed as templates, and a template without a newline at its end does not join the next
  /// text.
  @Test func replacesTheText() throws {
    let own = TemplateSource(
      name: "text", file: "text.mustache", text: "<!-- text -->\n\n{{{text}}}\n\n<!-- /text -->")
    let document = try Components.render(
      Invented.thread([Invented.post("10", "{{title}}"), Invented.post("11", "{{>post}}")]),
      components: Components.make([own]))
    #expect(try ReadBack.postTexts(Components.tokens(of: document)) == ["{{title}}", "{{>post}}"])
  }

  @Test func reportsAMissingTemplate() throws {
    let sources = try Components.sources().filter { $0.name != "gap" }
    #expect(throws: ThreadMarkdownError.missingTemplate("gap")) {
      try ThreadComponents(templates: TemplateSet(kind: .markdown, sources, words: Components.words))
    }
    #expect(ThreadMarkdownError.missingTemplate("gap").description.contains("templates/gap.mustache"))
  }

  @Test func reportsThePlaceOfATemplateError() throws {
    let own = TemplateSource(name: "gap", file: "templates/gap.mustache", text: "{{text}}\n{{>gap}}")
    let components = try Components.make([own])
    do {
      _ = try Components.render(Invented.thread(Samples.gaps), components: components)
      Issue.record("a template with endless recursion was rendered")
    } catch let error as ThreadMarkdownError {
      #expect(error.description.contains("templates/gap.mustache:2:"))
    }
  }
}
