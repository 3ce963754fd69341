import Basics
import Foundation
import InterfaceText
import SiteConfig
import SiteOutput
import TestSupport
import Testing
import ThreadModel

/// Statistics pages: their counts, their number, and their HTML.
@Suite struct StatisticsTests {
  private static let theme = Result {
    try Theme.load("paper", in: [ProjectFolders.repository.appending(path: "themes").path])
  }

  @Test func daysAndHoursUseTheTimeZoneOfTheSite() throws {
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var generator = SeededRandom()
    var moments: [Timestamp] = []
    // From before 1970, across changes of daylight saving time.
    for _ in 0..<2000 {
      moments.append(
        Timestamp(milliseconds: .random(in: -400_000_000_000...1_900_000_000_000, using: &generator)))
    }
    moments += moments.prefix(100)
    var counts = PostCounts()
    for part in [moments.prefix(700), moments.dropFirst(700)] {
      var some = PostCounts()
      some.add(PostCounts.hours(of: Array(part), by: SiteCalendar(zone: zone)))
      counts.add(some)
    }
    var days: [Int: Int] = [:]
    var hours = [Int](repeating: 0, count: 24)
    for moment in moments {
      let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
      let local = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
      days[Int((local / 86_400).rounded(.down)), default: 0] += 1
      hours[calendar.component(.hour, from: date)] += 1
    }
    #expect(counts.days == days)
    #expect(counts.hours == hours)
    #expect(counts.hours.reduce(0, +) == 2100)
  }

  /// Threads of authors, some days apart, with increasing numbers of likes and posts.
  private static func index(_ numbers: [Int], zone: SiteCalendar = .utc) -> SiteIndex {
    var threads: [ThreadSummary] = []
    var counts: [SitePath: PostCounts] = [:]
    for (author, number) in numbers.enumerated() {
      let writer = Samples.author(
        "author\(author)", name: author == 1 ? "<i>Bo</i> & Co" : "Author \(author)")
      for place in 0..<number {
        let moment = Timestamp(seconds: 1_575_000_000 + Int64(place) * 777_777 + Int64(author))
        var thread = Samples.thread(
          "\(1000 + author * 100 + place)", title: "Thread <\(place)> of \(author)", by: writer,
          at: moment.iso8601)
        thread.likes = place % 3 == 0 ? nil : place * 1000
        thread.postCount = 1 + place % 5
        threads.append(thread)
        let posts = (0..<thread.postCount).map {
          Timestamp(milliseconds: moment.milliseconds + Int64($0) * 3_000_000)
        }
        counts[writer.path, default: PostCounts()].add(PostCounts.hours(of: posts, by: zone))
      }
    }
    return SiteIndex(threads, calendar: zone, counts: counts)
  }

  @Test(arguments: [
    ([9], []), ([10], ["statistics/"]), ([10, 9], ["statistics/", "x/author0/statistics/"]),
    ([5, 4], []), ([10, 12], ["statistics/", "x/author0/statistics/", "x/author1/statistics/"]),
  ])
  func pagesExistForEnoughThreads(threads: [Int], expected: [String]) {
    let pages = Self.index(threads).pages(threadsPerPage: 5, withStatistics: true)
    let paths = pages.map(\.path.text).filter { $0.hasSuffix("statistics/") }
    #expect(paths.sorted() == expected.sorted())
    #expect(!Self.index(threads).pages(threadsPerPage: 5).contains { $0.path.text.contains("statistics") })
  }

  private func html(of path: SitePath, in index: SiteIndex, wants: Bool = true) throws -> String {
    var site = Samples.site()
    site.config.statistics = wants
    let renderer = PageRenderer(site: site, theme: try Self.theme.get())
    let page = try #require(
      index.pages(threadsPerPage: 20, withStatistics: renderer.hasStatistics).first { $0.path == path })
    var html = UTF8Buffer()
    try renderer.render(page, of: index, into: &html)
    return Samples.withoutDigests(html.string)
  }

  @Test(arguments: [("statistics", "statistics/"), ("statistics-author", "x/author1/statistics/")])
  func pagesMatchTheGoldenFiles(name: String, path: String) throws {
    let html = try html(of: SitePath(path), in: Self.index([14, 11]))
    let fixtures = ProjectFolders.fixtures(of: "SiteOutputTests")
    try Golden.compare(PageParts.main(of: html), with: fixtures.appending(path: "Pages/main/\(name).html"))
  }

  @Test func headsNameTheirPages() throws {
    let index = Self.index([14, 11])
    let site = try PageParts.headValues(of: html(of: "statistics/", in: index))
    #expect(site.contains("title: Statistics · Threads & more"))
    #expect(site.contains("canonical: https://ada.example/threads/statistics/"))
    let author = try PageParts.headValues(of: html(of: "x/author1/statistics/", in: index))
    #expect(author.contains("canonical: https://ada.example/threads/x/author1/statistics/"))
    #expect(author.first == "title: Statistics · <i>Bo</i> & Co · Threads & more")
    for head in [site, author] {
      #expect(head.count { $0.hasPrefix("alternate: ") } == 2 && !head.contains { $0.hasPrefix("robots") })
    }
  }

  /// A thread's dot is where its day is between the first and the last year, and its area is in proportion to its posts.
  @Test func dotsAreOnOneAxisOfTime() throws {
    let dates = ["2019-01-01", "2019-07-02", "2020-01-01", "2020-12-31", "2022-12-31"]
    let threads = (0..<10).map { number in
      var thread = Samples.thread(
        "\(number)", title: "Thread \(number)", at: "\(dates[number % 5])T12:00:00Z")
      thread.postCount = number < 5 ? 4 : 16
      return thread
    }
    let html = try html(
      of: "statistics/", in: SiteIndex(threads, calendar: .utc, counts: [:]))
    let dots = html.matches(of: #/cx="(\d+)" cy="30" r="(\d+)"><title>.*?Thread (\d)/#).map {
      (number: Int($0.3), x: Int($0.1), radius: Int($0.2))
    }
    #expect(dots.count == 10)
    let first = try #require(Timestamp(iso8601: "2019-01-01T00:00:00Z")).seconds
    let end = try #require(Timestamp(iso8601: "2023-01-01T00:00:00Z")).seconds
    for dot in dots {
      let number = try #require(dot.number)
      let day = try #require(Timestamp(iso8601: "\(dates[number % 5])T00:00:00Z")).seconds
      #expect(dot.x == Int((day - first) * 1000 / (end - first)))
      #expect(dot.radius == (number < 5 ? 13 : 26))
    }
    #expect(html.contains("100 posts"))
    #expect(
      html.matches(of: #/<text>(\d+)</#).map { String($0.1) }.prefix(4) == ["2019", "2020", "2021", "2022"])
  }

  /// More than 300 threads have a dot for each month.
  @Test func manyThreadsHaveDotsOfMonths() throws {
    let threads = (0..<301).map { number in
      Samples.thread("\(number)", at: number < 200 ? "2021-03-04T00:00:00Z" : "2022-03-04T00:00:00Z")
    }
    let html = try html(
      of: "statistics/", in: SiteIndex(threads, calendar: .utc, counts: [:]))
    #expect(html.matches(of: #/<circle/#).count == 2)
    #expect(html.contains("<title>March 2021 · "))
  }

  @Test func homeArchiveAndAuthorsLinkToThem() throws {
    let index = Self.index([14, 11, 3])
    #expect(try html(of: "", in: index).contains("href=\"./statistics/\""))
    #expect(try html(of: "archive/", in: index).contains("href=\"../statistics/\""))
    let author = try html(of: "x/author1/", in: index)
    #expect(author.contains("href=\"../../x/author1/statistics/\"") && author.contains("10,000 likes"))
    #expect(try !html(of: "x/author2/", in: index).contains("statistics/"))
    for page: SitePath in ["", "archive/", "x/author1/"] {
      #expect(try !html(of: page, in: index, wants: false).contains("statistics/"))
    }
    // The page of an only author would equal the site's.
    #expect(try html(of: "x/author0/", in: Self.index([10])).contains("href=\"../../statistics/\""))
  }

  /// A new number of likes does not change the lists of threads.
  @Test func digestsOfListsIgnoreLikes() {
    var thread = Samples.thread("1")
    let digest = thread.digest
    thread.likes = 7
    #expect(thread.digest == digest)
  }
}
