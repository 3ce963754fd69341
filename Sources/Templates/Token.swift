/// A tag of a template. Offsets are in bytes of the source.
struct Token {
  enum Kind {
    case variable, unescaped, section, inverted, close, partial, parent, block, comment, delimiters
  }

  let kind: Kind
  /// What the tag names; empty for comments and delimiters.
  let name: String
  /// Whether the name is that of a value which names a template: `{{>*name}}`.
  let isDynamic: Bool
  /// Where the tag starts and ends.
  let range: Range<Int>
  /// Where its line starts, if nothing but blanks stand before it there.
  let lineStart: Int?
  /// Where the next line starts, if nothing but blanks stand behind it.
  let nextLine: Int?

  /// Whether it stands alone on its line.
  var isAlone: Bool { lineStart != nil && nextLine != nil }
}

/// A mistake found while reading a template: a byte offset and what is wrong there.
struct Mistake: Error {
  let offset: Int
  let message: String
}
