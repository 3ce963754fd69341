import Foundation
import SiteBuild
import SiteConfig
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel
import Upkeep

/// site.yml joins a thread that is on two networks, and the accounts of a person on both.
@Suite("Threads and people on several networks")
struct SamePersonTests {
  private let site: TemporarySite
  private static let did = "did:plc:abcdefghijklmnopqrstuvwx"

  init() throws {
    site = try TemporarySite()
    try site.save(thread(.x, "100", "ada", "Of looms and numbers"))
    try site.save(thread(.bluesky, "3k2abcdefgh22", "ada.example", "Of looms, told again"))
    try site.save(thread(.bluesky, "3k2abcdefgh44", "ada.example", "Of engines"))
  }

  /// A thread of two posts. The second may quote another thread.
  private func thread(
    _ platform: Platform, _ id: String, _ handle: String, _ text: String, quoting quoted: PostID? = nil
  ) -> Conversation {
    let authority = platform == .bluesky ? Self.did : nil
    let author = AuthorID(platform == .bluesky ? Self.did : "7", on: platform)
    let first = PostID(id, by: authority, on: platform)
    var facts = Post.Facts(id: first, authorID: author, text: InlineText(text))
    facts.createdAt = Timestamp(seconds: 1_700_000_000)
    if platform == .x { facts.url = "https://x.com/ada/status/\(id)" }
    var second = Post.Facts(
      id: PostID(id + "1", by: authority, on: platform), authorID: author, text: InlineText("and more"))
    second.createdAt = Timestamp(seconds: 1_700_000_060)
    second.inReplyTo = first
    second.quotes = quoted
    var conversation = Conversation(id: first, authorID: author)
    var person = Author(id: author, handle: handle)
    person.name = platform == .x ? "Ada X" : "Ada Sky"
    conversation.authors = [person]
    conversation.posts = [Post(facts), Post(second)]
    return conversation
  }

  private func pages() throws -> [String: String] {
    try site.tree().filter { $0.key.hasSuffix("index.html") }.mapValues {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func redirects() throws -> [String: String] {
    try pages().compactMapValues { page in
      page.firstMatch(of: /http-equiv="refresh" content="0; url=([^"]*)"/).map { String($0.1) }
    }
  }

  private func configure(_ text: String) throws {
    try site.folder.write("title: A\nbase_url: https://a.example/\n\(text)", to: "site.yml")
  }

  private static let sky = "https://bsky.app/profile/\(did)/post/3k2abcdefgh22"

  /// A thread that quotes a post of the thread on both networks.
  private var quoting: Conversation {
    var quoting = thread(
      .x, "300", "ada", "Of cards",
      quoting: PostID("3k2abcdefgh221", by: Self.did, on: .bluesky))
    quoting.related = [thread(.bluesky, "3k2abcdefgh22", "ada.example", "Of looms, told again").posts[1]]
    quoting.related[0].conversationID = PostID("3k2abcdefgh22", by: Self.did, on: .bluesky)
    return quoting
  }

  /// The site already has the thread, as a copy of another one.
  @Test func addingACopyChangesNothing() throws {
    try configure(
      "sources:\n  - https://x.com/ada/status/100\nthreads:\n  - url: https://x.com/ada/status/100\n    same_as: [\(Self.sky)]\n"
    )
    let before = try site.folder.text("site.yml")
    let folder = try SiteFolder.open(
      configFile: site.path + "/site.yml", isDefault: false, progress: { _ in })
    let post = try folder.networks.addresses.post(Self.sky)
    #expect(try ThreadList(folder, jobs: 2).add(post) == .hasIt)
    #expect(try site.folder.text("site.yml") == before)
  }

  @Test func threadOnTwoNetworksHasOnePage() throws {
    // Another thread quotes the thread that redirects.
    try site.save(quoting)
    // Named by its second post; any post will do.
    try configure("threads:\n  - url: https://x.com/ada/status/1001\n    same_as: [\(Self.sky)1]\n")
    #expect(try site.build().threads == 3)
    let redirects = try redirects()
    #expect(redirects.count == 1)
    let (old, target) = try #require(redirects.first)
    #expect(
      old.hasPrefix("bluesky/ada.example/of-looms-told-again-")
        && target.contains("x/ada/of-looms-and-numbers-100/"))
    let page = try site.page("x/ada/of-looms-and-numbers-100/index.html")
    #expect(page.contains("href=\"\(Self.sky)1\""))
    #expect(page.contains("rel=\"syndication nofollow noopener\" href=\"\(Self.sky)1\""))
    #expect(page.contains(#""sameAs":["https://x.com/ada/status/100","\#(Self.sky)1"]"#), "\(page)")
    // The words of the other copy are on no page, in no list and in no feed.
    for (name, data) in try site.tree() where name.hasSuffix(".html") || name.hasPrefix("feed") {
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains("Of looms, told again"), "\(name)")
    }
    // Links to it follow the redirect, without an anchor that the page does not have.
    let folder = old.replacing("index.html", with: "")
    #expect(try pages().contains { $0.value.contains("\(folder)\"") && $0.key.contains("of-cards-300") })
    #expect(try !pages().contains { $0.value.contains("\(folder)#") })
    // Its URL stays, even if the text of its first post changes.
    try site.publish()
    #expect(try site.folder.text("threads/permalinks.json").contains(folder))
    #expect(site.warnings.isEmpty)
    try site.build()
    #expect(try self.redirects() == redirects)
  }

  /// The unpublished URL of the copy follows the words of its first post.
  @Test func changedCopyChangesThePagesThatLinkToIt() throws {
    try site.save(quoting)
    try configure("threads:\n  - url: https://x.com/ada/status/100\n    same_as: [\(Self.sky)]\n")
    try waitUntilFilesAreSettled()
    try site.build()
    let page = try #require(try site.tree().keys.first { $0.hasSuffix("of-cards-300/index.html") })
    #expect(try site.page(page).contains("of-looms-told-again-"))
    let file = "threads/bluesky/ada.example/3k2abcdefgh22.json"
    try site.folder.write(
      site.folder.text(file).replacing("Of looms, told again", with: "Of mills"), to: file)
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(try site.page(page).contains("of-mills-") && !site.page(page).contains("of-looms-told-again-"))
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  @Test(arguments: ["draft", "exclude"]) func excludedThreadHidesItsCopy(key: String) throws {
    try configure(
      "threads:\n  - url: https://x.com/ada/status/100\n    \(key): true\n    same_as: [\(Self.sky)]\n")
    #expect(try site.build().threads == 1)
    #expect(try redirects().isEmpty)
    #expect(try !pages().contains { $0.value.contains("Of looms") })
  }

  @Test func missingCopyIsALinkAndAWarning() throws {
    try configure(
      "threads:\n  - url: https://x.com/ada/status/100\n    same_as: [https://social.example/@ada/111]\n")
    #expect(try site.build().threads == 3)
    #expect(
      site.warnings.count == 1
        && site.warnings[0].contains(
          "site.yml:5:15: warning: threads[0].same_as[0]: this thread is not in the store"),
      "\(site.warnings)")
    #expect(
      try site.page("x/ada/of-looms-and-numbers-100/index.html").contains(
        "href=\"https://social.example/@ada/111\""))
  }

  @Test(arguments: [
    ("  - url: https://x.com/ada/status/100\n    same_as: [\(sky)]\n  - \(sky)\n", "keep one of them"),
    ("  - url: https://x.com/ada/status/100\n    same_as: [\(sky), \(sky)]\n", "keep one of them"),
    (
      "  - url: https://x.com/ada/status/100\n    same_as: [\(sky)]\n  - \(sky)1\n",
      "threads[0].same_as[0]: this is a post of the thread of threads[1]"
    ),
    ("  - url: https://x.com/ada/status/100\n    same_as: [nowhere]\n", "threads[0].same_as[0]"),
  ])
  func rejectsInvalidSameAs(threads: String, words: String) throws {
    try configure("threads:\n\(threads)")
    let error = #expect(throws: (any Error).self) { try site.build() }
    #expect("\(try #require(error))".contains(words), "\(String(describing: error))")
  }

  @Test(arguments: [true, false]) func personWithTwoAccountsHasOnePage(isXFirst: Bool) throws {
    let accounts = ["https://x.com/Ada", "https://bsky.app/profile/ada.example"]
    try configure(
      "authors:\n  - accounts: [\((isXFirst ? accounts : accounts.reversed()).joined(separator: ", "))]\n")
    try site.build()
    let (own, other) = isXFirst ? ("x/ada/", "bluesky/ada.example/") : ("bluesky/ada.example/", "x/ada/")
    let page = try site.page(own + "index.html")
    #expect(
      page.contains("Of looms and numbers") && page.contains("Of looms, told again")
        && page.contains("Of engines"))
    #expect(
      page.contains(
        isXFirst ? "<h1 class=\"p-name\" dir=\"auto\">Ada X" : "<h1 class=\"p-name\" dir=\"auto\">Ada Sky"))
    #expect(page.contains(isXFirst ? "<bdi>@ada.example</bdi> (Bluesky)" : "<bdi>@ada</bdi> (X)"))
    #expect(try redirects() == [other + "index.html": "../../" + own])
    let list = try site.page("authors/index.html")
    #expect(list.contains(own) && !list.contains(other))
    // Each thread names the account that wrote it and links to the shared page.
    let thread = try site.page("x/ada/of-looms-and-numbers-100/index.html")
    #expect(thread.contains("Ada X") && thread.contains(isXFirst ? "../" : "../../../bluesky/ada.example/"))
  }

  @Test(arguments: [
    ("[https://x.com/ada]", "expected at least two accounts"),
    ("[https://x.com/ada, https://x.com/ADA]", "listed twice"),
    (
      "[https://x.com/ada, https://x.com/nobody]",
      "authors[0].accounts[1]: no thread of @nobody is in the store"
    ),
    ("[https://x.com/ada, 7]", "authors[0].accounts[1]"),
  ])
  func rejectsInvalidAccounts(accounts: String, words: String) throws {
    try configure("authors:\n  - accounts: \(accounts)\n")
    let error = #expect(throws: (any Error).self) { try site.build() }
    #expect("\(try #require(error))".contains(words), "\(String(describing: error))")
  }
}
