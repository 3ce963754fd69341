import InterfaceText
package import SiteConfig
package import ThreadModel

extension SiteCalendar {
  /// Returns the first moment of a day.
  package func start(of day: CalendarDay) -> Timestamp { moment(ofLocal: day.midnight.seconds) }

  /// Returns the last second of a day.
  package func end(of day: CalendarDay) -> Timestamp {
    Timestamp(seconds: moment(ofLocal: day.midnight.seconds + 86_400).seconds - 1)
  }

  /// Returns the moment of a publication. A time without an offset from UTC is a time of this calendar's zone.
  package func moment(of time: PublicationTime) -> Timestamp {
    time.isExact ? time.time : moment(ofLocal: time.time.seconds)
  }

  /// Returns the moment at which the clocks of the zone show a time, given as in UTC.
  private func moment(ofLocal local: Int64) -> Timestamp {
    // Shifted by the zone's offset at that time in UTC, and again with the offset at the result, in case the clocks change in between.
    let first = Timestamp(seconds: local - Int64(offset(at: Timestamp(seconds: local))))
    return Timestamp(seconds: local - Int64(offset(at: first)))
  }

  /// Whether a moment is on a day from `since` to `until`, both inclusive; `nil` means no limit.
  package func isDay(of moment: Timestamp, since: CalendarDay?, until: CalendarDay?) -> Bool {
    let shown = shown(moment)
    return since.map { shown >= $0.midnight } ?? true
      && until.map { shown.seconds < $0.midnight.seconds + 86_400 } ?? true
  }
}
