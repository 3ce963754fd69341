/// Bytes in hexadecimal, such as digests.
package enum Hexadecimal {
  /// Returns two lower-case digits for each byte.
  package static func digits(_ bytes: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      var count = 0
      for byte in bytes {
        buffer[count] = digit(byte >> 4)
        buffer[count + 1] = digit(byte & 15)
        count += 2
      }
      return count
    }
  }

  /// Returns the lower-case digit of a value below 16.
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

/// Percent-encoding of a part of a URL (RFC 3986, section 2; the same as in RFC 1738, which X requires for the two parts of a consumer
/// key).
package enum PercentEncoding {
  /// Returns whether a byte is a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Returns the text with every byte as `%XX`, in upper case, except for bytes for which `isKept` returns true.
  package static func encode(_ text: String, keeping isKept: (UInt8) -> Bool = isUnreserved) -> String {
    if text.utf8.allSatisfy(isKept) { return text }
    var result = UTF8Buffer(capacity: text.utf8.count * 3)
    for byte in text.utf8 {
      if isKept(byte) { result.append(byte) } else { result.appendPercentEncoded(byte) }
    }
    return result.string
  }
}

extension UTF8Buffer {
  /// Appends a byte as `%XX`, in upper case.
  package mutating func appendPercentEncoded(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    append(Self.hexadecimalDigit(byte >> 4))
    append(Self.hexadecimalDigit(byte & 15))
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
