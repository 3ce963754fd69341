import TestSupport
import Testing

/// Warnings about misspelled names in the owner's templates, for which Mustache writes nothing.
@Suite struct TemplateNamesTests {
  @Test(arguments: TemporarySite.themes)
  func installedTemplatesHaveNoUnknownNames(_ theme: String) throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("theme: \(theme)\n", to: "site.yml")
    try site.build()
    #expect(!site.warnings.contains { $0.contains("no value is called") }, "\(site.warnings)")
  }

  @Test func unknownNameHasItsPlaceAndASuggestion() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write(
      "<!-- note -->\n\n  {{#paragrafs}}\n{{.}}\n\n{{/paragrafs}}\n<!-- /note -->\n",
      to: "templates/note.mustache")
    try site.folder.write(
      "{{<base}}\n{{$main}}\n<h1>{{words.page_not_found}}</h1> é {{page.titel}} {{#nav}}{{threads.url}}{{/nav}} {{theme.options.footer}}\n"
        + "{{^page.noindex}}{{>nav}}{{/page.noindex}}\n{{/main}}\n{{/base}}\n",
      to: "themes/paper/layouts/404.mustache")
    try site.build()
    let slips = site.warnings.filter { $0.contains("no value is called") }
    #expect(slips.count == 2, "\(site.warnings)")
    #expect(
      slips.contains {
        $0.hasPrefix(
          "SITE/templates/note.mustache:3:3: warning: no value is called `paragrafs`, so it is empty. Did you mean `paragraphs`?"
        )
      }, "\(slips)")
    #expect(
      slips.contains {
        $0.hasPrefix(
          "SITE/themes/paper/layouts/404.mustache:3:37: warning: no value is called `titel`, so it is empty. Did you mean `title`?"
        )
      }, "\(slips)")
  }
}
