import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Links between threads of a site, replies, and authors' pages made from many observations.
@Suite struct SiteLinksTests {
  private static let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
  private static let bo = Author(id: AuthorID("12", on: .x), handle: "bo", name: "Bo")

  private static func post(
    _ id: Int, by author: Author, _ text: String, in conversation: Int, answers: Int? = nil
  )
    -> Post
  {
    var post = Post(id: PostID("\(id)", on: .x), authorID: author.id, text: InlineText(text))
    post.url = "https://x.com/\(author.handle ?? "")/status/\(id)"
    post.conversationID = PostID("\(conversation)", on: .x)
    post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(id))
    post.inReplyTo = answers.map { PostID("\($0)", on: .x) }
    return post
  }

  private static func conversation(_ id: Int, by author: Author, _ posts: [Post], related: [Post] = [])
    -> Conversation
  {
    var conversation = Conversation(id: PostID("\(id)", on: .x), authorID: author.id)
    conversation.authors = [ada, bo]
    conversation.posts = posts
    conversation.related = related
    return conversation
  }

  /// Ada's thread 1001 links to and quotes Bo's posts 2001 and 3001, and a missing post.
  private static func conversations() -> [Conversation] {
    let urls = [
      "https://twitter.com/bo/status/2001?s=20", "https://mobile.x.com/i/status/3001",
      "https://x.com/ada/status/1002/photo/1",
      "https://x.com/bo/status/9999", "https://other.example/status/2001",
    ]
    var text = ""
    var entities: [TextEntity] = []
    for url in urls {
      let start = text.unicodeScalars.count
      text += url
      entities.append(TextEntity(start..<text.unicodeScalars.count, .link(url: url, short: nil)))
      text += " "
    }
    var first = post(1001, by: ada, text, in: 1001)
    first.text = InlineText(text, entities: entities)
    first.title = "Links"
    var second = post(1002, by: ada, "Quoting", in: 1001, answers: 1001)
    second.quotes = PostID("2002", on: .x)
    var third = post(1003, by: ada, "Quoting a reply", in: 1001, answers: 1002)
    third.quotes = PostID("2003", on: .x)
    let quoted = post(2002, by: bo, "Quoted", in: 2001, answers: 2001)
    let replied = post(2003, by: ada, "A reply", in: 2001, answers: 2001)
    return [
      conversation(1001, by: ada, [first, second, third], related: [quoted, replied]),
      conversation(2001, by: bo, [post(2001, by: bo, "Bo begins here", in: 2001), quoted, replied]),
      conversation(3001, by: bo, [post(3001, by: bo, "Bo again, in another thread", in: 3001)]),
    ]
  }

  private func links(_ site: TemporarySite) throws -> [String] {
    let page = try site.page("x/ada/links-1001/index.html")
    return try HTMLTokens(page).startTags.filter { $0.name == "a" }.compactMap { $0["href"] }
  }

  private func site(_ configuration: String = "", jobs: Int = 2) throws -> TemporarySite {
    let site = try TemporarySite()
    try site.folder.write("base_url: https://ada.example/\n" + configuration, to: "site.yml")
    for conversation in Self.conversations() { try site.save(conversation) }
    try site.build(jobs: jobs)
    return site
  }

  @Test func linksToPostsOnTheSite() throws {
    let site = try site()
    let links = try links(site)
    #expect(links.contains("../../../x/bo/bo-begins-here-2001/#post-2001"))
    #expect(links.contains("../../../x/bo/bo-again-in-another-thread-3001/#post-3001"))
    #expect(links.contains("../../../x/bo/bo-begins-here-2001/#post-2002"))
    #expect(links.count { $0 == "#post-1002" } == 2)
    #expect(links.contains("https://x.com/bo/status/9999"))
    #expect(links.contains("https://other.example/status/2001"))
    // Bo's page does not show this post, because replies are off.
    #expect(links.contains("https://x.com/ada/status/2003"))
    try SiteChecks(site).checkAll()
    let feed = try site.page("feed.xml")
    #expect(feed.contains("https://ada.example/x/bo/bo-begins-here-2001/#post-2001"))
    #expect(feed.contains("https://ada.example/x/ada/links-1001/#post-1002"))
  }

  /// A conversation without visible posts of its author has no page. The build reports it, also with a cache.
  @Test func conversationWithoutItsAuthorsPostsHasNoPage() throws {
    let site = try TemporarySite()
    try site.folder.write(
      "threads:\n  - url: https://x.com/bo/status/3001\n    hide: [https://x.com/bo/status/3001]\n",
      to: "site.yml")
    try site.save(
      Self.conversation(1001, by: Self.ada, [Self.post(1001, by: Self.ada, "A thread", in: 1001)]))
    let answer = Self.post(2002, by: Self.ada, "To Bo", in: 2001, answers: 2001)
    try site.save(Self.conversation(2001, by: Self.bo, [answer]))
    try site.save(Self.conversation(3001, by: Self.bo, [Self.post(3001, by: Self.bo, "Hidden", in: 3001)]))
    for _ in 1...2 {
      let summary = try site.build()
      #expect(summary.threads == 1)
      #expect(summary.excluded == 0)
      #expect(summary.empty == ["x/bo/2001.json", "x/bo/3001.json"])
    }
    #expect(try site.tree().keys.allSatisfy { !$0.hasPrefix("x/bo") })
  }

  /// If a source does not state a post's conversation, the threads of its author are searched.
  @Test func findsPostsWithoutAKnownConversation() throws {
    let site = try TemporarySite()
    try site.folder.write(
      "base_url: https://ada.example/\nthreads:\n  - url: https://x.com/cy/status/4001\n    draft: true\n",
      to: "site.yml")
    let cy = Author(id: AuthorID("13", on: .x), handle: "cy", name: "Cy")
    let parts = [
      ("@bo", TextEntity.Kind.mention(handle: "bo", url: "https://x.com/bo")),
      ("@cy", .mention(handle: "cy", url: "https://x.com/cy")),
      ("@di", .mention(handle: "di", url: "https://x.com/di")),
      ("a", .link(url: "https://x.com/bo/status/2002", short: nil)),
      ("b", .link(url: "https://x.com/i/web/status/5002", short: nil)),
      ("c", .link(url: "https://x.com/cy/status/4001", short: nil)),
    ]
    var text = ""
    var entities: [TextEntity] = []
    for (word, kind) in parts {
      entities.append(TextEntity(text.count..<text.count + word.count, kind))
      text += word + " "
    }
    var first = Self.post(1001, by: Self.ada, "Links", in: 1001)
    var second = Self.post(1002, by: Self.ada, "", in: 1001, answers: 1001)
    second.text = InlineText(text, entities: entities)
    first.quotes = PostID("2002", on: .x)
    // Ada's own post, which is in another file.
    second.quotes = PostID("5002", on: .x)
    var quoted = Self.post(2002, by: Self.bo, "Quoted", in: 2001, answers: 2001)
    quoted.conversationID = nil
    try site.save(Self.conversation(1001, by: Self.ada, [first, second], related: [quoted]))
    try site.save(
      Self.conversation(
        2001, by: Self.bo,
        [
          Self.post(2001, by: Self.bo, "Bo begins here", in: 2001),
          Self.post(2002, by: Self.bo, "Quoted", in: 2001, answers: 2001),
        ]))
    try site.save(
      Self.conversation(
        5001, by: Self.ada,
        [
          Self.post(5001, by: Self.ada, "More", in: 5001),
          Self.post(5002, by: Self.ada, "And more", in: 5001, answers: 5001),
        ]))
    var hidden = Self.conversation(4001, by: cy, [Self.post(4001, by: cy, "Not yet", in: 4001)])
    hidden.authors = [cy]
    try site.save(hidden)
    try site.build()
    let links = try links(site)
    #expect(links.count { $0 == "../../../x/bo/bo-begins-here-2001/#post-2002" } == 2)
    #expect(links.count { $0 == "../../../x/ada/more-5001/#post-5002" } == 2)
    #expect(try !site.page("x/ada/links-1001/index.html").contains("is missing"))
    // Bo is also named in the quote.
    #expect(links.count { $0 == "../../../x/bo/" } == 2)
    // A draft alone gives no author page, and strangers have no page.
    #expect(links.contains("https://x.com/cy") && links.contains("https://x.com/di"))
    #expect(links.contains("https://x.com/cy/status/4001"))
    #expect(try site.page("feed.xml").contains("https://ada.example/x/bo/"))
    try SiteChecks(site).checkAll()
  }

  /// The thread's tags and author have pages here. A tag of a quoted post only links to the network.
  @Test func tagsAndAuthorLinkWithinTheSite() throws {
    func tagged(_ post: Post, _ tag: String) -> Post {
      var post = post
      let start = post.text.text.unicodeScalars.count + 1
      post.text = InlineText(
        post.text.text + " #" + tag,
        entities: [
          TextEntity(
            start..<start + tag.count + 1,
            .hashtag(tag: tag, url: "https://x.com/hashtag/\(tag)"))
        ])
      return post
    }
    let site = try TemporarySite()
    try site.folder.write("base_url: https://ada.example/\n", to: "site.yml")
    var first = tagged(Self.post(1001, by: Self.ada, "The wheels are turning. And how", in: 1001), "Engines")
    first.quotes = PostID("9001", on: .x)
    let quoted = tagged(Self.post(9001, by: Self.bo, "They do", in: 9001), "Theirs")
    try site.save(Self.conversation(1001, by: Self.ada, [first], related: [quoted]))
    try site.build()
    let page = try site.page("x/ada/the-wheels-are-turning-1001/index.html")
    #expect(page.contains("<a href=\"../../../tags/engines/\">#Engines</a>"))
    #expect(page.contains("<strong><a href=\"../../../x/ada/\">Ada</a></strong>"))
    #expect(page.contains("https://x.com/hashtag/Theirs") && !page.contains("https://x.com/hashtag/Engines"))
    let feed = try site.page("feed.xml")
    #expect(feed.contains("https://ada.example/tags/engines/"))
    try SiteChecks(site).checkAll()
  }

  @Test func linksToShownReplies() throws {
    let site = try site(
      "sources: ['https://x.com/ada/status/1001', { account: 'https://x.com/Bo', replies: true }]\n")
    #expect(try links(site).contains("../../../x/bo/bo-begins-here-2001/#post-2003"))
    #expect(
      try site.page("x/bo/bo-begins-here-2001/index.html").contains(
        "<article class=\"reply\" id=\"post-2003\">"))
  }

  @Test func linksToTheNetworkForPostsOutsideTheSite() throws {
    let listed = try site(
      """
      include: listed
      threads:
        - https://x.com/ada/status/1001
        - { url: 'https://x.com/bo/status/2001', draft: true }
      """)
    let links = try links(listed)
    #expect(links.contains("https://twitter.com/bo/status/2001?s=20"))
    #expect(links.contains("https://mobile.x.com/i/status/3001"))
    #expect(!links.contains { $0.contains("/x/bo/") })
    try listed.build(drafts: true)
    #expect(try self.links(listed).contains { $0.contains("/x/bo/bo-begins-here-2001/#post-2001") })
  }

  @Test func linksFollowTitlesAndRecordedURLs() throws {
    let site = try site(
      """
      threads:
        - https://x.com/ada/status/1001
        - { url: 'https://x.com/bo/status/2002', title: A title, hide: ['https://x.com/bo/status/2001'] }
      """)
    // The first post is hidden, so the link goes to its page.
    #expect(try links(site).contains("../../../x/bo/a-title-2001/"))
  }

  @Test func outputIsIndependentOfTheNumberOfWorkers() throws {
    #expect(try site(jobs: 1).tree() == site(jobs: 4).tree())
  }

  @Test func showsRepliesIfConfigured() throws {
    let site = try site(
      """
      threads:
        - { url: 'https://x.com/bo/status/2001', replies: true }
        - https://x.com/bo/status/3001
      """)
    let page = try site.page("x/bo/bo-begins-here-2001/index.html")
    #expect(page.contains("<section class=\"replies\">"))
    #expect(page.contains(">A reply<"))
    #expect(try !site.page("feed.xml").contains("class=\"replies\""))
    try SiteChecks(site).checkAll()
  }

  @Test func authorPageShowsTheLatestObservation() throws {
    let site = try TemporarySite()
    var observations: [Conversation] = []
    for (number, seen) in [300, 900, 600].enumerated() {
      var ada = Self.ada
      ada.name = "Ada \(seen)"
      ada.bio = InlineText("Bio of \(seen)")
      ada.joinedAt = Timestamp(iso8601: "2009-06-01T00:00:00Z")
      ada.followers = seen
      ada.observedAt = Timestamp(seconds: 1_600_000_000 + Int64(seen))
      let id = 1001 + number * 10
      var conversation = Self.conversation(id, by: ada, [Self.post(id, by: ada, "Thread \(number)", in: id)])
      conversation.authors = [ada]
      observations.append(conversation)
    }
    for conversation in observations { try site.save(conversation) }
    try site.build()
    let page = try site.page("x/ada/index.html")
    #expect(page.contains("<h1 class=\"p-name\" dir=\"auto\">Ada 900</h1>"))
    #expect(page.contains("Bio of 900") && !page.contains("Bio of 600"))
    #expect(page.contains("<b>900</b> followers") && page.contains("June 2009"))

    var profile = Profile(
      author: Self.ada, followers: [Self.bo], observedAt: Timestamp(seconds: 1_700_000_000))
    profile.author.bio = InlineText("Bio of the profile")
    try ThreadStore(folder: site.path + "/threads").save(profile)
    try site.build()
    let later = try site.page("x/ada/index.html")
    #expect(
      later.contains("Bio of the profile") && later.contains("Some followers") && later.contains(">Bo<"))
    // Values that the profile lacks come from the threads.
    #expect(later.contains("<b>900</b> followers"))
    try SiteChecks(site).checkAll()
  }
}
