import BlueskyNetwork
import SiteOutput
import TestSupport
import Testing
import ThreadModel

/// The keys of records (https://atproto.com/specs/tid).
@Suite struct StandardSiteTests {
  private static let account = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"
  private let site = StandardSite(
    account: account, baseURL: "https://ada.example/", links: [BlueskyLinks()])

  private func thread(_ id: PostID, _ seconds: Int64? = 1_700_000_000) -> ThreadSummary {
    var thread = ThreadSummary(
      id: id, path: SitePath("a/b/"), title: "T", author: Samples.author("ada", name: "Ada"))
    thread.published = seconds.map { Timestamp(seconds: $0) }
    return thread
  }

  private func key(_ thread: ThreadSummary) throws -> String {
    let uri = try #require(site.document(of: thread))
    let start = "at://\(Self.account)/site.standard.document/"
    try #require(uri.hasPrefix(start))
    return String(uri.dropFirst(start.count))
  }

  /// Reads a key independently of the code that makes it.
  private func microseconds(_ key: String) throws -> UInt64 {
    let digits = Array("234567abcdefghijklmnopqrstuvwxyz")
    var number: UInt64 = 0
    for digit in key { number = number * 32 + UInt64(try #require(digits.firstIndex(of: digit))) }
    return number / 1024
  }

  @Test func recordOfABlueskyThreadHasTheKeyOfItsPost() throws {
    let id = PostID("3lqosh4yb72vi", by: "did:plc:ejv777uoakinu4irseykqyzw", on: .bluesky)
    #expect(try key(thread(id)) == "3lqosh4yb72vi")
    #expect(
      site.record(of: id) == "at://did:plc:ejv777uoakinu4irseykqyzw/app.bsky.feed.post/3lqosh4yb72vi")
    // Some programs choose keys that are not timestamps, which a document must not have.
    #expect(
      try key(thread(PostID("self", by: "did:plc:ejv777uoakinu4irseykqyzw", on: .bluesky))).utf8.count == 13)
  }

  @Test func otherKeysContainTheTimeOfTheThread() throws {
    let first = try key(thread(PostID("1", on: .x)))
    #expect(first.wholeMatch(of: /[2-7a-j][2-7a-z]{12}/) != nil)
    #expect(try microseconds(first) / 1000 == 1_700_000_000_000)
    #expect(try key(thread(PostID("1", on: .x))) == first)
    // Threads of the same moment have different keys, and later threads have greater ones.
    #expect(try key(thread(PostID("2", on: .x))) != first)
    #expect(try key(thread(PostID("1", by: "a.example", on: .mastodon))) != first)
    #expect(try key(thread(PostID("1", on: .x), 1_700_000_001)) > first)
    #expect(site.record(of: PostID("1", on: .x)) == nil)
  }

  @Test func hiddenAndUndatedThreadsHaveNoRecord() {
    var hidden = thread(PostID("1", on: .x))
    hidden.isHiddenFromSearch = true
    #expect(site.document(of: hidden) == nil)
    hidden.isHiddenFromSearch = false
    hidden.author.isHiddenFromSearch = true
    #expect(site.document(of: hidden) == nil)
    #expect(site.document(of: thread(PostID("1", on: .x), nil)) == nil)
  }

  @Test func publicationDependsOnTheURLOnly() throws {
    let other = StandardSite(account: Self.account, baseURL: "https://ada.example/blog/", links: [])
    #expect(site.publication != other.publication)
    let key = try #require(site.publication.split(separator: "/").last.map(String.init))
    #expect(key.wholeMatch(of: /[2-7a-j][2-7a-z]{12}/) != nil)
    #expect((1_600_000_000_000_000..<1_700_000_000_000_000).contains(try microseconds(key)))
  }
}
