import Basics
import ThreadModel

/// Cuts the first sentence out of a post's text, or as much of it as fits into a title.
struct TitleCutter {
  /// The words at a text's beginning that form a title.
  struct Cut {
    var text: String
    /// The offset in scalars at which the words end in the text, including their punctuation.
    var end: Int
    /// Whether the text may be divided at `end`, and only a counter or a few handles precede the title.
    var isClean: Bool
    /// Whether only a counter precedes it.
    var isWhole: Bool
    /// Whether it consists only of hashtags, so that other threads are likely to have the same title.
    var needsDate: Bool
    /// Whether the sentence continues after it.
    var isCut: Bool
  }

  /// The approximate maximum length of a title in scalars. Scalars of East Asian scripts count twice.
  static let longest = 110
  /// A sentence up to this length is not cut.
  private static let mostForWhole = 130
  /// A sentence with fewer scalars ("So.", "No.") is joined with the next one.
  private static let shortest = 15
  /// The maximum length of a title that consists only of hashtags.
  private static let longestTags = 60
  /// The number of scalars that are read.
  private static let window = 400

  private let post: PostScalars
  private let scalars: [Unicode.Scalar]
  private let words: Range<Int>
  private let breaks: SentenceBreaks
  /// The pairs of brackets and quotation marks that are not within another pair. A pair around all words does not count.
  private var pairs: [Range<Int>] = []

  /// `nil` if the text has no words.
  ///
  /// - Parameter keepsSeries: whether to keep a counter that does not begin with 1. It numbers a series of threads instead of the posts of
  ///   this one.
  static func cut(_ post: Post, keepsSeries: Bool) -> Cut? {
    let scalars = PostScalars(post, keepsSeries: keepsSeries)
    return scalars.words.isEmpty ? nil : Self(scalars).cut()
  }

  private init(_ post: PostScalars) {
    self.post = post
    scalars = post.scalars
    words = post.words.lowerBound..<min(post.words.upperBound, post.words.lowerBound + Self.window)
    var classes = post.scalars[..<words.upperBound].map(SentenceBreaks.Class.init)
    // Links, names and tags are words.
    for part in post.parts {
      for place in part.range.clamped(to: 0..<words.upperBound) { classes[place] = .letter }
    }
    breaks = SentenceBreaks(classes: classes)
    var place = words.lowerBound
    while place < words.upperBound {
      let end = endOfPair(at: place)
      if let end, place..<end != words { pairs.append(place..<end) }
      place = end ?? place + 1
    }
  }

  // MARK: - Pairs

  /// The marks that close brackets and quotations. Some authors type a quotation mark at both ends, or the marks in reverse.
  private static func closing(of mark: Unicode.Scalar) -> [Unicode.Scalar] {
    switch mark {
    case "(": [")"]
    case "[": ["]"]
    case "{": ["}"]
    case "（": ["）"]
    case "「": ["」"]
    case "『": ["』"]
    case "“": ["”"]
    case "„", "”": ["“", "”"]
    case "«": ["»"]
    case "»": ["«"]
    case "\"": ["\""]
    default: []
    }
  }

  /// Returns the end of the pair of brackets or quotation marks that begins at a place.
  private func endOfPair(at start: Int) -> Int? {
    let mark = scalars[start]
    let closing = Self.closing(of: mark)
    guard !closing.isEmpty else { return nil }
    if "”\"»«".unicodeScalars.contains(mark), start > words.lowerBound, !scalars[start - 1].isWhiteSpace,
      !"(:=[—–-".unicodeScalars.contains(scalars[start - 1])
    {
      return nil
    }
    var depth = 0
    for place in start + 1..<words.upperBound {
      if closing.contains(scalars[place]) {
        if depth == 0 { return place + 1 }
        depth -= 1
      } else if scalars[place] == mark {
        depth += 1
      }
    }
    return nil
  }

  private func pair(around place: Int) -> Range<Int>? {
    pairs.first { $0.lowerBound < place && place < $0.upperBound }
  }

  // MARK: - The cut

  /// The place where a title ends.
  private struct Place {
    var end: Int
    /// Whether the sentence continues.
    var isCut = false
    /// Whether only a clause ends there.
    var isClause = false
    /// The mark that closes the pair that is open there.
    var closing = ""
  }

  private func cut() -> Cut? {
    var start = words.lowerBound
    let sentence = start..<sentenceEnd()
    var place = Place(end: post.endOfWords(in: sentence, pile: 3))
    var isTags = false
    if !hasWords(start..<place.end) {
      let lastTag = post.parts.last { $0.kind == .tag && sentence.contains($0.range.lowerBound) }
      guard let lastTag, post.part(at: start)?.kind == .tag else { return nil }
      isTags = true
      place.end = lastTag.range.upperBound
      if weight(start..<place.end) > Self.longestTags { place = clauseEnd(within: Self.longestTags) }
    } else if weight(start..<place.end) > Self.mostForWhole {
      place = clauseEnd(within: Self.longest)
      let end = post.endOfWords(in: start..<place.end, pile: 3)
      // The whole available length may consist of tags.
      if end > start { place.end = end }
    }
    // A mark at the start whose pair ends after the title.
    let isOpen =
      place.closing.isEmpty && !Self.closing(of: scalars[start]).isEmpty
      && endOfPair(at: start).map { $0 > place.end } ?? true
    if isOpen { start += 1 }
    let before = post.parts.prefix { $0.range.lowerBound < start }
    let isWhole = before.isEmpty && start == words.lowerBound
    return Cut(
      text: line(start, place), end: place.end,
      isClean: !place.isCut && !isOpen && !post.isRetweet
        && !scalars[start..<place.end].contains(where: \.isLineEnd)
        && (isWhole || start <= PostScalars.longestLink && before.allSatisfy { $0.kind == .mention }),
      isWhole: isWhole, needsDate: isTags, isCut: place.isCut)
  }

  /// Returns the title's words on one line, and URLs without their schemes.
  private func line(_ start: Int, _ place: Place) -> String {
    var line = PlainText.singleLine(post.string(start..<place.end))
    if line.contains(bytes: "://") {
      line = line.replacing("https://", with: "").replacing("http://", with: "")
    }
    let marks = place.isCut ? " ,;:.–—-(、，،" : place.isClause ? " .:：。;；,、，،" : " .:：。,、，،"
    while let last = line.last, marks.contains(last), place.isCut || !line.hasSuffix("..") {
      line.removeLast()
    }
    return place.isCut ? line + "…" + place.closing : line
  }

  // MARK: - Sentences

  /// Returns the end of the first sentence or line that is long enough for a title.
  private func sentenceEnd() -> Int {
    var boundary = words.lowerBound
    var end = boundary
    repeat {
      boundary = min(breaks.end(of: boundary), words.upperBound)
      end = scalars[..<boundary].lastIndex { !$0.isWhiteSpace }.map { $0 + 1 } ?? boundary
    } while boundary < words.upperBound && !endsSentence(end, boundary)
    // A long link, or one at the end of a line, is not a word of the sentence. A dash after the link makes it a word.
    let link = post.parts.first { part in
      let rest =
        part.range
        .upperBound..<(scalars[part.range.upperBound...].firstIndex(where: \.isLineEnd) ?? scalars.count)
      return part.kind == .link && words.contains(part.range.lowerBound) && part.range.upperBound <= end
        && post.isApart(part.range) && pair(around: part.range.lowerBound) == nil
        && isTitle(words.lowerBound..<part.range.lowerBound)
        && (part.range.count > PostScalars.longestLink
          || post.isCredits(rest) && !scalars[rest].contains(where: PostScalars.leadsOn))
    }
    return link?.range.lowerBound ?? endOfSmileys(from: end)
  }

  /// Whether a boundary ends a title. UAX #29 does not handle abbreviations and wrapped lines, and separates sentences within brackets and
  /// quotations.
  private func endsSentence(_ end: Int, _ boundary: Int) -> Bool {
    guard pair(around: end) == nil, isTitle(words.lowerBound..<end) else { return false }
    if scalars[end..<boundary].contains(where: \.isLineEnd) { return !isWrapped(end, boundary) }
    if isAbbreviation(end) { return false }
    if end == boundary { return Self.weight(scalars[end - 1]) == 2 }
    return breaks.classes[end - 1] != .close || !scalars[boundary].isLowercase
  }

  private func isTitle(_ range: Range<Int>) -> Bool {
    weight(range) >= Self.shortest && hasWords(range)
  }

  /// Whether a full stop belongs to an initial ("A."), an abbreviation ("e.g.", "Dr.", "No. 5") or a number ("2. Bildungsweg").
  private func isAbbreviation(_ end: Int) -> Bool {
    guard scalars[end - 1] == "." else { return false }
    let start =
      scalars[words.lowerBound..<end - 1].lastIndex { !$0.isOfWord && $0 != "." }.map { $0 + 1 }
      ?? words.lowerBound
    let word = scalars[start..<end - 1]
    guard let first = word.first, word.last != "." else { return false }
    if word.allSatisfy({ "0"..."9" ~= $0 }) { return word.count <= 2 }
    if word.split(separator: ".").allSatisfy({ $0.count == 1 }) { return true }
    let name = post.string(start..<end - 1)
    if Self.abbreviations.contains(name.lowercased()) { return true }
    // The others have no vowel, or are capitalized before a number. Acronyms are words.
    let isNumbered =
      !first.isLowercase
      && scalars[end..<words.upperBound].first { !$0.isWhiteSpace }.map { "0"..."9" ~= $0 } ?? false
    let hasVowel = word.contains { !$0.isASCII || "aeiouyAEIOUY0123456789".unicodeScalars.contains($0) }
    return word.count <= 4 && word.dropFirst().allSatisfy(\.isLowercase) && (isNumbered || !hasVowel)
  }

  /// Abbreviations with a vowel, before names and numbers.
  private static let abbreviations: Set<String> = ["prof", "fig", "vol", "incl", "inkl", "approx", "ca"]

  /// Whether a sentence continues on the next line: a letter, a comma or a full stop precedes the line end, and a lower-case word follows
  /// it, other than "via" and similar words. A full stop ends the sentence if the text begins in lower case, because its other sentences
  /// may also begin in lower case.
  private func isWrapped(_ end: Int, _ boundary: Int) -> Bool {
    let line = scalars[boundary..<words.upperBound].prefix { !$0.isLineEnd }
    let isFullStop = scalars[end - 1] == "." && !scalars[words.lowerBound].isLowercase
    guard scalars[end - 1].isAlphabetic || scalars[end - 1] == "," || isFullStop || isAbbreviation(end),
      scalars[end..<boundary].count(where: { $0.isLineEnd && $0 != "\r" }) == 1,
      let next = line.firstIndex(where: { !$0.isWhiteSpace })
    else { return false }
    return scalars[next].isLowercase && post.part(at: next) == nil && !post.isCredits(next..<line.endIndex)
  }

  /// Returns the index after the emoji and the smileys that belong to a sentence, on the same line.
  private func endOfSmileys(from start: Int) -> Int {
    let next = scalars[start..<words.upperBound].prefix { $0 == " " }.endIndex
    let smiley = scalars[next..<words.upperBound].prefix { !$0.isWhiteSpace }
    let isTyped = smiley.count <= 3 && smiley.first.map { ":;=<".unicodeScalars.contains($0) } ?? false
    guard next > start, !smiley.isEmpty, smiley.count < Self.shortest,
      isTyped || smiley.allSatisfy({ Self.isEmoji($0) && !PostScalars.leadsOn($0) })
    else { return start }
    return endOfSmileys(from: smiley.endIndex)
  }

  // MARK: - Clauses

  /// Returns the end of the last clause of the words that fit. Without such a clause, returns their last comma, otherwise a place within a
  /// quotation, otherwise their last word.
  private func clauseEnd(within limit: Int) -> Place {
    var (place, length) = (words.lowerBound, 0)
    while place < words.upperBound, length + Self.weight(scalars[place]) <= limit {
      length += Self.weight(scalars[place])
      place += 1
    }
    // The last character that is complete.
    let fitting = post.string(words.lowerBound..<min(place + 1, words.upperBound)).dropLast()
    var best = Place(end: words.lowerBound + fitting.unicodeScalars.count, isCut: true)
    var bestRank = Int.max
    while place > words.lowerBound, bestRank > 0 {
      // A title may be shorter if it ends at a better place.
      if let rank = rank(place), rank < bestRank, length >= min([30, 45, 45, 55, 55][rank], limit / 2) {
        bestRank = rank
        best = Place(end: place, isCut: rank > 0, isClause: rank == 0)
      }
      place -= 1
      length -= Self.weight(scalars[place])
    }
    if let pair = pair(around: best.end) { best.closing = post.string(pair.upperBound - 1..<pair.upperBound) }
    return best
  }

  /// Returns how suitable a place is as the end of a title: after a clause (0), after a comma (1), after either within brackets or a
  /// quotation (2), after a word (3), or after a word within these (4); `nil` within a word.
  private func rank(_ place: Int) -> Int? {
    guard place < words.upperBound, post.part(at: place).map({ $0.range.lowerBound == place }) ?? true
    else { return nil }
    let (before, next) = (scalars[place - 1], scalars[place])
    let isInPair = pair(around: place) != nil
    if next.isLineEnd, !isWrapped(place, place + 1) { return isInPair ? 2 : 0 }
    let isSpaced = next.isWhiteSpace
    let isDash =
      isSpaced && place + 2 < words.upperBound && "–—-".unicodeScalars.contains(scalars[place + 1])
      && scalars[place + 2].isWhiteSpace
    if isDash || isSpaced && (";:!?…".unicodeScalars.contains(before) || Self.isEmoji(before))
      || "；：。！？".unicodeScalars.contains(before)
    {
      return isInPair ? 2 : 0
    }
    let isComma = before == "," && (isSpaced || next.isAlphabetic && scalars[max(0, place - 2)].isAlphabetic)
    if isComma || "、，،".unicodeScalars.contains(before) { return isInPair ? 2 : 1 }
    if isInPair, isSpaced { return before == "." ? 2 : 4 }
    return isSpaced ? 3 : nil
  }

  // MARK: - Words

  /// Whether a range contains words other than the "cc" before names.
  private func hasWords(_ range: Range<Int>) -> Bool {
    post.words(in: range).contains { $0.count != 2 || post.string($0.indices).lowercased() != "cc" }
  }

  private func weight(_ range: Range<Int>) -> Int { scalars[range].reduce(0) { $0 + Self.weight($1) } }

  private static func weight(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x1100..<0x1160, 0x2E80..<0xA4D0, 0xAC00..<0xD7A4, 0xF900..<0xFB00, 0xFF00..<0xFF61,
      0x20000..<0x3FFFE:
      2
    default: 1
    }
  }

  /// Whether a scalar is an emoji, or a variation selector or joiner of one.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x2000 && (scalar.properties.isEmoji || scalar == "\u{FE0F}" || scalar == "\u{200D}")
  }
}
