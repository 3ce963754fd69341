import Basics

/// Removes comments and unneeded white space, which only a style sheet's author needs, because readers wait for the style sheet before they
/// see a page.
enum StyleSheetText {
  /// Returns the style sheet with one rule per line, and without comments except those that begin with `/*!`, such as licenses.
  ///
  /// White space is removed where it separates no tokens: around `{`, `}` and `;`, and after `:` and `,` (CSS Syntax Level 3, 4.3). Strings,
  /// URLs and escaped characters are unchanged.
  static func condensed(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    // Whether white space or a comment was read since the last copied byte.
    var isSeparated = false
    // The last copied byte if it is punctuation, and not part of a string, a URL or an escape.
    var punctuation: UInt8?
    func separate(before next: UInt8?) {
      defer { isSeparated = false }
      guard isSeparated, let last = result.last else { return }
      let endsRule = next == UInt8(ascii: ";") || next == UInt8(ascii: "}")
      switch punctuation {
      case UInt8(ascii: "}"): if next != UInt8(ascii: "}") { result.append(UInt8(ascii: "\n")) }
      case UInt8(ascii: "{"), UInt8(ascii: ";"), UInt8(ascii: ","): break
      // Older browsers need the space of an empty custom property.
      case UInt8(ascii: ":"): if endsRule { result.append(UInt8(ascii: " ")) }
      default: if !endsRule, next != UInt8(ascii: "{"), !isSpace(last) { result.append(UInt8(ascii: " ")) }
      }
    }
    while position < bytes.count {
      let byte = bytes[position]
      if isSpace(byte) {
        isSeparated = true
        position += 1
        continue
      }
      if byte == UInt8(ascii: "/"), Self.byte(bytes, position + 1) == UInt8(ascii: "*") {
        let end = endOfComment(bytes, from: position)
        if Self.byte(bytes, position + 2) == UInt8(ascii: "!") {
          separate(before: byte)
          result += bytes[position..<end]
          punctuation = nil
        }
        // A comment separates the tokens around it.
        isSeparated = true
        position = end
        continue
      }
      separate(before: byte)
      punctuation = nil
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let (end, isClosed) = endOfString(bytes, from: position)
        result += bytes[position..<end]
        position = end
        // The end of the line ends a string without a closing quote.
        if Self.byte(bytes, end) == UInt8(ascii: "\n"), !isClosed {
          result.append(UInt8(ascii: "\n"))
        }
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
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: ","):
        punctuation = byte
        fallthrough
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
  private static func endOfString(_ bytes: [UInt8], from start: Int) -> (end: Int, isClosed: Bool) {
    var position = start + 1
    while position < bytes.count, bytes[position] != bytes[start], bytes[position] != UInt8(ascii: "\n") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.count else { return (bytes.count, false) }
    return bytes[position] == bytes[start] ? (position + 1, true) : (position, false)
  }
}
