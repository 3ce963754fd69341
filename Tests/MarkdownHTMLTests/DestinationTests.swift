import MarkdownHTML
import Testing

/// The destinations that stay links in a document that is read without its site.
struct DestinationTests {
  private func withoutSite(_ markdown: String) throws -> String {
    var options = HTMLOptions()
    options.standsAlone = true
    return try html(markdown, options)
  }

  @Test(arguments: [
    "https://a.example/", "http://a.example", "HTTPS://a.example/x?y#z", "mailto:ada@a.example",
    "https://a.example?b:c",
  ])
  func keepsURLsWithAScheme(destination: String) throws {
    #expect(try withoutSite("[words](\(destination))").contains("<a href=\"\(destination)\""))
  }

  // A colon after a slash, a question mark or a hash is part of a path, a query or a fragment (RFC 3986, 4.2).
  @Test(arguments: [
    "page.html", "../page.html", "/page.html", "#note", "?page=2", "//a.example/x", "/a:b", "?a:b", "#a:b",
    "./a:b", "",
  ])
  func replacesRelativeURLsByTheirText(destination: String) throws {
    #expect(try withoutSite("[words](\(destination))") == "<p>words</p>\n")
  }

  @Test(arguments: ["picture.jpg", "https://a.example/picture.jpg"])
  func replacesImagesByTheirText(destination: String) throws {
    #expect(try withoutSite("A ![wheel](\(destination)).") == "<p>A wheel.</p>\n")
  }

  @Test(arguments: ["page.html", "/a:b", "?a:b", "#a:b"])
  func keepsRelativeURLsOnASite(destination: String) throws {
    #expect(try html("[words](\(destination))") == "<p><a href=\"\(destination)\">words</a></p>\n")
  }
}
