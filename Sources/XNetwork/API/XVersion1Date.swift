package import ThreadModel

/// The dates of X's API before version 2: `Wed Jan 06 18:40:40 +0000 2021`, and in the first search's results
/// `Wed, 06 Jan 2021 18:40:40 +0000`.
package enum XVersion1Date {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Either form, or RFC 3339, which archives have beside them; anything else is `nil`.
  package static func parse(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 6 else { return Timestamp(iso8601: text) }
    let isSearch = parts[0].hasSuffix(",")
    let (day, month, year) = isSearch ? (parts[1], parts[2], parts[3]) : (parts[2], parts[1], parts[5])
    let (clock, zone) = isSearch ? (parts[4], parts[5]) : (parts[3], parts[4])
    guard let month = months.firstIndex(of: String(month)), let day = Int(day), let year = Int(year),
      zone == "+0000" || zone == "GMT"
    else { return nil }
    let time = clock.split(separator: ":").map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else { return nil }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
  }
}
