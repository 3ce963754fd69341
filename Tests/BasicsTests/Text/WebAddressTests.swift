import Basics
import Testing

@Suite("Untrusted URLs")
struct WebAddressTests {
  @Test(
    "Absolute http, https and mailto addresses are safe",
    arguments: [
      "https://example.org", "HTTP://EXAMPLE.ORG/a?b=c#d", "mailto:ada@example.org",
      "hTtPs://münchen.example/ü",
      "https://example.org/(a)'\"", "https://[::1]:8080/", "https://user:word@example.org/",
    ])
  func acceptsSafeURLs(_ url: String) {
    #expect(WebAddress.isSafe(url))
    #expect(WebAddress.safe(url) == url)
  }

  @Test(
    "Everything else is not",
    arguments: [
      "", ":", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "java\tscript:alert(1)",
      " https://example.org", "https://example.org/a b", "\u{1}javascript:alert(1)", "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd", "/relative", "relative", "//example.org/", "#fragment", "http:",
      "http:example.org",
      "https:/example.org", "https://", "https:///path", "https://@/", "https://:80/", "mailto:",
      "https:\\\\example.org",
      "https://exa\u{85}mple.org", "https://example.org/\u{7F}", "https\u{0}://example.org",
      "ｈttps://example.org",
    ])
  func rejectsUnsafeURLs(_ url: String) {
    #expect(!WebAddress.isSafe(url))
    #expect(WebAddress.safe(url) == nil)
  }

  @Test(
    "The host is what a browser takes for it",
    arguments: [
      ("https://Example.ORG", "example.org"),
      ("https://example.org:8080/a", "example.org"),
      ("https://user:word@example.org/@other.example", "example.org"),
      ("https://good.example@evil.example/", "evil.example"),
      ("https://evil.example\\@good.example/", "evil.example"),
      ("https://example.org?@other.example", "example.org"),
      ("https://example.org#@other.example", "example.org"),
      ("https://[2001:DB8::1]:443/", "[2001:db8::1]"),
      ("mailto:ada@example.org", nil),
      ("ftp://example.org/", nil),
    ] as [(String, String?)])
  func findsTheHost(url: String, expected: String?) {
    #expect(WebAddress.host(of: url) == expected)
  }
}
