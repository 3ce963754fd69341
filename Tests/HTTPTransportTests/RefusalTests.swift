import HTTPTransport
import LoopbackServer
import Testing

@Suite struct RefusalTests {
  @Test(arguments: [
    "http://example.org/", "http://10.0.0.1/", "http://0.0.0.0/", "http://localhost.example.org/",
    "http://127.0.0.1.example.org/", "http://[::ffff:127.0.0.1]/", "ftp://127.0.0.1/", "file:///etc/passwd",
    "", "example.org", "https://", "javascript:alert(1)", "https://user@example.org/",
    "https://user:hunter2@example.org/", "https://:hunter2@example.org/", "https:/user:hunter2@example.org/",
    "https://example.org/a b", "https://example.org/a\r\nX-Evil: 1", "https://exam\tple.org/",
    "https://example.org/\u{0}", "https://example.org:99999/", "https://us\\er:hunter2@example.org",
  ])
  func rejectsInvalidURLs(url: String) async {
    let error = await failure(transport(), get(url))
    #expect(error?.kind == .refusedURL)
    #expect(error.map { "\($0) \($0.url)".contains("hunter2") } == false)
  }

  @Test(arguments: [
    ("http://127.0.0.1/", true), ("http://127.9.8.7/", true), ("http://[::1]:80/", true),
    ("http://LOCALHOST/", true), ("https://example.org/", false), ("https://EXAMPLE.org./x?y", false),
    ("https://localhost/", true), ("http://2130706433/", true),
  ])
  func acceptsValidURLs(url: String, isLoopback: Bool) throws {
    #expect(try TransferTarget(url).isLoopback == isLoopback)
  }

  @Test func resolvesRedirectsAgainstTheirPage() throws {
    let page = try TransferTarget("https://example.org/a/b?c#d")
    #expect(try page.following("e").url == "https://example.org/a/e")
    #expect(try page.following("/e?f").url == "https://example.org/e?f")
    #expect(try page.following("../../../e").url == "https://example.org/e")
    #expect(try page.following("//other.example/e").url == "https://other.example/e")
    #expect(try page.following("/übung").url.lowercased() == "https://example.org/%c3%bcbung")
  }

  @Test(arguments: [
    ("X-Bad\r\nX-Evil", "1"), ("X Bad", "1"), ("", "1"), ("X-Bad:", "1"), ("X-Bad", "1\r\nX-Evil: 1"),
    ("X-Bad", "1\n"), ("X-Bad", "a\u{0}b"), ("Authorization", "Bearer x"), ("cookie", "a=b"), ("Host", "x"),
    ("Content-Length", "1"), ("Transfer-Encoding", "chunked"),
  ])
  func rejectsInvalidHeaders(name: String, value: String) async throws {
    let server = try LoopbackServer()
    let error = await failure(transport(), get(server.url()) { $0.headers = [(name, value)] })
    #expect(error?.kind == .other)
    #expect(server.connectionCount == 0)
  }

  @Test func rejectsCredentialsWithLineBreaksWithoutPrintingThem() async throws {
    let server = try LoopbackServer()
    let error = await failure(
      transport(), get(server.url()) { $0.authorization = Secret("Bearer hunter2\r\nX-Evil: 1") })
    #expect(error?.kind == .other)
    #expect(error.map { "\($0)".contains("hunter2") } == false)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: [
    ("https://example.org/a?token=1#x", "https://example.org/a"),
    ("https://user:hunter2@example.org/a", "https://example.org/a"),
    ("https://example.org/@user/1", "https://example.org/@user/1"),
    ("user:hunter2@example.org/a", "example.org/a"),
    ("https:/user:hunter2@example.org", "https:/example.org"),
    ("https://user:hunter2/more@example.org", "https://…"),
    ("https://[::1]:80/a", "https://[::1]:80/a"), ("https://[::1]/a", "https://[::1]/a"),
    ("https://example.org/\u{1B}[31m\r\nx", "https://example.org/[31mx"),
  ])
  func errorsShowOnlySafePartsOfAURL(url: String, shown: String) {
    #expect(HTTPError(.other, "it failed", url: url).url == shown)
  }
}
