package import ThreadModel

/// The date of an HTTP header (RFC 9110, IMF-fixdate): `Sun, 19 Dec 2021 20:49:25 GMT`.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `UTC` for `GMT`, as some recorders write it, is accepted; anything else is `nil`.
  static func parse(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT" || parts[5] == "UTC", let day = Int(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3])
    else { return nil }
    let time = parts[4].split(separator: ":").map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else { return nil }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
  }
}

extension Timestamp {
  /// The moment that an HTTP header says, to the second: `Sun, 19 Dec 2021 20:49:25 GMT`; `nil` for anything else.
  package init?(httpDate text: String) {
    guard let time = HTTPDate.parse(text) else { return nil }
    self = time
  }
}
