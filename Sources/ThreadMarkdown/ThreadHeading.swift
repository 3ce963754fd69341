import ThreadModel

/// What authors write in place of headings, in a medium that has none.
enum ThreadHeading {
  /// Characters of a line that can be a heading.
  static let longest = 70

  /// The headline of a post, or its first line where that reads like a heading; `nil` for every other post.
  static func make(from post: Post) -> String? {
    if let title = PlainText.nonEmptyLine(post.title) { return title }
    guard PlainText.nonEmptyLine(post.contentWarning) == nil, mayHaveOne(post.text) else { return nil }
    let text = post.words
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? text.endIndex
    // A character has a few bytes at most; counting bytes is cheaper.
    guard text.utf8.distance(from: text.startIndex, to: end) <= 4 * longest else { return nil }
    let line = PlainText.singleLine(text[..<end])
    guard !line.isEmpty, !PlainText.isLonger(line, than: longest) else { return nil }
    let rest = text[end...]
    if isNumbered(line) { return line }
    guard rest.contains(where: { !$0.isWhitespace }) else { return nil }
    if line.hasSuffix(":") { return String(line.dropLast()) }
    return isSetApart(rest) && !endsSentence(line) ? line : nil
  }

  /// `3. Bread`, `3) Bread`, `3: Bread`, `3️⃣ Bread`, `#3 Bread`, `Part 3`.
  private static func isNumbered(_ line: String) -> Bool {
    var start = line.utf8.prefix(24).map(lowercased)[...]
    if start.first == UInt8(ascii: "#") { start.removeFirst() }
    if let word = countingWords.first(where: { start.starts(with: $0) }) {
      return start.dropFirst(word.count).first.map(isDigit) ?? false
    }
    let digits = start.prefix(while: isDigit).count
    guard (1...3).contains(digits) else { return false }
    let rest = start.dropFirst(digits)
    // The keycap of an emoji digit (U+FE0F, U+20E3); a full stop or the like, with a blank behind it, so that 3.5 is a number.
    if rest.starts(with: [0xEF, 0xB8, 0x8F]) || rest.starts(with: [0xE2, 0x83, 0xA3]) { return true }
    return [". ", ") ", ": "].contains { rest.starts(with: $0.utf8) }
  }

  /// What stands before a number, with the blank behind it.
  private static let countingWords: [[UInt8]] = [
    "part", "step", "chapter", "lesson", "rule", "day", "no.", "teil", "parte", "partie",
  ].map { Array("\($0) ".utf8) }

  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// Whether an empty line comes first.
  private static func isSetApart(_ rest: Substring) -> Bool {
    rest.prefix { $0.isWhitespace }.count { $0.isNewline } >= 2
  }

  private static func endsSentence(_ line: String) -> Bool {
    line.unicodeScalars.last.map { ".,;…。，、".unicodeScalars.contains($0) } ?? false
  }
}
