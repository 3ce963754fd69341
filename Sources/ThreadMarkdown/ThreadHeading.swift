import ThreadModel

/// A heading at the beginning of a post, which has no markup for it: a short first line that reads like one.
struct ThreadHeading {
  /// The maximum number of characters of a heading.
  static let longest = 70

  /// The heading on one line, without a colon at its end.
  let title: String
  /// The place of the line in the post's text, in Unicode scalars, without white space at its end.
  let range: Range<Int>
  /// The number of scalars at its start that are its number, as in `3.` or `#3:`; 0 if it has none.
  let numberLength: Int

  /// Returns the headline of a post, or its first line if that reads like a heading; otherwise `nil`.
  static func title(of post: Post) -> String? {
    PlainText.nonEmptyLine(post.title) ?? ThreadHeading(of: post)?.title
  }

  /// `nil` if the first line of the post does not read like a heading.
  init?(of post: Post) {
    guard post.warningLine == nil, Self.mayBegin(post.text.text) else { return nil }
    let text = PostScalars(post)
    let scalars = text.scalars[text.words]
    let end = scalars.firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.endIndex
    let line = PlainText.singleLine(text.string(scalars.startIndex..<end))
    guard !line.isEmpty, !PlainText.isLonger(line, than: Self.longest) else { return nil }
    let lastOfLine = scalars[..<end].lastIndex { !$0.isWhiteSpace } ?? scalars.startIndex
    range = scalars.startIndex..<min(lastOfLine + 1, scalars.endIndex)
    numberLength = Self.lengthOfNumber(scalars[..<end])
    if Self.isNumbered(line) {
      title = line
      return
    }
    let gap = scalars[end...].prefix(while: \.isWhiteSpace)
    guard gap.endIndex < scalars.endIndex else { return nil }
    if line.hasSuffix(":") {
      title = String(line.dropLast())
      return
    }
    // The line is followed by an empty line, and does not end like a sentence.
    let lineEnds = gap.count { 0x0A...0x0D ~= $0.value } - (gap.starts(with: ["\r", "\n"]) ? 1 : 0)
    guard lineEnds >= 2, !line.unicodeScalars.suffix(1).contains(where: ".,;…。，、".unicodeScalars.contains)
    else { return nil }
    title = line
  }

  /// Returns the number of scalars before the first blank of a line that begins like `3. Bread`, `3) Bread`, `#3: Bread`, `3️⃣ Bread`;
  /// 0 for any other line.
  private static func lengthOfNumber(_ line: ArraySlice<Unicode.Scalar>) -> Int {
    let word = line.prefix { !$0.isWhiteSpace }
    let digits = word.drop { $0 == "#" }.prefix { "0"..."9" ~= $0 }
    let marks = word[digits.endIndex...]
    guard word.endIndex < line.endIndex, (1...3).contains(digits.count),
      digits.startIndex - word.startIndex <= 1,
      ["", "\u{FE0F}\u{20E3}", "\u{20E3}", ".", ")", ":"].contains(where: {
        marks.elementsEqual($0.unicodeScalars)
      })
    else { return 0 }
    return word.count
  }

  /// Whether a text may begin with a heading. Most posts have only one paragraph and no number at their start.
  private static func mayBegin(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.prefix(6 * longest).contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        || bytes.prefix(32).contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
  }

  /// Whether a line begins like `3. Bread`, `3) Bread`, `3: Bread`, `3️⃣ Bread`, `#3 Bread`, `Part 3`.
  private static func isNumbered(_ line: String) -> Bool {
    var start = line.prefix(24).lowercased()[...]
    if start.first == "#" { start.removeFirst() }
    if let word = countingWords.first(where: { start.hasPrefix($0 + " ") }) {
      return start.dropFirst(word.count + 1).first?.isWholeNumber ?? false
    }
    let digits = start.unicodeScalars.prefix { "0"..."9" ~= $0 }.count
    guard (1...3).contains(digits) else { return false }
    // The keycap of an emoji digit, or punctuation followed by a blank, so that 3.5 counts as a number.
    let rest = start.unicodeScalars.dropFirst(digits)
    return ["\u{FE0F}", "\u{20E3}", ". ", ") ", ": "].contains { rest.starts(with: $0.unicodeScalars) }
  }

  /// Words before the number of a part.
  private static let countingWords = [
    "part", "step", "chapter", "lesson", "rule", "day", "no.", "teil", "parte", "partie",
  ]
}
