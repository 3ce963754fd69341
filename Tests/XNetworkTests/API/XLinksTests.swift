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

  @Test(arguments: [
    PostID("3k", on: .bluesky), PostID("1", on: .mastodon), PostID("1&x=", on: .x), PostID("", on: .x),
  ])
  func postsOfOtherNetworksHaveNoURLs(post: PostID) { #expect(XLinks().actions(for: post) == nil) }
}
