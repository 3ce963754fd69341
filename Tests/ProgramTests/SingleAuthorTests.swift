import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel

/// A site whose threads are all by one author shows the author once instead of in every entry.
@Suite struct SingleAuthorTests {
  private let site: TemporarySite
  private static let picture = "0123456789abcdef0123456789abcdef.png"

  init() throws {
    site = try TemporarySite()
    try site.save(thread("100", "Of looms and numbers"))
    try site.save(thread("200", "Of engines"))
  }

  private func thread(_ id: String, _ text: String, by handle: String = "ada") throws -> Conversation {
    let author = AuthorID(handle, on: .x)
    let first = PostID(id, on: .x)
    var facts = Post.Facts(id: first, authorID: author, text: InlineText(text))
    facts.createdAt = Timestamp(seconds: 1_700_000_000)
    var second = Post.Facts(
      id: PostID(id + "1", on: .x), authorID: author, text: InlineText("and more"))
    second.inReplyTo = first
    var conversation = Conversation(id: first, authorID: author)
    var person = Author(id: author, handle: handle)
    person.name = handle.capitalized
    person.bio = InlineText("Writes about <looms>.")
    person.url = "https://x.com/\(handle)"
    try site.folder.write(SampleMedia.png(), to: "threads/media/\(Self.picture)")
    person.avatarFile = Self.picture
    conversation.authors = [person]
    conversation.posts = [Post(facts), Post(second)]
    return conversation
  }

  private func configure(_ text: String = "") throws {
    try site.folder.write("title: A\nbase_url: https://a.example/\n\(text)", to: "site.yml")
  }

  private func links(_ page: String, inMenu: Bool) throws -> [String] {
    let html = try site.page(page)
    let menu = html.firstMatch(of: /(?s)<nav class="site-nav".*?<\/nav>/)?.output ?? ""
    let text = inMenu ? String(menu) : html.replacing(menu, with: "")
    return text.matches(of: /<a [^>]*href="([^"]*)"/).map { String($0.output.1) }
  }

  @Test func homeShowsTheAuthorOnce() throws {
    try configure()
    try site.build()
    let home = try site.page("index.html")
    #expect(home.matches(of: /<img class="avatar/).count == 1)
    #expect(home.matches(of: />Ada</).count == 1)
    #expect(home.contains(#"<p class="bio p-note" dir="auto">Writes about &lt;looms&gt;.</p>"#))
    #expect(
      home.contains(
        #"<a class="u-url" rel="nofollow noopener" href="https://x.com/ada" dir="auto">x.com/ada</a>"#))
    for list in ["archive/index.html", "2023/index.html"] {
      #expect(try !site.page(list).contains("Ada"), "\(list)")
    }
    #expect(try !site.page("search/index.html").contains("data-authors"))
  }

  /// The defined menu has the same entries as the usual one, but also the list of authors.
  @Test func definedMenuReachesEveryPage() throws {
    for menu in ["", "menu: [threads, collections, authors, tags, archive, search]\n", ""] {
      try configure(menu)
      try waitUntilFilesAreSettled()
      try site.build()
      for page in ["index.html", "x/ada/of-engines-200/index.html"] {
        let offersAuthors = try links(page, inMenu: true).contains { $0.hasSuffix("authors/") }
        #expect(offersAuthors == !menu.isEmpty, "\(page)")
      }
    }
  }

  @Test func menuOffersNoListOfOneAuthor() throws {
    try configure()
    try site.build()
    for page in ["index.html", "x/ada/of-engines-200/index.html", "search/index.html"] {
      #expect(try !links(page, inMenu: true).contains { $0.hasSuffix("authors/") }, "\(page)")
    }
    // The list itself keeps its URL.
    #expect(site.folder.exists("site/authors/index.html"))
    try configure("menu: [threads, authors]\n")
    try site.build()
    #expect(try links("index.html", inMenu: true) == ["./", "./authors/"])
  }

  @Test func secondAuthorChangesEveryList() throws {
    try configure()
    try site.build()
    try site.save(thread("300", "Of compilers", by: "grace"))
    try site.build()
    let home = try site.page("index.html")
    #expect(!home.contains("site-about"))
    // One for each of three threads, and one for each author at the foot.
    #expect(home.matches(of: /<img class="avatar/).count == 5)
    #expect(try links("x/ada/of-engines-200/index.html", inMenu: true).contains("../../../authors/"))
    #expect(try site.page("archive/index.html").contains("Ada"))
    #expect(try site.page("search/index.html").contains("data-authors"))
    // A build with the cache and one without give the same files, with two authors and again with one.
    func compare() throws {
      try site.build(output: site.path + "/fresh", usesCache: false)
      #expect(try site.tree() == site.folder.tree("fresh"))
    }
    try compare()
    try site.folder.remove("threads/x/grace")
    try site.build()
    try compare()
  }

  @Test func homeShowsTheLinksOfItsOwner() throws {
    try configure(
      "author:\n  name: Ada\n  url: https://ada.example/\n  profiles: [https://mastodon.example/@ada, https://x.com/ada/]\n"
    )
    try site.build()
    let home = try site.page("index.html")
    // Her account on X is one of her profiles, so it is not listed again.
    #expect(
      home.matches(of: /rel="([^"]*)" href="([^"]*)" dir="auto">([^<]*)</).map {
        [String($0.output.1), String($0.output.2), String($0.output.3)]
      } == [
        ["me noopener", "https://ada.example/", "ada.example"],
        ["me noopener", "https://mastodon.example/@ada", "mastodon.example/@ada"],
        ["me noopener", "https://x.com/ada/", "x.com/ada"],
      ])
  }

  @Test func ownerWhoIsNotTheAuthorIsNamedApart() throws {
    try configure("author: { name: Bo <b>, url: https://bo.example/ }\n")
    try site.build()
    let home = try site.page("index.html")
    #expect(home.contains(#"<a class="p-name u-url" href="./x/ada/" dir="auto">Ada</a>"#))
    #expect(
      home.contains(
        #"<p class="site-about meta"><span dir="auto">Bo &lt;b&gt;</span> <a rel="me noopener" href="https://bo.example/" dir="auto">bo.example</a> </p>"#
      ))
    // The same on a site with several authors.
    try site.save(thread("300", "Of compilers", by: "grace"))
    try site.build()
    #expect(try site.page("index.html").contains(#"<p class="site-about meta"><span dir="auto">Bo"#))
  }
}
