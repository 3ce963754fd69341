import SiteConfig
import SiteOutput
import Testing

/// The pages that URLs of strangers mean.
@Suite struct RequestedPathTests {
  @Test(arguments: [
    ("https://a.example/below/x/ada/t-1/", "x/ada/t-1/"),
    ("http://A.example:80/below/x/ada/t-1", "x/ada/t-1/"),
    ("https://a.example:443/below/x/ada/t-1/index.html?utm=1#post-2", "x/ada/t-1/"),
    ("https://a.example/below/x/ada/%C3%A9-1/", "x/ada/é-1/"), ("https://a.example/below", ""),
    ("https://a.example/below/old.html", "old.html"),
  ])
  func findsThePage(_ url: String, _ path: String) throws {
    #expect(try SitePath(ofURL: url, on: SiteURL("https://a.example/below/"))?.text == path)
  }

  @Test(arguments: [
    "https://a.example/", "https://a.example/belowx/", "https://b.example/below/",
    "https://a.example:8080/below/",
    "https://a.example@b.example/below/", "ftp://a.example/below/", "/below/x/", "",
  ])
  func ignoresOtherSites(_ url: String) throws {
    #expect(try SitePath(ofURL: url, on: SiteURL("https://a.example/below/")) == nil)
  }
}
