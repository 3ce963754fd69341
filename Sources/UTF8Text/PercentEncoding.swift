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
