extension JSONReader {
  // MARK: true, false, null

  /// Reads `true` or `false`.
  package mutating func readBool() throws(JSONError) -> Bool {
    skipWhitespace()
    lastStart = position
    if matches("true") {
      position += 4
      return true
    }
    guard matches("false") else { throw error("expected true or false, but found \(describeNext())") }
    position += 5
    return false
  }

  /// True when the next value is `null`, which is then behind; otherwise nothing is read.
  package mutating func takeNull() -> Bool {
    skipWhitespace()
    guard matches("null") else { return false }
    lastStart = position
    position += 4
    return true
  }

  /// Reads `null`.
  package mutating func readNull() throws(JSONError) {
    guard takeNull() else { throw error("expected null, but found \(describeNext())") }
  }

  /// True when the literal stands at the cursor.
  func matches(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard end - position >= length else { return false }
    var index = 0
    while index < length {
      if base[position + index] != literal.utf8Start[index] { return false }
      index += 1
    }
    return true
  }

  // MARK: Numbers

  /// Reads a whole number that fits 64 bits; `1.0` and `1e3` are not whole numbers here.
  package mutating func readInteger() throws(JSONError) -> Int64 {
    let number = try scanNumber()
    guard number.isInteger, let value = Int64(text(of: number)) else {
      throw error(
        "expected a whole number that fits 64 bits, but found \(text(of: number))", at: number.start)
    }
    return value
  }

  /// Reads a whole number that fits an `Int`.
  package mutating func readInt() throws(JSONError) -> Int {
    skipWhitespace()
    // Short ones without a sign, which is all that the store holds, are read as they are scanned.
    var index = position
    var short = 0
    while index < end, Self.isDigit(base[index]) {
      short = short &* 10 &+ Int(base[index] &- 0x30)
      index &+= 1
    }
    let count = index &- position
    let next = index < end ? base[index] : 0
    if count == 1 || (count > 1 && count <= 18 && current != UInt8(ascii: "0")),
      next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e")
    {
      lastStart = position
      position = index
      return short
    }
    let number = try scanNumber()
    guard number.isInteger, let value = Int(text(of: number)) else {
      throw error(
        "expected a whole number that fits 64 bits, but found \(text(of: number))", at: number.start)
    }
    return value
  }

  /// Reads a number as the nearest double; one that is too large for any is an error.
  package mutating func readDouble() throws(JSONError) -> Double {
    let number = try scanNumber()
    guard let value = Double(text(of: number)), value.isFinite else {
      throw error("a number that is too large: \(text(of: number))", at: number.start)
    }
    return value
  }

  typealias NumberSpan = (start: Int, stop: Int, isInteger: Bool)

  /// Passes over a number, checking its grammar.
  mutating func scanNumber() throws(JSONError) -> NumberSpan {
    skipWhitespace()
    let start = position
    lastStart = start
    if current == UInt8(ascii: "-") { position += 1 }
    guard Self.isDigit(current) else {
      if position > start { throw error("a minus sign without a digit after it", at: start) }
      throw error("expected a number, but found \(describeNext())")
    }
    if current == UInt8(ascii: "0") {
      position += 1
      if Self.isDigit(current) { throw error("a number that begins with 0", at: start) }
    } else {
      skipDigits()
    }
    var isInteger = true
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard Self.isDigit(current) else { throw error("a decimal point without a digit after it", at: start) }
      skipDigits()
    }
    if current | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      guard Self.isDigit(current) else { throw error("an exponent without a digit", at: start) }
      skipDigits()
    }
    return (start, position, isInteger)
  }

  func text(of number: NumberSpan) -> String {
    String(
      decoding: UnsafeBufferPointer(start: base + number.start, count: number.stop - number.start),
      as: UTF8.self)
  }

  private mutating func skipDigits() {
    while Self.isDigit(current) { position += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
