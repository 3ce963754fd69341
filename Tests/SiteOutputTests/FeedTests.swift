import Basics
import InterfaceText
import SiteConfig
import SiteOutput
import TestSupport
import Testing
import ThreadModel

@Suite struct FeedTests {
  private func feeds(
    _ threads: [ThreadSummary], baseURL: String? = "https://ada.example/threads/", content: String? = nil
  ) -> SiteFeeds? {
    SiteFeeds(
      site: Samples.site(baseURL: baseURL),
      entries: threads.map { FeedEntry(thread: $0, content: content.map { UTF8Buffer($0) }) })
  }

  private func atom(_ feeds: SiteFeeds?) throws -> XMLTree {
    try XMLTree.parse(try #require(feeds).atom().bytes)
  }

  private func json(_ feeds: SiteFeeds?) throws -> [String: JSONValue] {
    guard case .object(let members) = try JSONValue(parsing: try #require(feeds).json().bytes) else {
      throw XMLTree.Malformed(description: "no object")
    }
    return members
  }

  @Test func hasNoFeedsWithoutABaseURL() {
    #expect(feeds([Samples.thread("1")], baseURL: nil) == nil)
  }

  @Test func atomHasTheFieldsOfReaders() throws {
    var thread = Samples.thread("1", title: "Rock & <roll>", tags: ["c++", "日本"])
    thread.updated = Timestamp(iso8601: "2021-02-01T00:00:00Z")
    let feed = try atom(feeds([thread], content: "<p>Tom &amp; Jerry</p>"))
    #expect(feed.attributes["xmlns"] == "http://www.w3.org/2005/Atom")
    #expect(feed.text("id") == "https://ada.example/threads/")
    #expect(feed.text("title") == "Threads & more")
    #expect(feed.text("subtitle") == "Kept <for> good")
    #expect(feed.text("updated") == "2021-02-01T00:00:00Z")
    #expect(
      feed["link"].map { $0.attributes["href"] } == [
        "https://ada.example/threads/feed.xml", "https://ada.example/threads/",
      ])
    let entry = try #require(feed["entry"].first)
    #expect(entry.text("title") == "Rock & <roll>")
    #expect(entry.text("published") == "2021-01-06T18:40:00Z")
    #expect(entry.text("updated") == "2021-02-01T00:00:00Z")
    #expect(entry["link"].first?.attributes["href"] == "https://ada.example/threads/x/ada/a-title-1/")
    #expect(entry["author"].first?.text("name") == "Ada Example")
    #expect(entry["category"].map { $0.attributes["term"] } == ["c++", "日本"])
    #expect(entry["content"].first?.attributes["type"] == "html")
    #expect(entry.text("content") == "<p>Tom &amp; Jerry</p>")
  }

  /// Feeds of authors and tags: newest first, with their own URLs. Later pages of a list have no feed.
  @Test func listsHaveTheirOwnFeeds() throws {
    var site = Samples.site(baseURL: "https://ada.example/threads/")
    site.config.feed.hub = try WebURL("https://hub.example/")
    var pictured = Samples.thread("2", title: "Second", tags: ["clocks"])
    pictured.image = PreviewImage(.stored("media/a b.jpg"))
    let index = SiteIndex(
      [Samples.thread("1", title: "First"), pictured], calendar: site.calendar)
    let lists = index.pages(threadsPerPage: 1).compactMap { FeedList(of: $0, in: index) }
    #expect(lists.map(\.path.text) == ["x/ada/feed.xml", "tags/clocks/feed.xml"])
    let tag = try #require(lists.last)
    let entries = tag.threads.map { FeedEntry(thread: index.threads[$0], content: nil) }
    let feed = try atom(SiteFeeds(site: site, entries: entries, list: tag, icon: "assets/icon.svg"))
    #expect(feed.text("id") == "https://ada.example/threads/tags/clocks/")
    #expect(feed.text("title") == "#clocks – Threads & more")
    #expect(feed.text("subtitle") == nil)
    #expect(feed.text("icon") == "https://ada.example/threads/assets/icon.svg")
    #expect(
      feed["link"].map { $0.attributes["href"] } == [
        "https://ada.example/threads/tags/clocks/feed.xml", "https://ada.example/threads/tags/clocks/",
        "https://hub.example/",
      ])
    #expect(feed["entry"].map { $0.text("title") } == ["Second"])
    #expect(
      feed["entry"].first?["media:thumbnail"].first?.attributes["url"]
        == "https://ada.example/threads/media/a%20b.jpg")
  }

  @Test func jsonEqualsAtom() throws {
    var thread = Samples.thread("1", title: "Rock & <roll>", tags: ["c++"])
    thread.image = PreviewImage(.stored("media/a b.jpg"))
    let feed = try json(feeds([thread], content: "<p>Tom &amp; Jerry</p>"))
    #expect(feed["version"] == "https://jsonfeed.org/version/1.1")
    #expect(feed["home_page_url"] == "https://ada.example/threads/")
    guard case .array(let items)? = feed["items"], case .object(let item)? = items.first else {
      Issue.record("no items")
      return
    }
    #expect(item["title"] == "Rock & <roll>")
    #expect(item["content_html"] == "<p>Tom &amp; Jerry</p>")
    #expect(item["url"] == "https://ada.example/threads/x/ada/a-title-1/")
    #expect(item["image"] == "https://ada.example/threads/media/a%20b.jpg")
    #expect(item["date_published"] == "2021-01-06T18:40:00Z")
    #expect(item["tags"] == ["c++"])
    #expect(item["id"] == .string(FeedEntry(thread: thread, content: nil).id))
  }

  @Test func excerptReplacesTheContent() throws {
    let summaries = feeds([Samples.thread("1")])
    #expect(try atom(summaries)["entry"].first?["content"].isEmpty == true)
    #expect(try atom(summaries)["entry"].first?.text("summary") == "What it says.")
    guard case .array(let items)? = try json(summaries)["items"], case .object(let item)? = items.first else {
      Issue.record("no items")
      return
    }
    #expect(item["content_text"] == "What it says.")
    #expect(item["content_html"] == nil)
  }

  @Test func idsNeverChange() {
    let thread = Samples.thread("1346889436626259968")
    let id = FeedEntry(thread: thread, content: nil).id
    // A literal value: if it changed, readers would show all threads of every site again.
    #expect(id == "urn:uuid:89da2320-f7d0-802e-8998-a7f2625dd27c")
    var changed = thread
    changed.title = "Another title"
    changed.path = "elsewhere/"
    changed.updated = Timestamp(seconds: 0)
    changed.author.name = "Another name"
    changed.author.handle = "renamed"
    changed.tags = [ThreadTag("new")]
    #expect(FeedEntry(thread: changed, content: nil).id == id)
    let parts = id.dropFirst("urn:uuid:".count).split(separator: "-")
    #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
    #expect(parts[2].first == "8" && parts[3].first == "8")
  }

  @Test func idsDistinguishThreads() {
    var ids = Set((1...1000).map { FeedEntry(thread: Samples.thread("\($0)"), content: nil).id })
    // Another author's thread in the same conversation.
    ids.insert(FeedEntry(thread: Samples.thread("1", by: Samples.author("bo", name: "Bo")), content: nil).id)
    #expect(ids.count == 1001)
  }

  @Test func replacesCharactersThatXMLCannotContain() throws {
    let hostile = "a\u{0}b\u{1}c\u{8}d\u{B}e\u{1F}f\u{FFFE}g\u{FFFF}h ]]> <![CDATA[ & \" ' \u{1F600}"
    var thread = Samples.thread("1", title: hostile, tags: [hostile])
    thread.excerpts = Excerpts(short: hostile)
    thread.language = "en\"><x/>"
    thread.author.name = hostile
    let feed = try atom(feeds([thread], content: hostile))
    let entry = try #require(feed["entry"].first)
    for text in [
      entry.text("title"), entry.text("summary"), entry.text("content"), entry["author"].first?.text("name"),
    ] {
      #expect(text?.contains(" ]]> <![CDATA[ & \" ' \u{1F600}") == true)
      #expect(text?.hasPrefix("a") == true)
    }
    #expect(entry["category"].first?.attributes["term"]?.hasSuffix("\u{1F600}") == true)
    #expect(feed["entry"].count == 1)
    #expect(entry["x"].isEmpty)
    _ = try json(feeds([thread], content: hostile))
  }

  @Test func namesTheOwner() throws {
    var site = Samples.site()
    site.owner = SiteFacts.Owner(name: "Ada & Co", url: "https://ada.example/?a&b")
    let feeds = SiteFeeds(site: site, entries: [])
    let author = try #require(try atom(feeds)["author"].first)
    #expect(author.text("name") == "Ada & Co")
    #expect(author.text("uri") == "https://ada.example/?a&b")
    #expect(try json(feeds)["authors"] == [["name": "Ada & Co", "url": "https://ada.example/?a&b"]])
    #expect(try atom(self.feeds([]))["author"].isEmpty)
  }

  @Test func feedWithoutThreadsIsValid() throws {
    let feed = try atom(feeds([]))
    #expect(feed.text("updated") == "1970-01-01T00:00:00Z")
    #expect(try json(feeds([]))["items"] == [])
  }

  @Test func undatedThreadHasTheDateThatAtomRequires() throws {
    let entry = try #require(try atom(feeds([Samples.thread("1", at: nil)]))["entry"].first)
    #expect(entry.text("published") == nil)
    #expect(entry.text("updated") == "1970-01-01T00:00:00Z")
  }
}
