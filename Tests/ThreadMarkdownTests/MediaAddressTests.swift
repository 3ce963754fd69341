import Testing

@testable import ThreadMarkdown

/// The external URLs from which a page may load media: those that a policy can name without adding to it.
struct MediaAddressTests {
  @Test(arguments: [
    ("https://a.example/1.jpg", "a.example"), ("HTTPS://A.Example:8443/1.jpg", "a.example:8443"),
    ("https://a-b.example:1", "a-b.example:1"), ("https://a.example?x", "a.example"),
  ])
  func acceptsHostsOfAPolicy(url: String, host: String) {
    #expect(MediaAddress(external: url)?.host == host)
  }

  @Test(arguments: [
    "http://a.example/1.jpg", "https:///1.jpg", "https://:80/1.jpg", "https://a_b.example:80/1.jpg",
    "https://a;b:80/1.jpg",
    "https://a.example:/1.jpg", "https://a.example:123456/1.jpg", "https://a.example:8o/1.jpg",
    "https://a.example:1:2/1.jpg",
    "https://ada@a.example/1.jpg", "https://*.example/1.jpg", "/1.jpg",
  ])
  func rejectsInvalidHosts(url: String) {
    #expect(MediaAddress(external: url) == nil)
  }
}
