import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite("X's URLs for posts and photos")
struct XLinksTests {
  @Test func givesIntentURLs() {
    let actions = XLinks().actions(for: PostID("1001", on: .x))
    #expect(actions?.like == "https://x.com/intent/like?tweet_id=1001")
    #expect(actions?.repost == "https://x.com/intent/retweet?tweet_id=1001")
    #expect(actions?.reply == "https://x.com/intent/post?in_reply_to=1001")
  }

  /// The ids contain times before and after the move to x.com, and no time.
  @Test(arguments: [
    ("1346889436626259968", "https://twitter.com/ada/status/1346889436626259968", "2021-01-06T18:40:40Z"),
    ("1900000000000000000", "https://x.com/ada/status/1900000000000000000", "2025-03-13T01:44:34Z"),
    ("1001", "https://twitter.com/ada/status/1001", nil),
  ])
  func archivesHavePostsUnderTheirFormerDomain(id: String, url: String, time: String?) {
    let post = XLinks().archived(PostID(id, on: .x), handle: "ada")
    #expect(post?.url == url)
    #expect(post?.time?.iso8601 == time)
    #expect(XLinks().archived(PostID("1/../2", on: .x), handle: "ada") == nil)
    #expect(
      XLinks().archived(PostID("1001", on: .x), handle: "a/b")?.url == "https://twitter.com/i/status/1001")
  }

  @Test(arguments: [
    PostID("3k", on: .bluesky), PostID("1", on: .mastodon), PostID("1&x=", on: .x), PostID("", on: .x),
  ])
  func postsOfOtherNetworksHaveNoURLs(post: PostID) { #expect(XLinks().actions(for: post) == nil) }
}
