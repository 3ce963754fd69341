import SiteOutput
import Testing

@Suite struct SitePathTests {
  @Test(arguments: [("", "index.html"), ("x/ada/", "x/ada/index.html"), ("feed.xml", "feed.xml")])
  func pathsHaveFiles(path: String, file: String) {
    #expect(SitePath(path).file == file)
  }

  @Test func urlTextEscapesOnlyWhatNeedsIt() {
    #expect(SitePath("x/ada_1~f/a-b.c/").urlText == "x/ada_1~f/a-b.c/")
    #expect(SitePath("出汁/ü/").urlText == "%E5%87%BA%E6%B1%81/%C3%BC/")
    #expect(SitePath("a b?c#d%e\"<>&'\n/").urlText == "a%20b%3Fc%23d%25e%22%3C%3E%26%27%0A/")
    // A first component with a colon would be read as a scheme.
    #expect(SitePath("javascript:alert(1)/").urlText == "javascript%3Aalert%281%29/")
  }

  /// A mark and the slash before it are one Character.
  @Test(arguments: ["x/\u{3099}a/", "x/\u{0E31}/", "x/\u{0600}/"])
  func slashesAreBytes(path: String) {
    #expect(SitePath(path).file.utf8.elementsEqual((path + "index.html").utf8))
    #expect(SitePath(path).depth == 2)
  }

  @Test func pathsThatLookTheSameAreDifferent() {
    #expect(SitePath("x/\u{E9}/") != SitePath("x/e\u{301}/"))
    #expect(Set([SitePath("x/\u{E9}/"), SitePath("x/e\u{301}/")]).count == 2)
  }

  @Test func orderIsByBytes() {
    #expect(SitePath("B") < SitePath("a"))
    #expect(SitePath("z") < SitePath("é"))
    #expect(!(SitePath("a") < SitePath("a")))
  }

  @Test(arguments: [("", "./"), ("feed.xml", "./"), ("tags/", "../"), ("x/ada/t-1/", "../../../")])
  func linksAreRelative(path: String, prefix: String) {
    let links = LinkRoot(from: SitePath(path))
    #expect(links.prefix == prefix)
    #expect(links.href("tags/日/") == prefix + "tags/%E6%97%A5/")
    #expect(links.href(.top) == prefix)
  }

  @Test func linksOfThe404PageBeginAtTheRootOfTheServer() throws {
    #expect(LinkRoot(absolute: "/threads/").href("tags/") == "/threads/tags/")
  }
}
