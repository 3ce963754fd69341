import ThreadModel

extension InlineText {
  /// The text for a title or an excerpt: without what people put around a thread's words, which are mentions,
  /// links, counters and 🧵 at its start, and links, counters and pointing emoji at its end.
  var withoutFurniture: Substring { openingWords(keepsSeries: false) }

  /// - Parameter keepsSeries: Whether a counter stays that says another number than 1 of a thread's first post: it counts threads.
  func openingWords(keepsSeries: Bool) -> Substring {
    var rest = opensAndEndsWithWords ? text[...] : withoutOuterSegments
    while true {
      if let counter = ThreadCounter(atStartOf: rest), !keepsSeries || counter.number == 1 {
        rest = Self.trimmed(rest.droppingScalars(head: counter.length))
      } else if let counter = ThreadCounter(atEndOf: rest), !keepsSeries || counter.number == 1 {
        rest = Self.trimmed(rest.droppingScalars(tail: counter.length))
      } else {
        return rest
      }
    }
  }

  /// Whether its first and its last byte tell that no segment at its ends is furniture and that there is no ornament to trim,
  /// as of most posts; cutting a text into segments takes longer than all that is done here else.
  private var opensAndEndsWithWords: Bool {
    guard let first = text.utf8.first, Self.isVisible(first), let last = text.utf8.last, Self.isVisible(last)
    else { return false }
    if let entity = entities.first, entity.range.lowerBound == 0 { return false }
    return switch entities.last?.kind {
    case .link, .emoji: false
    case .mention, .hashtag, .cashtag, nil: true
    }
  }

  /// A character of ASCII that is neither white space nor a control.
  private static func isVisible(_ byte: UInt8) -> Bool { 0x21..<0x7F ~= byte }

  /// The text without the segments at its ends that are furniture, and without ornaments there.
  private var withoutOuterSegments: Substring {
    var parts = segments[...]
    while let first = parts.first, Self.isFurniture(first, atStart: true) { parts.removeFirst() }
    while let last = parts.last, Self.isFurniture(last, atStart: false) { parts.removeLast() }
    guard let first = parts.first, let last = parts.last else { return "" }
    // Segments are slices of one text.
    return Self.trimmed(text[first.text.startIndex..<last.text.endIndex])
  }

  private static func isFurniture(_ segment: Segment, atStart: Bool) -> Bool {
    switch segment.entity {
    case .mention: atStart
    case .link: true
    case .emoji: true
    case .hashtag, .cashtag: false
    case nil: segment.text.unicodeScalars.allSatisfy(isOrnament)
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isOrnament($0) }),
      let last = scalars.lastIndex(where: { !isOrnament($0) })
    else { return "" }
    return text[start..<scalars.index(after: last)]
  }

  /// White space, and the emoji that say "a thread", "below", "continued" (🧵 👇 ⬇ ↓ ⤵), with their variation selectors and
  /// skin tones.
  private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21..<0x80: false
    case 0x1F9F5, 0x1F447, 0x2B07, 0x2193, 0x2935, 0xFE0F, 0x1F3FB...0x1F3FF: true
    default: scalar.isWhiteSpace
    }
  }
}

extension Substring {
  fileprivate func droppingScalars(head: Int = 0, tail: Int = 0) -> Substring {
    Substring(unicodeScalars.dropFirst(head).dropLast(tail))
  }
}
