package import Basics
package import InterfaceText
import Templates
package import ThreadModel

/// The number of posts on each day and in each hour of the day, in the site's time zone.
///
/// Pages of statistics are based on these numbers. Their size grows with the number of days that have posts, not with the length of the
/// posts.
package struct PostCounts: Sendable, Equatable {
  /// The number of posts by days since 1970-01-01; only days with posts.
  package private(set) var days: [Int: Int] = [:]
  /// The number of posts in each hour of the day, from midnight.
  package private(set) var hours = [Int](repeating: 0, count: 24)

  package init() {}

  /// One hour and the number of a thread's posts written in it.
  package struct Hour: Sendable, Hashable {
    /// Hours since the beginning of 1970, in the site's time zone.
    package var number: Int
    package var posts: Int
  }

  /// Returns the hours in which posts were written, earliest first.
  package static func hours(of moments: [Timestamp], by calendar: SiteCalendar) -> [Hour] {
    var hours: [Hour] = []
    for number in moments.map(calendar.hourNumber).sorted() {
      if let last = hours.indices.last, hours[last].number == number {
        hours[last].posts += 1
      } else {
        hours.append(Hour(number: number, posts: 1))
      }
    }
    return hours
  }

  package mutating func add(_ hours: [Hour]) {
    for hour in hours {
      let (day, rest) = hour.number.quotientAndRemainder(dividingBy: 24)
      // Numbers before 1970 are negative, and so are their remainders.
      days[rest < 0 ? day - 1 : day, default: 0] += hour.posts
      self.hours[rest < 0 ? rest + 24 : rest] += hour.posts
    }
  }

  package mutating func add(_ other: PostCounts) {
    days.merge(other.days, uniquingKeysWith: +)
    for hour in hours.indices { hours[hour] += other.hours[hour] }
  }

  /// The number of all posts.
  package var total: Int { hours.reduce(0, +) }
}

extension SiteCalendar {
  /// Returns the hours from the beginning of 1970 to a moment, in the site's time zone.
  fileprivate func hourNumber(_ moment: Timestamp) -> Int {
    let local = shown(moment).seconds
    return Int(local >= 0 ? local / 3600 : -((3599 - local) / 3600))
  }
}

extension SiteIndex {
  /// The minimum number of threads for statistics. With fewer threads, statistics add nothing to the threads themselves.
  private static let leastThreadsForStatistics = 10

  /// Returns the path of the statistics of the site or of an author; `nil` if there are too few threads.
  ///
  /// A site with one author has only the site's page, because the author's page would be the same.
  func statisticsPath(ofAuthor author: Int? = nil) -> SitePath? {
    guard let author, authors.count > 1 else {
      return threads.count < Self.leastThreadsForStatistics ? nil : "statistics/"
    }
    let group = authors[author]
    return group.threads.count < Self.leastThreadsForStatistics
      ? nil : group.author.path.appending("statistics/")
  }

  /// All pages of statistics with enough threads: the site's, then the authors' in the order of the index.
  var statisticsPages: [(author: Int?, path: SitePath)] {
    var pages: [(author: Int?, path: SitePath)] = statisticsPath().map { [(nil, $0)] } ?? []
    guard authors.count > 1 else { return pages }
    for author in authors.indices {
      if let path = statisticsPath(ofAuthor: author) { pages.append((author, path)) }
    }
    return pages
  }

  /// Returns when the posts of an author, or of the whole site, were written.
  func counts(ofAuthor author: Int?) -> PostCounts { author.map { authors[$0].counts } ?? counts }

  /// Returns the threads with the highest values, highest first; threads with equal values are sorted newest first.
  ///
  /// - Parameters:
  ///   - positions: the indices of the threads to choose from, newest first.
  ///   - value: returns the value of a thread, or `nil` to leave it out.
  func top(_ limit: Int, of positions: [Int], by value: (ThreadSummary) -> Int?) -> [(
    thread: Int, value: Int
  )] {
    var best: [(thread: Int, value: Int)] = []
    for position in positions {
      guard let number = value(threads[position]), best.count < limit || number > best[limit - 1].value else {
        continue
      }
      let place = best.firstIndex { $0.value < number } ?? best.count
      best.insert((position, number), at: place)
      if best.count > limit { best.removeLast() }
    }
    return best
  }
}

extension PageRenderer {
  /// The name of the theme's layout for statistics. Without this layout, the site has no pages of statistics.
  static let statisticsLayout = "statistics"

  /// Whether the site has pages of statistics, provided there are enough threads.
  package var hasStatistics: Bool { site.wantsStatistics && theme.layouts.contains(Self.statisticsLayout) }

  /// The number of threads in the lists of the most liked and of the longest threads.
  private static let mostNamed = 10

  /// The number of most liked threads on an author's page.
  private static let mostNamedOfAuthor = 3

  /// Returns the link to the statistics of the site or of an author; missing if they have no such page.
  func statisticsValue(ofAuthor author: Int? = nil, in index: SiteIndex, _ links: LinkRoot) -> TemplateValue {
    guard hasStatistics, let path = index.statisticsPath(ofAuthor: author) else { return .missing }
    return ["url": .text(links.href(path))]
  }

  /// Returns the author's most liked threads; an empty array unless the author has many more threads than are listed.
  func likedValues(ofAuthor author: Int, in index: SiteIndex, _ links: LinkRoot) -> [TemplateValue] {
    guard index.authors[author].threads.count > 3 * Self.mostNamedOfAuthor else { return [] }
    return likedValues(
      Self.mostNamedOfAuthor, of: index.authors[author].threads, in: index, showsAuthor: false, links)
  }

  /// Returns the values of a page of statistics.
  ///
  /// - Parameter author: the author's index; `nil` for the whole site.
  func statisticsValues(ofAuthor author: Int?, in index: SiteIndex, _ links: LinkRoot) -> TemplateValue {
    let positions = author.map { index.authors[$0].threads } ?? Array(index.threads.indices)
    let counts = index.counts(ofAuthor: author)
    let showsAuthor = author == nil && index.authors.count > 1
    let longest = index.top(Self.mostNamed, of: positions) { $0.postCount > 1 ? $0.postCount : nil }
    let liked = likedValues(
      Self.mostNamed, of: positions, in: index, showsAuthor: showsAuthor, links)
    var values: TemplateObject = [
      "threads_text": .text(site.localization.count(positions.count, .countThreads)),
      "posts_text": .text(site.localization.count(counts.total, .countPosts)),
      "years": .list(yearValues(counts, in: author == nil ? index : nil, links)),
      "hours": .list(hourValues(counts)),
      "liked": .list(liked), "has_liked": .bool(!liked.isEmpty),
      "longest": .list(
        longest.map { item in
          namedThread(
            item.thread, in: index, showsAuthor: showsAuthor,
            site.localization.count(item.value, .countPosts),
            links)
        }),
      "has_longest": .bool(!longest.isEmpty),
    ]
    if let author {
      let group = index.authors[author]
      values["author"] = [
        "name": .text(group.author.name), "name_html": .markup(ownNameHTML(group.author, links)),
        "url": .text(links.href(group.author.path)),
      ]
    } else {
      values["author"] = .missing
    }
    return .object(values)
  }

  // MARK: - Threads

  private func likedValues(
    _ limit: Int, of positions: [Int], in index: SiteIndex, showsAuthor: Bool, _ links: LinkRoot
  ) -> [TemplateValue] {
    index.top(limit, of: positions) { thread in thread.likes.flatMap { $0 > 0 ? $0 : nil } }.map { item in
      namedThread(
        item.thread, in: index, showsAuthor: showsAuthor, site.localization.count(item.value, .countLikes),
        links)
    }
  }

  private func namedThread(
    _ position: Int, in index: SiteIndex, showsAuthor: Bool, _ text: String, _ links: LinkRoot
  ) -> TemplateValue {
    let thread = index.threads[position]
    return [
      "title": .text(thread.title), "url": .text(links.href(thread.path)),
      "language": thread.language.map { .text($0) } ?? .missing, "text": .text(text),
      "shows_author": .bool(showsAuthor),
      "author": [
        "name": .text(thread.author.name), "name_html": .markup(ownNameHTML(thread.author, links)),
      ],
    ]
  }

  // MARK: - Days

  /// A day with posts.
  private struct Day {
    /// Days since 1970-01-01.
    let number: Int
    let date: CivilTime
    let moment: Timestamp
    let posts: Int
  }

  /// - Parameter index: the index whose pages of months the table links to; `nil` for a table without links.
  private func yearValues(_ counts: PostCounts, in index: SiteIndex?, _ links: LinkRoot) -> [TemplateValue] {
    let days = counts.days.sorted { $0.key > $1.key }.map { number, posts in
      let moment = Timestamp(seconds: Int64(number) * 86_400)
      return Day(number: number, date: moment.civil(), moment: moment, posts: posts)
    }
    let levels = Self.levels(of: days.map(\.posts))
    var pages: [Int: [Int: SitePath]] = [:]
    for year in index?.years ?? [] {
      pages[year.year] = Dictionary(year.months.map { ($0.month, year.path(of: $0)) }) { first, _ in first }
    }
    return days.chunked(by: \.date.year).map { days in
      yearValue(of: days, levels, pages[days[0].date.year] ?? [:], links)
    }
  }

  /// Returns the post counts above which a day has the second, third and fourth level of color. Each level has about a quarter of the days,
  /// so that a single day with a hundred posts does not make all other days pale.
  private static func levels(of posts: [Int]) -> [Int] {
    let sorted = posts.sorted()
    // If all days have the same count, all have the strongest color.
    guard sorted.first != sorted.last else { return [0, 0, 0] }
    return [1, 2, 3].map { sorted[sorted.count * $0 / 4] }
  }

  /// The opacity of the color of each level.
  private static let strengths = ["0.35", "0.55", "0.78", "1"]

  private func yearValue(
    of days: [Day], _ levels: [Int], _ pages: [Int: SitePath], _ links: LinkRoot
  ) -> TemplateValue {
    let year = days[0].date.year
    let shape = YearLayout(year)
    let names = SiteCalendar.utc.written(in: site.calendar.format)
    var ofLevel = [[TemplateValue]](repeating: [], count: Self.strengths.count)
    var ofMonth = [Int](repeating: 0, count: 12)
    for day in days.reversed() {
      ofLevel[levels.count { day.posts > $0 }].append([
        "week": .integer(shape.week(ofDay: day.number)), "weekday": .integer(day.date.weekday),
        "text": .text(names.day(day.moment) + " · " + site.localization.count(day.posts, .countPosts)),
      ])
      ofMonth[day.date.month - 1] += day.posts
    }
    let levels = zip(Self.strengths, ofLevel).filter { !$0.1.isEmpty }.map {
      strength, days -> TemplateValue in
      ["strength": .text(strength), "days": .list(days)]
    }
    let months = ofMonth.enumerated().map { number, posts -> TemplateValue in
      [
        "number": .text(site.localization.number(number + 1)),
        "name": .text(site.calendar.format.monthName(number + 1)),
        "week": .integer(shape.firstWeek(ofMonth: number + 1)),
        "posts": posts == 0 ? .missing : .text(site.localization.number(posts)),
        "url": pages[number + 1].map { .text(links.href($0)) } ?? .missing,
      ]
    }
    return [
      "name": .text(site.calendar.format.year(year)),
      "url": pages.isEmpty ? .missing : .text(links.href(SitePath("\(year)/"))),
      "posts_text": .text(site.localization.count(ofMonth.reduce(0, +), .countPosts)),
      "weeks": .integer(shape.weeks), "grid": .list(shape.rows), "levels": .list(levels),
      "months": .list(months),
    ]
  }

  private func hourValues(_ counts: PostCounts) -> [TemplateValue] {
    let most = max(1, counts.hours.max() ?? 1)
    return counts.hours.enumerated().map { hour, posts in
      let text = (hour < 10 ? "0" : "") + "\(hour):00"
      return [
        "hour": .integer(hour), "time": .text(text),
        "posts": posts == 0 ? .missing : .text(site.localization.number(posts)),
        "share": .integer((posts * 100 + most / 2) / most),
        "text": .text(text + " · " + site.localization.count(posts, .countPosts)),
        "label": hour % 6 == 0 ? .text(site.localization.number(hour)) : .missing,
      ]
    }
  }
}

/// The layout of a year as columns of weeks, each from Monday to Sunday.
private struct YearLayout {
  private let year: Int
  /// The days from 1970-01-01 to the first day of the year.
  private let firstDay: Int
  private let days: Int
  /// The weekday of 1 January, from 1 for Monday.
  private let firstWeekday: Int

  init(_ year: Int) {
    self.year = year
    firstDay = Timestamp.days(year: year, month: 1, day: 1)
    days = Timestamp.days(year: year + 1, month: 1, day: 1) - firstDay
    firstWeekday = Timestamp(seconds: Int64(firstDay) * 86_400).civil().weekday
  }

  var weeks: Int { week(ofDay: firstDay + days + 6) }

  /// Returns the index of the week with a day, given by the days since 1970-01-01.
  func week(ofDay number: Int) -> Int { (firstWeekday - 1 + number - firstDay) / 7 }

  /// Returns the index of the first week whose Monday is in the month.
  func firstWeek(ofMonth month: Int) -> Int {
    week(ofDay: Timestamp.days(year: year, month: month, day: 1) + 6)
  }

  /// For each weekday, the first week of the year that contains it, and the number of weeks with this weekday.
  var rows: [TemplateValue] {
    (1...7).map { weekday in
      let first = weekday < firstWeekday ? 1 : 0
      let last = (firstWeekday - 1 + days - weekday) / 7
      return [
        "weekday": .integer(weekday), "week": .integer(first), "length": .integer(last - first + 1),
      ]
    }
  }
}

extension Array {
  /// Returns groups of neighboring elements with equal keys.
  fileprivate func chunked<Key: Equatable>(by key: (Element) -> Key) -> [[Element]] {
    var chunks: [[Element]] = []
    for element in self {
      if let last = chunks.last?.last, key(last) == key(element) {
        chunks[chunks.count - 1].append(element)
      } else {
        chunks.append([element])
      }
    }
    return chunks
  }
}

extension PostCounts.Hour: Record {
  package static let fields = RecordFields(Self.init(number:posts:), \.number, \.posts)
}
