/// How dates are written in one language: names of months, the order of the parts, digits.
///
/// The words come from a strings file and not from the machine's locale data, which differs from one system to the next.
package struct DateFormat: Sendable, Hashable {
  /// January first, as they stand within a date: `enero`, `1月`.
  package let months: [String]
  /// As they stand alone, above a list.
  package let standaloneMonths: [String]
  package let digits: Digits
  /// A day: `6 January 2021`.
  let day: DatePattern
  /// A month of a year: `January 2021`.
  let month: DatePattern
  /// `2021`
  let year: DatePattern
  /// A day and the time: `6 January 2021, 18:40 UTC`.
  let minute: DatePattern

  /// The time alone, as it stands in `minute`: `18:40`.
  let time: DatePattern

  /// - Parameters:
  ///   - months: twelve names.
  ///   - standaloneMonths: twelve names.
  ///   - minute: a pattern, where `{date}` stands for the day's.
  package init(
    months: [String], standaloneMonths: [String], digits: Digits = .latin, day: DatePattern,
    month: DatePattern, year: DatePattern, minute: DatePattern
  ) {
    self.months = months
    self.standaloneMonths = standaloneMonths
    self.digits = digits
    self.day = day
    self.month = month
    self.year = year
    self.minute = minute.replacingDate(with: day)
    time = minute.time
  }

  /// `6 January 2021`, and nothing of the site's own: for dates that no page shows, such as in messages.
  package static let english = DateFormat(
    months: englishMonths, standaloneMonths: englishMonths,
    day: DatePattern(pieces: [.day, .text(" "), .month, .text(" "), .year]),
    month: DatePattern(pieces: [.month, .text(" "), .year]), year: DatePattern(pieces: [.year]),
    minute: DatePattern(pieces: [.date, .text(", "), .hour, .text(":"), .minute, .text(" "), .zone]))

  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]
}

/// The ten digits of a language.
package struct Digits: Sendable, Hashable {
  /// From nought to nine.
  let scalars: [Unicode.Scalar]

  package static let latin = Digits(scalars: Array("0123456789".unicodeScalars))

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// - Parameter text: ten characters, nought first; `nil` for anything else.
  package init?(_ text: String) {
    scalars = Array(text.unicodeScalars)
    guard scalars.count == 10 else { return nil }
  }

  var isLatin: Bool { self == .latin }

  /// A number's digits in ASCII, in these.
  package func converting(_ text: String) -> String {
    guard !isLatin else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(("0"..."9").contains(scalar) ? scalars[Int(scalar.value - 0x30)] : scalar)
    }
    return String(result)
  }
}
