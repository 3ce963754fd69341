import Foundation
import SiteWorkspace
import TestSupport
import Testing

/// The themes of threadsite, and the settings that a site may change.
@Suite struct ThemesTests {
  private func site(_ yaml: String, from name: String = "defaults") throws -> TemporarySite {
    let site = try TemporarySite(name)
    try site.folder.write("base_url: https://ada.example/threads/\n" + yaml + "\n", to: "site.yml")
    // With everything that the theme zettel shows.
    try site.folder.write(
      try site.folder.text("threads/x/bo/2001.json").replacing(
        "\"created_at\": \"2022-05-05T12:00:00Z\"",
        with:
          "\"created_at\": \"2022-05-05T12:00:00Z\", \"metrics\": { \"likes\": 1204, \"reposts\": 1, \"replies\": 0 }"
      ),
      to: "threads/x/bo/2001.json")
    return site
  }

  private func failure(_ site: TemporarySite) -> String {
    let error = #expect(throws: PipelineError.self) { try site.build() }
    #expect(error?.kind == .configuration)
    return site.withoutPaths(error?.messages.joined(separator: "\n") ?? "")
  }

  private static let thread = "x/bo/two-pictures-of-a-clock-2001/"

  @Test(arguments: TemporarySite.themes, ["defaults", "base-url-with-path", "thread-list"])
  func everyThemeGivesValidPages(theme: String, name: String) throws {
    let site = try TemporarySite(name)
    let yaml = site.folder.exists("site.yml") ? try site.folder.text("site.yml") : ""
    try site.folder.write(yaml + "\ntheme: \(theme)\n", to: "site.yml")
    try site.build()
    try SiteChecks(site).checkAll()
  }

  @Test func zettelShowsAuthorsAndCounts() throws {
    let site = try site("theme: zettel")
    try site.build()
    let page = try site.page(Self.thread + "index.html")
    #expect(page.contains("<div class=\"metrics\">\n<p>1 repost · 1,204 likes</p>\n</div>"))
    #expect(page.contains("<div class=\"byline\" aria-hidden=\"true\">\n<p><strong>Bo"))
    // The same author's other post needs no name.
    #expect(page.matches(of: #/class="byline"/#).count == 1 && page.matches(of: #/class="post"/#).count > 1)
    let markdown = try site.page(Self.thread + "index.md")
    #expect(markdown.contains("\n1 repost · 1,204 likes\n"))
    // A feed has no style sheet that would shrink profile images.
    let feed = try site.page("feed.xml")
    #expect(feed.contains("1,204 likes") && !feed.contains("byline"))
  }

  /// In a checkout of threadsite, the folder's templates are the installed ones, and the theme's have a
  /// higher priority.
  @Test func siteInTheInstallationUsesThemeTemplates() throws {
    let site = try site("theme: zettel")
    for name in ["templates", "themes"] {
      try FileManager.default.copyItem(
        atPath: ProjectFolders.repository.appending(path: name).path, toPath: site.path + "/" + name)
    }
    let here = Installation.find(executable: "/nowhere", environment: ["THREADSITE_SHARE": site.path])
    try site.build(installation: here)
    #expect(try site.page(Self.thread + "index.html").contains("<div class=\"byline\""))
  }

  @Test func otherThemesShowNeitherAuthorsNorCounts() throws {
    for theme in TemporarySite.themes where theme != "zettel" {
      let site = try site("theme: \(theme)")
      try site.build()
      let page = try site.page(Self.thread + "index.html")
      #expect(!page.contains("byline") && !page.contains("likes"))
    }
  }

  @Test func plainLoadsNoImagesAndLinksToAll() throws {
    let site = try site("theme: plain")
    try site.build()
    for (file, data) in try site.tree() where file.hasSuffix(".html") {
      let tags = try HTMLTokens(String(decoding: data, as: UTF8.self)).startTags
      #expect(!tags.contains { ["img", "video", "picture", "source"].contains($0.name) }, "\(file)")
    }
    let links = try HTMLTokens(site.page(Self.thread + "index.html")).startTags.compactMap { $0["href"] }
    #expect(links.contains("../../../media/two.png"))
    #expect(!(try site.page(Self.thread + "index.md")).contains("!["))
  }

  @Test func plainHasASmallStyleSheet() throws {
    let site = try site("theme: plain")
    try site.build()
    let sheets = try site.tree().filter { $0.key.hasSuffix(".css") }
    #expect(sheets.keys.count { $0.hasPrefix("assets/style.") } == 1)
    #expect(sheets.values.allSatisfy { $0.count <= 2560 })
  }

  @Test func reportsInvalidOptionsWithTheirLine() throws {
    let site = try site(
      "theme: zettel\ntheme_options:\n  acent: green\n  columns: 4\n  type: slab\n  metrics: yes")
    #expect(
      failure(site) == """
        SITE/site.yml:4:10: error: theme_options.acent: the theme "zettel" has no option "acent"; did you mean "accent"? \
        Its options: accent, ground, type, share, footer, ruled, metrics, columns
          acent: green
                 ^
        SITE/site.yml:5:12: error: theme_options.columns: expected a number from 1 to 3, found 4
          columns: 4
                   ^
        SITE/site.yml:7:12: error: theme_options.metrics: expected true or false, found "yes"; did you mean true, without \
        quotes?
          metrics: yes
                   ^
        SITE/site.yml:6:9: error: theme_options.type: expected serif or sans, found "slab"
          type: slab
                ^
        """)
  }

  @Test func warnsAboutLowContrastWithItsLine() throws {
    let site = try site("theme: zettel\ntheme_options: { accent: green }\naccent: \"#ffcc00\"")
    try site.build()
    #expect(
      site.warnings.map(site.withoutPaths).contains {
        $0.hasPrefix(
          "SITE/site.yml:4:9: warning: accent: #ffcc00 has a contrast of 1.1 : 1 on the theme's light background, #e7e2d6; "
        )
      }, "\(site.warnings)")
    #expect(site.warnings.contains { $0.contains("theme_options.accent: it has no effect") })
    // An incremental build notices a new color, and its removal.
    func sheet() throws -> String {
      let name = try #require(try site.page("index.html").firstMatch(of: #/assets/style\.[0-9a-f]+\.css/#)).0
      return try site.page(String(name))
    }
    let dark = "oklch(from #ffcc00 max(l,.75) min(c,.15) h)"
    #expect(try sheet().hasSuffix("--link:light-dark(#ffcc00,\(dark))}}\n"))
    let yaml = try site.folder.text("site.yml")
    try site.folder.write(yaml.replacing("#ffcc00", with: "#7a1f5c"), to: "site.yml")
    try site.build()
    #expect(try sheet().contains("--link:light-dark(#7a1f5c,oklch("))
    try site.folder.write(yaml.replacing(#/\naccent.*/#, with: ""), to: "site.yml")
    try site.build()
    #expect(!(try sheet().contains("--link:light-dark(#7a1f5c")))
  }

  @Test(arguments: [
    ("accent: #ffcc00", "SITE/site.yml:2:1: error: accent: expected a color in quotes, such as \"#1d4d7e\""),
    ("accent: red", "SITE/site.yml:2:9: error: accent: \"red\" is not a color"),
    ("accent: { dark: \"#ffcc00\" }", "SITE/site.yml:2:9: error: accent"),
  ])
  func reportsAnInvalidColorWithItsLine(yaml: String, message: String) throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("base_url: https://ada.example/\n" + yaml + "\n", to: "site.yml")
    #expect(failure(site).hasPrefix(message))
  }

  @Test func pagesHaveNoScriptWithoutReadingControls() throws {
    let site = try site("reading_controls: false\nsearch: false")
    try site.build()
    for (file, data) in try site.tree() where file.hasSuffix(".html") {
      let html = String(decoding: data, as: UTF8.self)
      #expect(!html.contains("sha256") && !html.contains("<script>") && !html.contains("look."), "\(file)")
      #expect(!html.contains("class=\"look\"") && !html.contains("name=\"copy\""), "\(file)")
    }
    #expect(!(try site.page("_headers").contains("sha256")))
  }

  @Test func optionsBecomeClasses() throws {
    let site = try site(
      "theme: zettel\ntheme_options: { accent: green, columns: 2, metrics: false, footer: Mine & <yours> }")
    try site.build()
    let home = try site.page("index.html")
    #expect(home.contains("<html lang=\"en\" dir=\"ltr\" class=\"accent-green no-metrics columns-2\">"))
    #expect(home.contains("<p dir=\"auto\">Mine &amp; &lt;yours&gt;</p>"))
  }

  @Test func timelineMarksYearsAndDistances() throws {
    let site = try site("theme: timeline")
    try site.build()
    let home = try site.page("index.html")
    let years = home.matches(of: #/<p class="new-year" aria-hidden="true">(\d+)</#).map { $0.output.1 }
    #expect(!years.isEmpty && years == years.sorted(by: >) && Set(years).count == years.count, "\(years)")
    let dates = home.matches(of: #/<time class="dt-published" datetime="(\d+)-/#).map { $0.output.1 }
    #expect(Set(dates) == Set(years))
    // The first entry has no distance to another one.
    #expect(home.matches(of: #/<article class="h-entry t\d u\d">/#).count == dates.count - 1)
  }

  @Test func bookListsThreadsAsContents() throws {
    let site = try site("theme: book\ntheme_options: { justify: false, ornament: star }")
    try site.build()
    let home = try site.page("index.html")
    #expect(home.contains("class=\"no-justify ornament-star\""))
    #expect(!home.contains("p-summary") && !home.contains("thumbnail"))
  }

  @Test func componentsOfTheSiteWinOverThoseOfTheTheme() throws {
    let site = try site("theme: mine")
    try site.folder.write("extends: paper\n", to: "themes/mine/theme.yml")
    try site.folder.write(
      "<!-- permalink -->\n\ntheme's\n\n<!-- /permalink -->\n", to: "themes/mine/templates/permalink.mustache"
    )
    try site.build()
    #expect(try site.page(Self.thread + "index.html").contains("<p>theme's</p>"))
    try site.folder.write(
      "<!-- permalink -->\n\nsite's\n\n<!-- /permalink -->\n", to: "templates/permalink.mustache")
    try site.build()
    #expect(try site.page(Self.thread + "index.html").contains("<p>site's</p>"))
  }

  @Test func reportsAnErrorInAThemeComponentWithItsPlace() throws {
    let site = try site("theme: mine")
    try site.folder.write("extends: zettel\n", to: "themes/mine/theme.yml")
    try site.folder.write("a\n {{#text}}\n", to: "themes/mine/templates/text.mustache")
    #expect(failure(site).hasPrefix("SITE/themes/mine/templates/text.mustache:2:2: error: "))
    try site.folder.write("{{>nowhere}}", to: "themes/mine/templates/text.mustache")
    #expect(
      failure(site).hasPrefix(
        "SITE/themes/mine/templates/text.mustache:1:1: error: there is no template `nowhere`"))
    try site.folder.remove("themes/mine/templates/text.mustache")
    try site.folder.write("extends: zetel\n", to: "themes/mine/theme.yml")
    #expect(
      failure(site).hasPrefix(
        "SITE/themes/mine/theme.yml:1:10: error: extends: there is no theme \"zetel\"; did you mean \"zettel\"?"
      ))
  }
}
