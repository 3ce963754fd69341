import SiteConfig
import Testing

@Suite struct StarterTests {
  @Test(arguments: [
    "Threads by Ada", "yes", "2024", "A \"quoted\" title", "back\\slash", "# not a comment", "*star* & !tag",
    "a: b",
    "糸 🧵 خيط", "- item", "'",
  ])
  func decodesToTheExpectedConfiguration(_ title: String) throws {
    let result = try SiteConfig.decode(yaml: SiteConfig.starter(title: title), file: "site.yml")
    var expected = SiteConfig()
    expected.title = title
    #expect(result.config == expected)
    #expect(result.warnings == [])
  }

  @Test func replacesControlsByBlanks() throws {
    let yaml = SiteConfig.starter(title: "one\ntwo\u{7}\u{2028}three\u{FEFF}")
    #expect(try SiteConfig.decode(yaml: yaml, file: "site.yml").config.title == "one two  three")
  }

  /// Commented lines must be valid after a user removes the comment signs.
  @Test func commentsAlsoDecode() throws {
    let yaml = SiteConfig.starter(title: "Threads").split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        let isKey = line.hasPrefix("#   ") || line.firstMatch(of: /^# [a-z_]+:( |$)/) != nil
        return isKey ? String(line.dropFirst(2)) : String(line)
      }
      .joined(separator: "\n")
    let result = try SiteConfig.decode(yaml: yaml, file: "site.yml")
    #expect(result.config.sources.count == 2 && result.config.threads.count == 1)
    #expect(result.config.author?.name == "Ada")
    #expect(result.config.baseURL?.description == "https://example.org/threads/")
    #expect(result.config.description != nil)
    #expect(result.warnings == [])
  }
}
