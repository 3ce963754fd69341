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
    #expect(counts.total == 2100)
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
    return SiteIndex(threads, calendar: zone, localization: .english, counts: counts)
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
    site.wantsStatistics = wants
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

  /// Every day of many years is in the column and row of a calendar.
  @Test func everyDayIsInItsWeek() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    for year in [1900, 2000, 2012, 2018, 2020, 2021, 2022, 2023, 2024, 2025, 2026] {
      let first = try #require(Timestamp(iso8601: "\(year)-01-01T12:00:00Z"))
      let length = year % 4 == 0 && year != 1900 ? 366 : 365
      let moments = (0..<length).map { Timestamp(seconds: first.seconds + Int64($0) * 86_400) }
      var counts = PostCounts()
      counts.add(PostCounts.hours(of: moments, by: .utc))
      let threads = (0..<10).map { Samples.thread("\($0)", at: "\(year)-01-01T00:00:00Z") }
      let index = SiteIndex(
        threads, calendar: .utc, localization: .english, counts: [Samples.ada.path: counts])
      let html = try html(of: "statistics/", in: index)
      let days = html.matches(of: #/d="M(\d+) (\d)\.5h\.84"><title>(\d+) /#).map { "\($0.1) \($0.2) \($0.3)" }
      let january = try #require(calendar.date(from: DateComponents(year: year, month: 1, day: 1)))
      let offset = (calendar.component(.weekday, from: january) + 5) % 7
      let expected = moments.enumerated().map { number, moment in
        "\((offset + number) / 7) \((offset + number) % 7 + 1) \(moment.civil().day)"
      }
      #expect(days == expected, "\(year)")
      // The row of a weekday is as long as the number of its days in the year.
      let rows = html.matches(of: #/M(\d+) (\d)\.5h(\d+)(?=[M"])/#).map { (Int($0.1), Int($0.2), Int($0.3)) }
      #expect(rows.count == 7)
      #expect(rows.compactMap(\.2).reduce(0, +) == length)
      for row in rows {
        #expect(
          days.first { $0.split(separator: " ")[1] == "\(row.1 ?? 0)" }?.hasPrefix("\(row.0 ?? -1) ") == true)
      }
      let weeks = try #require(html.firstMatch(of: #/viewBox="0 0 (\d+) 8"/#)?.1)
      #expect(Int(weeks) == (offset + length + 6) / 7)
    }
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
