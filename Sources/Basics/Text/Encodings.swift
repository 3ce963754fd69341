/// Bytes as text, such as digests.
package enum Hexadecimal {
  /// Two lower-case digits for each byte.
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

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

/// Percent-encoding of a part of a URL (RFC 3986, section 2; the same as RFC 1738 asks for the halves of a consumer key).
package enum PercentEncoding {
  private static let hexadecimal = Array("0123456789ABCDEF".utf8)

  /// Keeps letters, digits and `-._~`; every other byte becomes `%XX`.
  package static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.append(byte)
      default:
        result.append(UInt8(ascii: "%"))
        result.append(hexadecimal[Int(byte >> 4)])
        result.append(hexadecimal[Int(byte & 15)])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String {
    var text = UTF8Buffer(capacity: (bytes.count + 2) / 3 * 4)
    text.appendBase64(bytes)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

extension UTF8Buffer {
  /// Appends bytes in base64.
  package mutating func appendBase64(_ input: [UInt8]) {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var index = 0
    while index < input.count {
      let rest = input.count - index
      let word =
        Int(input[index]) << 16 | (rest > 1 ? Int(input[index + 1]) << 8 : 0)
        | (rest > 2 ? Int(input[index + 2]) : 0)
      append(letters[word >> 18])
      append(letters[word >> 12 & 63])
      append(rest > 1 ? letters[word >> 6 & 63] : UInt8(ascii: "="))
      append(rest > 2 ? letters[word & 63] : UInt8(ascii: "="))
      index += 3
    }
  }
}
