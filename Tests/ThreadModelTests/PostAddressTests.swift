import Testing
import ThreadModel

@Suite struct PostAddressTests {
  @Test func networksShowPostsByTheirIDs() {
    #expect(PostID("20", on: .x).address(handle: nil) == "https://x.com/i/status/20")
    #expect(PostID("20", on: .x).address(handle: "ada") == "https://x.com/i/status/20")
    #expect(
      PostID("3k43tv4rft22g", on: .bluesky).address(handle: "ada.example")
        == "https://bsky.app/profile/ada.example/post/3k43tv4rft22g")
    #expect(PostID("3k43tv4rft22g", on: .bluesky).address(handle: nil) == nil)
    #expect(PostID("1", on: .mastodon).address(handle: "ada") == nil)
  }

  @Test func authoritiesAreEnoughForAURL() {
    let key = PostID("3k43tv4rft22g", by: "did:plc:ewvi7nxzyoun6zhxrhs64oiz", on: .bluesky)
    let address = "https://bsky.app/profile/did:plc:ewvi7nxzyoun6zhxrhs64oiz/post/3k43tv4rft22g"
    #expect(key.address(handle: nil) == address)
    // A handle may belong to another account tomorrow.
    #expect(key.address(handle: "ada.example") == address)
    let post = PostID("109348684215482921", by: "social.example:3000", on: .mastodon)
    #expect(post.address(handle: nil) == nil)
    #expect(post.address(handle: "ada") == "https://social.example:3000/@ada/109348684215482921")
    #expect(
      post.address(handle: "ada@social.example:3000") == "https://social.example:3000/@ada/109348684215482921"
    )
    #expect(
      post.address(handle: "bob@other.example")
        == "https://social.example:3000/@bob@other.example/109348684215482921")
  }

  @Test func hostileIDsHaveNoURL() {
    #expect(PostID("20/../../x", on: .x).address(handle: nil) == nil)
    #expect(PostID("20\"onclick", on: .x).address(handle: nil) == nil)
    #expect(PostID("3k", on: .bluesky).address(handle: "a/b?c") == nil)
    #expect(PostID("..", on: .x).address(handle: nil) == nil)
    #expect(PostID("3k", by: "did:web:a?b", on: .bluesky).address(handle: "a.example") == nil)
    #expect(PostID("1", by: "evil.example#", on: .mastodon).address(handle: "ada") == nil)
    #expect(PostID("1", by: "social.example", on: .mastodon).address(handle: "../ada") == nil)
  }
}
