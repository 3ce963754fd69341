extension Lexer {
  /// The start of the line on which a tag at `start` is the first thing but blanks; `nil` where text or another tag,
  /// which ends at `textStart`, is before it.
  func lineStart(before start: Int, _ textStart: Int) -> Int? {
    var position = start
    while position > textStart, Self.isBlank(bytes[position - 1]) { position -= 1 }
    if position == 0 { return 0 }
    return position > textStart && bytes[position - 1] == UInt8(ascii: "\n") ? position : nil
  }

  /// The start of the next line, or the source's end, if only blanks are between it and `end`.
  func nextLine(after end: Int) -> Int? {
    let position = skippingBlanks(from: end)
    if position == bytes.count { return position }
    if bytes[position] == UInt8(ascii: "\n") { return position + 1 }
    let isCRLF =
      bytes[position] == UInt8(ascii: "\r") && position + 1 < bytes.count
      && bytes[position + 1] == UInt8(ascii: "\n")
    return isCRLF ? position + 2 : nil
  }

  /// The blanks that start the first line from `start` on which there is anything else; `nil` if that is the closing tag
  /// of the block which starts there, or nothing at all.
  func indentationOfFirstLine(from start: Int) -> Range<Int>? {
    var line = start
    while line < bytes.count, let next = nextLine(after: line) { line = next }
    let content = skippingBlanks(from: line)
    if content == bytes.count || closingTag(at: content) != nil { return nil }
    return line..<content
  }

  /// Whether a block that opens up to `end` is closed on the same line, with nothing but blanks in it and behind it.
  func isClosedAtOnce(after end: Int) -> Bool {
    guard let close = closingTag(at: skippingBlanks(from: end)) else { return false }
    return nextLine(after: close) != nil
  }

  /// The end of the closing tag that starts at `start`; `nil` if none does.
  private func closingTag(at start: Int) -> Int? {
    guard bytes[start...].starts(with: opening) else { return nil }
    let sigil = start + opening.count
    guard sigil < bytes.count, bytes[sigil] == UInt8(ascii: "/") else { return nil }
    return find(closing, from: sigil).map { $0 + closing.count }
  }

  /// Where `mark` is next.
  func find(_ mark: [UInt8], from start: Int) -> Int? {
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
