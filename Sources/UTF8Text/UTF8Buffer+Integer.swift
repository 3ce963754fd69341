extension UTF8Buffer {
  /// Appends `integer` in decimal digits, without a `String` between.
  package mutating func append(integer: Int) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    // 64 bits have at most 20 digits; they are found from the last to the first.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      // The magnitude, because the smallest Int has no positive counterpart.
      var rest = integer.magnitude
      repeat {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest != 0
      append(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
