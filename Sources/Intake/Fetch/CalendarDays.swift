package import SiteConfig
package import ThreadModel

extension SiteCalendar {
  /// Returns the first moment of a day.
  package func start(of day: CalendarDay) -> Timestamp {
    // Midnight in UTC, shifted by the zone's offset at that time; shifted again with the offset at the result, in case the clocks change in between.
    let midnight = Timestamp(iso8601: "\(day)T00:00:00Z") ?? Timestamp(seconds: 0)
    let first = Timestamp(seconds: midnight.seconds - Int64(offset(at: midnight)))
    return Timestamp(seconds: midnight.seconds - Int64(offset(at: first)))
  }

  /// Returns the last second of a day.
  package func end(of day: CalendarDay) -> Timestamp {
    // A day has 23 to 25 hours: 26 hours after its start it is the next day, and that day's start minus one second is the end.
    let tomorrow = civil(Timestamp(seconds: start(of: day).seconds + 26 * 3600))
    let midnight = Timestamp(
      iso8601: "\(padded(tomorrow.year, 4))-\(padded(tomorrow.month, 2))-\(padded(tomorrow.day, 2))T00:00:00Z"
    )
    guard let midnight else { return Timestamp(seconds: start(of: day).seconds + 86_399) }
    let first = Timestamp(seconds: midnight.seconds - Int64(offset(at: midnight)))
    return Timestamp(seconds: midnight.seconds - Int64(offset(at: first)) - 1)
  }

  private func padded(_ number: Int, _ digits: Int) -> String {
    String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
  }
}
