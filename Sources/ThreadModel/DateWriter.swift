/// Writes a date as UTF-8 into memory of its own: a thread has dozens of dates, and strings put together of strings cost more
/// than its words.
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

  /// Bytes that no date of the pattern exceeds: a year has at most 20 digits and a sign, a zone fewer than that, and a digit
  /// at most four bytes.
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
