import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Redirects to pages from former URLs, from aliases, and from the numbers of posts.
@Suite("Permanent URLs")
struct RedirectTests {
  private static let clocks = "x/ada/three-things-about-clocks-1001/"

  private func configure(_ site: TemporarySite, _ text: String) throws {
    try site.folder.write("title: A\nbase_url: https://a.example/below/\n\(text)", to: "site.yml")
  }

  /// The pages that only redirect, with their targets.
  private func redirects(_ site: TemporarySite) throws -> [String: String] {
    var found: [String: String] = [:]
    for (path, data) in try site.tree() where path.hasSuffix(".html") || path.hasSuffix(".htm") {
      let page = String(decoding: data, as: UTF8.self)
      guard let match = page.firstMatch(of: /http-equiv="refresh" content="0; url=([^"]*)"/) else { continue }
      let here = try #require(
        URL(string: "https://a.example/below/" + path.replacing(/(^|\/)index\.html$/) { "\($0.1)" }))
      let target = try #require(URL(string: String(match.1), relativeTo: here)).absoluteString
      found[path] = target
      #expect(page.contains("<meta name=\"robots\" content=\"noindex\">"), "\(path)")
      #expect(page.contains("content=\"default-src 'none'\"") && !page.contains("<script"), "\(path)")
      let canonical = try #require(page.firstMatch(of: /rel="canonical" href="([^"]*)"/)).1
      #expect(String(target.prefix { $0 != "#" }) == canonical, "\(path)")
      #expect(page.contains("<a href=\"\(match.1)\">"), "\(path)")
    }
    return found
  }

  /// Redirects are in no list of pages.
  private func expectUnlisted(_ site: TemporarySite, _ paths: some Sequence<String>) throws {
    for name in ["sitemap.xml", "feed.xml", "feed.json", "index.html", "x/ada/index.html"] {
      let text = try site.page(name)
      for path in paths {
        #expect(!text.contains(path.replacing("index.html", with: "")), "\(name) names \(path)")
      }
    }
  }

  @Test func aliasesRedirectToTheirThread() throws {
    let site = try TemporarySite("defaults")
    try configure(
      site,
      """
      threads:
        - url: https://x.com/ada/status/1002
          aliases:
            - /2019/old-title/
            - posts/Über uns
            - caf%C3%A9.html
            - /blog/index.html
      """)
    try site.build()
    let page = "https://a.example/below/" + Self.clocks
    let expected = [
      "2019/old-title/index.html", "posts/Über uns/index.html", "café.html", "blog/index.html",
    ]
    let found = try redirects(site)
    #expect(found == Dictionary(uniqueKeysWithValues: expected.map { ($0, page) }))
    try expectUnlisted(site, expected)
    #expect(
      try site.page("_redirects") == """
        /below/2019/old-title/ /below/\(Self.clocks) 301
        /below/posts/%C3%9Cber%20uns/ /below/\(Self.clocks) 301
        /below/caf%C3%A9.html /below/\(Self.clocks) 301
        /below/blog/ /below/\(Self.clocks) 301

        """)
    // The owner's file is kept, and the redirect pages still work.
    try site.folder.write("/a /b 302\n", to: "static/_redirects")
    try site.build()
    #expect(try site.page("_redirects") == "/a /b 302\n")
    #expect(try redirects(site) == found)
    // Without redirects, the file does not exist.
    try site.folder.remove("static")
    try configure(site, "")
    try site.build()
    #expect(try redirects(site).isEmpty && !site.tree().keys.contains("_redirects"))
  }

  @Test(arguments: [
    (
      "/x/ada/three-things-about-clocks-1001/",
      "7:9: error: threads[0].aliases[0]: this is the thread's own page"
    ),
    ("/x/ada/", "this URL belongs to x/ada/index.html"),
    ("X/ADA/index.html", "this URL belongs to x/ada/index.html"),
    ("/own/page", "static/own/page/index.html has this URL"),
    ("search.html", nil),
    ("robots.txt", "cannot have both a file and a folder called robots.txt"),
    ("_redirects/a", "cannot have both a file and a folder called _redirects"),
    ("media/two.png/page.html", "cannot have both a file and a folder called media/two.png"),
    ("a.html/b", "cannot have both a file and a folder called a.html"),
  ])
  func rejectsAURLThatIsInUse(_ alias: String, _ problem: String?) throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("mine", to: "static/own/page/index.html")
    try configure(
      site,
      """
      threads:
        - url: https://x.com/ada/status/1002
          aliases:
            # Where it was.
            - \(alias)
            - a.html
      """.replacing("            - a.html", with: alias.hasPrefix("a.") ? "" : "            - a.html"))
    if alias.hasPrefix("a.") {
      try configure(
        site,
        "threads:\n  - url: https://x.com/ada/status/1002\n    aliases: [a.html, \(alias)]\n")
    }
    guard let problem else {
      try site.build()
      return
    }
    let error = try #require(throws: PipelineError.self) { try site.build() }
    #expect(error.kind == .configuration)
    #expect(error.messages.count == 1 && error.messages[0].contains(problem), "\(error.messages)")
    #expect(error.messages[0].contains("SITE/site.yml:") || error.messages[0].contains("/site.yml:"))
    #expect(!site.folder.exists("site"))
  }

  /// A new slug moves the page. The former URL redirects to it, in every clone of the store, and never
  /// replaces a page.
  @Test func threadIsFoundAtAllItsFormerURLs() throws {
    let site = try TemporarySite("defaults")
    try configure(site, "")
    try site.build()
    try site.publish()
    func slug(_ slug: String) throws {
      try configure(site, "threads:\n  - url: https://x.com/ada/status/1001\n    slug: \(slug)\n")
    }
    let base = "https://a.example/below/"
    // A URL that was never published leaves no redirect.
    try slug("never-published")
    try site.build()
    try slug("second")
    for _ in 0..<2 {
      #expect(
        try site.build().moved == [
          BuildSummary.Move(from: Self.clocks, to: "x/ada/second-1001/")
        ])
    }
    #expect(
      try redirects(site) == ["\(Self.clocks)index.html": base + "x/ada/second-1001/"])
    #expect(try site.publish() == 1)
    try slug("third")
    try site.build()
    try site.publish()
    #expect(try site.build().moved.isEmpty)
    let both = [
      "\(Self.clocks)index.html": base + "x/ada/third-1001/",
      "x/ada/second-1001/index.html": base + "x/ada/third-1001/",
    ]
    #expect(try redirects(site) == both)
    #expect(try !site.tree().keys.contains("x/ada/second-1001/index.md"))
    try expectUnlisted(site, both.keys)
    // Without the slug, the page stays, because URLs do not follow titles.
    try configure(site, "")
    try site.build()
    #expect(try redirects(site) == both)
    // A clone has only the store.
    let clone = try TemporarySite()
    try FileManager.default.copyItem(atPath: site.path + "/threads", toPath: clone.path + "/threads")
    try configure(clone, "")
    try clone.build()
    #expect(try clone.tree() == site.tree())
    // At the first URL again, the others redirect to it without chains.
    try slug("three-things-about-clocks")
    try site.build()
    #expect(
      try redirects(site) == [
        "x/ada/second-1001/index.html": base + Self.clocks, "x/ada/third-1001/index.html": base + Self.clocks,
      ])
  }

  /// A read-only store still redirects.
  @Test func readOnlyStoreIsEnough() throws {
    let site = try TemporarySite("defaults")
    try configure(site, "")
    try site.build()
    try site.publish()
    try configure(site, "threads:\n  - url: https://x.com/ada/status/1001\n    slug: second\n")
    let before = try site.folder.text("threads/permalinks.json")
    for _ in 0..<2 {
      try site.build(usesCache: false)
      #expect(try redirects(site).count == 1)
      try site.folder.write(before, to: "threads/permalinks.json")
    }
  }

  @Test func statusPagesGiveEveryPostAURL() throws {
    let site = try TemporarySite("defaults")
    try configure(site, "status_pages: true\n")
    try site.build()
    let found = try redirects(site)
    // Collected from the pages themselves: each anchor of a post in the thread of its author.
    var expected: [String: String] = [:]
    for (path, data) in try site.tree() where path.hasSuffix("/index.html") && path.hasPrefix("x/") {
      let page = String(decoding: data, as: UTF8.self)
      for match in page.matches(of: /id="post-([0-9]+)"/) {
        expected["status/\(match.1)/index.html"] =
          "https://a.example/below/\(path.replacing("index.html", with: ""))#post-\(match.1)"
      }
    }
    #expect(expected.count > 5)
    #expect(found == expected)
    try expectUnlisted(site, found.keys)
    // They are not listed for the host.
    #expect(try !site.tree().keys.contains("_redirects"))
    try configure(site, "")
    try site.build()
    #expect(try redirects(site).isEmpty)
  }

  @Test func warningsNameThePostToWhichASharedNumberLeads() throws {
    let site = try TemporarySite()
    try configure(site, "status_pages: true\n")
    let posts = ["a", "b", "c"].map { PostID("7", by: "\($0).example", on: .mastodon) }
    for (place, post) in posts.enumerated() {
      let author = AuthorID("\(place)", by: post.authority, on: .mastodon)
      var facts = Post.Facts(id: post, authorID: author, text: InlineText("By person \(place)"))
      facts.createdAt = Timestamp(seconds: 1_700_000_000)
      var conversation = Conversation(id: post, authorID: author)
      conversation.authors = [Author(id: author, handle: "person\(place)")]
      conversation.posts = [Post(facts)]
      try site.save(conversation)
    }
    try site.build()
    #expect(try redirects(site)["status/7/index.html"]?.contains("by-person-0") == true)
    for post in posts.dropFirst() {
      #expect(site.warnings.contains("status/7/ leads to \(posts[0]), because \(post) has the same number"))
    }
  }

  @Test func pagesReplaceRedirectsBeyondTheLimitOfHosts() throws {
    let site = try TemporarySite("defaults")
    let aliases = (1...1010).map { "old/\($0)/" }
    try configure(
      site,
      "threads:\n  - url: https://x.com/ada/status/1001\n    aliases: [\(aliases.joined(separator: ", "))]\n")
    try site.build()
    #expect(try site.tree().keys.count { $0.hasPrefix("old/") && $0.hasSuffix("/index.html") } == 1010)
    let lines = try site.page("_redirects").split(separator: "\n")
    #expect(lines.count <= 1000 && lines.count > 500)
    #expect(try site.page("_redirects").utf8.count <= 64_000)
  }
}
