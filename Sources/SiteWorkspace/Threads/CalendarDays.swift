import InterfaceText
package import SiteConfig
package import ThreadModel

extension SiteCalendar {
  /// Returns the first moment of a day.
  package func start(of day: CalendarDay) -> Timestamp { moment(ofMidnight: day.midnight.seconds) }

  /// Returns the last second of a day.
  package func end(of day: CalendarDay) -> Timestamp {
    Timestamp(seconds: moment(ofMidnight: day.midnight.seconds + 86_400).seconds - 1)
  }

  /// Returns the moment at which the clocks of the zone show midnight, given as in UTC.
  private func moment(ofMidnight midnight: Int64) -> Timestamp {
    // Shifted by the zone's offset at midnight in UTC, and again with the offset at the result, in case the clocks change in between.
    let first = Timestamp(seconds: midnight - Int64(offset(at: Timestamp(seconds: midnight))))
    return Timestamp(seconds: midnight - Int64(offset(at: first)))
  }

  /// Whether a moment is on a day from `since` to `until`, both inclusive; `nil` means no limit.
  package func isDay(of moment: Timestamp, since: CalendarDay?, until: CalendarDay?) -> Bool {
    let shown = shown(moment)
    return since.map { shown >= $0.midnight } ?? true
      && until.map { shown.seconds < $0.midnight.seconds + 86_400 } ?? true
  }
}
