import Foundation
import SiteBuild
import SiteOutput
import SiteWorkspace
import TestSupport
import Testing

/// Whole sites that build: their files, and the special feature of each.
@Suite struct SitesTests {
  private func compareFiles(_ site: TemporarySite, _ name: String) throws {
    let files = try site.tree().keys.sorted().map {
      $0.replacing(/\.[0-9a-f]{10}\./, with: ".HASH.").replacing(/^(search\/(?:[a-z]\/|r-))[0-9a-f]{10}/) {
        $0.1 + "HASH"
      }
    }
    let list = files.map { $0 + "\n" }.joined()
    try Golden.compare(list, with: TemporarySite.fixtures.appending(path: "Sites/\(name).files.txt"))
  }

  private func built(_ name: String, drafts: Bool = false) throws -> TemporarySite {
    let site = try TemporarySite(name)
    try site.build(drafts: drafts)
    return site
  }

  @Test(arguments: [
    "defaults", "base-url-with-path", "media-none", "drafts", "thread-list", "template-override",
    "theme-override",
    "time-zone", "empty-store", "recorded-permalinks",
  ])
  func everySiteHasItsFilesAndValidPages(name: String) throws {
    let site = try built(name)
    try compareFiles(site, name)
    try SiteChecks(site).checkAll()
  }

  @Test func entryOfThreadsSelectsNothing() throws {
    let site = try TemporarySite("defaults")
    let all = try site.build().threads
    try site.folder.write(
      "threads:\n  - url: https://x.com/ada/status/1001\n    title: Another\n", to: "site.yml")
    let summary = try site.build()
    #expect(summary.threads == all && all > 1)
    #expect(summary.excluded == 0 && summary.pagesLeftOut == [])
  }

  @Test func reportsPagesThatAreRemoved() throws {
    let site = try TemporarySite("defaults")
    let all = try site.build().threads
    let before = Set(try site.tree().keys)
    try site.folder.write(
      "threads:\n  - url: https://x.com/ada/status/1001\n    exclude: true\n", to: "site.yml")
    let summary = try site.build()
    #expect(summary.threads == all - 1 && summary.excluded == 1)
    let gone = before.subtracting(try site.tree().keys).filter { $0.hasPrefix("x/ada/") }
    #expect(summary.pagesLeftOut == ["x/ada/three-things-about-clocks-1001/"])
    #expect(gone.contains("x/ada/three-things-about-clocks-1001/index.html"))
    // It is reported once: the next build finds a site without that page.
    #expect(try site.build().pagesLeftOut == [])
    try site.folder.write("include: listed\nthreads: [1001]\n", to: "site.yml")
    let listed = try site.build()
    #expect(listed.threads == 1 && listed.excluded == all - 1 && listed.pagesLeftOut.count == all - 1)
  }

  @Test func usesDefaultsWithoutAConfiguration() throws {
    let site = try TemporarySite("defaults")
    let summary = try site.build()
    #expect(
      site.warnings == [
        "there is no site.yml here, so default settings are used; create one with `threadsite init`"
      ])
    #expect(summary.threads == 4)
    #expect(summary.posts == 7)
    #expect(summary.pages == (try site.tree().keys.count { $0.hasSuffix(".html") }))
    #expect(summary.output == site.path + "/site")
    let home = try site.page("index.html")
    #expect(home.contains("<h1 dir=\"auto\">Threads</h1>"))
    // Newest first, undated last.
    let order = ["1010/", "1001/", "2001/", "2010/"].compactMap { home.range(of: $0)?.lowerBound }
    #expect(order.count == 4 && order == order.sorted())
  }

  @Test func urlsBeginWithTheBaseURL() throws {
    let site = try built("base-url-with-path")
    let feed = try XMLTree.parse(Array(site.page("feed.xml").utf8))
    let base = "https://ada.example/threads/of/mine/"
    #expect(
      feed["entry"].first?["link"].first?.attributes["href"] == base + "x/ada/which-clock-is-right-1010/")
    #expect(try site.page("robots.txt").contains("Sitemap: \(base)sitemap.xml"))
    #expect(try site.page("404.html").contains("href=\"/threads/of/mine/authors/\""))
    let thread = try site.page("x/bo/two-pictures-of-a-clock-2001/index.html")
    #expect(thread.contains("<link rel=\"canonical\" href=\"\(base)x/bo/two-pictures-of-a-clock-2001/\">"))
    #expect(thread.contains("src=\"../../../media/two.png\""))
  }

  @Test func baseURLOfTheCommandLineWins() throws {
    let site = try TemporarySite("base-url-with-path")
    try site.build(baseURL: "http://localhost:8000")
    #expect(try site.page("robots.txt").contains("Sitemap: http://localhost:8000/sitemap.xml"))
    let error = #expect(throws: PipelineError.self) { try site.build(baseURL: "localhost") }
    #expect(error?.kind == .configuration)
    #expect(error?.messages.first?.hasPrefix("--base-url: error: ") == true)
  }

  @Test func worksWithoutABaseURL() throws {
    let site = try built("defaults")
    for (file, data) in try site.tree() where file.hasSuffix(".html") {
      let text = String(decoding: data, as: UTF8.self)
      #expect(
        !text.contains("rel=\"canonical") && !text.contains("feed.xml") && !text.contains("og:url"), "\(file)"
      )
    }
  }

  @Test func linksToNoFeedsWithoutFeeds() throws {
    let site = try TemporarySite("base-url-with-path")
    try site.folder.write("base_url: https://ada.example/\nfeed: { entries: 0 }\n", to: "site.yml")
    try site.build()
    for (file, data) in try site.tree() {
      #expect(!file.hasPrefix("feed.") && !String(decoding: data, as: UTF8.self).contains("feed."), "\(file)")
    }
  }

  @Test func feedsFollowTheConfiguration() throws {
    let site = try TemporarySite("base-url-with-path")
    try site.folder.write(
      "base_url: https://ada.example/\nauthor: { name: Ada }\nfeed: { entries: 2, content: summary }\n",
      to: "site.yml")
    try site.build()
    let feed = try XMLTree.parse(Array(site.page("feed.xml").utf8))
    #expect(feed["author"].first?.text("name") == "Ada")
    #expect(feed["entry"].compactMap { $0.text("title") }.count == 2)
    #expect(feed["entry"].allSatisfy { $0["content"].isEmpty && $0.text("summary")?.isEmpty == false })
  }

  @Test func layoutsSeeThemeOptions() throws {
    let site = try TemporarySite("theme-override")
    try site.folder.write(
      "theme_options: { motto: <b>, loud: true, shy: false, accent: green }\n", to: "site.yml")
    try site.folder.write(
      "options: { motto: { type: text }, loud: { type: flag }, shy: { type: flag } }\n",
      to: "themes/paper/theme.yml")
    try site.folder.write(
      "{{#theme.options.loud}}{{theme.options.motto}}!{{/theme.options.loud}}{{#theme.options.shy}}?{{/theme.options.shy}}",
      to: "themes/paper/partials/site-footer.mustache")
    try site.build()
    let home = try site.page("index.html")
    #expect(home.contains("&lt;b&gt;!"))
    #expect(home.contains("class=\"accent-green loud\""))
    #expect(!home.contains("!?"))
  }

  @Test func feedHasAbsoluteURLs() throws {
    let site = try built("base-url-with-path")
    let feed = try XMLTree.parse(Array(site.page("feed.xml").utf8))
    var links = 0
    for entry in feed["entry"] {
      let content = try HTMLTokens(try #require(entry.text("content")))
      for tag in content.startTags {
        #expect(tag.name != "h1")
        for address in [tag["href"], tag["src"], tag["poster"]].compactMap(\.self) {
          links += 1
          #expect(address.hasPrefix("https://"), "\(address)")
        }
      }
    }
    #expect(links > 10)
  }

  @Test func policyAllowsTheNetworksMedia() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("media: link\n", to: "site.yml")
    try site.build()
    let page = try site.page("x/bo/two-pictures-of-a-clock-2001/index.html")
    let policy = try #require(HTMLTokens(page).startTags.first { $0["http-equiv"] != nil }?["content"])
    #expect(policy.contains("img-src 'self' https://media.example;"))
    #expect(
      try site.page("x/ada/three-things-about-clocks-1001/index.html").contains("img-src &#39;self&#39;;"))
  }

  @Test func mediaNoneLoadsNothing() throws {
    let site = try built("media-none")
    for (file, data) in try site.tree() where file.hasSuffix(".html") {
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains("<img") && !text.contains("og:image"), "\(file)")
    }
    let page = try site.page("x/bo/two-pictures-of-a-clock-2001/index.html")
    #expect(page.contains("A clock that shows noon"))
    #expect(try !site.tree().keys.contains { $0.hasPrefix("media/") })
  }

  @Test func buildsDraftsOnRequest() throws {
    let site = try TemporarySite("drafts")
    let summary = try site.build()
    #expect((summary.threads, summary.drafts) == (1, 1))
    #expect(try !site.tree().keys.contains { $0.contains("1010") })
    let with = try site.build(drafts: true)
    #expect((with.threads, with.drafts) == (2, 0))
    #expect(try site.tree().keys.contains("x/ada/which-clock-is-right-1010/index.html"))
    // A draft's URL may still follow its title.
    try site.publish()
    #expect(try !site.folder.text("threads/permalinks.json").contains("1010"))
  }

  @Test func listSelectsThreadsAndSetsTitles() throws {
    let site = try built("thread-list")
    let page = try site.page("x/ada/clocks-a-title-of-my-own-1001/index.html")
    #expect(page.contains("<title>Clocks: a {{title}} of my &lt;own&gt; · Threads</title>"))
    #expect(
      try HTMLTokens(page).startTags.filter { $0["rel"] == "tag" }.map { $0["href"] } == [
        "../../../tags/horology/", "../../../tags/time/",
      ])
    #expect(page.contains("The third one ends it."))
    #expect(try !site.tree().keys.contains { $0.contains("1010") })
  }

  @Test func hiddenPostsLeaveNoTraces() throws {
    let site = try built("thread-list")
    for (file, data) in try site.tree() {
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains("nobody should see") && !text.contains("three.png"), "\(file)")
    }
    #expect(try site.tree().keys.filter { $0.hasPrefix("media/") } == ["media/two.png"])
    #expect(try site.page("x/bo/on-seeing-2001/index.html").contains("Two pictures of a clock."))
  }

  @Test func replacesOnlyOneComponent() throws {
    let site = try built("template-override")
    let poll = try site.page("x/ada/which-clock-is-right-1010/index.html")
    #expect(poll.contains("A poll of our own."))
    #expect(!poll.contains("The left one"))
    #expect(try site.page("x/ada/which-clock-is-right-1010/index.md").contains("A poll of our own."))
    // Every other page is the same as without the template.
    let plain = try TemporarySite("defaults")
    try plain.folder.remove("threads/x/bo")
    try plain.build()
    let other = "x/ada/three-things-about-clocks-1001/index.html"
    #expect(try site.page(other) == plain.page(other))
  }

  @Test func replacesSingleFilesOfATheme() throws {
    let site = try built("theme-override")
    let home = try site.page("index.html")
    #expect(home.contains("<footer>A footer of our own</footer>"))
    #expect(!home.contains("Made with threadsite"))
    #expect(home.contains("<nav class=\"site-nav\""))
    let files = try site.tree()
    let sheets = files.filter { $0.key.hasPrefix("assets/style.") }
    #expect(sheets.values.map { String(decoding: $0, as: UTF8.self) } == ["p{color:teal}"])
    let extra = files.first { $0.key.hasPrefix("assets/extra.") }?.value
    #expect(extra == Data("An extra file.\n".utf8))
    #expect(home.contains(try #require(sheets.keys.first)))
  }

  @Test func monthsAndDatesUseTheTimeZoneOfTheSite() throws {
    let site = try built("time-zone")
    // 23:30 UTC on the last day of 2023 is the first day of 2024 in Auckland.
    #expect(try site.page("2024/01/index.html").contains("1001/"))
    #expect(try !site.tree().keys.contains { $0.hasPrefix("2023/") })
    #expect(
      try site.page("index.html").contains(
        "<time class=\"dt-published\" datetime=\"2023-12-31T23:30:00Z\">1 January 2024</time>"))
    #expect(
      try site.page("x/ada/three-things-about-clocks-1001/index.html").contains(
        "1 January 2024, 12:30 UTC+13"))
  }

  @Test func buildsASiteWithoutThreads() throws {
    for name in ["empty-store", "new-site"] {
      let site = try TemporarySite(name)
      let summary = try site.build()
      #expect((summary.threads, summary.posts) == (0, 0))
      #expect(try site.page("index.html").contains("Nothing here yet."))
    }
  }

  /// A new title changes no URL.
  @Test func recordedURLsStay() throws {
    let site = try built("recorded-permalinks")
    #expect(try site.tree().keys.contains("x/ada/an-older-title-1001/index.html"))
    try site.publish()
    #expect(
      try site.folder.text("threads/permalinks.json") == """
        {
          "x/ada/1001": "x/ada/an-older-title-1001/",
          "x/ada/1010": "x/ada/which-clock-is-right-1010/",
          "x/ada/999": "x/ada/long-gone-999/"
        }

        """)
    #expect(site.warnings.isEmpty)
  }

  /// A source names the origin of threads and excludes no others.
  @Test(arguments: [
    "account: https://x.com/ADA", "account: https://x.com/ada\n    since: 2100-01-01", "archive: ada.zip",
    "post: https://x.com/ada/status/1002",
  ])
  func sourcesSelectNothing(source: String) throws {
    let site = try TemporarySite("defaults")
    let all = try site.build().threads
    try site.folder.write("sources:\n  - \(source)\n", to: "site.yml")
    #expect(try site.build().threads == all)
  }

  /// If nothing records the threads of a source, the site is not built without them.
  @Test func sourceWithoutResultsIsAnError() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    let before = try site.tree()
    for source in ["account: https://x.com/nobody_here", "search: from:ada", "post: 4711"] {
      try site.folder.write("sources:\n  - \(source)\n", to: "site.yml")
      let error = #expect(throws: PipelineError.self) { try site.build() }
      #expect(error?.kind == .content && error?.messages.count == 1)
      #expect(error?.messages[0].contains("site.yml:2:5: error: sources[0]") == true)
      #expect(try site.tree() == before)
    }
    try site.folder.write("sources:\n  - search: from:ada\n", to: "site.yml")
    try site.folder.write(
      """
      {"format": 1, "sources": [{"kind": "search", "network": "x", "name": "from:ada", "threads": ["x/1001"]}]}
      """, to: "threads/sources.json")
    #expect(throws: Never.self) { try site.build() }
  }
}
