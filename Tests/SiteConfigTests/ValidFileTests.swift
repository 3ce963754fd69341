import Foundation
import SiteConfig
import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite struct ValidFileTests {
  func decoded(_ name: String) throws -> DecodedSiteConfig {
    let folder = ProjectFolders.fixtures(of: "SiteConfigTests").appending(path: "valid")
    // Foundation's `Data(contentsOf:)` leaks its buffer if the file is empty (Swift 6.3, Linux).
    let file = try FileHandle(forReadingFrom: folder.appending(path: name))
    return try SiteConfig.decode(bytes: try file.readToEnd() ?? Data(), file: "site.yml")
  }

  @Test func decodesEveryKey() throws {
    let result = try decoded("example.yml")
    var expected = SiteConfig()
    expected.title = "Threads by Ada"
    expected.description = "What I wrote, kept."
    expected.baseURL = try SiteURL("https://ada.example/threads/")
    expected.language = "pt-BR"
    expected.timezone = "Europe/Berlin"
    expected.author = SiteConfig.Author(name: "Ada", url: try WebURL("https://ada.example/about?a=1#me"))
    expected.output = "../public"
    expected.networks[XSection.self].tokenEnv = "ADA_TOKEN"
    expected.networks[XSection.self].tokenFile = "secrets/x"
    expected.networks[XSection.self].maxCost = Decimal(125) / 10
    expected.pagination.perPage = 7
    expected.feed.entries = 0
    expected.feed.content = .summary
    expected.stripCounters = true
    expected.archivedLinks = true
    expected.media = .none
    expected.sources = try expectedSources()
    expected.include = .listed
    expected.threads = expectedThreads()
    expected.themeOptions = [
      "accent": .text("#c00"), "year": .text("2024"), "version": .text("1.0"), "wide": .flag(true),
      "quoted": .text("true"), "greeting": .text("yes"),
    ]
    #expect(result.config == expected)
    #expect(result.warnings == [])
    #expect(
      Set(result.locations.keys.filter { $0.hasPrefix("sources") || $0.hasPrefix("threads") })
        == Set(
          (0...5).map { "sources[\($0)]" } + (0...2).map { "threads[\($0)]" }
            + ["threads[2].hide[0]", "threads[2].hide[1]"]))
    #expect(result.locations["threads[2]"]?.line == 37)
    #expect(result.locations["threads[2].hide[1]"]?.line == 41)
  }

  private func expectedThreads() -> [ThreadEntry] {
    func bluesky(_ id: String) -> PostReference {
      PostReference(bluesky: id, by: "ada.example")
    }
    var entry = ThreadEntry(url: bluesky("3k43tv4rft22g"))
    entry.title = "A better title"
    entry.tags = ["compilers", "2024", "yes"]
    entry.slug = "a-better-title"
    entry.hide = [bluesky("3k43tv4rft22h"), bluesky("3k43tv4rft22i")]
    entry.isDraft = true
    entry.replies = false
    var excluded = ThreadEntry(
      url: PostReference(x: "1346889436626259971", by: "ada"))
    excluded.isExcluded = true
    return [
      ThreadEntry(url: PostReference(x: "1346889436626259968", by: "ada")), excluded,
      entry,
    ]
  }

  private func expectedSources() throws -> [ThreadSource] {
    var withReplies = ThreadSource.Post(PostReference(x: "1346889436626259970", by: "ada"))
    withReplies.replies = true
    var archive = ThreadSource.Archive(path: "twitter-2026.zip")
    archive.limits.minPosts = 3
    archive.limits.since = try CalendarDay("2024-01-01")
    archive.limits.until = try CalendarDay("2024-12-31")
    var account = ThreadSource.Account(
      AccountReference(platform: .mastodon, handle: "ada", instance: "social.example"))
    account.limits.since = try CalendarDay("2024-01-01")
    account.limits.minPosts = 2
    account.replies = true
    var search = ThreadSource.Search(query: "from:ada #threads", on: .x)
    search.limit = 100
    return [
      .post(.init(PostReference(x: "1346889436626259968", by: "ada"))),
      // Unquoted digits must not be rounded to a smaller number type.
      .post(.init(PostReference(x: "1346889436626259969"))),
      .post(withReplies), .archive(archive), .account(account), .search(search),
    ]
  }

  @Test(arguments: ["empty.yml", "comment.yml", "nulls.yml"])
  func emptyFilesGiveDefaults(_ name: String) throws {
    let result = try decoded(name)
    #expect(result.config == .defaults)
    #expect(result.config.include == .all)
    #expect(result.warnings == [])
  }

  @Test func reportsWarnings() throws {
    let repeated = try decoded("windows.yml")
    #expect(repeated.warnings.map(\.keyPath) == ["threads[0].tags"])
    #expect(repeated.warnings.first?.location?.sourceLine == "    tags: [A, a, b]")
  }

  /// YAML 1.1 reads these as Booleans, numbers, dates or nulls.
  @Test(arguments: [
    "yes", "No", "on", "2024", "1.0", "0x1F", "1_000", "12:30:45", "2024-01-01", "1e3", ".inf", "=",
  ])
  func textStaysAsWritten(_ text: String) throws {
    #expect(try SiteConfig.decode(yaml: "title: \(text)", file: "site.yml").config.title == text)
  }

  @Test func keepsAsterisksInText() throws {
    let yaml = "title: 2 * 3 *and* so on\ndescription: \"*quoted*? {a}: b\"\ntheme_options: { 'a': '*' }"
    let config = try SiteConfig.decode(yaml: yaml, file: "site.yml").config
    #expect(config.title == "2 * 3 *and* so on")
    #expect(config.description == "*quoted*? {a}: b")
    #expect(config.themeOptions == ["a": .text("*")])
  }

  @Test func keepsPrivateUseText() throws {
    let title = "\u{E000}\u{E001} * \u{F8FF}"
    #expect(try SiteConfig.decode(yaml: "title: \(title)", file: "site.yml").config.title == title)
  }

  @Test func locationsAreAvailableForLaterStages() throws {
    let result = try decoded("example.yml")
    let problem = result.problem(at: "sources[1]", "the store has no such thread", severity: .warning)
    #expect(
      problem.description == """
        site.yml:19:5: warning: sources[1]: the store has no such thread
          - 1346889436626259969
            ^
        """)
  }
}
