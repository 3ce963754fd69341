package import Basics
import ThreadModel

/// How dates are written in one language: names of months, order of the parts, digits.
///
/// The words come from a strings file instead of the machine's locale data, which differs between systems.
package struct DateFormat: Sendable, Hashable {
  /// Names from January on, in the form used within a date: `enero`, `1月`.
  package let months: [String]
  /// Names from January on, in the form used alone, above a list.
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

  /// `6 January 2021`, independent of the site: for dates that no page shows, such as dates in messages.
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
  /// From zero to nine.
  let scalars: [Unicode.Scalar]

  package static let latin = Digits(scalars: Array("0123456789".unicodeScalars))

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// - Parameter text: ten characters, zero first; the result is `nil` for any other text.
  package init?(_ text: String) {
    scalars = Array(text.unicodeScalars)
    guard scalars.count == 10 else { return nil }
  }

  private var isLatin: Bool { self == .latin }

  /// Returns a text with its ASCII digits replaced by these digits.
  package func converting(_ text: String) -> String {
    guard !isLatin else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(("0"..."9").contains(scalar) ? scalars[Int(scalar.value - 0x30)] : scalar)
    }
    return String(result)
  }
}

/// The order of a date's parts: `{day}. {month} {year}`.
package struct DatePattern: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case text(String)
    case day, month, year
    /// On the 24-hour clock, with two digits.
    case hour
    case minute
    /// `UTC+1`
    case zone
    /// A day, written by the pattern for days.
    case date
  }

  let pieces: [Piece]

  init(pieces: [Piece]) { self.pieces = pieces }

  /// Names that may stand in a pattern.
  package static let names = named.map(\.key)

  private static let named: KeyValuePairs<String, Piece> = [
    "day": .day, "month": .month, "year": .year, "hour": .hour, "minute": .minute, "zone": .zone,
    "date": .date,
  ]

  /// - Returns: `nil` if a name in braces is not in ``names``.
  package init?(_ text: BracedText) {
    var pieces: [Piece] = []
    for piece in text.pieces {
      switch piece {
      case .text(let text): pieces.append(.text(text))
      case .name(let name):
        guard let named = Self.named.first(where: { $0.key == name }) else { return nil }
        pieces.append(named.value)
      }
    }
    self.pieces = pieces
  }

  /// The part of the pattern from the hour to the minute, in either order.
  var time: DatePattern {
    guard let start = pieces.firstIndex(where: { $0 == .hour || $0 == .minute }),
      let end = pieces.lastIndex(where: { $0 == .hour || $0 == .minute })
    else { return DatePattern(pieces: [.hour, .text(":"), .minute]) }
    return DatePattern(pieces: Array(pieces[start...end]))
  }

  func replacingDate(with day: DatePattern) -> DatePattern {
    DatePattern(pieces: pieces.flatMap { $0 == .date ? day.pieces.filter { $0 != .date } : [$0] })
  }
}

/// Writes a date as UTF-8 into a preallocated buffer: a thread has dozens of dates, and concatenating strings takes more time than writing the words
/// of the thread.
struct DateWriter {
  private let format: DateFormat
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// Bytes written.
  private var count = 0

  /// - Parameter offset: seconds that the time is ahead of UTC.
  static func text(
    _ pattern: DatePattern, _ format: DateFormat, _ time: CivilTime, offset: Int
  ) -> String {
    String(unsafeUninitializedCapacity: capacity(of: pattern, format)) { buffer in
      var writer = DateWriter(format: format, buffer: buffer)
      writer.write(pattern, time, offset: offset)
      return writer.count
    }
  }

  /// An upper limit for the number of bytes of a date of the pattern: a year has at most 20 digits and a sign, a zone is shorter than that, and a
  /// digit has at most four bytes.
  private static func capacity(of pattern: DatePattern, _ format: DateFormat) -> Int {
    pattern.pieces.reduce(0) { sum, piece in
      switch piece {
      case .text(let text): sum + text.utf8.count
      case .month: sum + (format.months.map(\.utf8.count).max() ?? 0) + longestNumber
      case .day, .year, .hour, .minute, .zone, .date: sum + longestNumber
      }
    }
  }

  private static let longestNumber = 21 * 4

  private init(format: DateFormat, buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.format = format
    self.buffer = buffer
  }

  private mutating func write(_ pattern: DatePattern, _ time: CivilTime, offset: Int) {
    for piece in pattern.pieces {
      switch piece {
      case .text(let text): put(text)
      case .day: number(time.day)
      case .month: month(time.month)
      case .year: number(time.year)
      case .hour: twoDigits(time.hour)
      case .minute: twoDigits(time.minute)
      case .zone: zone(offset)
      case .date: break
      }
    }
  }

  private mutating func month(_ month: Int) {
    if format.months.indices.contains(month - 1) { put(format.months[month - 1]) } else { number(month) }
  }

  /// `UTC`, `UTC+1`, `UTC−3:30`
  private mutating func zone(_ offset: Int) {
    put("UTC")
    guard offset != 0 else { return }
    put(offset < 0 ? "−" : "+")
    let minutes = abs(offset) / 60
    number(minutes / 60)
    if !minutes.isMultiple(of: 60) {
      put(":")
      twoDigits(minutes % 60)
    }
  }

  private mutating func put(_ text: String) {
    for byte in text.utf8 {
      buffer[count] = byte
      count += 1
    }
  }

  private mutating func twoDigits(_ number: Int) {
    if number < 10 { digit(0) }
    self.number(number)
  }

  private mutating func number(_ number: Int) {
    if number < 0 { put("-") }
    var divisor: UInt = 1
    while number.magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      digit(Int(number.magnitude / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func digit(_ digit: Int) {
    for byte in UTF8.encode(format.digits.scalars[digit]) ?? .init() {
      buffer[count] = byte
      count += 1
    }
  }
}
