import ThreadModel

/// Cuts the first sentence out of a post's text, or as much of it as makes a title.
///
/// All of it works on the Unicode scalars of the text's opening, as the ranges of an `InlineText` count these.
struct TitleCutter {
  /// Of a text's opening, the words that make a title.
  struct Cut {
    var text: String
    /// In the whole text, with the punctuation that belongs to the words: scalars.
    var end: Int
    /// Whether the text may be parted at `end`, and what stands before the title in it is no more than a counter or a few handles.
    var isClean: Bool
    /// Whether nothing but a counter stands before it.
    var isWhole: Bool
    /// Whether there are only hashtags, so that other threads are likely to be called the same.
    var needsDate: Bool
  }

  /// About how long a title is, in scalars; those of East Asian scripts count twice.
  static let longest = 110
  /// A sentence of up to so many stays whole.
  private static let mostForWhole = 130
  /// A sentence of fewer scalars ("So.", "No.") takes the next one with it.
  private static let shortest = 15
  /// Scalars looked at.
  private static let window = 400
  /// A link that is longer is not read as a word of its sentence.
  private static let longestLink = 40

  private let scalars: [Unicode.Scalar]
  /// Of each place between two scalars, whether it is within brackets, quotation marks, a link, a mention or a tag.
  private var isInside: [Bool]
  private var links: [Range<Int>] = []
  private var mentions: [Range<Int>] = []
  private var tags: [Range<Int>] = []
  /// Whether the text is longer than what is looked at.
  private let isCut: Bool

  /// `nil` where the text has no words.
  ///
  /// - Parameter keepsSeries: whether a counter that does not begin with 1 stays: it is of a series of threads, which it tells
  ///   apart, and not of the posts of this one.
  static func cut(_ text: InlineText, keepsSeries: Bool) -> Cut? {
    let words = text.openingWords(keepsSeries: keepsSeries)
    guard !words.isEmpty else { return nil }
    let start = text.text.unicodeScalars.distance(
      from: text.text.startIndex, to: words.startIndex)
    return Self(words, of: text, from: start).cut(from: start, in: text)
  }

  private init(_ words: Substring, of text: InlineText, from start: Int) {
    scalars = Array(words.unicodeScalars.prefix(Self.window))
    isCut = scalars.count == Self.window
    isInside = Array(repeating: false, count: scalars.count + 1)
    for entity in text.entities {
      let range = max(0, entity.range.lowerBound - start)..<max(0, entity.range.upperBound - start)
      guard range.lowerBound < scalars.count, !range.isEmpty else { continue }
      let inside = range.clamped(to: 0..<scalars.count)
      close(inside)
      switch entity.kind {
      case .link: links.append(inside)
      case .mention: mentions.append(inside)
      case .hashtag, .cashtag: tags.append(inside)
      case .emoji: break
      }
    }
    findBareLinks()
    findPairs()
  }

  // MARK: - What holds together

  private mutating func close(_ range: Range<Int>) {
    for place in range.dropFirst() { isInside[place] = true }
  }

  /// Addresses that a network has not marked.
  private mutating func findBareLinks() {
    for start in scalars.indices
    where scalars[start] == "h" && (start == 0 || scalars[start - 1].isWhiteSpace) {
      guard starts(with: "http://", at: start) || starts(with: "https://", at: start) else { continue }
      let end = scalars[start...].firstIndex(where: \.isWhiteSpace) ?? scalars.count
      if !links.contains(where: { $0.overlaps(start..<end) }) {
        links.append(start..<end)
        close(start..<end)
      }
    }
    links.sort { $0.lowerBound < $1.lowerBound }
  }

  private func starts(with word: String, at start: Int) -> Bool {
    scalars[start...].starts(with: word.unicodeScalars)
  }

  /// Brackets and quotation marks that are closed. Where one stands around the whole text, the text is read as if it did not.
  private mutating func findPairs() {
    var index = 0
    while index < scalars.count {
      if let end = endOfPair(at: index), end + 1 < scalars.count || index > 0 {
        for place in index + 1...end { isInside[place] = true }
        index = end
      }
      index += 1
    }
  }

  private func endOfPair(at start: Int) -> Int? {
    let opening = scalars[start]
    let closing: [Unicode.Scalar]
    switch opening {
    case "(": closing = [")"]
    case "[": closing = ["]"]
    case "{": closing = ["}"]
    case "（": closing = ["）"]
    case "「": closing = ["」"]
    case "『": closing = ["』"]
    case "«": closing = ["»"]
    case "“": closing = ["”"]
    case "„": closing = ["“", "”"]
    case "\"":
      guard start == 0 || scalars[start - 1].isWhiteSpace || scalars[start - 1] == "(" else { return nil }
      closing = ["\""]
    default: return nil
    }
    var depth = 0
    for index in scalars.indices[(start + 1)...] {
      if closing.contains(scalars[index]) {
        if depth == 0 { return index }
        depth -= 1
      } else if scalars[index] == opening {
        depth += 1
      }
    }
    return nil
  }

  // MARK: - The cut

  private func cut(from start: Int, in text: InlineText) -> Cut? {
    let (from, isRetweet) = beginning(of: text, start)
    guard from < scalars.count else { return nil }
    var (end, mark) = sentenceEnd(from: from)
    var isClean = mark != .none
    var isEllipsis = false
    if weight(from..<end) > Self.mostForWhole || mark == .none && isCut {
      (end, isClean, isEllipsis) = clauseEnd(from: from)
    }
    if let long = links.first(where: {
      $0.lowerBound > from + Self.shortest && $0.upperBound <= end && $0.count > Self.longestLink
    }) {
      (end, isClean, isEllipsis) = (long.lowerBound, false, true)
    }
    end = withoutTail(from..<end)
    if isRetweet, end > from, "”\"“»".unicodeScalars.contains(scalars[end - 1]) { end -= 1 }
    let before = text.entities.prefix { $0.range.lowerBound < start + from }
    let isWhole = before.isEmpty && from == 0
    let kind = words(in: from..<end)
    guard kind != .none else { return nil }
    let line = PlainText.singleLine(Self.string(scalars[from..<end]))
    let holdsLineEnd = scalars[from..<end].contains(where: Self.isLineEnd)
    return Cut(
      text: isEllipsis ? Self.trimmed(line) + "…" : Self.withoutStop(line), end: start + end,
      isClean: isClean && !isRetweet && !holdsLineEnd && !isEllipsis
        && (isWhole || start + from <= Self.longestLink && before.allSatisfy(\.isMention)),
      isWhole: isWhole,
      needsDate: kind == .tags)
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Where the title begins behind what is no word of it: the comma behind a handle, a dash, the full stop before a handle that
  /// shall be seen by all, the name in an old retweet.
  ///
  private func beginning(of text: InlineText, _ start: Int) -> (Int, isRetweet: Bool) {
    var index = 0
    let hasDroppedEntity = text.entities.first.map { $0.range.lowerBound < start } ?? false
    if let first = scalars.first, "“\"„«".unicodeScalars.contains(first),
      let mention = mentions.first, mention.lowerBound == 1
    {
      index = mention.upperBound
      if index < scalars.count, scalars[index] == ":" { index += 1 }
      return (afterSpace(index), true)
    }
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar.isWhiteSpace {
        index += 1
      } else if Self.isConnector(scalar), index + 1 < scalars.count, scalars[index + 1].isWhiteSpace {
        index += 1
      } else if scalar == ".", mentions.contains(where: { $0.lowerBound == index + 1 }) {
        return (index + 1, false)
      } else if hasDroppedEntity, let mention = mentions.first(where: { $0.lowerBound == index }) {
        index = mention.upperBound
      } else {
        break
      }
    }
    return (index, false)
  }

  private static func isConnector(_ scalar: Unicode.Scalar) -> Bool {
    ",;:–—-&+|".unicodeScalars.contains(scalar)
  }

  private func afterSpace(_ index: Int) -> Int {
    scalars[index...].firstIndex { !$0.isWhiteSpace } ?? scalars.count
  }

  /// What ends a sentence.
  private enum Mark {
    case none, sentence, line, link, text
  }

  /// Behind the first sentence, or the first line, that is long enough to be a title.
  private func sentenceEnd(from: Int) -> (Int, Mark) {
    var index = from
    while index < scalars.count {
      let scalar = scalars[index]
      if Self.isLineEnd(scalar) {
        if isTitle(from..<index) { return (index, .line) }
      } else if Self.isFullWidthStop(scalar) {
        let end = endOfClosing(from: index + 1)
        if !isInside[end], isTitle(from..<end) { return (end, .sentence) }
      } else if Self.isStop(scalar) {
        let end = endOfClosing(from: index + 1)
        if endsSentence(scalar, at: index, end), isTitle(from..<end) { return (end, .sentence) }
      } else if links.contains(where: { $0.lowerBound == index }), isLastOfItsLine(index),
        isTitle(from..<index)
      {
        return (index, .link)
      }
      index += 1
    }
    return (scalars.count, isCut ? .none : .text)
  }

  private func isTitle(_ range: Range<Int>) -> Bool {
    weight(range) >= Self.shortest && words(in: range) == .words
  }

  private func endsSentence(_ mark: Unicode.Scalar, at index: Int, _ end: Int) -> Bool {
    guard !isInside[end], end == scalars.count || scalars[end].isWhiteSpace else { return false }
    let next = scalars[end...].first { !$0.isWhiteSpace }
    let isQuoted = scalars[index + 1..<end].contains { !".?!…".unicodeScalars.contains($0) }
    if mark == "." || mark == "…" || isQuoted, next?.isLowercase ?? false { return false }
    return mark != "." || !isAbbreviation(before: index, and: end)
  }

  /// Whether from a link on a line holds nothing but links, tags, and whose it is.
  private func isLastOfItsLine(_ start: Int) -> Bool {
    var index = start
    while index < scalars.count, !Self.isLineEnd(scalars[index]) {
      if let range = (links + mentions + tags).first(where: { $0.contains(index) }) {
        index = range.upperBound
      } else if scalars[index].isAlphabetic {
        let end = scalars[index...].firstIndex { !$0.isAlphabetic } ?? scalars.count
        guard
          ["via", "by", "von", "par", "por", "cc", "h", "t"].contains(
            Self.string(scalars[index..<end]).lowercased())
        else { return false }
        index = end
      } else if scalars[index].properties.numericType != nil, !Self.isEmoji(scalars[index]) {
        return false
      } else {
        index += 1
      }
    }
    return true
  }

  /// Where a sentence that is too long is cut: behind a clause, else behind a comma, else before a word.
  private func clauseEnd(from: Int) -> (Int, isClean: Bool, isEllipsis: Bool) {
    var limit = from
    var length = 0
    while limit < scalars.count, length + Self.weight(scalars[limit]) <= Self.longest {
      length += Self.weight(scalars[limit])
      limit += 1
    }
    func last(_ least: Int, where isGood: (Int) -> Bool) -> Int? {
      var place = limit
      while place > from, weight(from..<place) >= least {
        if !isInside[place], isGood(place) { return place }
        place -= 1
      }
      return nil
    }
    if let place = last(30, where: isClauseEnd) { return (place, true, false) }
    if let place = last(45, where: isComma) { return (place, true, false) }
    func isSpace(_ place: Int) -> Bool { place < scalars.count && scalars[place].isWhiteSpace }
    if let place = last(60, where: isSpace) { return (place, false, true) }
    var place = limit
    while place > from, !isSpace(place) { place -= 1 }
    return (place > from + 40 ? place : endOfCharacter(limit), false, true)
  }

  /// Before a scalar that begins a character.
  private func endOfCharacter(_ limit: Int) -> Int {
    var place = limit
    while place > 1, place < scalars.count, Self.continues(scalars[place], scalars[place - 1]) { place -= 1 }
    return place
  }

  private static func continues(_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar) -> Bool {
    scalar.properties.isGraphemeExtend || scalar.value == 0x200D || previous.value == 0x200D
  }

  private func isClauseEnd(_ place: Int) -> Bool {
    guard place < scalars.count else { return true }
    if Self.isLineEnd(scalars[place]) { return true }
    let before = scalars[place - 1]
    if scalars[place].isWhiteSpace {
      if before == ";" || before == ":" || Self.isStop(before) && before != "." { return true }
      if Self.isEmoji(before) || before.value == 0xFE0F { return true }
      guard place + 2 < scalars.count else { return false }
      let next = scalars[place + 1]
      return "–—-".unicodeScalars.contains(next) && scalars[place + 2].isWhiteSpace
    }
    return before == "；" || before == "："
  }

  private func isComma(_ place: Int) -> Bool {
    let before = scalars[place - 1]
    return before == "、" || before == "，" || before == "،"
      || before == "," && place < scalars.count && scalars[place].isWhiteSpace
  }

  /// Where the words end before links, dashes, signs that point to what follows, and the tags behind them.
  private func withoutTail(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    // Where tags began that may belong to the sentence.
    var endOfTags: Int?
    while end > range.lowerBound {
      let scalar = scalars[end - 1]
      if scalar.isWhiteSpace || "–—-|".unicodeScalars.contains(scalar) || Self.isPointer(scalar)
        || Self.continuesEmoji(scalar) && end - 2 >= range.lowerBound && Self.isPointer(scalars[end - 2])
      {
        end -= 1
      } else if let link = links.first(where: { $0.upperBound == end }) {
        end = link.lowerBound
      } else if let tag = tags.first(where: { $0.upperBound == end }) {
        endOfTags = endOfTags ?? end
        end = tag.lowerBound
      } else {
        break
      }
    }
    guard let endOfTags else { return max(end, range.lowerBound) }
    guard end > range.lowerBound else { return endOfTags }
    let last = scalars[end - 1]
    return Self.isStop(last) || Self.isEmoji(last) || Self.continuesEmoji(last) ? end : endOfTags
  }

  private enum Words {
    case none, tags, words
  }

  /// What there is to read: letters or digits, outside of links and tags if there are any.
  private func words(in range: Range<Int>) -> Words {
    var index = range.lowerBound
    var found = Words.none
    while index < range.upperBound {
      if let link = links.first(where: { $0.contains(index) }) {
        index = link.upperBound
      } else if let tag = tags.first(where: { $0.contains(index) }) {
        found = .tags
        index = tag.upperBound
      } else {
        if isWord(scalars[index]) { return .words }
        index += 1
      }
    }
    return found
  }

  private func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isAlphabetic || "0"..."9" ~= scalar
      || !scalar.isASCII && !Self.isEmoji(scalar) && scalar.properties.numericType != nil
  }

  // MARK: - Scalars

  private func weight(_ range: Range<Int>) -> Int {
    scalars[range].reduce(0) { $0 + Self.weight($1) }
  }

  private static func weight(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x1100..<0x1160, 0x2E80..<0xA4D0, 0xAC00..<0xD7A4, 0xF900..<0xFB00, 0xFF00..<0xFF61,
      0x20000..<0x3FFFE:
      2
    default: 1
    }
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private static func isStop(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "?", "!", "…", "؟", "۔", "।": true
    default: isFullWidthStop(scalar)
    }
  }

  /// Marks that end a sentence in scripts that put no space behind it.
  private static func isFullWidthStop(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "。" || scalar == "！" || scalar == "？"
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F000..<0x20000, 0x2600..<0x27C0, 0x2B00..<0x2C00, 0x2300..<0x2400: true
    default: false
    }
  }

  /// Variation selectors, skin tones and joiners.
  private static func continuesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || scalar.value == 0x200D || 0x1F3FB...0x1F3FF ~= scalar.value
  }

  /// Emoji and arrows that point to what follows.
  private static func isPointer(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F446...0x1F449, 0x1F9F5, 0x27A1, 0x2192, 0x2193, 0x2B07, 0x2935, 0x25B6: true
    default: false
    }
  }

  /// Behind the quotes, brackets and further marks that belong to the sentence.
  private func endOfClosing(from start: Int) -> Int {
    scalars[start...].firstIndex { !Self.belongsToEnd($0) } ?? scalars.count
  }

  private static func belongsToEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "?", "!", "\"", "'", ")", "]", "…", "”", "’", "»", "」", "』", "）", "！", "？": true
    default: false
    }
  }

  /// Whether a full stop rather belongs to a short word ("e.g.", "Dr.", "A."), to a number ("2. Bildungsweg"), or what comes goes on
  /// in small letters.
  private func isAbbreviation(before stop: Int, and end: Int) -> Bool {
    let word = scalars[..<stop].reversed().prefix { $0.isAlphabetic || $0 == "." || "0"..."9" ~= $0 }
    guard !word.isEmpty, end == stop + 1, end < scalars.count else { return false }
    if word.allSatisfy({ "0"..."9" ~= $0 }) { return word.count <= 2 }
    if word.count <= 2 && !word.contains(where: { "0"..."9" ~= $0 }) || word.contains(".") { return true }
    return Self.abbreviations.contains(String(Self.string(word.reversed()[...]).lowercased()))
  }

  /// Words of three letters and more that end in a full stop within a sentence, in the languages of the interface.
  private static let abbreviations: Set<String> = [
    "incl", "inkl", "approx", "resp", "bzw", "usw", "ggf", "evtl", "etc", "mrs", "prof", "vol", "fig", "est",
    "dept", "univ", "min", "max", "abs", "bspw", "sog", "vgl", "hrsg", "str", "nos", "tel", "pág", "sra",
    "srta",
    "dra", "aprox", "mme", "mlle", "env", "cie",
  ]

  /// A title ends without the mark that ends its sentence or its clause, unless there are several full stops.
  private static func withoutStop(_ line: String) -> String {
    var line = line
    while let last = line.last, ".:：。;；,、，،".contains(last), !line.hasSuffix("..") { line.removeLast() }
    return PlainText.singleLine(line)
  }

  /// Without what led on.
  private static func trimmed(_ line: String) -> String {
    var line = line
    while let last = line.last, " ,;:.–—-(、，،".contains(last) { line.removeLast() }
    return line
  }
}

extension TextEntity {
  fileprivate var isMention: Bool { if case .mention = kind { true } else { false } }
}
