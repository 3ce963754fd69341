import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Content that a source names without giving it, and codes of networks. Pages show both in the site's words.
@Suite struct UnavailableContentTests {
  private static let ada = Author(
    id: AuthorID("did:plc:ada", on: .bluesky), handle: "ada.example", name: "Ada")

  private func site(_ post: Post, _ author: Author, language: String) throws -> TemporarySite {
    let site = try TemporarySite()
    try site.folder.write("language: \(language)\n", to: "site.yml")
    var conversation = Conversation(id: post.id, authorID: author.id)
    conversation.authors = [author]
    conversation.posts = [post]
    try site.save(conversation)
    try site.build()
    return site
  }

  private func thread(of site: TemporarySite) throws -> (path: String, html: String) {
    let path = try #require(
      try site.tree().keys.first { $0.hasSuffix("/index.html") && $0.split(separator: "/").count == 4 })
    return (path, try site.page(path))
  }

  @Test(arguments: [
    ("en", "The poll of this post is not available here; X may still show it."),
    ("ja", "この投稿のアンケートはここでは表示できません。Xではまだ見られるかもしれません。"),
  ])
  func pollWithoutDataLeavesANote(language: String, note: String) throws {
    let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
    var post = Post(id: PostID("1001", on: .x), authorID: ada.id, text: InlineText("Which clock?"))
    post.extra = ["poll_ids": ["9"]]
    #expect(post.lacksPoll)
    #expect(try thread(of: site(post, ada, language: language)).html.contains(note))
    post.poll = Poll(
      options: [PollOption("Sun", votes: 1), PollOption("Sand", votes: 2)], status: .closed, endsAt: nil)
    #expect(!post.lacksPoll)
    #expect(try !thread(of: site(post, ada, language: language)).html.contains(note))
  }

  /// A post in another language than its thread: its poll has the post's language, and the site's words have
  /// the site's.
  @Test func pollHasTheLanguageOfItsPost() throws {
    let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
    let site = try TemporarySite()
    var conversation = Conversation(id: PostID("1001", on: .x), authorID: ada.id)
    conversation.authors = [ada]
    for (number, language) in ["en", "en", "de"].enumerated() {
      var post = Post(
        id: PostID("\(1001 + number)", on: .x), authorID: ada.id, text: InlineText("Text \(number)"))
      post.language = language
      post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number))
      if number > 0 { post.inReplyTo = PostID("\(1000 + number)", on: .x) }
      post.poll = Poll(
        options: [PollOption("Eins", votes: 1), PollOption("Zwei", votes: 2)], status: .closed, endsAt: nil)
      conversation.posts.append(post)
    }
    try site.save(conversation)
    try site.build()
    let page = try thread(of: site).html
    #expect(page.matches(of: #/<(div|section) class="poll"/#).count == 3)
    #expect(page.matches(of: #/<(div|section) class="poll" lang="de"/#).count == 1)
    #expect(page.matches(of: #/<p lang="en">3 votes/#).count == 1, "\(page)")
  }

  @Test(arguments: [
    ("en", "Flagged by Bluesky&#39;s moderators", "Content warning: Adult content, Graphic images, spam"),
    (
      "de", "Von der Moderation von Bluesky gekennzeichnet",
      "Inhaltswarnung: Inhalte für Erwachsene, Verstörende Bilder, spam"
    ),
  ])
  func warningsUseTheSitesWords(language: String, flagged: String, named: String) throws {
    var post = Post(
      id: PostID("3kaaaaaaaaa2a", by: "did:plc:ada", on: .bluesky), authorID: Self.ada.id,
      text: InlineText("Hello, whoever reads this."))
    post.warnings = [.moderation]
    let page = try thread(of: site(post, Self.ada, language: language)).html
    let words = flagged.replacing("&#39;", with: "'")
    #expect(page.contains("<title>\(flagged)") || page.contains("<title>\(words)"), "\(page.prefix(600))")
    post.warnings = [.porn, "gore", "spam"]
    #expect(try thread(of: site(post, Self.ada, language: language)).html.contains(named))
    // The author's own words come first.
    post.contentWarning = "Spiders"
    let own = try thread(of: site(post, Self.ada, language: language)).html
    #expect(own.contains("Spiders") && !own.contains(named))
  }
}
