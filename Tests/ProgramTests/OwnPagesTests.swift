import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing

/// Files in `pages/` become pages of the site, with the files beside them.
@Suite struct OwnPagesTests {
  private static let configuration = """
    title: Threads
    base_url: https://ada.example/notes/

    """

  private func site(_ files: [String: String], _ configuration: String = configuration) throws
    -> TemporarySite
  {
    let site = try TemporarySite("defaults")
    try site.folder.write(configuration, to: "site.yml")
    for (path, text) in files { try site.folder.write(text, to: path) }
    return site
  }

  private func messages(_ site: TemporarySite) throws -> String {
    let error = try #require(throws: PipelineError.self) { try site.build() }
    return error.messages.map(site.withoutPaths).joined(separator: "\n")
  }

  private func attributes(_ name: String, of element: String, in html: String) throws -> [String] {
    try html.matches(of: Regex("<\(element) [^>]*\(name)=\"([^\"]*)\"")).map { match in
      String(try #require(match.output[1].substring))
    }
  }

  @Test func fileBecomesAPage() throws {
    let site = try site([
      "pages/about.md": """
      ---
      title: About & around
      menu: true
      ---
      Some *words* with <b>no</b> HTML, and [where I was](trips/rome.md#food).

      # A heading

      ![A map](map.png) [the archive](archive/) [top](./)
      """,
      "pages/map.png": "a picture",
      "pages/trips/rome.md":
        "# Rome, at last\n\n[back](../about.md) [out](https://bo.example/)\n\n## Food\n\n## *Food*\n\n## Food 1\n",
      "pages/trips/index.md":
        "---\ntitle: Trips\nlanguage: ar\ndescription: Where I was.\nmenu: Places\n---\nAll of them.",
      "pages/.hidden.md": "nothing", "pages/about.md~": "nothing",
    ])
    let before = try TemporarySite("defaults")
    try before.folder.write(Self.configuration, to: "site.yml")
    let threads = try before.build()
    let summary = try site.build()
    #expect(summary.pages == threads.pages + 3)
    let added = Set(try site.tree().keys).subtracting(try before.tree().keys).filter {
      !$0.hasPrefix("search/")
    }
    #expect(added == ["about/index.html", "map.png", "trips/index.html", "trips/rome/index.html"])
    // The build warns of the HTML that the page drops.
    #expect(site.warnings.filter { !$0.contains("the HTML in this page is left out") } == before.warnings)

    let about = try site.folder.text("site/about/index.html")
    #expect(about.contains("<h1 dir=\"auto\">About &amp; around</h1>"))
    #expect(about.contains("<em>words</em> with no HTML"))
    #expect(about.contains("<h2 id=\"a-heading\"><a class=\"anchor\" href=\"#a-heading\">A heading</a></h2>"))
    #expect(about.contains("<a href=\"../trips/rome/#food\">where I was</a>"))
    #expect(about.contains("<img src=\"../map.png\" alt=\"A map\""))
    #expect(about.contains("<a href=\"../archive/\">the archive</a> <a href=\"../\">top</a>"))
    #expect(
      try attributes("href", of: "link rel=\"canonical\"", in: about) == ["https://ada.example/notes/about/"])
    #expect(
      try attributes("content", of: "meta name=\"description\"", in: about) == [
        "Some words with no HTML, and where I was."
      ])
    #expect(about.contains("<meta property=\"og:title\" content=\"About &amp; around\">"))

    let rome = try site.folder.text("site/trips/rome/index.html")
    #expect(rome.contains("<h1 dir=\"auto\">Rome, at last</h1>"))
    #expect(
      rome.components(separatedBy: "Rome, at last").count == 4, "in the title, for previews, as the heading")
    #expect(rome.contains("<a href=\"../../about/\">back</a>"))
    #expect(rome.contains("<a href=\"https://bo.example/\" rel=\"noopener\">out</a>"))
    #expect(
      rome.contains(
        "<h2 id=\"food\"><a class=\"anchor\" href=\"#food\">Food</a></h2>\n"
          + "<h2 id=\"food-1\"><a class=\"anchor\" href=\"#food-1\"><em>Food</em></a></h2>\n"
          + "<h2 id=\"food-1-1\"><a class=\"anchor\" href=\"#food-1-1\">Food 1</a></h2>"))
    let trips = try site.folder.text("site/trips/index.html")
    #expect(trips.contains("lang=\"ar\" dir=\"rtl\""))
    #expect(try attributes("content", of: "meta name=\"description\"", in: trips) == ["Where I was."])

    let sitemap = try site.folder.text("site/sitemap.xml")
    for page in ["about/", "trips/", "trips/rome/"] {
      #expect(sitemap.contains("<loc>https://ada.example/notes/\(page)</loc>"))
    }
    // In the menu of every page, in the order of the files, and marked on the page itself.
    for (path, content) in try site.tree() where path.hasSuffix(".html") {
      let html = try #require(String(data: content, encoding: .utf8))
      guard html.contains("site-nav") else { continue }
      let entries = try html.matches(
        of: Regex("<li><a href=\"[^\"]*\"([^>]*)>(About &amp; around|Places)</a></li>"))
      #expect(
        entries.map { String($0.output[2].substring ?? "") } == ["About &amp; around", "Places"], "\(path)")
      #expect(
        (entries[0].output[1].substring == " aria-current=\"page\"") == (path == "about/index.html"),
        "\(path)")
      #expect(
        (entries[1].output[1].substring == " aria-current=\"page\"") == (path == "trips/index.html"),
        "\(path)")
    }
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let checked = try program.run(["check"])
    #expect(!checked.output.contains("about/") && !checked.errors.contains("about/"), "\(checked)")
    try site.folder.write("# B\n\n[nowhere](nowhere/)\n", to: "pages/b.md")
    try site.build()
    let broken = try program.run(["check", "--json"])
    #expect(broken.code != 0 && broken.output.contains("b/index.html"), "\(broken)")
  }

  /// Links in the cells of a table lead to pages, and wrong ones are errors with the line of their row.
  @Test func pagesCanHaveTables() throws {
    let site = try site([
      "pages/a.md": "# A\n\n| Place | Year |\n|---|--:|\n| [Rome](trips/rome.md) | 2021 |\n",
      "pages/trips/rome.md": "# Rome\n",
    ])
    try site.build()
    let html = try site.folder.text("site/a/index.html")
    #expect(html.contains("<td><a href=\"../trips/rome/\">Rome</a></td><td class=\"right\">2021</td>"))
    #expect(html.contains("<div class=\"table\" tabindex=\"0\">"))
    // Only these pages load the style sheet for tables.
    #expect(html.contains("/pages.") && html.contains(".css\""))
    #expect(try !site.folder.text("site/index.html").contains("/pages."))
    try site.folder.write("# A\n\n| Place |\n|---|\n| x |\n| [Rome](roma.md) |\n", to: "pages/a.md")
    #expect(
      try messages(site).contains("pages/a.md:6:1: error: the link \"roma.md\" leads to a missing page"))
  }

  @Test func keepsHTMLIfThePageAllowsIt() throws {
    let site = try site([
      "pages/a.md": "# A\n\n<div class=\"x\">\n\n<b>1</b> <!-- post 1 -->\n\n</div>\n\n<!-- poll -->\n",
      "pages/b.md":
        "---\nhtml: true\n---\n# B\n\n<div class=\"x\">\n\n<b>1</b> <!-- post 1 -->\n\n</div>\n\n<!-- poll -->\n",
    ])
    #expect(try messages(site).contains("pages/a.md:5:1: error: A marker post stands within text"))
    try site.folder.write("# A\n\n<div class=\"x\">\n\n<b>1</b>\n\n</div>\n", to: "pages/a.md")
    try site.build()
    #expect(try !site.folder.text("site/a/index.html").contains("class=\"x\""))
    #expect(
      try site.folder.text("site/b/index.html").contains(
        "<div class=\"x\">\n<p><b>1</b> <!-- post 1 --></p>\n</div>\n<!-- poll -->\n"))
  }

  @Test func skipsDrafts() throws {
    let site = try site([
      "pages/a.md": "# A\n\n[b](b.md)\n", "pages/b.md": "---\ndraft: true\nmenu: true\n---\n# Bee\n",
    ])
    try site.build()
    #expect(!site.folder.exists("site/b"))
    #expect(
      site.warnings.contains { $0.contains("pages/a.md:3:1: warning: the link \"b.md\" leads to a draft") })
    #expect(try !site.folder.text("site/index.html").contains("Bee"))
    try site.build(drafts: true)
    #expect(try site.folder.text("site/b/index.html").contains("<h1 dir=\"auto\">Bee</h1>"))
    #expect(try site.folder.text("site/index.html").contains(">Bee</a>"))
  }

  /// The search finds their words.
  @Test func searchFindsPages() throws {
    let site = try site(["pages/a.md": "# Zugzwang\n\nSomething about *xylophones*.\n"])
    try site.build()
    let records = try site.tree().filter { $0.key.hasPrefix("search/r-") }
      .map { String(decoding: $0.value, as: UTF8.self) }
    #expect(records.contains { $0.contains("[\"Zugzwang\",\"a/\",\"\",\"\",\"\"]") }, "\(records)")
    #expect(
      try site.tree().contains {
        $0.key.hasPrefix("search/") && $0.value.contains("xylophon")
      })
  }

  @Test(arguments: [
    (
      "pages/a.md", "---\ntitel: A\n---\n",
      "pages/a.md:2:1: error: titel: unknown key \"titel\"; did you mean \"title\"?"
    ),
    ("pages/a.md", "---\ntitle: A\nhtml: yes\n---\n", "pages/a.md:3:7: error: html: expected true or false"),
    (
      "pages/a.md", "---\ntitle: A\n", "pages/a.md:1:1: error: the front matter that begins here does not end"
    ),
    ("pages/a.md", "words\n", "pages/a.md:1:1: error: the page has no title"),
    (
      "pages/a.md", "# A\n\nb\nc [d](othr.md)\n",
      "pages/a.md:4:1: error: the link \"othr.md\" leads to a missing page"
    ),
    (
      "pages/a.md", "# A\n\n[d](../site.yml)\n",
      "pages/a.md:3:1: error: the link \"../site.yml\" leads out of pages/"
    ),
    ("pages/archive.md", "# A\n", "pages/archive.md: error: threadsite generates the page at archive/"),
    ("pages/search.md", "# A\n", "pages/search.md: error: threadsite generates the page at search/"),
    ("pages/index.md", "# A\n", "pages/index.md: error: the home page is the list of threads"),
    ("pages/A b.md", "# A\n", "pages/A b.md: error: the name \"A b\" cannot be part of a URL"),
    (
      "pages/A b/c.md", "# A\n",
      "pages/A b/c.md: error: the folder's name \"A b\" cannot be part of a URL"
    ),
    ("pages/other/index.md", "# A\n", "pages/other/index.md: error: other.md has the same URL, other/"),
    ("pages/feed.xml", "mine", "pages/feed.xml: error: threadsite generates a file with this name"),
    (
      "static/other/index.html", "mine",
      "pages/other.md: error: static/other/index.html has the same URL as this page"
    ),
    (
      "pages/x/ada/three-things-about-clocks-1001.md", "# A\n",
      "error: a thread has its page at x/ada/three-things-about-clocks-1001/"
    ),
  ])
  func reportsErrorsWithTheirPlace(_ path: String, _ text: String, _ message: String) throws {
    let site = try site(["pages/other.md": "# Other\n", path: text])
    let messages = try messages(site)
    #expect(messages.contains(message), "\(messages)")
    #expect(!site.folder.exists("site"))
  }

  @Test func rejectsInvalidText() throws {
    let site = try site([:])
    try site.folder.write(Data("# Caf".utf8) + [0xE9, 0x0A], to: "pages/a.md")
    #expect(try messages(site).contains("pages/a.md:1:6: error: the file is not UTF-8 from here on"))
    try site.folder.remove("pages/a.md")
    try site.folder.write("secret", to: "secret.txt")
    for name in ["leak.md", "leak.png"] {
      try FileManager.default.createSymbolicLink(
        atPath: site.path + "/pages/" + name, withDestinationPath: site.path + "/secret.txt")
      let messages = try messages(site)
      #expect(messages.contains("pages/" + name) && messages.contains("link"), "\(messages)")
      try FileManager.default.removeItem(atPath: site.path + "/pages/" + name)
    }
    try site.build()
  }

  // MARK: - The menu

  private func menu(_ site: TemporarySite, on page: String = "index.html") throws -> [String] {
    let html = try site.folder.text("site/" + page)
    let list = try #require(html.firstMatch(of: try Regex("(?s)<nav class=\"site-nav\".*?</nav>")))
    return String(try #require(list.output[0].substring)).split(separator: "\n").map { String($0) }
      .filter { $0.hasPrefix("<li>") }
  }

  @Test(arguments: TemporarySite.themes)
  func siteYMLDefinesTheMenu(_ theme: String) throws {
    let site = try site(
      ["pages/about.md": "---\nmenu: true\n---\n# About me\n", "pages/b.md": "---\nmenu: true\n---\n# B\n"],
      Self.configuration + """
        theme: \(theme)
        menu:
          - page: about.md
          - archive
          - page: threads
            label: Writing
          - url: https://bo.example/
            label: Bo & co
          - feed

        """)
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(
      try menu(site) == [
        "<li><a href=\"./about/\">About me</a></li>", "<li><a href=\"./archive/\">Archive</a></li>",
        "<li><a href=\"./\" aria-current=\"page\">Writing</a></li>",
        "<li><a href=\"https://bo.example/\">Bo &amp; co</a></li>",
        "<li><a href=\"./feed.xml\">Atom</a></li>",
      ])
    #expect(
      try menu(site, on: "about/index.html")[0]
        == "<li><a href=\"../about/\" aria-current=\"page\">About me</a></li>")
    // Every page depends on the menu, but no thread is rendered again.
    try waitUntilFilesAreSettled()
    try site.folder.write(
      site.folder.text("site.yml").replacing("label: Writing", with: "label: Words"), to: "site.yml")
    #expect(try site.build().rendered == 0)
    #expect(try menu(site, on: "x/ada/three-things-about-clocks-1001/index.html")[2].contains(">Words</a>"))
  }

  @Test func reportsInvalidMenuEntries() throws {
    let site = try site(["pages/about.md": "# About\n"], Self.configuration + "menu: [abuot.md, tgas]\n")
    #expect(
      try messages(site).contains("site.yml:3:18: error: menu[1]: \"tgas\" is neither a part of the site"))
    try site.folder.write(Self.configuration + "menu: [abuot.md]\n", to: "site.yml")
    #expect(
      try messages(site).contains(
        "site.yml:3:8: error: menu[0]: there is no page pages/abuot.md; did you mean \"about.md\"?"))
    try site.folder.write("search: false\nmenu: [threads, search, feed]\n", to: "site.yml")
    try site.build()
    #expect(try menu(site).count == 1)
    #expect(site.warnings.contains { $0.contains("menu[1]: the site has no search") })
    #expect(site.warnings.contains { $0.contains("menu[2]: the site has no feed") })
    try site.folder.write("menu: []\n", to: "site.yml")
    try site.build()
    #expect(try !site.folder.text("site/index.html").contains("site-nav"))
  }
}
