import Foundation
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Posts and threads of the site take the place of their URLs in the owner's pages and texts about threads.
@Suite("Embedded posts and threads")
struct EmbeddingTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite("defaults")
    try configure()
  }

  private func configure(_ text: String = "") throws {
    try site.folder.write("title: A\nbase_url: https://a.example/\n" + text, to: "site.yml")
  }

  private func page(_ text: String) throws -> String {
    try site.folder.write("# About\n\n\(text)\n", to: "pages/about.md")
    try site.build()
    let html = try site.page("about/index.html")
    let fresh = site.path + "/fresh"
    try site.build(output: fresh, usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"), "an incremental build gives the same site")
    return html
  }

  private static let clocks = "x/ada/three-things-about-clocks-1001/"

  @Test(arguments: [
    "https://x.com/ada/status/1002", "<https://twitter.com/ada/status/1002>", "https://x.com/i/status/1002",
    "https://a.example/x/ada/three-things-about-clocks-1001/#post-1002",
  ])
  func postTakesThePlaceOfItsURL(_ url: String) throws {
    let html = try page("Before.\n\n\(url)\n\nAfter.")
    let quote = try #require(html.firstMatch(of: /(?s)<p>Before\.<\/p>\n(.*)<p>After\.<\/p>/)).1
    #expect(quote.contains("<blockquote class=\"quote\">"), "\(quote)")
    #expect(quote.contains("href=\"../\(Self.clocks)#post-1002\""), "\(quote)")
    #expect(!html.contains("status/1002</a>"))
    try SiteChecks(site).checkAll()
  }

  @Test func threadBecomesACard() throws {
    let html = try page("https://a.example/\(Self.clocks)")
    #expect(html.contains("class=\"card\""), "\(html)")
    #expect(html.contains("<a href=\"../\(Self.clocks)\">"), "\(html)")
    #expect(html.contains("Three things about clocks"))
    // The page's description is not its URL.
    #expect(!html.contains("content=\"https://a.example/x/"), "\(html)")
  }

  /// Media are copied, and several posts with pictures have different ids.
  @Test func showsMedia() throws {
    let url = "https://x.com/bo/status/2001"
    let html = try page("\(url)\n\n\(url)")
    #expect(html.matches(of: /src="\.\.\/media\//).count >= 2, "\(html)")
    let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
    #expect(Set(ids).count == ids.count, "\(ids)")
  }

  /// Only a URL alone in a paragraph, and only a post of the site.
  @Test(arguments: [
    "https://x.com/ada/status/99999", "https://bo.example/page", "https://a.example/",
    "https://a.example/tags/", "https://a.example/x/ada/three-things-about-clocks-1001/#post-9",
  ])
  func unknownURLStaysALink(_ url: String) throws {
    let html = try page(url)
    #expect(html.contains("href=\"\(url)\""), "\(html)")
    #expect(!html.contains("blockquote") && !html.contains("class=\"card\""))
  }

  @Test func urlsInTextCodeAndListsAreNotReplaced() throws {
    let url = "https://x.com/ada/status/1002"
    let html = try page("See \(url) there.\n\n    \(url)\n\n- \(url)\n\n> \(url)\n\n[a](\(url))")
    #expect(!html.contains("class=\"quote\""), "\(html)")
  }

  /// Hidden and excluded posts and drafts are on no page.
  @Test(arguments: ["draft: true", "exclude: true", "hide: [1002]"])
  func hiddenPostsAreNotShown(_ setting: String) throws {
    let entry = "threads:\n  - url: https://x.com/ada/status/1001\n    \(setting)\n"
    let url = "https://x.com/ada/status/1002"
    #expect(try page(url).contains("class=\"quote\""))
    try configure(entry)
    #expect(try !page(url).contains("class=\"quote\""))
    try site.build(drafts: true)
    #expect(try !site.page("about/index.html").contains("class=\"quote\""))
    try configure()
    #expect(try page(url).contains("class=\"quote\""))
  }

  /// The page of the collection shows the post, and lists of collections have a link.
  @Test func introductionOfACollectionShowsPostsAndFollowsTheirChanges() throws {
    try configure(
      """
      media: link
      collections:
        - title: Clocks
          slug: clocks
          introduction: |
            https://x.com/bo/status/2001

            Why it began.
          threads: [https://x.com/ada/status/1001]

      """)
    try site.build()
    let page = try site.page("collections/clocks/index.html")
    #expect(page.contains("<blockquote class=\"quote\">"), "\(page)")
    #expect(page.contains("href=\"../../x/bo/two-pictures-of-a-clock-2001/"), "\(page)")
    #expect(page.contains("<meta name=\"description\" content=\"Why it began.\""), "\(page)")
    let list = try site.page("collections/index.html")
    #expect(list.contains("<a href=\"https://x.com/bo/status/2001\"") && !list.contains("class=\"quote\""))
    try SiteChecks(site).checkAll()
    try waitUntilFilesAreSettled()
    try site.build()
    var conversation = try site.conversation("x/bo/2001")
    conversation.posts[0].text = InlineText("Two quokkas beside a clock.")
    conversation.posts[0].observedAt = Timestamp(seconds: 1_900_000_000)
    try site.save(conversation)
    try site.build()
    #expect(try site.page("collections/clocks/index.html").contains("Two quokkas beside a clock."))
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  @Test func introductionShowsPostsAndFollowsTheirChanges() throws {
    try configure(
      """
      threads:
        - url: https://x.com/bo/status/2001
          intro: |
            About this:

            https://x.com/ada/status/1010

            https://bo.example/page

      """)
    try site.build()
    let path = "x/bo/two-pictures-of-a-clock-2001/"
    func html() throws -> String {
      let whole = try site.page(path + "index.html")
      return String(try #require(whole.firstMatch(of: /(?s)<aside class="note introduction".*?<\/aside>/)).0)
    }
    let before = try html()
    #expect(before.contains("<blockquote class=\"quote\">"), "\(before)")
    #expect(try html().contains("<a href=\"https://bo.example/page\""))
    let markdown = try site.page(path + "index.md")
    #expect(markdown.contains("\n> **") && markdown.contains("<https://bo.example/page>"), "\(markdown)")
    #expect(!markdown.contains("<!--"))
    #expect(try site.page("feed.xml").contains("class=&quot;quote&quot;"))
    // The post changes, and nothing else.
    try waitUntilFilesAreSettled()
    try site.build()
    var conversation = try site.conversation("x/ada/1010")
    conversation.posts[0].text = InlineText("Which quokka is right?")
    try site.save(conversation)
    try site.build()
    let after = try html()
    #expect(after.contains("Which quokka is right?"), "\(after)")
  }
}

extension TemporarySite {
  fileprivate func conversation(_ stem: String) throws -> Conversation {
    let store = ThreadStore(folder: path + "/threads")
    return try store.read(try #require(try store.list().first { $0.stem == stem }))
  }
}
