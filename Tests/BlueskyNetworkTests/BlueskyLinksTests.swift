import BlueskyNetwork
import TestSupport
import Testing
import ThreadModel

@Suite struct BlueskyLinksTests {
  private let links = BlueskyLinks()

  @Test func aHandleIsEnoughForAURL() {
    let post = PostID("3k43tv4rft22g", on: .bluesky)
    #expect(
      links.url(of: post, handle: "ada.example") == "https://bsky.app/profile/ada.example/post/3k43tv4rft22g")
    #expect(links.url(of: post, handle: nil) == nil)
  }

  /// A handle may belong to another account tomorrow.
  @Test(arguments: [nil, "ada.example"])
  func theAccountsIDComesBeforeItsHandle(handle: String?) {
    let post = PostID("3k43tv4rft22g", by: "did:plc:ewvi7nxzyoun6zhxrhs64oiz", on: .bluesky)
    #expect(
      links.url(of: post, handle: handle)
        == "https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3k43tv4rft22g")
  }

  @Test func theKeyContainsTheTimeForArchives() {
    let post = PostID("3k43tv4rft22g", by: "did:plc:ewvi7nxzyoun6zhxrhs64oiz", on: .bluesky)
    #expect(links.archived(post, handle: nil)?.url == links.url(of: post, handle: nil))
    #expect(links.archived(post, handle: nil)?.time?.iso8601.hasPrefix("2023-") == true)
    #expect(links.archived(PostID("self", by: "did:plc:a", on: .bluesky), handle: nil)?.time == nil)
  }

  @Test func hostileAccountsHaveNoURL() {
    #expect(links.url(of: PostID("3k", on: .bluesky), handle: "a/b?c") == nil)
    #expect(links.url(of: PostID("3k", by: "did:web:a?b", on: .bluesky), handle: "a.example") == nil)
    #expect(links.url(of: PostID("../x", by: "did:plc:a", on: .bluesky), handle: nil) == nil)
  }
}
