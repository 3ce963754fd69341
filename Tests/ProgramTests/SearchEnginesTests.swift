import Basics
import Foundation
import TestSupport
import Testing

/// The directives of a site for search engines and other crawlers.
@Suite("Directives for crawlers")
struct SearchEnginesTests {
  /// Pages that are never indexed.
  private static let always: Set = ["404.html", "search/index.html"]
  private let site: TemporarySite

  init() throws { site = try TemporarySite("defaults") }

  private func build(_ text: String, base: String = "https://a.example/") throws {
    try site.folder.write("title: A\nbase_url: \(base)\n\(text)", to: "site.yml")
    try site.build()
    // An incremental build gives the same site as a full one.
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  /// The pages that opt out of search engines, and the pages in the sitemap.
  private func pages() throws -> (hidden: Set<String>, listed: Set<String>) {
    var hidden: Set<String> = []
    var listed: Set<String> = []
    for (path, data) in try site.tree() {
      let text = String(decoding: data, as: UTF8.self)
      if path.hasSuffix(".html"), text.contains("<meta name=\"robots\" content=\"noindex\">") {
        hidden.insert(path)
      }
      guard path.hasPrefix("sitemap") else { continue }
      for match in text.matches(of: /<loc>https:\/\/a\.example\/([^<]*)<\/loc>/) {
        listed.insert("\(match.1)index.html")
      }
    }
    return (hidden, listed)
  }

  @Test func everythingIsListedByDefault() throws {
    try build("")
    let (hidden, listed) = try pages()
    #expect(hidden == Self.always)
    #expect(listed.contains("x/ada/three-things-about-clocks-1001/index.html"))
    #expect(
      try site.page("robots.txt") == "User-agent: *\nAllow: /\nSitemap: https://a.example/sitemap.xml\n")
  }

  @Test func excludesOneThread() throws {
    try build("")
    let all = try pages().listed
    try build("threads:\n  - url: https://x.com/ada/status/1001\n    noindex: true\n")
    let (hidden, listed) = try pages()
    let page = "x/ada/three-things-about-clocks-1001/index.html"
    #expect(hidden == Self.always.union([page]))
    #expect(listed == all.subtracting([page]))
    // For readers, nothing changes.
    #expect(try site.page("index.html").contains("three-things-about-clocks-1001/"))
  }

  @Test func excludesOnePerson() throws {
    try build("")
    let all = try pages().listed
    try build("authors:\n  - accounts: [https://x.com/ada]\n    noindex: true\n")
    let (hidden, listed) = try pages()
    let theirs = all.filter { $0.hasPrefix("x/ada/") }
    #expect(theirs.count == 3)
    #expect(hidden == theirs.union(Self.always) && listed == all.subtracting(theirs))
  }

  @Test func excludesTheWholeSite() throws {
    try build("noindex: true\n")
    let (hidden, listed) = try pages()
    let made = Set(try site.tree().keys.filter { $0.hasSuffix(".html") })
    #expect(hidden == made && listed.isEmpty)
    #expect(try !site.tree().keys.contains("sitemap.xml"))
    #expect(try site.page("robots.txt") == "User-agent: *\nAllow: /\n")
    #expect(try site.page("_headers").contains("/*\n  Content-Security-Policy:"))
    #expect(try site.page("_headers").contains("\n  X-Robots-Tag: noindex\n"))
  }

  @Test func blocksCrawlersForTraining() throws {
    for text in ["robots: no-training\n", "robots:\n  crawlers: no-training\n"] {
      try build(text)
      #expect(
        try site.page("robots.txt") == """
          User-agent: GPTBot
          User-agent: ClaudeBot
          User-agent: Google-Extended
          User-agent: Applebot-Extended
          User-agent: CCBot
          User-agent: meta-externalagent
          Disallow: /

          User-agent: *
          Allow: /
          Sitemap: https://a.example/sitemap.xml

          """)
    }
  }

  @Test func blocksAllCrawlersAndAddsCustomLines() throws {
    try build("robots: none\n")
    #expect(try site.page("robots.txt") == "User-agent: *\nDisallow: /\n")
    try build("robots:\n  lines: ['User-agent: ExampleBot', 'Disallow: /x/']\n")
    #expect(
      try site.page("robots.txt")
        == "User-agent: *\nAllow: /\n\nUser-agent: ExampleBot\nDisallow: /x/\n\nSitemap: https://a.example/sitemap.xml\n"
    )
    try site.folder.write("mine\n", to: "static/robots.txt")
    try build("robots: none\n")
    #expect(try site.page("robots.txt") == "mine\n")
  }

  /// For a robots.txt in a place where crawlers do not read it, or one that defeats itself.
  @Test func warnsAboutDirectivesWithoutEffect() throws {
    try build("robots: none\n", base: "https://a.example/below/")
    #expect(
      site.warnings.first?.hasPrefix("SITE/site.yml:3:9: warning: robots: crawlers read robots.txt")
        == true)
    let other = try TemporarySite("defaults")
    try other.folder.write("noindex: true\nrobots: none\n", to: "site.yml")
    try other.build()
    #expect(other.warnings.contains { $0.contains("crawlers cannot read noindex") })
  }

  @Test func programsFindAllThreads() throws {
    try build("description: Threads that are kept\n")
    let index = try JSONValue(parsing: Array(site.page("threads.json").utf8))
    let schema = ProjectFolders.repository.appending(path: "docs/threads.schema.json")
    #expect(
      JSONSchema(root: try JSONValue(parsing: Array(try Data(contentsOf: schema)))).problems(of: index)
        .isEmpty)
    let threads = try #require(index["threads"]?.array)
    let tree = try site.tree()
    let markdown = threads.compactMap { $0["markdown"]?.string }
    #expect(Set(markdown) == Set(tree.keys.filter { $0.hasSuffix("/index.md") }))
    #expect(threads.allSatisfy { tree[($0["page"]?.string ?? "") + "index.html"] != nil })
    let text = try site.page("llms.txt")
    #expect(text.hasPrefix("# A\n\n> Threads that are kept\n\n"))
    for path in markdown { #expect(text.contains("](https://a.example/\(path)): ")) }
    for (_, path) in text.matches(of: /\]\(https:\/\/a\.example\/([^)]*)\)/).map(\.output) {
      let file = path.hasSuffix("/") ? "\(path)index.html" : "\(path)"
      #expect(tree[file] != nil, "\(path)")
    }
  }

  @Test(arguments: ["noindex: true\n", "robots: no-training\n", "robots: none\n", "data_index: false\n"])
  func hasNoDataForProgramsThatAreAskedToStayAway(_ text: String) throws {
    try build(text)
    #expect(try site.tree()["llms.txt"] == nil && site.tree()["threads.json"] == nil)
  }

  @Test func dataForProgramsLeavesOutHiddenAuthors() throws {
    try build("authors:\n  - accounts: [https://x.com/ada]\n    noindex: true\n")
    #expect(try !site.page("threads.json").contains("x/ada/") && !site.page("llms.txt").contains("x/ada/"))
    #expect(try site.page("threads.json").contains("\"page\""))
  }
}
