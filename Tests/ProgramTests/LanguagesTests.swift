import Foundation
import TestSupport
import Testing

/// Sites in languages other than English, and sites with their own strings.
@Suite struct LanguagesTests {
  private func site(_ yaml: String, from name: String = "defaults") throws -> TemporarySite {
    let site = try TemporarySite(name)
    try site.folder.write("base_url: https://ada.example/threads/\n" + yaml + "\n", to: "site.yml")
    return site
  }

  private static let thread = "x/bo/two-pictures-of-a-clock-2001/"

  /// Every language, every theme, and every theme from right to left; all combinations in the deep run.
  private static let pairs: [(language: String, theme: String)] =
    TestDepth.isDeep
    ? ["de", "es", "fr", "ja", "ar"].flatMap { language in
      TemporarySite.themes.map { (language, $0) }
    }
    : [
      ("de", "paper"), ("es", "zettel"), ("fr", "plain"), ("ja", "paper"), ("ar", "paper"), ("ar", "zettel"),
      ("ar", "plain"), ("de", "book"), ("ar", "book"), ("ar", "magazine"), ("ja", "timeline"),
      ("ar", "timeline"),
    ]

  @Test(arguments: pairs)
  func everyLanguageGivesValidPages(language: String, theme: String) throws {
    let site = try site("language: \(language)\ntheme: \(theme)")
    try site.build()
    try SiteChecks(site).checkAll()
    #expect(site.warnings.filter { $0.contains("strings") } == [])
    let page = try site.page("index.html")
    #expect(page.contains("<html lang=\"\(language)\" dir=\"\(language == "ar" ? "rtl" : "ltr")\""))
  }

  @Test func pagesUseTheLanguageOfTheSiteAndPostsTheirOwn() throws {
    let site = try site("language: de")
    try site.build()
    let home = try site.page("index.html")
    #expect(home.contains("Zum Inhalt springen") && home.contains(">Autoren</a>"))
    #expect(home.contains("2 Beiträge") && home.contains("5. Mai 2022"))
    let thread = try site.page(Self.thread + "index.html")
    #expect(thread.contains(#/<header class="thread-header" id="post-2001" lang="de">\n<h1 lang="en">/#))
    #expect(thread.contains("<footer class=\"permalink\" lang=\"de\">"))
    #expect(thread.contains("aria-label=\"Beitrag 1 von 2\""))
    #expect(try site.page("404.html").contains("Seite nicht gefunden"))
    #expect(try site.page(Self.thread + "index.md").contains("5\\. Mai 2022"))
  }

  @Test func siteStringsReplaceInstalledOnes() throws {
    let site = try site("theme: zettel")
    try site.folder.write(
      "words: { threads: Essays, more_threads: More essays }\n", to: "templates/strings/en.yml")
    try site.build()
    #expect(site.warnings.filter { $0.contains("strings") } == [])
    #expect(try site.page("index.html").contains(">Essays</a>"))
  }

  /// A theme's strings have a lower priority than the site's and a higher priority than the installed ones.
  @Test func themeStringsReplaceInstalledOnes() throws {
    let site = try site("theme: paper")
    try site.folder.write(
      "words: { threads: Leaves, tags: Twigs, greeting: \"Good day, {title}\" }\n",
      to: "themes/paper/templates/strings/en.yml")
    try site.folder.write("words: { tags: Topics }\n", to: "templates/strings/en.yml")
    try site.folder.write(
      "<footer>{{#site}}{{words.greeting}}{{/site}}</footer>\n",
      to: "themes/paper/partials/site-footer.mustache")
    try site.build()
    let page = try site.page("index.html")
    #expect(
      page.contains(">Leaves</a>") && page.contains(">Topics</a>") && page.contains("<footer>Good day, "))
    #expect(site.warnings.filter { $0.contains("strings") } == [])
  }

  @Test func reportsUnusedStrings() throws {
    let site = try site("theme: plain")
    try site.folder.write("words:\n  thraeds: Essays\n", to: "templates/strings/en.yml")
    try site.build()
    #expect(
      site.warnings.contains {
        $0.hasPrefix(
          "SITE/templates/strings/en.yml:2:12: warning: words.thraeds: no template uses this text; did you mean \"threads\"?"
        )
      })
  }

  @Test func unknownLanguageFallsBackToEnglish() throws {
    let site = try site("language: nl")
    try site.build()
    let warning = site.warnings.map(site.withoutPaths).first {
      $0.contains("there is no translation for the language \"nl\"")
    }
    // It names the file to copy, and the new file.
    #expect(
      warning?.contains(#/copy \S+/templates/strings/en\.yml to SITE/templates/strings/nl\.yml/#) == true,
      "\(site.warnings)")
    #expect(try site.page("index.html").contains("<html lang=\"en\""))
  }
}
