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

  @Test func hostileIDsHaveNoAddress() {
    #expect(PostID("20/../../x", on: .x).address(handle: nil) == nil)
    #expect(PostID("20\"onclick", on: .x).address(handle: nil) == nil)
    #expect(PostID("3k", on: .bluesky).address(handle: "a/b?c") == nil)
  }
}
