import ThreadModel

extension InlineText {
  /// The text for a title or an excerpt: without what people put around a thread's words, which are mentions,
  /// links, counters and 🧵 at its start, and links, counters and pointing emoji at its end.
  var withoutFurniture: Substring {
    var parts = segments[...]
    while let first = parts.first, Self.isFurniture(first, atStart: true) { parts.removeFirst() }
    while let last = parts.last, Self.isFurniture(last, atStart: false) { parts.removeLast() }
    guard let first = parts.first, let last = parts.last else { return "" }
    // Segments are slices of one text.
    var rest = Self.trimmed(text[first.text.startIndex..<last.text.endIndex])
    while true {
      if let counter = ThreadCounter(atStartOf: rest) {
        rest = Self.trimmed(rest.droppingScalars(head: counter.length))
      } else if let counter = ThreadCounter(atEndOf: rest) {
        rest = Self.trimmed(rest.droppingScalars(tail: counter.length))
      } else {
        return rest
      }
    }
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
