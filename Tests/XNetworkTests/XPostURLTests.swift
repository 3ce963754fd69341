import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite struct XPostURLTests {
  private let links = XLinks()

  @Test func anIDIsEnoughForAURL() {
    #expect(links.url(of: PostID("20", on: .x), handle: nil) == "https://x.com/i/status/20")
    #expect(links.url(of: PostID("20", on: .x), handle: "ada") == "https://x.com/i/status/20")
  }

  @Test func writtenURLContainsTheHandle() {
    #expect(links.writtenURL(of: PostID("20", on: .x), handle: nil) == "https://x.com/i/status/20")
    #expect(links.writtenURL(of: PostID("20", on: .x), handle: "ada") == "https://x.com/ada/status/20")
    #expect(links.writtenURL(of: PostID("20", on: .x), handle: "a/b") == "https://x.com/i/status/20")
  }

  @Test(arguments: ["20/../../x", "20\"onclick", "..", ""])
  func hostileIDsHaveNoURL(id: String) {
    #expect(links.url(of: PostID(id, on: .x), handle: nil) == nil)
    #expect(links.writtenURL(of: PostID(id, on: .x), handle: "ada") == nil)
  }

  @Test func postsOfOtherNetworksHaveNoURL() {
    #expect(links.url(of: PostID("20", on: .bluesky), handle: "ada") == nil)
  }
}
