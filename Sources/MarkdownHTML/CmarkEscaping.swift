import Basics

/// Writes cmark's bytes as HTML, several bytes at a time.
extension UTF8Buffer {
  /// Appends text for a text node or a value in double quotes.
  ///
  /// Unlike in `appendEscapingHTML`, `'` is not escaped, because no value is written in single quotes and prose has many apostrophes. A
  /// carriage return (from `&#13;`) becomes a newline, as a browser would convert it. Other C0 controls, U+FFFE and U+FFFF, which HTML does
  /// not allow, become U+FFFD.
  mutating func appendEscapedText(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      let replacement: StaticString
      var length = 1
      switch byte {
      case UInt8(ascii: "&"): replacement = "&amp;"
      case UInt8(ascii: "<"): replacement = "&lt;"
      case UInt8(ascii: ">"): replacement = "&gt;"
      case UInt8(ascii: "\""): replacement = "&quot;"
      case 0x0D: replacement = "\n"
      case 0x00..<0x09, 0x0B, 0x0C, 0x0E..<0x20: replacement = "\u{FFFD}"
      case 0xEF where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
        replacement = "\u{FFFD}"
        length = 3
      default:
        index += 1
        continue
      }
      append(UnsafeBufferPointer(rebasing: text[start..<index]))
      append(replacement)
      index += length
      start = index
    }
    append(UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// Appends a URL for a value in double quotes. Characters that are not allowed in a URL are percent-encoded, as in cmark
  /// (houdini_href_e.c). A `%` is assumed to be part of an encoding.
  ///
  /// - Parameters:
  ///   - encodesCommas: Whether commas are encoded, because a comma may end a URL in a `srcset`.
  ///   - isStrict: Whether to encode a `%` that encodes no byte and a `#` in a fragment. Browsers accept them, e-readers do not.
  mutating func appendEscapedURL(
    _ url: UnsafeBufferPointer<UInt8>, encodesCommas: Bool = false, isStrict: Bool = false
  ) {
    var start = 0
    var isFragment = false
    for index in url.indices {
      let byte = url[index]
      var isSafe = Self.isSafeInURL(byte)
      if encodesCommas, byte == UInt8(ascii: ",") { isSafe = false }
      if isStrict, byte == UInt8(ascii: "%"), !Self.isEncoding(url, at: index) { isSafe = false }
      if isStrict, byte == UInt8(ascii: "#") {
        if isFragment { isSafe = false }
        isFragment = true
      }
      if isSafe { continue }
      append(UnsafeBufferPointer(rebasing: url[start..<index]))
      start = index + 1
      switch byte {
      case UInt8(ascii: "&"):
        append("&amp;" as StaticString)
      case UInt8(ascii: "'"):
        append("&#39;" as StaticString)
      default:
        appendPercentEncoded(byte)
      }
    }
    append(UnsafeBufferPointer(rebasing: url[start...]))
  }

  private static func isSafeInURL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "#"),
      UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "$"), UInt8(ascii: "~"):
      true
    default:
      false
    }
  }

  private static func isEncoding(_ url: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    index + 2 < url.count && isHexDigit(url[index + 1]) && isHexDigit(url[index + 2])
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }
}
