/// The sentence boundaries of Unicode's text segmentation (UAX #29, rules SB1 to SB998).
///
/// The standard library provides the properties from which Sentence_Break is derived, so no tables are needed. These tailorings suit posts:
/// - U+2026 acts like three full stops.
/// - A number begins a sentence, like a letter (SB8).
/// - Neither a dash nor a smiley continues a sentence. Other marks continue it only without a space before them (SB8a).
struct SentenceBreaks {
  /// The classes of Sentence_Break.
  enum Class {
    case carriageReturn, lineFeed, separator, extend, space, lower, upper, letter, numeric, fullStop,
      terminator
    case close, continuation, other

    var endsParagraph: Bool { self == .carriageReturn || self == .lineFeed || self == .separator }
    var endsSentence: Bool { self == .fullStop || self == .terminator }

    init(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "a"..."z": self = .lower
      case "A"..."Z": self = .upper
      case "0"..."9": self = .numeric
      case " ", "\t", "\u{B}", "\u{C}": self = .space
      case "\n": self = .lineFeed
      case "\r": self = .carriageReturn
      case "\u{85}", "\u{2028}", "\u{2029}": self = .separator
      case ".", "…", "\u{2024}", "\u{FE52}", "．": self = .fullStop
      case "!", "?": self = .terminator
      case ",", ":", ";", "\u{37E}", "\u{55D}", "،", "؍", "、", "，", "：", "；": self = .continuation
      case "\"", "'", "(", ")", "[", "]", "{", "}": self = .close
      case ..."\u{7F}": self = .other
      default: self = Self.beyondASCII(scalar)
      }
    }

    private static func beyondASCII(_ scalar: Unicode.Scalar) -> Class {
      let properties = scalar.properties
      if properties.isGraphemeExtend { return .extend }
      if properties.isSentenceTerminal { return .terminator }
      switch properties.generalCategory {
      case .spacingMark, .format: return .extend
      case .decimalNumber: return .numeric
      case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation: return .close
      case .titlecaseLetter: return .upper
      default: break
      }
      if properties.isLowercase { return .lower }
      if properties.isUppercase { return .upper }
      if properties.isAlphabetic { return .letter }
      return scalar.isWhiteSpace ? .space : .other
    }
  }

  let classes: [Class]

  /// Returns the boundary after the sentence that begins at `start`.
  func end(of start: Int) -> Int {
    var place = start
    while place < classes.count {
      if classes[place].endsParagraph { return afterParagraph(place) }
      if classes[place].endsSentence, let end = end(afterTerminator: place) { return end }
      place += 1
    }
    return place
  }

  /// Returns the boundary after a terminator; `nil` if the sentence continues.
  private func end(afterTerminator place: Int) -> Int? {
    let next = after(place)
    if classes[place] == .fullStop {
      // SB6 and SB7: a number or an abbreviation.
      if self[next] == .numeric { return nil }
      let before = classes[..<place].last { $0 != .extend }
      if self[next] == .upper, before == .upper || before == .lower { return nil }
    }
    var end = next
    while self[end] == .close { end = after(end) }
    let closing = end
    while self[end] == .space { end = after(end) }
    if classes[place] == .fullStop, isBeforeLowercase(end) { return nil }  // SB8
    if self[closing] == .continuation || self[end]?.endsSentence == true { return nil }  // SB8a
    if self[closing]?.endsParagraph == true { return afterParagraph(closing) }
    return self[end]?.endsParagraph == true ? afterParagraph(end) : end
  }

  /// Whether the next letter or number is a lower-case letter.
  private func isBeforeLowercase(_ place: Int) -> Bool {
    for next in classes[min(place, classes.count)...] {
      switch next {
      case .lower: return true
      case .letter, .upper, .numeric, .fullStop, .terminator, .carriageReturn, .lineFeed, .separator:
        return false
      default: continue
      }
    }
    return false
  }

  private subscript(_ place: Int) -> Class? { place < classes.count ? classes[place] : nil }

  /// Returns the place after a scalar and the marks that combine with it (SB5).
  private func after(_ place: Int) -> Int {
    var next = place + 1
    while self[next] == .extend { next += 1 }
    return next
  }

  private func afterParagraph(_ place: Int) -> Int {
    place + (classes[place] == .carriageReturn && self[place + 1] == .lineFeed ? 2 : 1)
  }
}
