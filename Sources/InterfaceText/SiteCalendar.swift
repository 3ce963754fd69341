package import Foundation
package import ThreadModel

/// Dates as a site shows them: in the site's time zone instead of the machine's, and in the site's language.
///
/// Every stage that writes a date for a reader uses this type, so that a page, its index and its feed agree.
package struct SiteCalendar: Sendable {
  private let zone: TimeZone
  private let isUTC: Bool
  package let format: DateFormat

  package static let utc = SiteCalendar(zone: .gmt)

  package init(zone: TimeZone, format: DateFormat = .english) {
    self.zone = zone
    self.format = format
    self.isUTC = ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Zulu"].contains(zone.identifier)
  }

  /// Returns the same calendar with another format.
  package func written(in format: DateFormat) -> SiteCalendar { SiteCalendar(zone: zone, format: format) }

  /// Seconds that the zone is ahead of UTC at that moment.
  package func offset(at moment: Timestamp) -> Int {
    isUTC ? 0 : zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
  }

  package func civil(_ moment: Timestamp) -> CivilTime { moment.civil(offset: offset(at: moment)) }

  /// Returns the moment, in whole seconds, at which clocks in UTC show what clocks in the zone show at `moment`.
  package func shown(_ moment: Timestamp) -> Timestamp {
    Timestamp(seconds: moment.seconds + Int64(offset(at: moment)))
  }

  /// `2021-01-06`
  package func isoDay(_ moment: Timestamp) -> String { String(shown(moment).iso8601.prefix(10)) }

  /// `2021-01-06 18:40`, in the calendar's time zone.
  package func isoMinute(_ moment: Timestamp) -> String {
    String(shown(moment).iso8601.prefix(16).replacing("T", with: " "))
  }

  /// `6 January 2021`
  package func day(_ moment: Timestamp) -> String { text(format.day, moment) }

  /// `6 January 2021, 18:40 UTC`, `6 January 2021, 19:40 UTC+1`
  package func minute(_ moment: Timestamp) -> String { text(format.minute, moment) }

  /// `18:40`: for entries below their day.
  package func time(_ moment: Timestamp) -> String { text(format.time, moment) }

  /// Whether two moments are on the same day in this site's time zone.
  package func isSameDay(_ one: Timestamp, _ other: Timestamp) -> Bool {
    let (first, second) = (civil(one), civil(other))
    return first.year == second.year && first.month == second.month && first.day == second.day
  }

  /// `January 2021`
  package func month(_ moment: Timestamp) -> String { text(format.month, moment) }

  private func text(_ pattern: DatePattern, _ moment: Timestamp) -> String {
    let offset = offset(at: moment)
    return DateWriter.text(pattern, format, moment.civil(offset: offset), offset: offset)
  }
}

extension DateFormat {
  /// `January 2021`
  package func month(_ month: Int, of year: Int) -> String {
    DateWriter.text(self.month, self, CivilTime(year: year, month: month, day: 1), offset: 0)
  }

  /// `2021`, `2021年`
  package func year(_ year: Int) -> String {
    DateWriter.text(self.year, self, CivilTime(year: year, month: 1, day: 1), offset: 0)
  }

  /// `January` for 1, in the form used alone.
  package func monthName(_ month: Int) -> String {
    standaloneMonths.indices.contains(month - 1) ? standaloneMonths[month - 1] : "\(month)"
  }
}
