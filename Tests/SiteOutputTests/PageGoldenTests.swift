import Basics
import Foundation
import InterfaceText
import SiteConfig
import SiteOutput
import TestSupport
import Testing
import ThreadModel

/// A page of each kind with small invented values and the theme that comes with threadsite.
@Suite struct PageGoldenTests {
  private static let theme = Result {
    try Theme.load("paper", in: [ProjectFolders.repository.appending(path: "themes").path])
  }

  /// Three threads by two authors; one is hostile in every field, one undated, one in Arabic.
  private static let threads: [ThreadSummary] = {
    let payload = "</title><script>alert('1')</script> & \"x\""
    var hostile = Samples.thread(
      "1003", title: payload, at: "2021-02-03T04:05:06Z", tags: [payload, "compilers"])
    hostile.author = AuthorSummary(
      platform: .bluesky, handle: "b\"><i>", name: "<b>Bo</b>", url: "javascript:alert(1)",
      path: "bluesky/b\"o/")
    hostile.path = "bluesky/b\"o/<a>-1003/"
    hostile.excerpts = Excerpts(short: "\u{202E}{{title}} <!-- " + payload)
    hostile.language = "en\" onload=\"x"
    hostile.image = PreviewImage(
      .remote("https://media.example/a.jpg?x=\"><script>"), size: PreviewImage.Size(1200, by: 800),
      altText: payload)
    hostile.updated = Timestamp(iso8601: "2021-02-05T00:00:00Z")
    var arabic = Samples.thread("1002", title: "خيط قصير", at: "2020-12-31T23:59:59Z", tags: ["compilers"])
    arabic.language = "ar"
    arabic.image = PreviewImage(
      .stored("media/a b.jpg"), size: PreviewImage.Size(299, by: 800))
    var undated = Samples.thread("1001", title: "No date", at: nil)
    undated.language = nil
    undated.postCount = 1
    return [hostile, arabic, undated]
  }()

  private func html(
    of path: SitePath, baseURL: String? = "https://ada.example/threads/", perPage: Int = 20,
    threads: [ThreadSummary] = Self.threads, profiles: [SitePath: AuthorProfile] = [:]
  ) throws -> String {
    let index = SiteIndex(threads, calendar: .utc, profiles: profiles)
    let page = try #require(index.pages(threadsPerPage: perPage).first { $0.path == path })
    var html = UTF8Buffer()
    try PageRenderer(site: Samples.site(baseURL: baseURL), theme: Self.theme.get()).render(
      page, of: index, into: &html)
    return html.string
  }

  private func html(
    ofThread position: Int, baseURL: String? = "https://ada.example/threads/", shares: Bool = true
  ) throws -> String {
    let page = ThreadPage(
      summary: Self.threads[position], header: UTF8Buffer(),
      body: UTF8Buffer("<h1>The body, as it is</h1>"),
      sourceURL: "https://x.example/ada/status/1?a=1&b=\"2\"", mediaHosts: ["media.example"])
    var html = UTF8Buffer()
    let theme = try Self.theme.get()
    var site = Samples.site(baseURL: baseURL)
    site.themeOptions = Samples.options(of: theme, chosen: ["share": .flag(shares)])
    try PageRenderer(site: site, theme: theme).render(page, into: &html)
    return html.string
  }

  private func compare(_ html: String, _ name: String) throws {
    _ = try HTMLTokens(html)
    try Golden.compare(
      // The name of a style sheet depends on its content, which is not compared here.
      Samples.withoutDigests(html),
      with: ProjectFolders.fixtures(of: "SiteOutputTests").appending(path: "Pages/\(name)"))
  }

  private func compareMain(_ html: String, _ name: String, abbreviatesLists: Bool = false) throws {
    try compare(PageParts.main(of: html, abbreviatesLists: abbreviatesLists), "main/\(name).html")
  }

  /// The only complete pages: a list and a thread. The other themes have no layouts of their own.
  @Test(arguments: [true, false]) func wholePages(isThread: Bool) throws {
    if isThread {
      try compare(html(ofThread: 0), "thread.html")
    } else {
      try compare(html(of: ""), "home.html")
    }
  }

  @Test(arguments: [
    ("authors", "authors/"), ("author", "x/ada/"), ("hostile-author", "bluesky/b\"o/"), ("tags", "tags/"),
    ("archive", "archive/"), ("404", "404.html"),
  ])
  func indexPages(name: String, path: String) throws {
    try compareMain(html(of: SitePath(path)), name)
  }

  /// Their entries equal those of the home page.
  @Test(arguments: [("tag", "tags/compilers/"), ("year", "2021/"), ("month", "2020/12/")])
  func listsOfThreads(name: String, path: String) throws {
    try compareMain(html(of: SitePath(path)), name, abbreviatesLists: true)
  }

  @Test(arguments: [(1, "right-to-left"), (2, "undated")])
  func threadPages(position: Int, name: String) throws {
    try compareMain(html(ofThread: position), "thread-\(name)")
  }

  /// The values in the heads of all kinds of pages.
  @Test func headsNameTheirPages() throws {
    var pages: [(String, String)] = []
    for path: SitePath in [
      "", "authors/", "x/ada/", "bluesky/b\"o/", "tags/", "tags/compilers/", "archive/", "2021/", "2020/12/",
      "404.html",
    ] { pages.append(("/\(path.text)", try html(of: path))) }
    pages.append(("/page/2/, one thread per page", try html(of: "page/2/", perPage: 1)))
    pages.append(("/, without threads", try html(of: "", threads: [])))
    pages.append(("/, without a base URL", try html(of: "", baseURL: nil)))
    pages.append(("/x/ada/, with a profile", try html(of: "x/ada/", profiles: Self.profiles)))
    pages.append(("/authors/, with pictures", try html(of: "authors/", profiles: Self.profiles)))
    for path: SitePath in ["collections/", "collections/loops/"] {
      pages.append(("/\(path.text)", try html(ofCollection: path)))
    }
    for (position, name) in ["hostile", "right to left", "undated"].enumerated() {
      pages.append(("thread, \(name)", try html(ofThread: position)))
    }
    pages.append(("thread, without a base URL", try html(ofThread: 1, baseURL: nil)))
    let text = try pages.map { name, html in
      (["# \(name)"] + (try PageParts.headValues(of: Samples.withoutDigests(html)))).joined(separator: "\n")
    }
    try Golden.compare(
      text.joined(separator: "\n\n") + "\n",
      with: ProjectFolders.fixtures(of: "SiteOutputTests").appending(path: "Pages/heads.txt"))
  }

  @Test func sharingLinksAreOptional() throws {
    let places = ["mailto:", "bsky.app", "share.joinmastodon.org/#text=", "x.com/intent"]
    func links(_ html: String) throws -> [String] {
      try HTMLTokens(html).startTags.compactMap { $0["href"] }
    }
    let with = try links(html(ofThread: 0))
    let without = try links(html(ofThread: 0, shares: false))
    #expect(places.allSatisfy { place in with.contains { $0.contains(place) } })
    #expect(!places.contains { place in without.contains { $0.contains(place) } })
  }

  @Test(arguments: [("collections", "collections/"), ("collection", "collections/loops/")])
  func collectionPages(name: String, path: String) throws {
    try compareMain(html(ofCollection: SitePath(path)), name, abbreviatesLists: true)
  }

  private func html(ofCollection path: SitePath) throws -> String {
    let collections = [
      ThreadCollection(
        title: "Loops <&>", path: ThreadCollection.page(slug: "loops"),
        introduction: UTF8Buffer("<p>Read <em>these</em>.</p>\n"), summary: "Read \"these\".",
        threads: [Self.threads[2].path, Self.threads[0].path, "x/ada/gone/"]),
      ThreadCollection(
        title: "حلقات", path: ThreadCollection.page(slug: "b"), introduction: UTF8Buffer(), threads: []),
    ]
    let index = SiteIndex(Self.threads, calendar: .utc, collections: collections)
    let page = try #require(index.pages(threadsPerPage: 1).first { $0.path == path })
    var site = Samples.site()
    site.config.collections = [.defaults]
    var html = UTF8Buffer()
    try PageRenderer(site: site, theme: Self.theme.get()).render(page, of: index, into: &html)
    return html.string
  }

  private static let profiles = [Samples.profile.author.path: Samples.profile]

  @Test func authorWithAProfile() throws {
    try compareMain(html(of: "x/ada/", profiles: Self.profiles), "author-profile", abbreviatesLists: true)
  }

  @Test func eachPageOfAnAuthorShowsTheYearsOfAllThreads() throws {
    let threads = [
      Samples.thread("1", at: "2019-05-01T00:00:00Z"), Samples.thread("2", at: nil),
      Samples.thread("3", at: "2024-05-01T00:00:00Z"), Samples.thread("4", at: nil),
    ]
    for path: SitePath in ["x/ada/", "x/ada/page/2/", "x/ada/page/4/"] {
      #expect(try html(of: path, perPage: 1, threads: threads).contains("<span>2019–2024</span>"), "\(path)")
    }
    #expect(try html(of: "x/ada/", threads: [threads[0], threads[1]]).contains("<span>2019</span>"))
    #expect(try !html(of: "x/ada/", threads: [threads[1]]).contains("<span>20"))
  }

  @Test func authorsWithPictures() throws {
    try compareMain(html(of: "authors/", profiles: Self.profiles), "authors-with-pictures")
  }

  @Test func listsOfSeveralAuthorsShowTheirImages() throws {
    func pictures(_ path: SitePath, _ threads: [ThreadSummary]) throws -> [String] {
      try HTMLTokens(html(of: path, threads: threads, profiles: Self.profiles)).startTags
        .filter { $0.name == "img" && $0["loading"] != nil }.compactMap { $0["src"] }
    }
    // One for each of her threads, and one in the index at the foot.
    #expect(try pictures("", Self.threads) == Array(repeating: "./media/ada%20b.png", count: 3))
    #expect(try pictures("", Samples.threads(2)) == [])
    // Her image appears once above the list of her own threads; this one also lists her followers.
    #expect(try pictures("x/ada/", Self.threads) == ["https://faces.example/bo.png?a=\"1\""])
  }

  @Test func policyAllowsProfileImagesOnTheirPages() throws {
    func policy(_ path: SitePath) throws -> String {
      let tags = try HTMLTokens(html(of: path, profiles: Self.profiles)).startTags
      return tags.first { $0["http-equiv"] != nil }?["content"] ?? ""
    }
    #expect(try policy("x/ada/").contains("img-src 'self' https://faces.example;"))
    #expect(try policy("").contains("img-src 'self';"))
  }

  @Test func loadsOnlyURLsThatAPolicyCanName() {
    #expect(SummaryImage(loadedFrom: "https://a.example/b.png") == .remote("https://a.example/b.png"))
    for url in [
      "http://a.example/b.png", "https://u@a.example/b.png", "https://a.example:8443/b.png", "//a.example/b",
      "https://a.example; x/", "data:image/png;base64,AA", "https://a.example\\b.png",
    ] {
      #expect(SummaryImage(loadedFrom: url) == nil, "\(url)")
    }
  }

  @Test func secondPage() throws {
    try compareMain(html(of: "page/2/", perPage: 1), "home-page-2", abbreviatesLists: true)
  }

  @Test func emptySite() throws {
    try compareMain(html(of: "", threads: []), "home-empty")
    for path: SitePath in ["authors/", "tags/", "archive/"] {
      _ = try HTMLTokens(html(of: path, threads: []))
    }
  }

  @Test func withoutABaseURL() throws {
    try compareMain(html(ofThread: 1, baseURL: nil), "thread-without-base-url")
    let page = try html(of: "", baseURL: nil)
    #expect(!page.contains("rel=\"canonical\"") && !page.contains("feed.xml") && !page.contains("og:url"))
  }

  /// A golden file cannot check this: for any values, no page runs or loads anything.
  @Test func valuesNeverBecomeMarkup() throws {
    let index = SiteIndex(Self.threads, calendar: .utc)
    var pages = try (0..<Self.threads.count).map { try html(ofThread: $0) }
    for page in index.pages(threadsPerPage: 2) { pages.append(try html(of: page.path, perPage: 2)) }
    for page in pages {
      for tag in try HTMLTokens(page).startTags {
        #expect(!["img", "i", "b"].contains(tag.name))
        // The home page has a script of the theme, and each page has the script in its head.
        let isOfTheme =
          tag["src"]?.contains("assets/wander.") ?? tag["data-src"]?.contains("assets/look.") ?? false
        if tag.name == "script", !tag.attributes.isEmpty, !isOfTheme {
          #expect(tag["type"] == "application/ld+json")
        }
        for attribute in tag.attributes {
          #expect(!attribute.name.hasPrefix("on"))
          if ["href", "src"].contains(attribute.name) {
            #expect(!attribute.value.lowercased().hasPrefix("javascript:"))
          }
        }
      }
    }
  }

  @Test func navigationMarksTheCurrentPage() throws {
    func current(_ path: SitePath, perPage: Int = 1) throws -> [String: String] {
      var found: [String: String] = [:]
      for tag in try HTMLTokens(html(of: path, perPage: perPage)).startTags where tag["aria-current"] != nil {
        found[tag["href"] ?? ""] = tag["aria-current"]
      }
      return found
    }
    #expect(try current("") == ["./": "page"])
    #expect(try current("page/2/") == ["../../": "true"])
    #expect(try current("tags/") == ["../tags/": "page"])
    #expect(try current("tags/compilers/") == ["../../tags/": "true"])
    #expect(try current("x/ada/") == ["../../authors/": "true"])
    #expect(try current("2021/02/") == ["../../archive/": "true"])
    #expect(try current("404.html") == [:])
  }

  @Test func the404PageWorksAtAnyURL() throws {
    for tag in try HTMLTokens(html(of: "404.html")).startTags {
      for value in [tag["href"], tag["src"]].compactMap(\.self) where !value.hasPrefix("#") {
        #expect(value.hasPrefix("/threads/"))
      }
    }
    #expect(try html(of: "404.html", baseURL: nil).contains("href=\"/tags/\""))
  }
}
