import ThreadModel

extension ThreadHeading {
  /// Whether a text may open with a heading, by a look at its bytes, which settles it for nearly all posts; what it does not
  /// settle is looked at in full.
  static func mayHaveOne(_ text: InlineText) -> Bool {
    let startsWithEntity = text.entities.first?.range.lowerBound == 0
    return text.text.utf8.withContiguousStorageIfAvailable { mayHaveOne($0, startsWithEntity) } ?? true
  }

  private static func mayHaveOne(_ utf8: UnsafeBufferPointer<UInt8>, _ startsWithEntity: Bool) -> Bool {
    let opening = utf8.prefix(6 * longest)
    guard let lineEnd = opening.firstIndex(where: isLineEnd) else {
      // Without another line it can only be numbered.
      return utf8.count < 6 * longest && opening.prefix(32).contains(where: isDigit)
    }
    // Nothing is taken off the start of a text that begins with a letter, so its first line is the line in question.
    guard !startsWithEntity, isLetter(utf8[0]) else { return true }
    let line = utf8[..<lineEnd]
    if line.contains(where: isDigit) { return true }
    // As it is not numbered, it has to be short, and lead on to something by a colon or an empty line.
    guard !isTooLong(line), let last = line.last(where: { !isBlank($0) }) else { return false }
    switch last {
    case UInt8(ascii: ":"): return true
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"): return false
    case 0x21..<0x7F: return mayStartWithEmptyLine(utf8[lineEnd...])
    default: return true
    }
  }

  /// By its characters of ASCII: one behind another of them is never part of it.
  private static func isTooLong(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var characters = 0
    var previous: UInt8 = 0x20
    for byte in line {
      if 0x21..<0x7F ~= byte, previous < 0x80 { characters += 1 }
      previous = byte
    }
    return characters > longest
  }

  /// Two line ends with nothing but blanks between them; `true`, too, where there is more than ASCII before the second.
  private static func mayStartWithEmptyLine(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var lineEnds = 0
    var previous: UInt8 = 0
    for byte in text {
      let isCarriedOn = previous == UInt8(ascii: "\r") && byte == UInt8(ascii: "\n")
      if 0x0A...0x0D ~= byte, !isCarriedOn { lineEnds += 1 }
      if lineEnds == 2 || byte >= 0x80 { return true }
      if !isBlank(byte), !isLineEnd(byte) { return false }
      previous = byte
    }
    return false
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// White space within a line; line ends of other times are among it.
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || 0x0B...0x0C ~= byte }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
