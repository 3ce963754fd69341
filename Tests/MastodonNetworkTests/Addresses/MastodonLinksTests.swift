import MastodonNetwork
import TestSupport
import Testing
import ThreadModel

@Suite struct MastodonLinksTests {
  private let links = MastodonLinks()
  private let post = PostID("109348684215482921", by: "social.example:3000", on: .mastodon)

  @Test func aServerAndAHandleAreNeededForAURL() {
    #expect(links.url(of: PostID("1", on: .mastodon), handle: "ada") == nil)
    #expect(links.url(of: post, handle: nil) == nil)
    #expect(links.url(of: post, handle: "ada") == "https://social.example:3000/@ada/109348684215482921")
  }

  @Test func handlesOfOtherServersKeepTheirServer() {
    #expect(
      links.url(of: post, handle: "ada@social.example:3000")
        == "https://social.example:3000/@ada/109348684215482921")
    #expect(
      links.url(of: post, handle: "bob@other.example")
        == "https://social.example:3000/@bob@other.example/109348684215482921")
  }

  @Test func hostileServersAndHandlesHaveNoURL() {
    #expect(links.url(of: PostID("1", by: "evil.example#", on: .mastodon), handle: "ada") == nil)
    #expect(links.url(of: PostID("1", by: "social.example", on: .mastodon), handle: "../ada") == nil)
  }
}
