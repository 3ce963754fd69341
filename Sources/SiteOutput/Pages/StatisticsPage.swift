package import Basics
package import InterfaceText
import SiteConfig
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
  package var hasStatistics: Bool { site.config.statistics && theme.layouts.contains(Self.statisticsLayout) }

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
    let time = timeValues(of: positions, in: index, pages: author == nil ? index : nil, counts, links)
    var values: TemplateObject = [
      "dots": time["dots"], "marks": time["marks"], "months": time["months"],
      "has_months": time["has_months"],
      "threads_text": .text(site.localization.count(positions.count, .countThreads)),
      "posts_text": .text(
        site.localization.count(positions.reduce(0) { $0 + index.threads[$1].postCount }, .countPosts)),
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

  // MARK: - Time

  /// The maximum number of threads with a dot each. On a site with more threads, each month has a dot.
  private static let mostDots = 300

  /// The width of the drawing of time, in its own units.
  private static let axis = 1000

  /// The radius of the largest dot of a thread, in the same units.
  private static let largestRadius = 26.0

  /// The maximum number of years with a name below the axis.
  private static let mostMarks = 8

  /// Returns the dots of threads on an axis of time, with the names of years below it, and the posts of each month.
  ///
  /// The area of a dot is in proportion to its number of posts. Threads without a date have no dot.
  ///
  /// - Parameter pages: the index whose pages of months the table links to; `nil` for a table without links.
  private func timeValues(
    of positions: [Int], in index: SiteIndex, pages: SiteIndex?, _ counts: PostCounts, _ links: LinkRoot
  ) -> TemplateObject {
    var dots: [(day: Int, posts: Int, name: String)] = []
    let dated = positions.reversed().compactMap { position in
      index.threads[position].published.map { (moment: $0, position: position) }
    }
    for (moment, position) in dated {
      let date = site.calendar.shown(moment).civil()
      if dated.count <= Self.mostDots {
        let day = Timestamp.days(year: date.year, month: date.month, day: date.day)
        let thread = index.threads[position]
        dots.append((day, thread.postCount, site.calendar.day(moment) + " · " + thread.title))
      } else {
        let middle = Timestamp.days(year: date.year, month: date.month, day: 15)
        if let last = dots.indices.last, dots[last].day == middle {
          dots[last].posts += index.threads[position].postCount
        } else {
          dots.append(
            (
              middle, index.threads[position].postCount,
              site.calendar.format.month(date.month, of: date.year)
            ))
        }
      }
    }
    guard let first = dots.map(\.day).min(), let last = dots.map(\.day).max() else {
      return ["dots": .list([]), "marks": .list([]), "months": .list([]), "has_months": .bool(false)]
    }
    func year(_ day: Int) -> Int { Timestamp(seconds: Int64(day) * 86_400).civil().year }
    let years = year(first)...year(last)
    func start(_ year: Int) -> Int { Timestamp.days(year: year, month: 1, day: 1) }
    let (begin, end) = (start(years.lowerBound), start(years.upperBound + 1))
    func x(_ day: Int) -> TemplateValue { .integer((day - begin) * Self.axis / (end - begin)) }
    // The largest dots of two successive months overlap a little.
    let largest =
      dated.count <= Self.mostDots
      ? Self.largestRadius
      : min(Self.largestRadius, max(6, 0.7 * Double(Self.axis) / Double(12 * years.count)))
    let most = Double(max(1, dots.map(\.posts).max() ?? 1))
    let step = (years.count + Self.mostMarks - 1) / Self.mostMarks
    let months = monthValues(counts, in: pages, links)
    return [
      "dots": .list(
        dots.map { dot in
          let radius = largest * (Double(dot.posts) / most).squareRoot()
          return [
            "x": x(dot.day),
            "radius": .integer(max(dated.count <= Self.mostDots ? 4 : 2, Int(radius.rounded()))),
            "text": .text(dot.name + " · " + site.localization.count(dot.posts, .countPosts)),
          ]
        }),
      "marks": .list(
        years.enumerated().map { number, year in
          [
            "x": x(start(year)),
            "name": number % step == 0 ? .text(site.calendar.format.year(year)) : .missing,
          ]
        }),
      "months": .list(months), "has_months": .bool(true),
    ]
  }

  /// Returns the months with posts, newest first.
  private func monthValues(
    _ counts: PostCounts, in index: SiteIndex?, _ links: LinkRoot
  ) -> [TemplateValue] {
    var paths: [Int: SitePath] = [:]
    for year in index?.years ?? [] {
      for month in year.months { paths[year.year * 12 + month.month - 1] = year.path(of: month) }
    }
    var posts: [Int: Int] = [:]
    for (day, count) in counts.days {
      let date = Timestamp(seconds: Int64(day) * 86_400).civil()
      posts[date.year * 12 + date.month - 1, default: 0] += count
    }
    return posts.sorted { $0.key > $1.key }.map { month, count in
      [
        "name": .text(site.calendar.format.month(month % 12 + 1, of: month / 12)),
        "posts": .text(site.localization.number(count)),
        "url": paths[month].map { .text(links.href($0)) } ?? .missing,
      ]
    }
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

extension PostCounts.Hour: Record {
  package static let fields = RecordFields(Self.init(number:posts:), \.number, \.posts)
}
