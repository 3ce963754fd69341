import Basics

/// Finds the references to other files in a style sheet: `url(…)` and `@import`.
///
/// Parses just enough of CSS Syntax Level 3 (section 4) to skip comments and strings.
package struct StyleSheetReferences {
  package struct Reference: Equatable {
    package let target: String
    /// Whether the reference is an `@import`, with or without `url(…)`.
    package let isImport: Bool
    /// The range in bytes: from `url(` to its `)`, or from `@import` to the end of the URL. The range of an `@import` with a `base:` URL
    /// includes the `;` if only spaces are before it.
    let range: Range<Int>
    /// Whether an import's URL is followed directly by the `;`, without media or other conditions; `false` for `url(…)`.
    let isWhole: Bool
  }

  private let bytes: [UInt8]
  private var position = 0

  package static func find(in bytes: [UInt8]) -> [Reference] {
    var scanner = StyleSheetReferences(bytes: bytes)
    var found: [Reference] = []
    while let reference = scanner.next() { found.append(reference) }
    return found
  }

  /// Returns a URL with its escapes decoded (CSS Syntax 3, 4.3.7).
  package static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      let digits = rest.prefix(6).prefix { $0.isASCII && $0.properties.isASCIIHexDigit }
      if digits.isEmpty {
        if let next = rest.popFirst(), next != "\n" { result.append(next) }
        continue
      }
      rest = rest.dropFirst(digits.count)
      if let next = rest.first, next == " " || next == "\n" || next == "\t" { rest = rest.dropFirst() }
      let number = UInt32(String(digits), radix: 16) ?? 0
      result.append(Unicode.Scalar(number).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}")
    }
    return String(result)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func next() -> Reference? {
    while position < bytes.count {
      let start = position
      switch bytes[position] {
      case UInt8(ascii: "/") where byte(at: position + 1) == UInt8(ascii: "*"):
        skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        _ = string()
      case UInt8(ascii: "@") where matches("@import"):
        position += "@import".utf8.count
        if let target = importTarget() { return reference(from: start, to: target) }
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        if !isOfName(byte(at: position - 1)), let target = url() {
          return Reference(target: target, isImport: false, range: start..<position, isWhole: false)
        }
        position = max(position, start + 1)
      default:
        position += 1
      }
    }
    return nil
  }

  private mutating func reference(from start: Int, to target: String) -> Reference {
    let end = position
    skipSpace()
    if byte(at: position) == UInt8(ascii: ";") {
      // The semicolon after an ordinary URL stays, because only the URL is replaced. A `base:` import is replaced by a style sheet,
      // together with its semicolon.
      let isBelow = target.hasBytePrefix("base:")
      if isBelow { position += 1 } else { position = end }
      return Reference(target: target, isImport: true, range: start..<position, isWhole: true)
    }
    position = end
    return Reference(target: target, isImport: true, range: start..<end, isWhole: false)
  }

  private mutating func importTarget() -> String? {
    skipSpace()
    switch byte(at: position) {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return string()
    case UInt8(ascii: "u"), UInt8(ascii: "U"): return url()
    default: return nil
    }
  }

  /// Reads `url(a.png)` or `url("a.png")`; for anything else returns `nil` and leaves the position unchanged.
  private mutating func url() -> String? {
    let start = position
    guard matches("url(") else { return nil }
    position += "url(".utf8.count
    skipSpace()
    var target: String?
    if let quote = byte(at: position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      target = string()
      skipSpace()
    } else if let end = bytes[position...].firstIndex(of: UInt8(ascii: ")")) {
      var last = end
      while last > position, Self.isSpace(bytes[last - 1]) { last -= 1 }
      target = String(decoding: bytes[position..<last], as: UTF8.self)
      position = end
    }
    guard let target, byte(at: position) == UInt8(ascii: ")") else {
      position = start
      return nil
    }
    position += 1
    return target
  }

  /// Reads a quoted string and returns its content with the escapes kept.
  private mutating func string() -> String {
    let quote = bytes[position]
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "\n") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    let end = min(position, bytes.count)
    position = min(end + 1, bytes.count)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func skipComment() {
    position += 2
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "*"), byte(at: position + 1) == UInt8(ascii: "/") {
        position += 2
        return
      }
      position += 1
    }
  }

  private mutating func skipSpace() {
    while let byte = byte(at: position), Self.isSpace(byte) { position += 1 }
  }

  private func byte(at index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  /// Whether a word is at the position, ignoring letter case.
  private func matches(_ word: StaticString) -> Bool {
    guard position + word.utf8CodeUnitCount <= bytes.count else { return false }
    return word.withUTF8Buffer { word in
      word.indices.allSatisfy { bytes[position + $0] | 0x20 == word[$0] | 0x20 }
    }
  }

  private func isOfName(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
