import ThreadModel

/// Cuts the first sentence out of a post's text, or as much of it as fits a title.
///
/// All offsets count the Unicode scalars of the text's beginning, as the ranges of an `InlineText` do.
struct TitleCutter {
  /// The words of a text's beginning that form a title.
  struct Cut {
    var text: String
    /// The offset in scalars at which the words end in the whole text, including their punctuation.
    var end: Int
    /// Whether the text may be divided at `end`, and contains nothing before the title but a counter or a few handles.
    var isClean: Bool
    /// Whether nothing but a counter precedes it.
    var isWhole: Bool
    /// Whether it consists of hashtags only, so that other threads are likely to have the same title.
    var needsDate: Bool
    /// Whether the sentence continues after it.
    var isCut: Bool
  }

  /// The approximate length of a title in scalars; those of East Asian scripts count twice.
  static let longest = 110
  /// A sentence up to this length is not cut.
  private static let mostForWhole = 130
  /// A sentence with fewer scalars ("So.", "No.") is joined with the next one.
  private static let shortest = 15
  /// The number of scalars that are read.
  private static let window = 400
  /// A longer link is not treated as a word of its sentence.
  private static let longestLink = 40
  /// The length of a title that consists of hashtags only.
  private static let longestTags = 60
  /// This number of hashtags at the end of a sentence does not belong to the sentence.
  private static let pileOfTags = 3

  private let scalars: [Unicode.Scalar]
  /// For each position between two scalars, whether it is within brackets, quotation marks, a link, a mention or a tag.
  private var isInside: [Bool]
  /// For each position, whether it is within brackets.
  private var isInBrackets: [Bool]
  /// Quotations, from their first mark to the end of their last.
  private var quotations: [Range<Int>] = []
  private var links: [Range<Int>] = []
  private var mentions: [Range<Int>] = []
  private var tags: [Range<Int>] = []
  /// Whether the text is longer than the part that is read.
  private let isCut: Bool

  /// `nil` if the text has no words.
  ///
  /// - Parameter keepsSeries: whether to keep a counter that does not begin with 1: it numbers a series of threads instead of the posts of this one.
  static func cut(_ post: Post, keepsSeries: Bool) -> Cut? {
    let text = post.text
    let words = text.openingWords(keepsSeries: keepsSeries, isAnswer: post.inReplyTo != nil)
    guard !words.isEmpty else { return nil }
    let start = text.text.unicodeScalars.distance(
      from: text.text.startIndex, to: words.startIndex)
    return Self(words, of: text, from: start).cut(from: start, in: text)
  }

  private init(_ words: Substring, of text: InlineText, from start: Int) {
    scalars = Array(words.unicodeScalars.prefix(Self.window))
    isCut = scalars.count == Self.window
    isInside = Array(repeating: false, count: scalars.count + 1)
    isInBrackets = isInside
    for entity in text.entities {
      let range = max(0, entity.range.lowerBound - start)..<max(0, entity.range.upperBound - start)
      guard range.lowerBound < scalars.count, !range.isEmpty else { continue }
      let inside = range.clamped(to: 0..<scalars.count)
      close(inside)
      switch entity.kind {
      case .link: if Self.string(scalars[inside]).isAddress { links.append(inside) }
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

  /// Finds addresses that the network has not marked as links.
  private mutating func findBareLinks() {
    for start in scalars.indices
    where start == 0 || scalars[start - 1].isWhiteSpace || scalars[start - 1] == "(" {
      guard scalars[start].isASCII, scalars[start].isAlphabetic || "0"..."9" ~= scalars[start] else {
        continue
      }
      let isBracketed = start > 0 && scalars[start - 1] == "("
      let end =
        scalars[start...].firstIndex { $0.isWhiteSpace || isBracketed && $0 == ")" } ?? scalars.count
      guard starts(with: "http://", at: start) || starts(with: "https://", at: start) || isShort(start..<end)
      else { continue }
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

  /// Whether a word is an address of a link shortener, written without its scheme (`bit.ly/1`).
  private func isShort(_ word: Range<Int>) -> Bool {
    scalars[word].contains("/") && Self.isShortAddress(Self.string(scalars[word]))
  }

  static func isShortAddress(_ word: some StringProtocol) -> Bool {
    guard let slash = word.utf8.firstIndex(of: UInt8(ascii: "/")),
      word.utf8.index(after: slash) < word.utf8.endIndex
    else { return false }
    return shortHosts.contains(String(word[..<slash]))
  }

  private static let shortHosts: Set<String> = [
    "bit.ly", "ow.ly", "j.mp", "t.co", "goo.gl", "is.gd", "tinyurl.com", "buff.ly", "dlvr.it", "fb.me",
    "youtu.be",
    "lnkd.in", "wp.me", "tmblr.co", "instagr.am", "flic.kr", "amzn.to", "yfrog.com",
  ]

  /// Finds pairs of brackets and quotation marks. A pair around the whole text is ignored.
  private mutating func findPairs() {
    var index = 0
    while index < scalars.count {
      if let (end, isQuotation) = endOfPair(at: index), end + 1 < scalars.count || index > 0 {
        for place in index + 1...end {
          isInside[place] = true
          if !isQuotation { isInBrackets[place] = true }
        }
        if isQuotation {
          quotations.append(index..<end + 1)
          markBrackets(in: index + 1..<end)
        }
        index = end
      }
      index += 1
    }
  }

  /// Marks the brackets within a quotation. A title may end within a quotation if necessary, but not within its brackets.
  private mutating func markBrackets(in range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      if let (end, isQuotation) = endOfPair(at: index), !isQuotation, end < range.upperBound {
        for place in index + 1...end { isInBrackets[place] = true }
        index = end
      }
      index += 1
    }
  }

  private func endOfPair(at start: Int) -> (Int, isQuotation: Bool)? {
    let opening = scalars[start]
    let closing: [Unicode.Scalar]
    var isQuotation = true
    switch opening {
    case "(": (closing, isQuotation) = ([")"], false)
    case "[": (closing, isQuotation) = (["]"], false)
    case "{": (closing, isQuotation) = (["}"], false)
    case "（": (closing, isQuotation) = (["）"], false)
    case "「": closing = ["」"]
    case "『": closing = ["』"]
    case "«": closing = ["»"]
    case "“": closing = ["”"]
    case "„": closing = ["“", "”"]
    // Some authors type this mark at both ends, or the marks in reverse.
    case "”" where mayOpen(start): closing = ["“", "”"]
    case "\"" where mayOpen(start): closing = ["\""]
    case "‘" where mayOpen(start): closing = ["’"]
    case "'" where mayOpen(start): closing = ["'"]
    default: return nil
    }
    let isApostrophe = opening == "'" || opening == "‘"
    var depth = 0
    for index in scalars.indices[(start + 1)...] {
      if isApostrophe {
        // These quotations end with the line at the latest, as apostrophes look the same.
        if scalars[index].isLineEnd { return nil }
        if index + 1 < scalars.count,
          scalars[index + 1].isAlphabetic || scalars[index + 1].properties.numericType != nil
        {
          continue
        }
      }
      if closing.contains(scalars[index]) {
        if depth == 0 { return (index, isQuotation) }
        depth -= 1
      } else if scalars[index] == opening {
        depth += 1
      }
    }
    return nil
  }

  private func mayOpen(_ place: Int) -> Bool {
    guard place + 1 < scalars.count, !scalars[place + 1].isWhiteSpace else { return false }
    return place == 0 || scalars[place - 1].isWhiteSpace
      || "(:=[—–-".unicodeScalars.contains(scalars[place - 1])
  }

  // MARK: - The cut

  private func cut(from start: Int, in text: InlineText) -> Cut? {
    let (begin, isRetweet) = beginning(of: text, start)
    guard begin < scalars.count else { return nil }
    var from = begin
    let (sentence, mark) = sentenceEnd(from: from)
    var place = Place(end: sentence, isClean: mark != .none)
    if weight(from..<place.end) > Self.mostForWhole || mark == .none && isCut {
      place = clauseEnd(from: from)
    }
    if let long = links.first(where: {
      $0.lowerBound > from + Self.shortest && $0.upperBound <= place.end && $0.count > Self.longestLink
    }) {
      // After a dash, or before a capital letter, another sentence begins.
      let isOver = isConnected(before: long.lowerBound) || isCapital(after: long.upperBound)
      place = Place(end: long.lowerBound, isClean: isOver, isCut: !isOver)
    }
    place.end = withoutTail(from..<place.end, isCut: place.isCut)
    if isRetweet, place.end > from, "”\"“»".unicodeScalars.contains(scalars[place.end - 1]) { place.end -= 1 }
    let kind = words(in: from..<place.end)
    guard kind != .none else { return nil }
    if kind == .tags, weight(from..<place.end) > Self.longestTags,
      let last = tags.last(where: {
        $0.upperBound <= place.end && weight(from..<$0.upperBound) <= Self.longestTags
      })
    {
      place = Place(end: last.upperBound, isClean: false, isCut: true)
    }
    if place.closing == nil, opensWithoutClosing(from, before: place.end) { from += 1 }
    let before = text.entities.prefix { $0.range.lowerBound < start + from }
    let isWhole = before.isEmpty && from == 0
    let holdsLineEnd = scalars[from..<place.end].contains(where: \.isLineEnd)
    return Cut(
      text: line(from..<place.end, place), end: start + place.end,
      isClean: place.isClean && !isRetweet && !holdsLineEnd
        && (isWhole || start + from <= Self.longestLink && before.allSatisfy(\.isMention)),
      isWhole: isWhole, needsDate: kind == .tags, isCut: place.isCut)
  }

  /// The place where a title ends.
  private struct Place {
    var end: Int
    /// Whether the text may be divided there.
    var isClean: Bool
    /// Whether a clause ends there.
    var isClause = false
    /// Whether the sentence continues.
    var isCut = false
    /// The closing mark of the quotation that is open there.
    var closing: Unicode.Scalar?
  }

  /// Returns the title's words on one line.
  private func line(_ range: Range<Int>, _ place: Place) -> String {
    var kept = String.UnicodeScalarView()
    var index = range.lowerBound
    for link in links where link.lowerBound >= index && link.upperBound <= range.upperBound {
      kept.append(contentsOf: scalars[index..<link.lowerBound])
      index = link.lowerBound
      for scheme in ["https://", "http://"] where starts(with: scheme, at: index) {
        index += scheme.utf8.count
      }
    }
    kept.append(contentsOf: scalars[index..<range.upperBound])
    let line = PlainText.singleLine(String(kept))
    guard place.isCut else { return Self.withoutStop(line, isClause: place.isClause) }
    return Self.trimmed(line) + "…" + (place.closing.map(String.init) ?? "")
  }

  /// Whether a quotation begins at `start` but ends neither before `end` nor with it.
  private func opensWithoutClosing(_ start: Int, before end: Int) -> Bool {
    guard "“„«\"‘「『”".unicodeScalars.contains(scalars[start]), start + 1 < end else { return false }
    return endOfPair(at: start).map { $0.0 >= end } ?? (scalars[start] != "”" && scalars[start] != "\"")
  }

  private func isConnected(before place: Int) -> Bool {
    let last = scalars[..<place].last { !$0.isWhiteSpace }
    return last.map { Self.isConnector($0) || Self.isPointer($0) } ?? false
  }

  private func isCapital(after place: Int) -> Bool {
    guard let next = scalars[place...].first(where: { !$0.isWhiteSpace }) else { return true }
    return next.isAlphabetic && !next.isLowercase
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Returns where the title begins, after parts that are not words of it: the comma after a handle, a dash, the sign of a quotation, the full stop
  /// before a handle that makes a post visible to everyone, or the name in an old retweet.
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
      } else if Self.isConnector(scalar) || scalar == ">", index + 1 < scalars.count,
        scalars[index + 1].isWhiteSpace
      {
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

  /// Returns the end of the first sentence or line that is long enough for a title.
  private func sentenceEnd(from: Int) -> (Int, Mark) {
    var index = from
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar.isLineEnd {
        if !isInBrackets[index], !goesOn(behindLineEnd: index), isTitle(from..<index) {
          return (index, .line)
        }
      } else if Self.isFullWidthStop(scalar) {
        let end = endOfClosing(from: index + 1)
        if !isInside[end], isTitle(from..<end) { return (end, .sentence) }
      } else if Self.isStop(scalar) {
        let end = endOfClosing(from: index + 1)
        if endsSentence(scalar, at: index, end), isTitle(from..<end) {
          return (endOfSmileys(from: end), .sentence)
        }
      } else if links.contains(where: { $0.lowerBound == index }), !isInside[index], isLastOfItsLine(index),
        !isDangling(from..<index), isTitle(from..<index)
      {
        return (index, .link)
      }
      index += 1
    }
    return (scalars.count, isCut ? .none : .text)
  }

  /// Whether a sentence was only wrapped: its line ends in a word that cannot end a sentence, or the next line begins with a lower-case letter. A full
  /// stop before a lower-case letter is that of an abbreviation.
  private func goesOn(behindLineEnd place: Int) -> Bool {
    guard place > 0, place + 1 < scalars.count else { return false }
    let end = scalars[..<place].lastIndex { !$0.isWhiteSpace } ?? 0
    guard !scalars[place + 1].isLineEnd,
      !(scalars[place] == "\r" && place + 2 < scalars.count
        && scalars[place + 1] == "\n" && scalars[place + 2].isLineEnd),
      let next = scalars[(place + 1)...].firstIndex(where: { !$0.isWhiteSpace }),
      !scalars[(place + 1)..<next].contains(where: \.isLineEnd)
    else { return false }
    // A lower-case letter says nothing in a text that begins with one, as its author may write no others.
    let isAbbreviation = scalars[end] == "." && !(scalars.first { $0.isAlphabetic }?.isLowercase ?? true)
    guard scalars[end].isAlphabetic || scalars[end] == "," || isAbbreviation else { return false }
    if isDangling(0..<place) { return true }
    return scalars[next].isLowercase && !links.contains { $0.contains(next) }
      && !starts(with: "cc ", at: next)
      && !starts(with: "cc:", at: next) && !starts(with: "via ", at: next)
  }

  /// Whether the last word requires a continuation.
  private func isDangling(_ range: Range<Int>) -> Bool {
    let words = scalars[range]
    guard let last = words.lastIndex(where: { !$0.isWhiteSpace }), scalars[last].isAlphabetic else {
      return range.upperBound > range.lowerBound
        && words.last.map { "(=".unicodeScalars.contains($0) } ?? false
    }
    let start = words[...last].lastIndex { !$0.isAlphabetic }.map { $0 + 1 } ?? range.lowerBound
    guard last - start < 8 else { return false }
    return Self.leadingOn.contains(Self.string(scalars[start...last]).lowercased())
  }

  /// Articles, prepositions, conjunctions and similar words, in those languages of the interface that have spaces and upper and lower case.
  private static let leadingOn: Set<String> = [
    "a", "an", "the", "of", "for", "to", "at", "on", "in", "with", "from", "and", "or", "but", "is", "are",
    "was", "my",
    "your", "our", "their", "its", "check", "see", "visit", "try", "as", "than", "like", "into", "about",
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "und", "oder", "von",
    "vom", "für",
    "mit", "zu", "zum", "zur", "im", "am", "auf", "bei", "ist", "sind", "als", "wie", "aus", "nach", "über",
    "el", "la", "los", "las", "un", "una", "y", "o", "de", "del", "en", "con", "por", "para", "es", "son",
    "que", "como",
    "le", "les", "une", "et", "ou", "du", "dans", "avec", "pour", "par", "sur", "est", "sont", "au", "aux",
    "chez",
    "il", "lo", "gli", "di", "da", "per", "tra", "fra", "su", "e", "che",
  ]

  private func isTitle(_ range: Range<Int>) -> Bool {
    weight(range) >= Self.shortest && words(in: range) == .words
  }

  private func endsSentence(_ mark: Unicode.Scalar, at index: Int, _ end: Int) -> Bool {
    guard !isInside[end], end == scalars.count || scalars[end].isWhiteSpace else { return false }
    let next = scalars[end...].first { !$0.isWhiteSpace }
    let isQuoted = scalars[index + 1..<end].contains { !".?!…".unicodeScalars.contains($0) }
    if mark == "." || mark == "…" || isQuoted, next?.isLowercase ?? false { return false }
    if mark == "!", Self.string(scalars[max(0, index - 5)..<index]).lowercased() == "yahoo" { return false }
    return mark != "." || !isAbbreviation(before: index, and: end)
  }

  /// Returns the index after the emoji and the smileys that belong to a sentence, on the same line.
  private func endOfSmileys(from start: Int) -> Int {
    var end = start
    while let next = scalars[end...].firstIndex(where: { $0 != " " }), next > end {
      let word = next..<(scalars[next...].firstIndex(where: \.isWhiteSpace) ?? scalars.count)
      guard weight(start..<word.upperBound) <= Self.shortest, isSmiley(word) else { break }
      end = word.upperBound
    }
    return end
  }

  private func isSmiley(_ word: Range<Int>) -> Bool {
    if word.count <= 4, Self.smileys.contains(Self.string(scalars[word])) { return true }
    return !word.isEmpty
      && scalars[word].allSatisfy { (Self.isEmoji($0) || Self.continuesEmoji($0)) && !Self.isPointer($0) }
  }

  private static let smileys: Set<String> = [
    ":)", ":-)", ";)", ";-)", ":D", ":-D", ":P", ":p", ":-P", ";P", ":(", ":-(", ":/", ":-/", ":o", ":O",
    ":*", "=)",
    "xD", "XD", "<3", "^^", "\\o/",
  ]

  /// Whether the rest of a line from a link on contains only links, tags, and their credits.
  private func isLastOfItsLine(_ start: Int) -> Bool {
    var index = start
    while index < scalars.count, !scalars[index].isLineEnd {
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

  /// Returns where a sentence that is too long is cut: after a clause, else after a comma, else within a quotation after one of these, else before a
  /// word.
  private func clauseEnd(from: Int) -> Place {
    var limit = from
    var length = 0
    while limit < scalars.count, length + Self.weight(scalars[limit]) <= Self.longest {
      length += Self.weight(scalars[limit])
      limit += 1
    }
    func last(_ least: Int, besides isClosed: [Bool], where isGood: (Int) -> Bool) -> Int? {
      var place = limit
      while place > from, weight(from..<place) >= least {
        if !isClosed[place], isGood(place) { return place }
        place -= 1
      }
      return nil
    }
    func cut(_ place: Int) -> Place {
      let quotation = quotations.first { $0.lowerBound < place && place < $0.upperBound }
      return Place(
        end: place, isClean: false, isCut: true, closing: quotation.map { scalars[$0.upperBound - 1] })
    }
    if let place = last(30, besides: isInside, where: isClauseEnd) {
      return Place(end: place, isClean: true, isClause: true)
    }
    if let place = last(45, besides: isInside, where: isComma) { return cut(place) }
    func endsPart(_ place: Int) -> Bool { isClauseEnd(place) || isComma(place) || isFullStop(before: place) }
    if let place = last(45, besides: isInBrackets, where: endsPart) { return cut(place) }
    func isSpace(_ place: Int) -> Bool { place < scalars.count && scalars[place].isWhiteSpace }
    if let place = last(60, besides: isInside, where: isSpace) { return cut(place) }
    if let place = last(60, besides: isInBrackets, where: isSpace) { return cut(place) }
    var place = limit
    while place > from, !isSpace(place) { place -= 1 }
    return cut(place > from + 40 ? place : endOfCharacter(limit))
  }

  /// Moves a limit back to the beginning of a character.
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
    if scalars[place].isLineEnd { return !goesOn(behindLineEnd: place) }
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

  /// Whether there is the full stop of a sentence within a quotation.
  private func isFullStop(before place: Int) -> Bool {
    place > 0 && place < scalars.count && scalars[place - 1] == "." && scalars[place].isWhiteSpace
      && !isAbbreviation(before: place - 1, and: place)
  }

  private func isComma(_ place: Int) -> Bool {
    let before = scalars[place - 1]
    if before == "、" || before == "，" || before == "،" { return true }
    guard before == ",", place < scalars.count, place > 1 else { return false }
    // The mark must not belong to a number; many authors put no space after it.
    return scalars[place].isWhiteSpace || scalars[place].isAlphabetic && scalars[place - 2].isAlphabetic
  }

  /// Returns where the words end before links, dashes, signs that point to the following text, and the tags after them.
  ///
  /// - Parameter isCut: Whether more of the sentence follows.
  private func withoutTail(_ range: Range<Int>, isCut: Bool) -> Int {
    var end = range.upperBound
    // The start of tags that may belong to the sentence.
    var endOfTags: Int?
    var countOfTags = 0
    while end > range.lowerBound {
      let scalar = scalars[end - 1]
      if scalar.isWhiteSpace || "–—-|".unicodeScalars.contains(scalar) || Self.isPointer(scalar)
        || Self.continuesEmoji(scalar) && end - 2 >= range.lowerBound && Self.isPointer(scalars[end - 2])
      {
        end -= 1
      } else if let link = links.first(where: { $0.upperBound == end }), link.lowerBound >= range.lowerBound {
        // Without the link the sentence would lack its last word.
        if isDangling(range.lowerBound..<link.lowerBound) || isInside[link.lowerBound] { break }
        end = link.lowerBound
        endOfTags = nil
      } else if let tag = tags.first(where: { $0.upperBound == end }), tag.lowerBound >= range.lowerBound {
        endOfTags = endOfTags ?? end
        countOfTags += 1
        end = tag.lowerBound
      } else {
        break
      }
    }
    guard let endOfTags else { return max(end, range.lowerBound) }
    guard end > range.lowerBound else { return endOfTags }
    let last = scalars[end - 1]
    // A dash, the end of a sentence or a large number of tags separates them from it.
    let isApart =
      Self.isStop(last) || Self.isEmoji(last) || Self.continuesEmoji(last) || countOfTags >= Self.pileOfTags
      || scalars[end..<endOfTags].contains { "–—-|".unicodeScalars.contains($0) } && scalars[end].isWhiteSpace
    return isApart && !isDangling(range.lowerBound..<end) ? end : endOfTags
  }

  private enum Words {
    case none, tags, words
  }

  /// Returns the kind of words in a range: letters or digits outside of links, names and tags, and more than just "cc" before names.
  private func words(in range: Range<Int>) -> Words {
    var index = range.lowerBound
    var found = Words.none
    while index < range.upperBound {
      if let other = (links + mentions).first(where: { $0.contains(index) }) {
        index = other.upperBound
      } else if let tag = tags.first(where: { $0.contains(index) }) {
        found = .tags
        index = tag.upperBound
      } else if isWord(scalars[index]) {
        let end = scalars[index..<range.upperBound].firstIndex { !isWord($0) } ?? range.upperBound
        guard end - index == 2, scalars[index..<end].allSatisfy({ $0 == "c" || $0 == "C" }) else {
          return .words
        }
        index = end
      } else {
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

  private static func isStop(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "?", "!", "…", "؟", "۔", "।": true
    default: isFullWidthStop(scalar)
    }
  }

  /// Whether a scalar ends a sentence in scripts without a space after it.
  private static func isFullWidthStop(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "。" || scalar == "！" || scalar == "？"
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F000..<0x20000, 0x2600..<0x27C0, 0x2B00..<0x2C00, 0x2300..<0x2400: true
    default: false
    }
  }

  /// Whether a scalar is a variation selector, a skin tone or a joiner.
  private static func continuesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || scalar.value == 0x200D || 0x1F3FB...0x1F3FF ~= scalar.value
  }

  /// Whether a scalar is an emoji or an arrow that points to the following text.
  private static func isPointer(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F446...0x1F449, 0x1F9F5, 0x27A1, 0x2192, 0x2193, 0x2B07, 0x2935, 0x25B6: true
    default: false
    }
  }

  /// Returns the index after the quotation marks, brackets and further marks that belong to the sentence.
  private func endOfClosing(from start: Int) -> Int {
    scalars[start...].firstIndex { !Self.belongsToEnd($0) } ?? scalars.count
  }

  private static func belongsToEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "?", "!", "\"", "'", ")", "]", "…", "”", "’", "»", "」", "』", "）", "！", "？": true
    default: false
    }
  }

  /// Whether a full stop belongs to an initial ("A."), an abbreviation ("e.g.", "Dr.", "No. 5") or a number ("2. Bildungsweg").
  private func isAbbreviation(before stop: Int, and end: Int) -> Bool {
    let word = scalars[..<stop].reversed().prefix { $0.isAlphabetic || $0 == "." || "0"..."9" ~= $0 }
    guard !word.isEmpty, end == stop + 1, end < scalars.count else { return false }
    if word.allSatisfy({ "0"..."9" ~= $0 }) { return word.count <= 2 }
    if word.count == 1 || word.contains(".") { return true }
    let name = Self.string(word.reversed()[...]).lowercased()
    if name == "no" { return "0"..."9" ~= scalars[afterSpace(end)...].first ?? " " }
    return Self.abbreviations.contains(name)
  }

  /// Abbreviations that end in a full stop, in the languages of the interface.
  private static let abbreviations: Set<String> = [
    "al", "av", "bd", "ca", "cf", "co", "dr", "ed", "ep", "fav", "ff", "fr", "ft", "hr", "jr", "lt", "mr",
    "ms",
    "mt", "nr", "op", "pl", "pp", "pt", "sr",
    "st", "ud", "vs",
    "incl", "inkl", "approx", "resp", "bzw", "usw", "ggf", "evtl", "etc", "mrs", "prof", "vol", "fig", "est",
    "dept", "univ", "min", "max", "abs", "bspw", "sog", "vgl", "hrsg", "str", "nos", "tel", "pág", "sra",
    "srta",
    "dra", "aprox", "mme", "mlle", "env", "cie",
  ]

  /// Returns a title without the mark that ends its sentence or its clause, unless it ends with several full stops.
  private static func withoutStop(_ line: String, isClause: Bool) -> String {
    var line = line
    while let last = line.last, (isClause ? ".:：。;；,、，،" : ".:：。,、，،").contains(last), !line.hasSuffix("..") {
      line.removeLast()
    }
    return PlainText.singleLine(line)
  }

  /// Returns a title without punctuation at its end.
  private static func trimmed(_ line: String) -> String {
    var line = line
    while let last = line.last, " ,;:.–—-(、，،".contains(last) { line.removeLast() }
    return line
  }
}

extension TextEntity {
  fileprivate var isMention: Bool { if case .mention = kind { true } else { false } }
}
