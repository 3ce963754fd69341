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
    guard post.warningLine == nil, Self.mayBegin(post.text) else { return nil }
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

  /// Whether a text may begin with a heading, by its bytes alone. Most posts have neither a number at their start nor a first line that
  /// ends with a colon or before an empty line.
  private static func mayBegin(_ text: InlineText) -> Bool {
    var bytes = text.text
    let startsWithEntity = text.entities.first?.range.lowerBound == 0
    return bytes.withUTF8 { mayBeginWithNumber($0, startsWithEntity) || maySetLine($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// Whether the words of a text may begin with a number. If the text begins with a word of letters, this word is never cut off, and only
  /// the second word can be a number, as in `Part 3`. Without a first line, the number is at the start.
  private static func mayBeginWithNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ startsWithEntity: Bool)
    -> Bool
  {
    let start = bytes.prefix(6 * longest)
    let word = start.prefix(while: isLetter)
    if !startsWithEntity, !word.isEmpty, word.endIndex < start.endIndex, start[word.endIndex] <= 0x20 {
      return start[word.endIndex...].first { $0 > 0x20 }.map { isDigit($0) || $0 >= 0x80 } ?? false
    }
    let hasLines = start.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return start.prefix(hasLines ? start.count : 32).contains(where: isDigit)
  }

  /// Whether a line of a text may be set as a heading: it ends with a colon, or an empty line follows.
  private static func maySetLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = bytes.prefix(6 * longest)
    var last = UInt8(ascii: ":")
    var isAfterLine = false
    for byte in start {
      if 0x0A...0x0D ~= byte {
        if isAfterLine || last == UInt8(ascii: ":") || last >= 0x80 { return true }
        isAfterLine = true
      } else if byte > 0x20 {
        // A white space scalar beyond ASCII may hide the end of the line.
        if isAfterLine, byte >= 0x80 { return true }
        isAfterLine = false
        last = byte
      }
    }
    return isAfterLine && start.count < bytes.count
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
