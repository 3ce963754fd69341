package import ThreadModel

/// A day of the Gregorian calendar, without a time of day or time zone.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The first moment of the day in UTC.
  package let midnight: Timestamp

  /// - Throws: ``InvalidValue`` if the text is not written as `YYYY-MM-DD`, or is not a day of the calendar.
  package init(_ text: String) throws(InvalidValue) {
    guard text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [4, 2, 2],
      text.utf8.allSatisfy({ isASCIIDigit($0) || $0 == UInt8(ascii: "-") })
    else {
      throw InvalidValue("\(quoted(text)) is not a date; write it as YYYY-MM-DD, such as 2024-01-31")
    }
    guard let midnight = Timestamp(iso8601: text + "T00:00:00Z") else {
      throw InvalidValue("\(quoted(text)) is not a day of the calendar")
    }
    self.midnight = midnight
  }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.midnight < right.midnight }

  /// `YYYY-MM-DD`.
  package var description: String { String(midnight.iso8601.prefix(10)) }
}
