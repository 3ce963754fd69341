package import ThreadModel

/// How many posts were written on each day, and in each hour of the day, by the site's clocks.
///
/// What the pages of statistics are made from: it grows with the days on which somebody wrote, and not with what they wrote.
package struct PostCounts: Sendable, Equatable {
  /// By days since 1970-01-01; only those with posts.
  package private(set) var days: [Int: Int] = [:]
  /// From midnight on.
  package private(set) var hours = [Int](repeating: 0, count: 24)

  package init() {}

  /// An hour in which posts of a thread were written.
  package struct Hour: Sendable, Hashable {
    /// Since the beginning of 1970, by the site's clocks.
    package var number: Int
    package var posts: Int

    package init(number: Int, posts: Int) {
      self.number = number
      self.posts = posts
    }
  }

  /// The hours in which posts were written, the earliest first.
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
      // Days before 1970 end at 0, too.
      days[rest < 0 ? day - 1 : day, default: 0] += hour.posts
      self.hours[rest < 0 ? rest + 24 : rest] += hour.posts
    }
  }

  package mutating func add(_ other: PostCounts) {
    days.merge(other.days, uniquingKeysWith: +)
    for hour in hours.indices { hours[hour] += other.hours[hour] }
  }

  /// Of posts.
  package var total: Int { hours.reduce(0, +) }
}

extension SiteCalendar {
  /// Hours since the beginning of 1970, by the site's clocks.
  fileprivate func hourNumber(_ moment: Timestamp) -> Int {
    let local = moment.seconds + Int64(offset(at: moment))
    return Int(local >= 0 ? local / 3600 : -((3599 - local) / 3600))
  }
}
