import Basics
import NetworkSources
import Testing
import ThreadModel

/// The targets of links, and the pages of their cards.
@Suite struct XLinkTests {
  /// Pages to which X's crawler was redirected, each with the URL that the author gave.
  static let diversions: [(expanded: String, unwound: String)] = [
    (
      "https://www.instagram.example/p/AbCdEfG/",
      "https://www.instagram.example/accounts/login/?next=/p/AbCdEfG/"
    ),
    (
      "https://paper.example/2021/05/01/story.html",
      "https://myaccount.paper.example/auth/login?response_type=cookie"
    ),
    ("https://docs.example/document/d/1", "https://accounts.docs.example/v3/identifier?continue=x"),
    (
      "https://work.example/posts/ada",
      "https://work.example/authwall?trk=x&sessionRedirect=https%3A%2F%2Fwork.example%2Fposts%2Fada"
    ),
    (
      "https://video.example/watch?v=1",
      "https://consent.video.example/m?gl=DE&continue=https%3A%2F%2Fvideo.example%2Fwatch%3Fv%3D1"
    ),
    ("https://news.example/world/2021", "https://news.example/gdpr-consent/?next_url=x"),
    ("https://news.example/world/2021", "https://news.example/tosv2.html?url=L3&back=%2Fworld%2F2021%2F"),
    ("https://short.example/xyz", "https://shop.example/Sign-In?x=1"),
    ("https://old.example/a", "https://old.example/uas/login.php"),
  ]

  static let pages: [(expanded: String, unwound: String)] = [
    ("https://short.example/xyz", "https://page.example/a/long/story?utm_source=x"),
    ("http://page.example", "https://www.page.example/"),
    ("https://page.example/a", "https://page.example/a?source=login"),
    ("https://page.example/login", "https://page.example/login/"),
    ("https://page.example/logins-explained", "https://page.example/2021/logins-explained"),
    ("https://short.example/xyz", "https://code.example/org/auth-library"),
    ("https://page.example/", "https://page.example/?next=/"),
  ]

  private func post(_ expanded: String, _ unwound: String) throws -> Post {
    let text = "see https://t.co/1"
    let entity = Answers.url(
      "https://t.co/1", in: text, to: expanded,
      ["unwound_url": .string(unwound), "status": 200, "title": "Title", "description": "words"])
    return try #require(try Answers.post(["text": .string(text), "entities": ["urls": [entity]]]))
  }

  @Test(arguments: diversions) func linksLeadToTheURLOfTheAuthor(expanded: String, unwound: String) throws {
    let post = try post(expanded, unwound)
    #expect(post.text.entities.map(\.kind) == [.link(url: expanded, short: "https://t.co/1")])
    #expect(post.card == nil, "the card belongs to a login page")
  }

  @Test(arguments: pages) func foundPageHasItsCard(expanded: String, unwound: String) throws {
    let post = try post(expanded, unwound)
    #expect(post.text.entities.map(\.kind) == [.link(url: expanded, short: "https://t.co/1")])
    #expect(post.card?.title == "Title" && post.card?.url == unwound)
  }

  @Test func websiteOfAProfileIsTheURLOfItsAuthor() throws {
    let conversations = try Answers.conversations(
      #"""
      {"data":[{"id":"1","author_id":"7","text":"a"}],"includes":{"users":[{"id":"7","username":"ada","url":"https://t.co/s",
      "entities":{"url":{"urls":[{"url":"https://t.co/s","expanded_url":"https://ada.example","unwound_url":"https://ada.example/login"}]}}}]}}
      """#)
    #expect(conversations.first?.author?.website == "https://ada.example")
  }
}
