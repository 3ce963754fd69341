import Basics
import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Replies from other sites on the pages of threads.
@Suite struct WebRepliesTests {
  private static let base = "https://a.example/below/"
  private static let clocks = "x/ada/three-things-about-clocks-1001/"

  private static func mention(
    _ name: String, _ kind: WebMention.Kind = .reply, of page: String = clocks, author: String? = nil,
    text: String? = nil
  ) throws -> WebMention {
    try #require(
      WebMention(
        kind, source: "https://b.example/\(name)", target: base + page, author: author,
        authorURL: "https://b.example/people/\(name)", writtenAt: Timestamp(seconds: 1_700_000_000),
        text: text)
    )
  }

  private func site(_ mentions: [WebMention], _ configuration: String = "") throws -> TemporarySite {
    let site = try TemporarySite("defaults")
    try configure(site, configuration)
    try store(mentions, in: site)
    return site
  }

  private func configure(
    _ site: TemporarySite, _ more: String = "", section: String = "  inbox: inbox.json\n"
  ) throws {
    try site.folder.write("base_url: \(Self.base)\nwebmention:\n\(section)\(more)", to: "site.yml")
  }

  private func store(_ mentions: [WebMention], in site: TemporarySite) throws {
    try ThreadStore(folder: site.path + "/threads").save(WebMentions(mentions))
  }

  /// The part of a page with replies from other sites; empty if the page has none.
  private func replies(_ site: TemporarySite, _ page: String = clocks) throws -> String {
    let text = try site.page(page + "index.html")
    guard let start = text.range(of: "<section class=\"replies\" data-pagefind-ignore") else { return "" }
    let end = try #require(text.range(of: "</section>", range: start.lowerBound..<text.endIndex))
    return String(text[start.lowerBound..<end.upperBound])
  }

  @Test(arguments: TemporarySite.themes)
  func everyThemeShowsReplies(_ theme: String) throws {
    let site = try site(
      [
        Self.mention("1", author: "Bo", text: "I have two clocks.\nBoth are late."), Self.mention("2", .like),
        Self.mention("3", .like), Self.mention("4", .repost), Self.mention("5", .bookmark),
        Self.mention("6", .mention, text: String(repeating: "long ", count: 300)),
      ], "theme: \(theme)\n")
    try site.build()
    let found = try replies(site)
    #expect(
      found.contains("<h2>Replies from the web</h2>")
        && found.contains("<p>2 likes, 1 repost, 1 bookmark</p>"))
    #expect(found.contains("<strong class=\"p-author h-card\" dir=\"auto\">Bo</strong>"))
    #expect(found.contains("href=\"https://b.example/1\" rel=\"noopener nofollow ugc\">b.example</a>"))
    #expect(
      found.contains("datetime=\"2023-11-14T22:13:20Z\"") && found.contains("two clocks.\nBoth are late."))
    #expect(found.contains("…</p>") && found.contains(">Read the rest</a>"))
    #expect(!found.contains("https://b.example/2") && !found.contains("people/"))
    #expect(found.components(separatedBy: "class=\"reply ").count == 3)
    try SiteChecks(site).checkAll()
    // They are in no other file.
    for (path, data) in try site.tree() where path != Self.clocks + "index.html" {
      #expect(!String(decoding: data, as: UTF8.self).contains("two clocks"), "\(path)")
    }
  }

  @Test func pagesWithoutRepliesAreTheSame() throws {
    let with = try site([Self.mention("1", text: "Words")])
    try with.build()
    let without = try TemporarySite("defaults")
    try without.folder.write("base_url: \(Self.base)\n", to: "site.yml")
    try without.build()
    let page = Self.clocks + "index.html"
    let (one, other) = (try with.tree(), try without.tree())
    #expect(one.keys.sorted() == other.keys.sorted())
    #expect(one.keys.filter { one[$0] != other[$0] && !$0.hasPrefix(".") } == [page])
  }

  @Test func hostileWordsAreText() throws {
    let site = try site([
      Self.mention(
        "1\"><script>alert(1)</script>", author: "<img src=x onerror=alert(1)>{{title}}",
        text: "</div></section><script>alert(1)</script> {{{body}}} <!-- & \u{202E}txt")
    ])
    try site.build()
    let found = try replies(site)
    #expect(found.contains("&lt;img src=x onerror=alert(1)&gt;{{title}}"))
    #expect(
      found.contains(
        "&lt;/div&gt;&lt;/section&gt;&lt;script&gt;alert(1)&lt;/script&gt; {{{body}}} &lt;!-- &amp; txt"))
    #expect(!found.contains("<script") && !found.contains("<img"))
    try SiteChecks(site).checkAll()
  }

  @Test func targetsOfAllURLsOfAThreadCount() throws {
    let site = try site(
      [
        Self.mention("1", of: Self.clocks + "?utm_source=b#post-1002", text: "one"),
        Self.mention("2", of: "2019/old/", text: "two"), Self.mention("3", of: "status/1002/", text: "three"),
        Self.mention("4", of: "x/ada/before-1001", text: "four"),
        Self.mention("5", of: "x/ada/", text: "none"),
        Self.mention("6", of: "nowhere/", text: "none"),
      ],
      """
      status_pages: true
      threads:
        - { url: https://x.com/ada/status/1001, aliases: [/2019/old/] }

      """)
    try site.folder.write(
      """
      {"x/ada/1001": "\(Self.clocks)", "x/ada/before-1001/": "\(Self.clocks)"}
      """, to: "threads/permalinks.json")
    try site.build()
    let found = try replies(site)
    for word in ["one", "two", "three", "four"] { #expect(found.contains("<p>\(word)</p>"), "\(word)") }
    let all = try site.tree().values.map { String(decoding: $0, as: UTF8.self) }
    #expect(!all.contains { $0.contains("<p>none</p>") })
  }

  @Test func ownerLeavesOutReplies() throws {
    let mentions = [
      try Self.mention("1", text: "kept"), try Self.mention("spam/2", text: "blocked"),
      try Self.mention("3", author: "@bo on X", text: "left out"),
    ]
    let site = try site(mentions, "leave_out: ['@bo']\n")
    try configure(
      site, "leave_out: ['@bo']\n", section: "  inbox: a.json\n  block: ['https://b.example/spam']\n")
    try site.build()
    let found = try replies(site)
    #expect(found.contains("kept") && !found.contains("blocked") && !found.contains("left out"))
    // Like threads, webmentions with the name of a left-out account leave the store.
    #expect(try !site.folder.text("threads/webmentions.json").contains("left out"))
    try configure(site, "threads: [{url: https://x.com/ada/status/1001, replies: false}]\n")
    try site.build()
    #expect(try replies(site).isEmpty)
    try configure(site, section: "  endpoint: https://webmention.io/a.example/webmention\n")
    try site.build()
    #expect(try replies(site).isEmpty)
    let link = "<link rel=\"webmention\" href=\"https://webmention.io/a.example/webmention\">"
    for page in [Self.clocks, "", "x/ada/"] { #expect(try site.page(page + "index.html").contains(link)) }
  }

  @Test func pageShowsTheNewestReplies() throws {
    let many = try (0..<130).map { number in
      try #require(
        WebMention(
          .reply, source: "https://b.example/\(number)", target: Self.base + Self.clocks,
          writtenAt: Timestamp(seconds: Int64(1_700_000_000 + number)), text: "number \(number)."))
    }
    let site = try site(many.shuffled())
    try site.build()
    let found = try replies(site)
    #expect(found.contains("30 older replies are not shown") && !found.contains("number 29."))
    let first = try #require(found.range(of: "number 30.")),
      last = try #require(found.range(of: "number 129."))
    #expect(first.lowerBound < last.lowerBound)
  }

  @Test func changedFileRewritesOnePage() throws {
    let site = try site([Self.mention("1", text: "one")])
    try site.build()
    let before = try site.tree()
    try store([Self.mention("1", text: "one"), Self.mention("2", text: "two")], in: site)
    let summary = try site.build()
    #expect(summary.rendered == 0)
    var after = try site.tree()
    #expect(
      after.keys.filter { before[$0] != after[$0] && !$0.hasPrefix(".") } == [Self.clocks + "index.html"])
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.folder.tree("fresh") == after)
    try FileManager.default.removeItem(atPath: site.path + "/threads/webmentions.json")
    try site.build()
    after = try site.tree()
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.folder.tree("fresh") == after && (try replies(site).isEmpty))
  }

  @Test(arguments: ["", "[]", "{\"format\": 1}", "{\"format\": 1, \"webmentions\": [{\"kind\": \"reply\"}]}"])
  func damagedFileIsAnError(_ text: String) throws {
    let site = try site([])
    try site.folder.write(text, to: "threads/webmentions.json")
    let error = try #require(throws: PipelineError.self) { try site.build() }
    #expect(error.kind == .content && error.messages.joined().contains("threads/webmentions.json"))
  }

  @Test func questionsOfOtherServersAreForwarded() throws {
    let site = try TemporarySite("defaults")
    try site.folder.write(
      """
      base_url: https://a.example/
      webmention: { followable_by: bridgy-fed }
      threads: [{url: https://x.com/ada/status/1001, aliases: [/old/]}]

      """, to: "site.yml")
    try site.build()
    let rules = try site.page("_redirects").split(separator: "\n").map(String.init)
    #expect(rules.first == "/.well-known/host-meta https://fed.brid.gy/.well-known/host-meta 302")
    #expect(rules.contains("/.well-known/webfinger https://fed.brid.gy/.well-known/webfinger 302"))
    #expect(rules.last == "/old/ /\(Self.clocks) 301" && rules.count == 5)
    // The owner's file replaces the generated one.
    try site.folder.write("/a /b 302\n", to: "static/_redirects")
    try site.build()
    #expect(site.warnings.contains { $0.contains("static/_redirects replaces the generated file") })
  }
}
