import Basics
package import InterfaceText
package import ThreadModel

/// Text shortened and cleaned for one line: titles, names, excerpts. It is never applied to the text of a post, which stays unchanged.
package enum PlainText {
  /// Returns `text` on one line. Runs of white space become one space. Controls, marks that change the direction of the following text, and
  /// white space at the ends are removed.
  static func singleLine(_ text: some StringProtocol) -> String {
    if isTidy(text.utf8) { return String(text) }
    var line: [UInt8] = []
    line.reserveCapacity(text.utf8.count)
    var owesSpace = false
    for scalar in text.unicodeScalars {
      if scalar.isWhiteSpace {
        owesSpace = !line.isEmpty
      } else if !isDisturbing(scalar) {
        if owesSpace { line.append(UInt8(ascii: " ")) }
        owesSpace = false
        line.append(scalar)
      }
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Whether a text is printable ASCII with single spaces between its words, as most names and labels are.
  private static func isTidy(_ utf8: some Sequence<UInt8>) -> Bool {
    var previous = UInt8(ascii: " ")
    var isEmpty = true
    for byte in utf8 {
      guard 0x20..<0x7F ~= byte, byte != UInt8(ascii: " ") || byte != previous else { return false }
      previous = byte
      isEmpty = false
    }
    return previous != UInt8(ascii: " ") || isEmpty
  }

  /// Whether a scalar is a control or an explicit direction of the Unicode bidirectional algorithm (UAX #9), which the end of a title does
  /// not close.
  private static func isDisturbing(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FEFF}" || TextControls.isUnfit(scalar) || TextControls.isDirection(scalar)
  }

  /// Returns a text on one line; `nil` if the line is empty.
  package static func nonEmptyLine(_ text: String?) -> String? {
    guard let text else { return nil }
    let line = singleLine(text)
    return line.isEmpty ? nil : line
  }

  /// Returns a text on one line; `nil` if a reader can see no part of it. A link must have visible text.
  package static func visibleLine(_ text: String?) -> String? {
    nonEmptyLine(text).flatMap { isVisible($0) ? $0 : nil }
  }

  private static func isVisible(_ line: String) -> Bool {
    // Fast path: most names begin with an ASCII letter, which needs no lookup.
    if let first = line.utf8.first, first > 0x20, first < 0x7F { return true }
    return line.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
      default: !scalar.properties.isDefaultIgnorableCodePoint
      }
    }
  }

  /// Returns the beginning of `text`, a single line, in at most `limit` characters: cut after a word, with an ellipsis.
  ///
  /// If the last word would take more than a third of the line, as in scripts without spaces, the cut is within the word.
  package static func shortened(_ text: String, to limit: Int) -> String {
    guard isLonger(text, than: limit) else { return text }
    let isASCII = beginsWithASCII(text, limit)
    // One character is left for the ellipsis.
    let fitting =
      isASCII ? text[..<text.utf8.index(text.startIndex, offsetBy: limit - 1)] : text.prefix(limit - 1)
    guard !text[fitting.endIndex].isWhitespace, let space = fitting.utf8.lastIndex(of: UInt8(ascii: " ")),
      (isASCII ? fitting.utf8[..<space].count : fitting[..<space].count) >= (limit * 2 + 2) / 3
    else { return ending(fitting) }
    return ending(fitting[..<space])
  }

  /// Whether `text`, a single line, has more than `limit` characters.
  static func isLonger(_ text: String, than limit: Int) -> Bool {
    guard text.utf8.count > limit else { return false }
    if beginsWithASCII(text, limit) { return true }
    return text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex).map { $0 < text.endIndex }
      ?? false
  }

  /// Whether each of the first `count` characters of a longer text is one ASCII byte. Finding where a character ends takes far longer than
  /// this check. (A carriage return may be one character with the byte after it.)
  private static func beginsWithASCII(_ text: String, _ count: Int) -> Bool {
    text.utf8.count > count && text.utf8.prefix(count + 1).allSatisfy { $0 < 0x80 && $0 != 0x0D }
  }

  /// Returns the text with an ellipsis in place of punctuation and marks of list items at its end.
  private static func ending(_ text: Substring) -> String {
    var rest = text
    repeat {
      while let last = rest.unicodeScalars.last,
        last.isWhiteSpace || "…,;:–—-(、，".unicodeScalars.contains(last)
      {
        rest.unicodeScalars.removeLast()
      }
    } while removeListMark(from: &rest)
    // The exact capacity is computed, because every thread keeps its title and its excerpt in memory.
    var line = ""
    line.reserveCapacity(rest.utf8.count + "…".utf8.count)
    line.append(contentsOf: rest)
    line.append("…")
    return line
  }

  /// Removes the mark of the next list item, such as `b)`, `(2)` or `•`, whose text was cut off.
  private static func removeListMark(from line: inout Substring) -> Bool {
    guard let space = line.lastIndex(of: " ") else { return false }
    var mark = line[line.index(after: space)...]
    if mark.first == "(" { mark.removeFirst() }
    let isItem =
      mark.popLast() == ")" && (1...2).contains(mark.count)
      && mark.allSatisfy { $0.isNumber || mark.count == 1 && $0.isLetter }
    guard isItem || line.hasSuffix(" •") || line.hasSuffix(" ▪") else { return false }
    line = line[..<space]
    return true
  }

  /// Returns `line` for use within another line, so that right-to-left letters do not affect the order of the numbers and brackets after
  /// them. The line is enclosed in FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX #9, 2.4), which have the same effect in Markdown
  /// and in a feed reader as `<bdi>` in HTML. Lines from `singleLine` contain neither character.
  static func isolated(_ line: String) -> String {
    line.holdsRightToLeft ? "\u{2068}\(line)\u{2069}" : line
  }
}

extension Post {
  /// The content warning on one line; `nil` if the post has none.
  package var warningLine: String? { PlainText.nonEmptyLine(contentWarning) }

  /// Makes the network's warnings the content warning, in words, unless the author wrote one.
  ///
  /// A label without a wording is shown under the network's name for it.
  package mutating func stateWarnings(in localization: Localization) {
    guard contentWarning == nil, !warnings.isEmpty else { return }
    contentWarning = warnings.map { warning in
      guard let key = warning.stringKey else { return warning.rawValue }
      return localization.text(key, ["network": id.platform.displayName])
    }.joined(separator: localization.text(.listSeparator))
  }
}

extension String {
  /// Whether the text contains a scalar of a block of right-to-left letters: Hebrew to Arabic Extended-A, the presentation forms, and two
  /// ranges of historic scripts and Adlam.
  var holdsRightToLeft: Bool {
    // No such letter begins with a smaller byte.
    utf8.contains { $0 >= 0xD6 }
      && unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
      }
  }
}

extension Unicode.Scalar {
  /// White_Space of Unicode's PropList.txt, which has not changed since 2002 except for U+180E. The standard library's lookup is avoided,
  /// because it takes longer than all other work on a short text.
  var isWhiteSpace: Bool {
    switch value {
    case 0x20, 0x09...0x0D: true
    case ..<0x85: false
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

  /// Alphabetic of Unicode's DerivedCoreProperties.txt. ASCII letters need no lookup.
  var isAlphabetic: Bool {
    isASCII ? "a"..."z" ~= self || "A"..."Z" ~= self : properties.isAlphabetic
  }

  /// Lowercase of Unicode's DerivedCoreProperties.txt. ASCII letters need no lookup.
  var isLowercase: Bool { isASCII ? "a"..."z" ~= self : properties.isLowercase }

  /// Whether the scalar is a letter or a number.
  var isOfWord: Bool { isAlphabetic || (isASCII ? "0"..."9" ~= self : properties.numericType != nil) }

  /// The scalar's punctuation category; `nil` for other scalars.
  var punctuation: Unicode.GeneralCategory? {
    switch properties.generalCategory {
    case .closePunctuation, .connectorPunctuation, .dashPunctuation, .finalPunctuation, .initialPunctuation,
      .openPunctuation, .otherPunctuation:
      properties.generalCategory
    default: nil
    }
  }
}

extension [UInt8] {
  /// Appends a scalar as UTF-8. (Appending scalars to a `String` takes five times as many instructions.)
  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
    }
  }
}

extension Substring.UnicodeScalarView {
  /// Whether the text contains nothing but punctuation and white space.
  var isPunctuation: Bool { allSatisfy { $0.isWhiteSpace || $0.punctuation != nil } }
}
