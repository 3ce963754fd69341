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
    return String(unsafeUninitializedCapacity: DateWriter.capacity) { buffer in
      var writer = DateWriter(buffer: buffer)
      writer.day(time)
      return writer.count
    }
  }

  /// `6 January 2021, 18:40 UTC`, `6 January 2021, 19:40 UTC+1`
  package func minute(_ moment: Timestamp) -> String {
    let offset = offset(at: moment)
    let time = moment.civil(offset: offset)
    let text = String(unsafeUninitializedCapacity: DateWriter.capacity) { buffer in
      var writer = DateWriter(buffer: buffer)
      writer.day(time)
      writer.put(", ")
      writer.twoDigits(time.hour)
      writer.put(":")
      writer.twoDigits(time.minute)
      if offset == 0 { writer.put(" UTC") }
      return writer.count
    }
    return offset == 0 ? text : "\(text) \(zoneName(offset: offset))"
  }

  /// `UTC+1`, `UTC−3:30`
  private func zoneName(offset: Int) -> String {
    let minutes = abs(offset) / 60
    let rest = minutes % 60 == 0 ? "" : ":" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)"
    return "UTC\(offset < 0 ? "−" : "+")\(minutes / 60)\(rest)"
  }

  /// `January` for 1.
  package static func monthName(_ month: Int) -> String {
    DateWriter.monthName(month)?.description ?? "\(month)"
  }
}

/// Writes the parts of a date as UTF-8 into memory of at least `capacity` bytes: a thread has dozens of dates, and strings put
/// together of strings cost more than its words.
private struct DateWriter {
  /// Bytes that the longest date takes: `31 September −292277024627, 23:59 UTC` and some.
  static let capacity = 64

  let buffer: UnsafeMutableBufferPointer<UInt8>
  /// Bytes written.
  private(set) var count = 0

  init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  /// `6 January 2021`
  mutating func day(_ time: CivilTime) {
    number(time.day)
    put(" ")
    if let name = Self.monthName(time.month) { put(name) } else { number(time.month) }
    put(" ")
    number(time.year)
  }

  mutating func put(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
  }

  mutating func twoDigits(_ number: Int) {
    if number < 10 { put("0") }
    self.number(number)
  }

  private mutating func number(_ number: Int) {
    if 0..<10 ~= number { return put(UInt8(ascii: "0") + UInt8(number)) }
    if number < 0 { put("-") }
    var divisor: UInt = 1
    while number.magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number.magnitude / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func put(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  static func monthName(_ month: Int) -> StaticString? {
    switch month {
    case 1: "January"
    case 2: "February"
    case 3: "March"
    case 4: "April"
    case 5: "May"
    case 6: "June"
    case 7: "July"
    case 8: "August"
    case 9: "September"
    case 10: "October"
    case 11: "November"
    case 12: "December"
    default: nil
    }
  }
}
