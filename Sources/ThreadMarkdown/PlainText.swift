import Basics

/// Text shortened and tidied for one line: titles, names, excerpts. It is never applied to the text of a post, which stays unchanged.
package enum PlainText {
  /// Returns `text` on one line: runs of white space become one space, controls and marks that change the direction of the following text are
  /// removed, and so is white space at the ends.
  static func singleLine(_ text: some StringProtocol) -> String {
    let tidied = text.utf8.withContiguousStorageIfAvailable { Self.tidied($0) }
    switch tidied ?? Array(text.utf8).withUnsafeBufferPointer({ Self.tidied($0) }) {
    case .same: return String(text)
    case .other(let line): return line
    }
  }

  private enum Tidied {
    case same
    case other(String)
  }

  private static func tidied(_ utf8: UnsafeBufferPointer<UInt8>) -> Tidied {
    if isTidy(utf8) { return .same }
    return .other(
      // The output is never longer than the input read so far.
      String(unsafeUninitializedCapacity: utf8.count) { line in
        var count = 0
        var owesSpace = false
        var index = 0
        while index < utf8.count {
          let (kind, length) = kind(of: utf8, at: index)
          switch kind {
          case .space:
            owesSpace = count > 0
          case .disturbing:
            break
          case .visible:
            if owesSpace {
              line[count] = UInt8(ascii: " ")
              count += 1
            }
            owesSpace = false
            for offset in 0..<length { line[count + offset] = utf8[index + offset] }
            count += length
          }
          index += length
        }
        return count
      })
  }

  /// Whether a text is printable, with single spaces between its words, as most names and labels are, and contains no scalar that starts with the
  /// same byte as an invisible one.
  private static func isTidy(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous = UInt8(ascii: " ")
    for index in utf8.indices {
      let byte = utf8[index]
      if byte >= 0x80 {
        if byte >= 0xC2, kind(of: utf8, at: index).kind != .visible { return false }
      } else if byte < 0x20 || byte == 0x7F || (byte == UInt8(ascii: " ") && byte == previous) {
        return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: " ") || utf8.isEmpty
  }

  private enum Kind {
    case space
    case disturbing
    case visible
  }

  /// Returns the kind of the scalar that starts at `index`, and its length in bytes: white space, or a control or an explicit direction of the
  /// Unicode bidirectional algorithm (UAX #9), which the end of a title does not close.
  private static func kind(of utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> (kind: Kind, length: Int) {
    let first = utf8[index]
    if first < 0x80 {
      if first > 0x20, first != 0x7F { return (.visible, 1) }
      return (first == 0x20 || 0x09...0x0D ~= first ? .space : .disturbing, 1)
    }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard index + length <= utf8.count else { return (.visible, utf8.count - index) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(utf8[index + offset] & 0x3F) }
    guard let scalar = Unicode.Scalar(value) else { return (.visible, length) }
    if scalar.isWhiteSpace { return (.space, length) }
    return (isDisturbing(scalar) ? .disturbing : .visible, length)
  }

  /// Returns a text on one line; `nil` if the line is empty.
  package static func nonEmptyLine(_ text: String?) -> String? {
    guard let text else { return nil }
    let line = singleLine(text)
    return line.isEmpty ? nil : line
  }

  /// Returns the beginning of `text`, a single line, in at most `limit` characters: cut after a word, with an ellipsis.
  ///
  /// If the last word would take more than a third of the line, as in scripts without spaces, the cut is within the word.
  package static func shortened(_ text: String, to limit: Int) -> String {
    let plain = charactersOfOneByte(text)
    guard text.utf8.count > limit, let end = index(of: limit, in: text, plain), end < text.endIndex else {
      return text
    }
    // One character is left for the ellipsis.
    let fitting = text[..<text.index(before: end)]
    let next = text[fitting.endIndex]
    guard !next.isWhitespace,
      let space = plain >= limit
        ? fitting.utf8.lastIndex(of: UInt8(ascii: " ")) : fitting.lastIndex(where: \.isWhitespace),
      let earliest = index(of: (limit * 2 + 2) / 3, in: text, plain), space >= earliest
    else { return ending(fitting) }
    return ending(fitting[..<space])
  }

  /// Whether `text`, a single line, has more than `limit` characters.
  static func isLonger(_ text: String, than limit: Int) -> Bool {
    guard text.utf8.count > limit, let end = index(of: limit, in: text, charactersOfOneByte(text)) else {
      return false
    }
    return end < text.endIndex
  }

  /// Returns the index of a character; `nil` after the end. `plain` is the result of `charactersOfOneByte`.
  private static func index(of character: Int, in text: String, _ plain: Int) -> String.Index? {
    let start = text.utf8.index(text.startIndex, offsetBy: min(character, plain))
    return text.index(start, offsetBy: max(0, character - plain), limitedBy: text.endIndex)
  }

  /// Returns how many of the first characters of `text`, a single line, certainly have one byte each: all leading ASCII characters except the last
  /// before a non-ASCII character, which may combine with it.
  private static func charactersOfOneByte(_ text: String) -> Int {
    let count =
      text.utf8.withContiguousStorageIfAvailable { $0.firstIndex { $0 >= 0x80 } ?? $0.count }
      ?? Array(text.utf8).firstIndex { $0 >= 0x80 } ?? text.utf8.count
    return count == text.utf8.count ? count : max(0, count - 1)
  }

  /// Returns `line` for use within another line, so that letters which run from right to left do not affect the order of the numbers and brackets
  /// after them: it is enclosed in FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX #9, 2.4), which have the same effect in Markdown and in a
  /// feed reader as `<bdi>` in HTML. Lines from `singleLine` contain neither character.
  static func isolated(_ line: String) -> String {
    line.holdsRightToLeft ? "\u{2068}\(line)\u{2069}" : line
  }

  /// Returns the text with an ellipsis in place of punctuation at its end.
  private static func ending(_ text: Substring) -> String {
    var rest = text.unicodeScalars
    func trim() {
      while let last = rest.last, last.isWhiteSpace || leadsOn(last) { rest.removeLast() }
    }
    trim()
    while let start = startOfListMark(rest) {
      rest = rest[..<start]
      trim()
    }
    // Reserves exactly the needed capacity: appending to a string doubles it, and every thread keeps its title and its excerpt in memory.
    let kept = Substring(rest)
    var line = ""
    line.reserveCapacity(kept.utf8.count + "…".utf8.count)
    line.append(contentsOf: kept)
    line.append("…")
    return line
  }

  /// Returns where the mark of the next list item begins, such as `b)`, `(2)` or `•`, if a line ends with such a mark without its text; `nil` if the
  /// line ends with a word, or consists of nothing else.
  private static func startOfListMark(_ line: Substring.UnicodeScalarView) -> String.Index? {
    guard let space = line.lastIndex(where: \.isWhiteSpace) else { return nil }
    let start = line.index(after: space)
    var word = line[start...]
    if word.elementsEqual(["•"]) || word.elementsEqual(["▪"]) { return start }
    guard word.popLast() == ")" else { return nil }
    if word.first == "(" { word.removeFirst() }
    guard (1...2).contains(word.count) else { return nil }
    return word.allSatisfy { $0.properties.numericType != nil }
      || word.count == 1 && word.allSatisfy(\.isAlphabetic)
      ? start : nil
  }

  private static func leadsOn(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "…", ",", ";", ":", "–", "—", "-", "(", "、", "，": true
    default: false
    }
  }

  /// Whether a scalar is a control or an explicit direction of the Unicode bidirectional algorithm (UAX #9), which the end of a title does not close.
  private static func isDisturbing(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FEFF}" || TextControls.isUnfit(scalar) || TextControls.isDirection(scalar)
  }
}

extension String {
  /// Whether the text contains a scalar of a block whose letters run from right to left: U+0590 to U+08FF (Hebrew to Arabic Extended-A), U+FB1D to
  /// U+FDFF and U+FE70 to U+FEFE (presentation forms), U+10800 to U+10FFF and U+1E800 to U+1EFFF.
  var holdsRightToLeft: Bool {
    utf8.withContiguousStorageIfAvailable(Self.holdsRightToLeft)
      ?? Array(utf8).withUnsafeBufferPointer(Self.holdsRightToLeft)
  }

  /// Searches for the lead bytes of those blocks, so that emoji and quotation marks take no more time than letters.
  private static func holdsRightToLeft(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    func third(_ index: Int) -> UInt8 { index + 2 < utf8.count ? utf8[index + 2] : 0 }
    var next = 0
    while next < utf8.count {
      let index = next
      next += 1
      if utf8[index] < 0x80 {
        next += utf8.wordsOfASCII(from: next)
        continue
      }
      guard utf8[index] >= 0xD6, index + 1 < utf8.count else { continue }
      switch (utf8[index], utf8[index + 1]) {
      case (0xD6, 0x90...), (0xD7...0xDF, _), (0xE0, 0xA0...0xA3), (0xEF, 0xAD...0xB7), (0xEF, 0xBA):
        return true
      case (0xEF, 0xAC) where third(index) >= 0x9D: return true
      case (0xEF, 0xB9) where third(index) >= 0xB0: return true
      case (0xEF, 0xBB) where third(index) != 0xBF: return true
      case (0xF0, 0x90), (0xF0, 0x9E): if third(index) >= 0xA0 { return true }
      default: break
      }
    }
    return false
  }
}

extension Unicode.Scalar {
  /// White_Space of Unicode's PropList.txt, which has not changed since 2002 except for U+180E. The standard library's look-up is avoided, as it
  /// takes longer than all other work on a short text.
  var isWhiteSpace: Bool {
    switch value {
    case 0x20, 0x09...0x0D: true
    case ..<0x85: false
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

  /// Alphabetic of Unicode's DerivedCoreProperties.txt; ASCII letters need no look-up.
  var isAlphabetic: Bool {
    isASCII ? "a"..."z" ~= self || "A"..."Z" ~= self : properties.isAlphabetic
  }

  /// Lowercase of Unicode's DerivedCoreProperties.txt; ASCII letters need no look-up.
  var isLowercase: Bool { isASCII ? "a"..."z" ~= self : properties.isLowercase }
}

extension Substring.UnicodeScalarView {
  /// Whether the text contains nothing but punctuation and white space.
  var isPunctuation: Bool {
    allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .closePunctuation, .connectorPunctuation, .dashPunctuation, .finalPunctuation, .initialPunctuation,
        .openPunctuation, .otherPunctuation:
        true
      default: scalar.isWhiteSpace
      }
    }
  }
}
