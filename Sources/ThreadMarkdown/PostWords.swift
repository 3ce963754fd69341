import ThreadModel

extension Post {
  /// The text for an excerpt or a heading: without mentions, links, counters and 🧵 at its start, and without links, counters and pointing emoji at
  /// its end.
  var words: Substring { text.openingWords(keepsSeries: false, isAnswer: inReplyTo != nil) }
}

extension InlineText {
  /// - Parameters:
  ///   - keepsSeries: Whether to keep a first post's counter whose number is not 1: it counts threads.
  ///   - isAnswer: Whether the text answers a post, so that all names at its beginning are those of the answered people, whether they are marked as
  ///     mentions or not, such as the names of closed accounts.
  func openingWords(keepsSeries: Bool, isAnswer: Bool) -> Substring {
    var rest = opensAndEndsWithWords ? text[...] : withoutOuterSegments(isAnswer: isAnswer)
    while true {
      if let counter = ThreadCounter(atStartOf: rest), !keepsSeries || counter.number == 1 {
        rest = Self.trimmed(rest.droppingScalars(head: counter.length))
      } else if let counter = ThreadCounter(atEndOf: rest), !keepsSeries || counter.number == 1 {
        rest = Self.trimmed(rest.droppingScalars(tail: counter.length))
      } else if isAnswer, let length = Self.lengthOfName(atStartOf: rest) {
        rest = Self.trimmed(rest.droppingScalars(head: length))
      } else {
        return rest
      }
    }
  }

  /// Returns the length of an `@name` at the start that is followed by white space or the end of the text.
  private static func lengthOfName(atStartOf text: Substring) -> Int? {
    guard text.utf8.first == UInt8(ascii: "@") else { return nil }
    let name = text.utf8.dropFirst().prefix(while: isOfName)
    guard !name.isEmpty else { return nil }
    let rest = text.utf8.dropFirst(name.count + 1)
    guard rest.first.map({ $0 <= 0x20 }) ?? true else { return nil }
    return name.count + 1
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether its first and its last byte tell that no segment at its ends is trimmed, nor an ornament,
  /// as of most posts; cutting a text into segments takes longer than all that is done here else.
  private var opensAndEndsWithWords: Bool {
    guard let first = text.utf8.first, Self.isVisible(first), let last = text.utf8.last, Self.isVisible(last)
    else { return false }
    // A link at the very start, or after "RE: ".
    if let entity = entities.first, entity.range.lowerBound <= 4 { return false }
    return switch entities.last?.kind {
    case .link, .emoji: false
    case .mention, .hashtag, .cashtag, nil: true
    }
  }

  /// Whether a byte is an ASCII character other than white space and controls.
  private static func isVisible(_ byte: UInt8) -> Bool { 0x21..<0x7F ~= byte }

  /// The text without the segments at its ends that are trimmed, and without ornaments there.
  private func withoutOuterSegments(isAnswer: Bool) -> Substring {
    let all = segments
    var parts = all[...]
    while let first = parts.first, Self.isTrimmed(first, atStart: true) { parts.removeFirst() }
    while let last = parts.last, Self.isTrimmed(last, atStart: false) { parts.removeLast() }
    guard let first = parts.first, let last = parts.last else { return "" }
    var start = first.text.startIndex
    if let subject = subject(of: first, at: parts.startIndex, in: all, isAnswer: isAnswer) {
      start = subject
    } else if parts.startIndex > 0, first.entity == nil {
      start = Self.afterComma(first.text)
    }
    // Segments are slices of one text.
    return Self.trimmed(text[start..<last.text.endIndex])
  }

  /// Returns the start of a sentence's subject: a sentence may begin with an address ("example.org is a list of …") or with a person's name ("@ada
  /// explains …"), followed by a lower-case letter.
  private func subject(
    of words: Segment, at position: Int, in segments: [Segment], isAnswer: Bool
  ) -> Substring.Index? {
    guard position > 0, words.entity == nil else { return nil }
    let before = segments[position - 1]
    var scalars = words.text.unicodeScalars[...]
    let isApart = scalars.first == " "
    if isApart { scalars = scalars.dropFirst() }
    guard let next = scalars.first else { return nil }
    switch before.entity {
    case .link:
      let goesOn = isApart ? next.isLowercase : next == "?" || next == "'" || next == "’" || next == ":"
      return goesOn && before.text.unicodeScalars.count <= Self.longestSubject ? before.text.startIndex : nil
    case .mention:
      let isAlone = segments[..<(position - 1)].allSatisfy { $0.text.allSatisfy(\.isWhitespace) }
      return !isAnswer && isAlone && isApart && Self.beginsWithVerb(scalars) ? before.text.startIndex : nil
    default: return nil
    }
  }

  /// Whether the first word tells what a person does ("explains"), rather than addressing them ("thanks", "is there").
  private static func beginsWithVerb(_ scalars: Substring.UnicodeScalarView) -> Bool {
    let words = String(scalars.prefix(60)).split(separator: " ", maxSplits: 2).prefix(2)
    guard let word = words.first, word.utf8.last == UInt8(ascii: "s"),
      word.unicodeScalars.allSatisfy(\.isLowercase),
      !word.hasSuffix("ss"), !notVerbs.contains(String(word))
    else { return false }
    return !["there", "it", "this", "that", "anybody", "anyone"].contains(words.dropFirst().first ?? "")
  }

  private static let notVerbs: Set<String> = [
    "thanks", "congrats", "looks", "seems", "sounds", "this", "yes", "yeps", "nopes", "as", "us", "its",
    "always", "perhaps",
    "das", "alles", "was", "es", "des", "les", "des", "mas", "vamos", "gracias", "dans", "sans", "plus",
    "très",
  ]

  /// Returns the index after the comma or the dash that separates a name or an address from the following text.
  private static func afterComma(_ text: Substring) -> Substring.Index {
    let scalars = text.unicodeScalars
    let mark = scalars.firstIndex { !$0.isWhiteSpace } ?? scalars.endIndex
    guard mark < scalars.endIndex, setsApart(scalars[mark]) else { return text.startIndex }
    let next = scalars.index(after: mark)
    return next == scalars.endIndex || scalars[next].isWhiteSpace ? next : text.startIndex
  }

  private static func setsApart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", ";", ":", "&", "+", "|", "-", "–", "—": true
    default: false
    }
  }

  /// In scalars; a longer address is not treated as a word.
  private static let longestSubject = 45

  private static func isTrimmed(_ segment: Segment, atStart: Bool) -> Bool {
    switch segment.entity {
    case .mention: atStart
    case .link: segment.text.isAddress
    case .emoji: true
    case .hashtag, .cashtag: false
    case nil:
      segment.text.unicodeScalars.allSatisfy { isOrnament($0) || atStart && setsApart($0) }
        || atStart && isQuoteSign(segment.text)
    }
  }

  /// Whether a text is the sign before the link to a quoted post.
  private static func isQuoteSign(_ text: Substring) -> Bool {
    text.elementsEqual("RE: ") || text.elementsEqual("QT: ")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isOrnament($0) }),
      let last = scalars.lastIndex(where: { !isOrnament($0) })
    else { return "" }
    // An emoji keeps its skin tone and its variation selector.
    let end = scalars[scalars.index(after: last)...].firstIndex { !modifiesEmoji($0) } ?? scalars.endIndex
    return text[start..<end]
  }

  private static func modifiesEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || 0x1F3FB...0x1F3FF ~= scalar.value
  }

  /// Whether a scalar is white space, one of the emoji that say "a thread", "below", "continued" (🧵 👇 ⬇ ↓ ⤵), or one of their variation selectors and
  /// skin tones.
  private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21..<0x80: false
    case 0x1F9F5, 0x1F447, 0x2B07, 0x2193, 0x2935: true
    default: scalar.isWhiteSpace || modifiesEmoji(scalar)
    }
  }
}

extension Substring {
  fileprivate func droppingScalars(head: Int = 0, tail: Int = 0) -> Substring {
    Substring(unicodeScalars.dropFirst(head).dropLast(tail))
  }
}

extension StringProtocol {
  /// Whether the text of a link is an address instead of words.
  var isAddress: Bool {
    contains(".") && !contains(where: \.isWhitespace)
  }
}

extension InlineText {
  /// The text without its first `head` and its last `tail` Unicode scalars; entities that reach into them are dropped.
  func dropping(head: Int, tail: Int) -> InlineText {
    guard head > 0 || tail > 0 else { return self }
    let scalars = text.unicodeScalars
    let kept = head..<max(head, scalars.count - tail)
    let start = scalars.index(scalars.startIndex, offsetBy: head)
    let end = scalars.index(start, offsetBy: kept.count)
    let moved = entities.compactMap { entity -> TextEntity? in
      guard kept.lowerBound <= entity.range.lowerBound, entity.range.upperBound <= kept.upperBound else {
        return nil
      }
      return TextEntity(
        entity.range.lowerBound - head..<entity.range.upperBound - head, entity.kind)
    }
    return InlineText(String(scalars[start..<end]), entities: moved)
  }
}
