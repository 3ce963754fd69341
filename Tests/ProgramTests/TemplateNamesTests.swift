import SiteWorkspace
import TestSupport
import Testing

/// Misspelled names in templates, for which Mustache would write nothing.
@Suite struct TemplateNamesTests {
  @Test(arguments: TemporarySite.themes)
  func installedTemplatesHaveNoUnknownNames(_ theme: String) throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("theme: \(theme)\n", to: "site.yml")
    try site.build()
    #expect(!site.warnings.contains { $0.contains("no value is called") }, "\(site.warnings)")
  }

  @Test func unknownNameInAComponentHasItsPlaceAndASuggestion() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write(
      "<!-- note -->\n\n  {{#paragrafs}}\n{{.}}\n\n{{/paragrafs}}\n<!-- /note -->\n",
      to: "templates/note.mustache")
    try site.build()
    let slips = site.warnings.filter { $0.contains("no value is called") }
    #expect(slips.count == 1, "\(site.warnings)")
    #expect(
      slips.contains {
        $0.hasPrefix(
          "SITE/templates/note.mustache:3:3: warning: no value is called `paragrafs`, so it is empty. Did you mean `paragraphs`?"
        )
      }, "\(slips)")
  }

  /// A layout, its template, and the error for it.
  private static let slips = [
    (
      "404",
      "{{<base}}\n{{$main}}\né {{page.titel}} {{#nav}}{{threads.url}}{{/nav}} {{theme.options.footer}}\n{{/main}}\n{{/base}}\n",
      "3:3: error: `page` has no value `titel`. Did you mean `title`?"
    ),
    (
      "home", "\n{{thread.title}}",
      "2:1: error: the layout `home` has no value `thread`. Did you mean `threads`?"
    ),
    (
      "home", "{{#threads}}{{wander_off}}{{/threads}}",
      "1:13: error: the layout `home` has no value `wander_off`. It has: `about`, `author`, `book`"
    ),
    (
      "thread", "{{thread.author.nme}}",
      "1:1: error: `thread.author` has no value `nme`. Did you mean `name`?"
    ),
    (
      "tags", "{{#tags}}{{^thread}}{{/thread}}{{/tags}}",
      "1:10: error: the layout `tags` has no value `thread`. Did you mean `threads`?"
    ),
    // The name of a value of a list's items is unknown outside of the list.
    ("home", "{{lead}}", "1:1: error: the layout `home` has no value `lead`."),
    (
      "thread-related", "{{#more}}{{title}}{{excerpt}}{{/more}}",
      "1:19: error: the layout `thread-related` has no value `excerpt`."
    ),
  ]

  @Test(arguments: slips)
  func unknownNameInALayoutIsAnError(_ name: String, _ template: String, _ message: String) throws {
    let site = try TemporarySite("defaults")
    let file = "themes/paper/\(name == "thread-related" ? "partials" : "layouts")/\(name).mustache"
    try site.folder.write(template, to: file)
    let error = try #require(throws: PipelineError.self) { try site.build() }
    let text = site.withoutPaths(error.messages.joined(separator: "\n"))
    #expect(text.hasPrefix("SITE/\(file):" + message), "\(text)")
    #expect(error.kind == .configuration)
  }

  /// Both kinds of pages use the partial, and each value exists only on one of them.
  @Test func partialMayNameValuesOfOneOfItsLayouts() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write(
      "{{#thread}}{{source.url}}{{/thread}}{{period.name}}", to: "themes/paper/partials/analytics.mustache")
    try site.build()
    try site.folder.write(
      "{{#thread}}{{soruce.url}}{{/thread}}", to: "themes/paper/partials/analytics.mustache")
    let error = try #require(throws: PipelineError.self) { try site.build() }
    #expect(error.messages.joined().contains("analytics.mustache:1:12: error: "), "\(error.messages)")
    #expect(error.messages.joined().contains("Did you mean `source`?"), "\(error.messages)")
  }
}
