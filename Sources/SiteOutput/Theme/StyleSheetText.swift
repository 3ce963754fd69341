import Basics

/// Removes comments and indentation, which only a style sheet's author needs, because readers wait for the style sheet before they see a
/// page.
enum StyleSheetText {
  /// Returns the style sheet without blank lines, indentation and comments, except comments that begin with `/*!`, such as licenses.
  ///
  /// Strings and URLs are unchanged (CSS Syntax Level 3, 4.3).
  static func condensed(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "/") where Self.byte(bytes, position + 1) == UInt8(ascii: "*"):
        let end = endOfComment(bytes, from: position)
        if Self.byte(bytes, position + 2) == UInt8(ascii: "!") {
          result += bytes[position..<end]
        } else if let last = result.last, !isSpace(last) {
          // A comment separates the tokens around it.
          result.append(UInt8(ascii: " "))
        }
        position = end
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let end = endOfString(bytes, from: position)
        result += bytes[position..<end]
        position = end
      case UInt8(ascii: "(") where result.suffix(3).map({ $0 | 0x20 }) == Array("url".utf8):
        // A quoted URL is copied by the case for strings.
        position += 1
        result.append(byte)
        guard let next = Self.byte(bytes, position), next != UInt8(ascii: "\""), next != UInt8(ascii: "'")
        else { continue }
        let end = bytes[position...].firstIndex(of: UInt8(ascii: ")")) ?? bytes.count
        result += bytes[position..<end]
        position = end
      case UInt8(ascii: "\\"):
        result += bytes[position..<min(position + 2, bytes.count)]
        position += 2
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        while let last = result.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
          result.removeLast()
        }
        if let last = result.last, last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        if let last = result.last, !isSpace(last) { result.append(byte) }
        position += 1
      default:
        result.append(byte)
        position += 1
      }
    }
    return result
  }

  private static func byte(_ bytes: [UInt8], _ position: Int) -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func endOfComment(_ bytes: [UInt8], from start: Int) -> Int {
    var position = start + 2
    while position + 1 < bytes.count {
      if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
        return position + 2
      }
      position += 1
    }
    return bytes.count
  }

  /// Returns the end of a string: after its closing quote or, if the quote is missing, at the end of the line.
  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != bytes[start], bytes[position] != UInt8(ascii: "\n") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.count else { return bytes.count }
    return bytes[position] == bytes[start] ? position + 1 : position
  }
}
