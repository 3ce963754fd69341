import SiteConfig
import Testing

/// Credentials pasted into site.yml are rejected with their line and never shown.
@Suite struct SecretTests {
  /// Invented secrets in the documented forms of their issuers, composed here so that no scanner reports this
  /// file.
  static let secrets: [String] = [
    String(repeating: "A", count: 21)
      + "MLheAAAAAAA0%2BuSeid%2BULvsea4JtiGRiSDSJSI%3DEUifiRBkKG5E2XzMDjRfl76ZC9Ub0wnz4XsNiRVBChTYbJcE3F",
    "1234567890-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z", "ghp" + "_16C7e42F292c6912E7710c838347Ae178B4a",
    "github" + "_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz", "AKIA" + "IOSFODNN7EXAMPLE",
    "glpat" + "-abcdefghij0123456789",
    "xoxb" + "-123456789012-abcdefghij", "wJalrXUtnFEMI/K7MDENG/bPxRfi" + "CYEXAMPLEKEY",
    "sk" + "_live_4eC39HqLyjWDarjtT1zdp7dc",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "abcd-2efg-hi3k-lmno",
    "-----BEGIN " + "RSA PRIVATE KEY-----", "Bearer abcdefghijklmnopqrstuvwxyz",
    "https://api.example/x?access_token=" + "abcdefghijklmnop", "qT8xZ2LmV9kRw4NcYb7HsD1fJg5Ke3Pa",
  ]

  @Test(arguments: secrets)
  func rejectsSecretsInAnyPlace(secret: String) throws {
    for (key, line) in [
      ("title: \"\(secret)\"", 2), ("title: \"About \(secret), and more\"", 2),
      ("description: >\n  A\n  \(secret)\n", 2),
      ("author:\n  name: \"\(secret)\"", 3),
      ("theme_options:\n  footer: \"\(secret)\"", 3),
      ("collections:\n  - title: \"\(secret)\"\n    slug: one\n    threads: [https://x.com/ada/status/1]", 3),
    ] {
      let yaml = "language: en\n\(key)\n"
      do {
        _ = try SiteConfig.decode(yaml: yaml, file: "site.yml")
        Issue.record("accepted: \(key)")
      } catch {
        let problem = try #require(error.problems.first)
        #expect(problem.line == line, "\(error)")
        #expect(problem.message.contains("this appears to contain "), "\(error)")
        for part in secret.split(separator: " ") where part.utf8.count > 12 {
          #expect(!error.description.contains(part), "\(error)")
        }
      }
    }
  }

  @Test(arguments: [
    "Threads", "On JavaScript, TypeScript and CoffeeScript since 2009",
    "DonaudampfschiffahrtsgesellschaftsKapitaen2024",
    "TheQuickBrownFoxJumpsOver13LazyDogs2024", "AAAAAAAAAAAAAAAAAAAAAAAH!", "https://youtu.be/dQw4w9WgXcQ",
    "https://docs.example/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
    "some-time-long-gone",
    "3f786850e387550fdab836ed7e6dc881de23001b", "550E8400-E29B-41D4-A716-446655440000",
    "did:plc:ewvi7nxzyoun6zhxrhs64oiz",
    "the bearer of good news", "Token Ring, 1984-1995", "出汁は難しい2024ABCdef",
  ])
  func acceptsWordsThatLookSimilar(text: String) throws {
    #expect(try SiteConfig.decode(yaml: "title: \"\(text)\"", file: "site.yml").config.title == text)
  }

  @Test(arguments: ["a\\u202Eb", "\\u2066a", "a\\u2069", "\\u202Ba\\u2069"])
  func rejectsAnUnterminatedDirection(text: String) {
    #expect(throws: SiteConfigError.self) {
      try SiteConfig.decode(yaml: "title: \"\(text)\"", file: "site.yml")
    }
  }

  @Test func acceptsATerminatedDirection() throws {
    let title = "a \u{2067}b\u{2069} c"
    #expect(try SiteConfig.decode(yaml: "title: \"\(title)\"", file: "site.yml").config.title == title)
  }
}
