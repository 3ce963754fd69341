/// Text cut and tidied for one line: titles, names, excerpts. Never the text of a post, which stays as it is.
enum PlainText {
  /// `text` on one line: runs of white space become one space, controls and marks that turn the direction of what
  /// follows them vanish, nothing stands at the ends.
  static func singleLine(_ text: some StringProtocol) -> String {
    if isTidy(text.utf8) { return String(text) }
    var result = String.UnicodeScalarView()
    var owesSpace = false
    for scalar in text.unicodeScalars {
      if scalar.isWhiteSpace {
        owesSpace = !result.isEmpty
      } else if !isDisturbing(scalar) {
        if owesSpace { result.append(" ") }
        owesSpace = false
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Whether it is printable ASCII with single spaces between its words, as most names and labels are.
  private static func isTidy(_ utf8: some Collection<UInt8>) -> Bool {
    var previous = UInt8(ascii: " ")
    for byte in utf8 {
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: " ") || byte != previous else { return false }
      previous = byte
    }
    return previous != UInt8(ascii: " ") || utf8.isEmpty
  }

  /// `nil` where nothing is left of it.
  static func nonEmptyLine(_ text: String?) -> String? {
    guard let text else { return nil }
    let line = singleLine(text)
    return line.isEmpty ? nil : line
  }

  /// The beginning of `text`, a single line, in at most `limit` characters: cut behind a word, with an ellipsis.
  ///
  /// Where the last word would take more than a third of the line, as in scripts without spaces, it is cut within it.
  static func shortened(_ text: String, to limit: Int) -> String {
    guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    // One character is the ellipsis's.
    let fitting = text[..<text.index(before: end)]
    let next = text[fitting.endIndex]
    guard !next.isWhitespace, let space = fitting.lastIndex(where: \.isWhitespace),
      fitting.distance(from: fitting.startIndex, to: space) * 3 >= limit * 2
    else { return ending(fitting) }
    return ending(fitting[..<space])
  }

  /// `line` for a place within a line of ours, so that letters which run from right to left do not drag the numbers and
  /// brackets behind them along: between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX #9, 2.4), which do in
  /// Markdown and in a feed reader what `<bdi>` does in HTML. A line of this type holds neither itself.
  static func isolated(_ line: String) -> String {
    line.holdsRightToLeft ? "\u{2068}\(line)\u{2069}" : line
  }

  /// With an ellipsis in place of the punctuation that led on.
  private static func ending(_ text: Substring) -> String {
    var rest = text
    while let last = rest.last, last.isWhitespace || ",;:–—-(、，".contains(last) { rest.removeLast() }
    return rest + "…"
  }

  /// Controls, and the explicit directions of the Unicode bidirectional algorithm (UAX #9), which are not closed by
  /// the end of a title.
  private static func isDisturbing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// White_Space of Unicode's PropList.txt, which has not changed since 2002 but for U+180E; without the standard library's
  /// look-up, which takes longer than all else that is done to a short text.
  var isWhiteSpace: Bool {
    switch value {
    case 0x20, 0x09...0x0D: true
    case ..<0x85: false
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}
