package import Foundation

/// Dates as a site shows them: in the site's own time zone, never in the machine's, in English words.
///
/// Every stage that writes a date for a reader uses this, so that a page, its index and its feed agree. The words do not
/// come from the machine's locale data, which differs from one system to the next.
package struct SiteCalendar: Sendable {
  private let zone: TimeZone
  private let isUTC: Bool

  package static let utc = SiteCalendar(zone: .gmt)

  package init(zone: TimeZone) {
    self.zone = zone
    self.isUTC = ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Zulu"].contains(zone.identifier)
  }

  /// Seconds that the zone is ahead of UTC at that moment.
  package func offset(at moment: Timestamp) -> Int {
    isUTC ? 0 : zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
  }

  package func civil(_ moment: Timestamp) -> CivilTime { moment.civil(offset: offset(at: moment)) }

  /// `6 January 2021`
  package func day(_ moment: Timestamp) -> String {
    let time = civil(moment)
    return "\(time.day) \(Self.monthName(time.month)) \(time.year)"
  }

  /// `6 January 2021, 18:40 UTC`, `6 January 2021, 19:40 UTC+1`
  package func minute(_ moment: Timestamp) -> String {
    let time = civil(moment)
    let minute = time.minute < 10 ? "0\(time.minute)" : "\(time.minute)"
    let hour = time.hour < 10 ? "0\(time.hour)" : "\(time.hour)"
    return "\(day(moment)), \(hour):\(minute) \(zoneName(at: moment))"
  }

  /// `UTC`, `UTC+1`, `UTC−3:30`
  private func zoneName(at moment: Timestamp) -> String {
    let offset = offset(at: moment)
    guard offset != 0 else { return "UTC" }
    let minutes = abs(offset) / 60
    let rest = minutes % 60 == 0 ? "" : ":" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)"
    return "UTC\(offset < 0 ? "−" : "+")\(minutes / 60)\(rest)"
  }

  /// `January` for 1.
  package static func monthName(_ month: Int) -> String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ]
    return names.indices.contains(month - 1) ? names[month - 1] : "\(month)"
  }
}
