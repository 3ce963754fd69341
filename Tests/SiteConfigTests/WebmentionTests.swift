import SiteConfig
import TestSupport
import Testing
import ThreadModel

/// The section `webmention` of site.yml.
@Suite struct WebmentionSectionTests {
  private func decode(_ section: String, base: String = "base_url: https://a.example/\n") throws -> SiteConfig
  {
    try SiteConfig.decode(yaml: base + "webmention:\n" + section, file: "site.yml").config
  }

  private func error(_ section: String, base: String = "base_url: https://a.example/\n") -> String {
    do {
      let settings = try decode(section, base: base)
      return "accepted: \(settings.webmention)"
    } catch {
      return "\(error)"
    }
  }

  @Test func readsAllKeys() throws {
    let settings = try decode(
      """
        endpoint: https://webmention.io/a.example/webmention
        inbox: https://webmention.io/api/mentions.jf2?domain=a.example
        token_env: INBOX_TOKEN
        token_file: /home/ada/.token
        block: [spam.example, "https://social.example/@bo/"]
        followable_by: bridgy-fed
      """
    ).webmention
    #expect(settings.endpoint?.description == "https://webmention.io/a.example/webmention")
    #expect(
      try settings.inbox == .api(WebURL("https://webmention.io/api/mentions.jf2?domain=a.example")))
    #expect(settings.tokenEnv == "INBOX_TOKEN" && settings.tokenFile == "/home/ada/.token")
    #expect(settings.block.count == 2 && settings.followableBy == .bridgyFed && !settings.usesThisMachine)
    #expect(try decode("  inbox: saved/mentions.json\n").webmention.inbox == .file("saved/mentions.json"))
    #expect(try decode("  inbox: http://127.0.0.1:8000/api\n").webmention.usesThisMachine)
  }

  @Test(arguments: [
    ("  inbox: http://a.example/api\n", "must begin with https://"),
    ("  inbox: https://a.example/api#x\n", "without \"#\""),
    ("  inbox: javascript://a.example/%0aalert(1)\n", "begins with https:// or http://"),
    ("  endpoint: /webmention\n", "is not a URL"),
    ("  followable_by: someone\n", "expected bridgy-fed"),
    ("  block: [\"a b\"]\n", "expected a host such as spam.example"),
    ("  block: [spam.example/bo]\n", "did you mean \"https://spam.example/bo\"?"),
  ])
  func rejectsOtherValues(_ section: String, _ message: String) {
    let text = error(section)
    #expect(text.contains(message), "\(text)")
  }

  @Test func needsTheURLOfTheSite() {
    #expect(error("  inbox: a.json\n", base: "").contains("webmention.inbox needs base_url"))
    let inFolder = "base_url: https://a.example/threads/\n"
    #expect(error("  followable_by: bridgy-fed\n", base: inFolder).contains("base_url without a path"))
    #expect(error("  followable_by: bridgy-fed\n", base: "").contains("base_url without a path"))
    // Only the invalid URL is reported.
    #expect(!error("  inbox: a.json\n", base: "base_url: nowhere\n").contains("needs base_url"))
  }

  @Test func tokensAreRejectedAndMasked() {
    let token = "Q7xk29VbLmZ04tRyUe8wNc"
    for section in [
      "  token_env: \(token)aB3\n", "  token: \(token)\n",
      "  inbox: https://webmention.io/api/mentions.jf2?domain=a.example&token=\(token)\n",
    ] {
      let text = error(section)
      #expect(!text.contains(token) && !text.hasPrefix("accepted"), "\(text)")
    }
  }

  @Test(arguments: [
    ("spam.example", "https://spam.example/a", true), ("spam.example", "http://www.Spam.example", true),
    ("spam.example", "https://notspam.example/", false),
    ("https://spam.example/", "https://a.spam.example/", true),
    ("https://social.example/@bo", "https://social.example/@bo/123", true),
    ("https://social.example/@bo", "https://social.example/@Bo?x", true),
    ("https://social.example/@bo", "https://social.example/@bob", false),
    ("https://social.example/@bo", "https://other.example/@bo", false),
  ])
  func placeHoldsItsPages(_ place: String, _ url: String, _ expected: Bool) throws {
    #expect(try WebPlace(place).holds(url) == expected)
  }
}
