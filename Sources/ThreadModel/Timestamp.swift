package import Basics

/// A moment: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Foundation's `Date` counts binary fractions of a second, and formatting one takes longer than all other work on a post. Networks send whole
/// milliseconds, and the store contains whole milliseconds.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  /// Whole seconds since 1970, rounded down.
  package var seconds: Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000)
  }

  package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.milliseconds < rhs.milliseconds }

  private static let secondsPerDay: Int64 = 86_400

  /// Returns date and time in a calendar that is `offset` seconds ahead of UTC.
  ///
  /// Days are converted to dates as in Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  package func civil(offset: Int = 0) -> CivilTime {
    let local = seconds + Int64(offset)
    var days = local / Self.secondsPerDay
    var rest = local % Self.secondsPerDay
    if rest < 0 {
      rest += Self.secondsPerDay
      days -= 1
    }
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let weekday = ((days % 7) + 7 + 3) % 7 + 1
    let millisecond = ((milliseconds % 1000) + 1000) % 1000
    return CivilTime(
      year: Int(year), month: Int(month), day: Int(day), hour: Int(rest / 3600), minute: Int(rest / 60 % 60),
      second: Int(rest % 60), millisecond: Int(millisecond), weekday: Int(weekday))
  }

  /// Creates the moment with this date and time in UTC; `nil` if the date does not exist.
  package init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
  ) {
    guard (0...9999).contains(year), (1...12).contains(month),
      (1...Self.days(of: month, year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    let seconds = Int64(days) * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + min(second, 59))
    self.init(milliseconds: seconds * 1000 + Int64(millisecond))
  }

  /// Returns the number of days from 1970-01-01 to a date that exists; the algorithm is days_from_civil of the same source.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the later of two times; one or both may be unknown.
  package static func later(_ first: Timestamp?, _ second: Timestamp?) -> Timestamp? {
    guard let first, let second else { return first ?? second }
    return max(first, second)
  }

  /// The moment in UTC as RFC 3339, with a fraction only if it is not zero: `2021-01-06T18:40:40Z`.
  package var iso8601: String {
    let time = civil()
    return String(unsafeUninitializedCapacity: 24) { buffer in
      var at = 0
      func put(_ number: Int, digits: Int, then separator: Unicode.Scalar?) {
        var rest = number
        for place in stride(from: at + digits - 1, through: at, by: -1) {
          buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        at += digits
        if let separator {
          buffer[at] = UInt8(ascii: separator)
          at += 1
        }
      }
      put(min(max(time.year, 0), 9999), digits: 4, then: "-")
      put(time.month, digits: 2, then: "-")
      put(time.day, digits: 2, then: "T")
      put(time.hour, digits: 2, then: ":")
      put(time.minute, digits: 2, then: ":")
      if time.millisecond == 0 {
        put(time.second, digits: 2, then: "Z")
      } else {
        put(time.second, digits: 2, then: ".")
        put(time.millisecond, digits: 3, then: "Z")
      }
      return at
    }
  }

  /// Reads RFC 3339 (`2021-01-06T18:40:40.000Z`, `…+01:00`); digits after the milliseconds are dropped.
  ///
  /// The result is `nil` for any other text and for dates that the calendar does not have.
  package init?(iso8601 text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2)
    else { return nil }
    var millisecond = 0
    if reader.take(".") {
      guard let fraction = reader.fraction() else { return nil }
      millisecond = fraction
    }
    guard let offset = reader.offset(), reader.isAtEnd,
      let utc = Timestamp(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        millisecond: millisecond)
    else { return nil }
    self.init(milliseconds: utc.milliseconds - Int64(offset) * 1000)
  }
}

/// A date and a time of day in the proleptic Gregorian calendar, at some offset from UTC.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  /// 1–12
  package var month: Int
  /// 1–31
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int
  /// 1 is Monday, 7 is Sunday (ISO 8601).
  package var weekday: Int

  package init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0,
    weekday: Int = 1
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.millisecond = millisecond
    self.weekday = weekday
  }
}

/// Parses the parts of a timestamp from UTF-8.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads exactly `count` digits.
  mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads a fraction of a second in milliseconds: one or more digits.
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while let digit = digit() {
      if count < 3 { value = value * 10 + digit }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<max(count, 3) { value *= 10 }
    return value
  }

  /// Reads `Z` or `±hh:mm`, in seconds ahead of UTC.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60
    else {
      return nil
    }
    return sign * (hours * 3600 + minutes * 60)
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    rest.removeFirst()
    return Int(byte - UInt8(ascii: "0"))
  }
}

extension Timestamp: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(milliseconds: Int64(try reader.integer()))
  }
  package func write(to writer: inout ByteWriter) { writer.write(Int(milliseconds)) }
}
