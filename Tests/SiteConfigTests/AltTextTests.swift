import SiteConfig
import Testing

@Suite struct AltTextTests {
  /// An id and a URL may be the same post.
  @Test func rejectsTwoAltTextsForOnePost() {
    let yaml = "threads:\n  - url: 1\n    alt:\n      1: one\n      https://x.com/ada/status/1: two\n"
    let error = #expect(throws: SiteConfigError.self) { try SiteConfig.decode(yaml: yaml, file: "site.yml") }
    #expect(error?.problems.map(\.line) == [5])
    #expect(error?.description.contains("there is an alt text for this post before") == true)
  }
}
