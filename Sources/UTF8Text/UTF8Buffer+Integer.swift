extension UTF8Buffer {
  /// Appends `integer` in decimal digits, without a `String` between.
  package mutating func append(integer: Int) {
    if integer < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    // The magnitude, because the smallest Int has no positive counterpart.
    var rest = integer.magnitude
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest != 0
    bytes[start...].reverse()
  }
}
