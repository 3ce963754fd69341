import Basics
import Foundation
import InterfaceText
import SiteOutput
import TestSupport
import Testing
import ThreadModel

@Suite struct SiteIndexTests {
  private func ids(_ index: SiteIndex, _ positions: [Int]) -> [String] {
    positions.map { index.threads[$0].id.value }
  }

  @Test func sortsNewestFirstAndUndatedLast() {
    let threads = [
      Samples.thread("1", at: "2020-01-01T00:00:00Z"), Samples.thread("4", at: nil),
      Samples.thread("2", at: "2021-01-01T00:00:00Z"), Samples.thread("30", at: nil),
      // At the same time, the later ID is first. Longer IDs are later; IDs of the same length compare by
      // digits.
      Samples.thread("100", at: "2020-06-01T00:00:00Z"), Samples.thread("99", at: "2020-06-01T00:00:00Z"),
    ]
    let expected = ["2", "100", "99", "1", "30", "4"]
    for shift in threads.indices {
      let turned = Array(threads[shift...] + threads[..<shift])
      let index = SiteIndex(turned, calendar: .utc)
      #expect(ids(index, Array(index.threads.indices)) == expected)
      #expect(ids(SiteIndex(turned.reversed(), calendar: .utc), Array(threads.indices)) == expected)
    }
  }

  @Test func conversationByTwoAuthorsHasOneOrder() {
    let other = Samples.author("bo", name: "Bo")
    let both = [Samples.thread("1"), Samples.thread("1", by: other)]
    let first = SiteIndex(both, calendar: .utc).threads.map(\.path)
    #expect(first == SiteIndex(both.reversed(), calendar: .utc).threads.map(\.path))
    #expect(first.count == 2)
  }

  @Test func monthsUseTheTimeZoneOfTheSite() throws {
    let threads = [
      Samples.thread("1", at: "2023-12-31T22:59:59Z"), Samples.thread("2", at: "2023-12-31T23:00:00Z"),
      Samples.thread("3", at: "2024-03-01T00:30:00Z"), Samples.thread("4", at: nil),
    ]
    let berlin = SiteCalendar(zone: try #require(TimeZone(identifier: "Europe/Berlin")))
    let here = SiteIndex(threads, calendar: berlin)
    #expect(here.years.map(\.year) == [2024, 2023])
    #expect(here.years[0].months.map(\.month) == [3, 1])
    #expect(ids(here, here.years[0].threads) == ["3", "2"])
    #expect(ids(here, here.years[1].months[0].threads) == ["1"])
    let newYork = SiteCalendar(zone: try #require(TimeZone(identifier: "America/New_York")))
    let there = SiteIndex(threads, calendar: newYork)
    #expect(there.years[0].months.map(\.month) == [2])
    #expect(SiteIndex(threads, calendar: .utc).years[1].months.map(\.month) == [12])
    #expect(here.years[0].path(of: here.years[0].months[1]).text == "2024/01/")
  }

  @Test func authorsHaveTheNameOfTheirNewestThread() {
    var renamed = Samples.ada
    renamed.name = "Ada the Second"
    let index = SiteIndex(
      [
        Samples.thread("1", at: "2020-01-01T00:00:00Z"),
        Samples.thread("2", by: renamed, at: "2022-01-01T00:00:00Z"),
        Samples.thread("3", by: Samples.author("zoe", name: "aaron")),
        Samples.thread("4", by: Samples.author("bo", name: "Ada the Second")),
      ], calendar: .utc)
    #expect(index.authors.map(\.author.name) == ["aaron", "Ada the Second", "Ada the Second"])
    #expect(index.authors.map(\.author.path.text) == ["x/zoe/", "x/ada/", "x/bo/"])
    #expect(ids(index, index.authors[1].threads) == ["2", "1"])
  }

  @Test func spellingsOfATagAreOneTag() {
    let index = SiteIndex(
      [
        Samples.thread("1", at: "2020-01-01T00:00:00Z", tags: ["Café", "Swift"]),
        Samples.thread("2", at: "2022-01-01T00:00:00Z", tags: ["cafe", "café", "c++"]),
        Samples.thread("3", at: nil, tags: ["c"]),
      ], calendar: .utc)
    #expect(index.tags.map(\.name) == ["c", "c++", "cafe", "Swift"])
    #expect(ids(index, index.tags[2].threads) == ["2", "1"])
  }
}

@Suite struct PaginationTests {
  private func homePages(_ count: Int, perPage: Int = 20) -> [IndexPage] {
    SiteIndex(Samples.threads(count), calendar: .utc).pages(threadsPerPage: perPage).filter {
      if case .home = $0.kind { true } else { false }
    }
  }

  @Test(arguments: [
    (0, [0]), (1, [1]), (19, [19]), (20, [20]), (21, [20, 1]), (40, [20, 20]), (41, [20, 20, 1]),
  ])
  func pagesContainEachThreadOnce(count: Int, sizes: [Int]) {
    let pages = homePages(count)
    #expect(pages.map(\.threads.count) == sizes)
    #expect(pages.flatMap(\.threads) == Array(0..<count))
    #expect(pages.allSatisfy { $0.count == sizes.count })
    #expect(pages.map(\.number) == Array(1...sizes.count))
  }

  @Test func pagesLinkToTheirNeighbors() {
    let pages = homePages(50)
    #expect(pages.map(\.path.text) == ["", "page/2/", "page/3/"])
    #expect(pages.map(\.newer?.text) == [nil, "", "page/2/"])
    #expect(pages.map(\.older?.text) == ["page/2/", "page/3/", nil])
  }

  @Test func pageSizeOfZeroMeansOne() {
    #expect(homePages(3, perPage: 0).count == 3)
  }

  @Test func everyListHasItsPages() throws {
    var threads = Samples.threads(3)
    threads[0].tags = [ThreadTag("日本")]
    threads[1].tags = [ThreadTag("日本")]
    let index = SiteIndex(threads, calendar: .utc)
    let paths = index.pages(threadsPerPage: 1).map(\.path.text)
    #expect(
      paths == [
        "", "page/2/", "page/3/", "authors/", "tags/", "archive/", "x/ada/", "x/ada/page/2/", "x/ada/page/3/",
        "tags/日本/",
        "tags/日本/page/2/", "2020/", "2020/page/2/", "2020/page/3/", "2020/09/", "2020/09/page/2/",
        "2020/09/page/3/",
        "404.html",
      ])
    #expect(Set(paths).count == paths.count)
  }

  @Test func emptySiteHasItsPages() {
    let paths = SiteIndex([], calendar: .utc).pages(threadsPerPage: 20).map(\.path.text)
    #expect(paths == ["", "authors/", "tags/", "archive/", "404.html"])
  }

  /// A digest decides whether a list is rendered again. A forgotten field would leave outdated pages.
  @Test func digestsCoverEveryField() {
    func differ(_ change: (inout ThreadSummary) -> Void) -> Bool {
      var thread = Samples.thread("1")
      change(&thread)
      return thread.digest != Samples.thread("1").digest
    }
    let ofThreads: [String: (inout ThreadSummary) -> Void] = [
      "id": { $0.id = PostID("2", on: .x) }, "path": { $0.path = "x/other/" },
      "title": { $0.title = "Other" },
      "excerpts": { $0.excerpts = Excerpts(short: "Other", long: $0.longExcerpt) },
      "author": { $0.author = Samples.author("bo", name: "Bo") },
      "published": { $0.published = nil }, "updated": { $0.updated = nil },
      "tags": { $0.tags = [ThreadTag("other")] }, "postCount": { $0.postCount = 4 },
      "readingMinutes": { $0.readingMinutes = 7 }, "language": { $0.language = nil },
      "isWhole": { $0.isWhole = false }, "isHiddenFromSearch": { $0.isHiddenFromSearch = true },
      "image": { $0.image = PreviewImage(.remote("https://a.example/b.jpg")) },
      "thumbnail": { $0.thumbnail = .stored("media/small.jpg") },
      "picture": { $0.picture = .stored("media/small.jpg") },
    ]
    let ofAuthors: [String: (inout AuthorSummary) -> Void] = [
      "platform": { $0.platform = .mastodon }, "handle": { $0.handle = nil }, "name": { $0.name = "Other" },
      "emoji": { $0.emoji = ["cat": .stored("media/cat.png")] }, "url": { $0.url = "https://other.example" },
      "path": { $0.path = "x/other/" }, "isHiddenFromSearch": { $0.isHiddenFromSearch = true },
    ]
    for (field, change) in ofThreads { #expect(differ(change), "\(field)") }
    #expect(differ { $0.excerpts = Excerpts(short: $0.excerpt, long: "Other") })
    for (field, change) in ofAuthors { #expect(differ { change(&$0.author) }, "\(field)") }
    func fields(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
    // Lists of threads do not show the likes, which change more often than everything else.
    #expect(fields(Samples.thread("1")) == Set(ofThreads.keys).union(["likes"]))
    #expect(fields(Samples.ada) == Set(ofAuthors.keys))
  }

  /// A build records these values for the next build. A property that is missing from the list of fields
  /// would be lost.
  @Test func everyPropertyOfARecordIsAField() {
    func expectAllFields<Value: Record>(_ value: Value) {
      #expect(Value.fields.count == Mirror(reflecting: value).children.count, "\(Value.self)")
    }
    let thread = Samples.thread("1")
    expectAllFields(thread)
    expectAllFields(thread.author)
    expectAllFields(PreviewImage(.stored("a.jpg")))
    expectAllFields(ThreadPage(summary: thread, sourceURL: nil, mediaHosts: []))
    expectAllFields(ContentsEntry(title: "A", anchor: "a"))
    expectAllFields(PostActions(like: "a", repost: "b", reply: "c"))
    expectAllFields(CustomEmoji(shortcode: "a", url: "b"))
    expectAllFields(Permalinks.LostWords(beginning: "a"))
  }
}
