import ThreadModel

/// What authors write in place of headings, in a medium that has none.
enum ThreadHeading {
  /// Characters of a line that can be a heading.
  private static let longest = 70

  /// The headline of a post, or its first line where that reads like a heading; `nil` for every other post.
  static func make(from post: Post) -> String? {
    if let title = PlainText.nonEmptyLine(post.title) { return title }
    guard PlainText.nonEmptyLine(post.contentWarning) == nil, mayHaveOne(post.text.text) else { return nil }
    let text = post.text.withoutFurniture
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

  /// By bytes, which settles it for most posts: a heading that is not numbered has something behind it on another line.
  private static func mayHaveOne(_ text: String) -> Bool {
    var count = 0
    var hasDigit = false
    for byte in text.utf8.prefix(6 * longest) {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return true }
      if count < 32, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { hasDigit = true }
      count += 1
    }
    return hasDigit && count < 6 * longest
  }

  /// `3. Bread`, `3) Bread`, `3: Bread`, `3️⃣ Bread`, `#3 Bread`, `Part 3`.
  private static func isNumbered(_ line: String) -> Bool {
    var scalars = Array(line.unicodeScalars.prefix(24))[...]
    if scalars.first == "#" { scalars.removeFirst() }
    let words = ["part", "step", "chapter", "lesson", "rule", "day", "no.", "teil", "parte", "partie"]
    let start = String(String.UnicodeScalarView(scalars)).lowercased()
    if let word = words.first(where: { start.hasPrefix($0 + " ") }) {
      return start.unicodeScalars.dropFirst(word.count + 1).first.map(isDigit) ?? false
    }
    let digits = scalars.prefix(while: isDigit)
    guard (1...3).contains(digits.count), let mark = scalars.dropFirst(digits.count).first else {
      return false
    }
    // The keycap of an emoji digit; a full stop or the like, with a blank behind it, so that 3.5 is a number.
    if mark == "\u{FE0F}" || mark == "\u{20E3}" { return true }
    guard mark == "." || mark == ")" || mark == ":" else { return false }
    return scalars.dropFirst(digits.count + 1).first == " "
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Whether an empty line comes first.
  private static func isSetApart(_ rest: Substring) -> Bool {
    rest.prefix { $0.isWhitespace }.count { $0.isNewline } >= 2
  }

  private static func endsSentence(_ line: String) -> Bool {
    line.unicodeScalars.last.map { ".,;…。，、".unicodeScalars.contains($0) } ?? false
  }
}
