/// A tag of a template. Offsets are in bytes of the source.
struct Token {
  enum Kind {
    case variable, unescaped, section, inverted, close, partial, parent, block, comment, delimiters
  }

  let kind: Kind
  /// The name in the tag; empty for comments and delimiters.
  let name: String
  /// Whether the name belongs to a value that contains a template's name: `{{>*name}}`.
  let isDynamic: Bool
  /// The range of the tag.
  let range: Range<Int>
  /// The start of the tag's line if only blanks are before the tag; otherwise `nil`.
  let lineStart: Int?
  /// The start of the next line if only blanks are after the tag; otherwise `nil`.
  let nextLine: Int?

  /// Whether the tag stands alone on its line.
  var isAlone: Bool { lineStart != nil && nextLine != nil }
}

/// A mistake in a template: a byte offset and a message.
struct Mistake: Error {
  let offset: Int
  let message: String
}

/// Finds the tags of a template, one at a time.
struct Lexer {
  let bytes: [UInt8]
  private(set) var opening = Array("{{".utf8)
  private(set) var closing = Array("}}".utf8)
  /// The byte offset of the text after the last tag.
  private(set) var offset = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Returns the next tag; `nil` after the last one. After a thrown mistake, the next call continues after it.
  mutating func next() throws(Mistake) -> Token? {
    guard let start = find(opening, from: offset) else {
      offset = bytes.count
      return nil
    }
    let textStart = offset
    let content = start + opening.count
    // The search continues here if this is not a valid tag.
    offset = content
    switch content < bytes.count ? bytes[content] : 0 {
    case UInt8(ascii: "!"):
      return try token(.comment, "", to: end(of: start, before: closing), from: start, textStart)
    case UInt8(ascii: "="):
      return try delimiters(from: start, textStart)
    case UInt8(ascii: "{"):
      let end = try end(of: start, before: [UInt8(ascii: "}")] + closing)
      return try named(.unescaped, content + 1..<end - closing.count - 1, to: end, from: start, textStart)
    case let sigil:
      let end = try end(of: start, before: closing)
      let kind = Self.kind(of: sigil)
      let nameEnd = end - closing.count
      // A delimiter may begin with the same character as a sigil; the name is then empty.
      let nameStart = kind == nil ? content : min(content + 1, nameEnd)
      return try named(kind ?? .variable, nameStart..<nameEnd, to: end, from: start, textStart)
    }
  }

  private static func kind(of sigil: UInt8) -> Token.Kind? {
    switch sigil {
    case UInt8(ascii: "#"): .section
    case UInt8(ascii: "^"): .inverted
    case UInt8(ascii: "/"): .close
    case UInt8(ascii: ">"): .partial
    case UInt8(ascii: "<"): .parent
    case UInt8(ascii: "$"): .block
    case UInt8(ascii: "&"): .unescaped
    default: nil
    }
  }

  /// Returns a tag whose name is in `range`.
  private mutating func named(
    _ kind: Token.Kind, _ range: Range<Int>, to end: Int, from start: Int, _ textStart: Int
  ) throws(Mistake) -> Token {
    var name = trimmed(range)
    let mayBeDynamic = kind == .partial || kind == .parent || kind == .close
    let isDynamic = mayBeDynamic && name.first == UInt8(ascii: "*")
    if isDynamic { name = trimmed(name.startIndex + 1..<name.endIndex) }
    if name.isEmpty {
      offset = end
      throw Mistake(offset: start, message: "this tag has no name")
    }
    if name.contains(where: Self.isSpace) {
      let text = String(decoding: bytes[name.indices], as: UTF8.self)
      if name.contains(UInt8(ascii: "\n")) || text.contains(String(decoding: opening, as: UTF8.self)) {
        throw unclosed(start, closing)
      }
      offset = end
      throw Mistake(offset: start, message: "a name cannot contain white space, as `\(text)` does")
    }
    return token(
      kind, String(decoding: name, as: UTF8.self), isDynamic: isDynamic, to: end, from: start, textStart)
  }

  /// Reads `{{=<% %>=}}`: two delimiters without white space and `=`.
  private mutating func delimiters(from start: Int, _ textStart: Int) throws(Mistake) -> Token {
    let content = start + opening.count + 1
    let end = try end(of: start, before: [UInt8(ascii: "=")] + closing)
    let body = content..<max(content, end - closing.count - 1)
    let parts = bytes[body].split(whereSeparator: Self.isSpace)
    offset = end
    guard parts.count == 2, !bytes[body].contains(UInt8(ascii: "=")) else {
      throw Mistake(
        offset: start,
        message: "new delimiters are written like `{{=<% %>=}}`: two, apart, without white space or `=`")
    }
    let token = token(.delimiters, "", to: end, from: start, textStart)
    opening = Array(parts[0])
    closing = Array(parts[1])
    return token
  }

  private mutating func token(
    _ kind: Token.Kind, _ name: String, isDynamic: Bool = false, to end: Int, from start: Int,
    _ textStart: Int
  ) -> Token {
    offset = end
    return Token(
      kind: kind, name: name, isDynamic: isDynamic, range: start..<end,
      lineStart: lineStart(before: start, textStart), nextLine: nextLine(after: end))
  }

  /// Returns the end of the tag that starts at `start` and ends with `mark`.
  private mutating func end(of start: Int, before mark: [UInt8]) throws(Mistake) -> Int {
    // After the opening delimiter and, in `{{{name}}}` and `{{=a b=}}`, after the sigil, which the mark repeats.
    let content = start + opening.count
    let first = mark.count > closing.count ? content + 1 : content
    guard let found = find(mark, from: first) else {
      offset = bytes.count
      throw unclosed(start, mark)
    }
    return found + mark.count
  }

  private func unclosed(_ start: Int, _ mark: [UInt8]) -> Mistake {
    Mistake(
      offset: start,
      message: "this tag is not closed: `\(String(decoding: mark, as: UTF8.self))` was expected")
  }

  private func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var range = range
    while let first = range.first, Self.isSpace(bytes[first]) { range = first + 1..<range.upperBound }
    while let last = range.last, Self.isSpace(bytes[last]) { range = range.lowerBound..<last }
    return bytes[range]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }

  /// Returns the start of the line if only blanks are before the tag at `start`; `nil` if text or a different tag, which ends at `textStart`, is before it.
  func lineStart(before start: Int, _ textStart: Int) -> Int? {
    var position = start
    while position > textStart, Self.isBlank(bytes[position - 1]) { position -= 1 }
    if position == 0 { return 0 }
    return position > textStart && bytes[position - 1] == UInt8(ascii: "\n") ? position : nil
  }

  /// Returns the start of the next line, or the end of the source, if only blanks are between it and `end`; otherwise `nil`.
  func nextLine(after end: Int) -> Int? {
    let position = skippingBlanks(from: end)
    if position == bytes.count { return position }
    if bytes[position] == UInt8(ascii: "\n") { return position + 1 }
    let isCRLF =
      bytes[position] == UInt8(ascii: "\r") && position + 1 < bytes.count
      && bytes[position + 1] == UInt8(ascii: "\n")
    return isCRLF ? position + 2 : nil
  }

  /// Returns the blanks at the start of the first line from `start` that is not blank; `nil` if that line begins with a closing tag, or if there is no such
  /// line.
  func indentationOfFirstLine(from start: Int) -> Range<Int>? {
    var line = start
    while line < bytes.count, let next = nextLine(after: line) { line = next }
    let content = skippingBlanks(from: line)
    if content == bytes.count || closingTag(at: content) != nil { return nil }
    return line..<content
  }

  /// Whether a block whose tag ends at `end` is closed on the same line, with only blanks in it and after it.
  func isClosedAtOnce(after end: Int) -> Bool {
    guard let close = closingTag(at: skippingBlanks(from: end)) else { return false }
    return nextLine(after: close) != nil
  }

  /// Returns the end of the closing tag that starts at `start`; `nil` if no closing tag starts there.
  private func closingTag(at start: Int) -> Int? {
    guard bytes[start...].starts(with: opening) else { return nil }
    let sigil = start + opening.count
    guard sigil < bytes.count, bytes[sigil] == UInt8(ascii: "/") else { return nil }
    return find(closing, from: sigil).map { $0 + closing.count }
  }

  /// Returns the offset of the next `mark`; `nil` if it does not occur.
  private func find(_ mark: [UInt8], from start: Int) -> Int? {
    guard let first = mark.first else { return nil }
    var position = start
    while position + mark.count <= bytes.count {
      if bytes[position] == first, bytes[position...].starts(with: mark) { return position }
      position += 1
    }
    return nil
  }

  private func skippingBlanks(from start: Int) -> Int {
    var position = start
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    return position
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
