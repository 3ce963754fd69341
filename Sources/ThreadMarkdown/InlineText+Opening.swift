import ThreadModel

extension InlineText {
  /// The text for a title or an excerpt: without what people put around a thread's words, which are mentions,
  /// links, counters and 🧵 at its start, and links, counters and pointing emoji at its end.
  var withoutFurniture: String {
    var parts = segments[...]
    while let first = parts.first, Self.isFurniture(first, atStart: true) { parts.removeFirst() }
    while let last = parts.last, Self.isFurniture(last, atStart: false) { parts.removeLast() }
    var rest = parts.map(\.text).joined()
    var before = -1
    while before != rest.utf8.count {
      before = rest.utf8.count
      if let counter = ThreadCounter(atStartOf: rest) { rest.unicodeScalars.removeFirst(counter.length) }
      if let counter = ThreadCounter(atEndOf: rest) { rest.unicodeScalars.removeLast(counter.length) }
      rest.unicodeScalars = Self.trimmed(rest.unicodeScalars)
    }
    return rest
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

  private static func trimmed(_ scalars: String.UnicodeScalarView) -> String.UnicodeScalarView {
    var rest = scalars[...]
    while let first = rest.first, isOrnament(first) { rest.removeFirst() }
    while let last = rest.last, isOrnament(last) { rest.removeLast() }
    return String.UnicodeScalarView(rest)
  }

  /// White space, and the emoji that say "a thread", "below", "continued".
  private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || "🧵👇⬇↓⤵".unicodeScalars.contains(scalar) || scalar == "\u{FE0F}"
      || (0x1F3FB...0x1F3FF).contains(scalar.value)
  }
}
