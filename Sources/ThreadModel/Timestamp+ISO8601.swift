extension Timestamp {
  /// The moment in UTC as RFC 3339 writes it, with a fraction only where there is one: `2021-01-06T18:40:40Z`.
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

  /// Reads RFC 3339 (`2021-01-06T18:40:40.000Z`, `…+01:00`); digits past milliseconds are dropped.
  ///
  /// `nil` for everything else, a date that the calendar does not have included.
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

/// The few shapes that a timestamp is made of, read from UTF-8.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  /// Exactly `count` digits.
  mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// A fraction of a second in milliseconds: any number of digits, at least one.
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

  /// `Z` or `±hh:mm`, in seconds ahead of UTC.
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
