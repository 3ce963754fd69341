import SiteConfig
import Testing

@Suite struct SharedTextTests {
  private func address(in text: String) throws -> String {
    try SharedText(text).post(.networks).address
  }

  @Test(arguments: [
    "look at this https://x.com/ada/status/123?s=20",
    "https://x.com/ada/status/123?s=20&t=abc\n",
    "“What a thread.” — Ada (@ada) https://twitter.com/ada/status/123.",
    "### Thread\n\nhttps://x.com/ada/status/123\n\n### Remarks\n\n_No response_",
    "[a thread](https://x.com/ada/status/123), read it!", "<https://x.com/ada/status/123>",
    "x.com/ada/status/123", "see mobile.x.com/ada/status/123, and/or not",
    "日本語https://x.com/ada/status/123。続き", "url:https://x.com/ada/status/123",
    "https://x.com/ada/status/123 and once more https://twitter.com/ada/status/123/photo/1",
    "https://example.com/an/article quoted by https://x.com/ada/status/123",
    "$(touch x) `touch x` \"; rm -rf / # https://x.com/ada/status/123'; touch x",
    "HTTPS://X.COM/ada/status/123", "**https://x.com/ada/status/123**",
  ])
  func findsTheURL(_ text: String) throws {
    #expect(try address(in: text) == "https://x.com/ada/status/123")
  }

  @Test func findsURLsOfEveryNetwork() throws {
    #expect(
      try address(in: "Ada: https://bsky.app/profile/ada.example/post/3k43tv4rft22g (3 replies)")
        == "https://bsky.app/profile/ada.example/post/3k43tv4rft22g")
    #expect(
      try address(in: "at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.post/3k43tv4rft22g").hasSuffix(
        "/3k43tv4rft22g"))
    #expect(
      try address(in: "read https://social.example/@ada/109348684215482921?x#y.")
        == "https://social.example/@ada/109348684215482921")
  }

  /// Several URLs give a request to choose, and text that only looks like a URL gives an explanation.
  @Test(arguments: [
    ("", "no URL of a post"), ("123", "no URL of a post"), ("and/or a.b", "no URL of a post"),
    ("https://t.co/abc", "is a short link"), ("see https://x.com/ada", "is an account"),
    ("https://example.com/an/article", "is not the URL of a post"),
    ("https://x.com/ada/status/1 https://x.com/ada/status/2", "URLs of 2 posts"),
    ("javascript://x.com/ada/status/1", "no URL of a post"),
    ("https://x.com@evil.example/ada/status/1", "no URL of a post"),
    ("file:///x.com/ada/status/1", "no URL of a post"),
  ])
  func reportsTextWithoutOnePost(_ text: String, _ message: String) {
    do {
      let post = try SharedText(text).post(.networks)
      Issue.record("\(text) became \(post)")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  /// A form may send text of any length.
  @Test(.timeLimit(.minutes(20))) func timeGrowsLinearlyWithTheText() throws {
    let many = (1...15_000).map { "https://x.com/ada/status/\($0)" }.joined(separator: " ")
    #expect(throws: InvalidValue.self) { try SharedText(many).post(.networks) }
    for filler in ["a", "/", "://", ".", "%", "é", "\u{0}"] {
      let text = String(repeating: filler, count: 100_000)
      #expect(
        try address(in: text + " https://x.com/ada/status/123 " + text) == "https://x.com/ada/status/123")
    }
  }
}
