/// Parses the date of an HTTP header (RFC 9110, 5.6.7), in any of its three forms.
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970; `nil` if the text is not a date. Names of days are ignored, and `UTC` is accepted for `GMT`, as some
  /// servers write it.
  package static func seconds(_ text: String) -> Int? {
    let parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
    if parts.count == 6, parts[5] == "GMT" || parts[5] == "UTC" {
      return seconds(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
    }
    if parts.count == 5 {
      return seconds(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
    }
    return nil
  }

  private static func seconds(year: Substring, month: Substring, day: Substring, time: Substring) -> Int? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard let month = months.firstIndex(of: String(month)), var year = Int(year), let day = Int(day),
      (1...31).contains(day), (0...9999).contains(year), clock.count == 3, (0...23).contains(clock[0]),
      (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    // Years of two digits are in 1970–2069.
    if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
    return ((days(year: year, month: month + 1, day: day) * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
  }

  /// Returns the days since 1970-01-01 in the Gregorian calendar; the calculation begins years in March, so that the leap day is the last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
