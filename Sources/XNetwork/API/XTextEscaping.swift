/// X's way of escaping the text of posts: `&amp;`, `&lt;`, `&gt;`, and nothing else.
enum XTextEscaping {
  typealias Scalars = ArraySlice<Unicode.Scalar>

  private static let names: [(escape: [Unicode.Scalar], plain: Unicode.Scalar)] = [
    (Array("&amp;".unicodeScalars), "&"), (Array("&lt;".unicodeScalars), "<"),
    (Array("&gt;".unicodeScalars), ">"),
  ]

  /// The escape that begins here.
  private static func escape(in text: Scalars, at index: Int) -> (length: Int, plain: Unicode.Scalar)? {
    guard text[index] == "&" else { return nil }
    for (escape, plain) in names where text[index...].starts(with: escape) { return (escape.count, plain) }
    return nil
  }

  /// The piece as it was written. One pass, so that `&amp;lt;` becomes `&lt;` and stays so.
  static func unescape(_ piece: Scalars) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(piece.count)
    var index = piece.startIndex
    while index < piece.endIndex {
      if let (length, plain) = escape(in: piece, at: index) {
        result.append(plain)
        index += length
      } else {
        result.append(piece[index])
        index += 1
      }
    }
    return result
  }

  /// Whether a text is escaped. A `<`, a `>` or an ampersand that begins no escape cannot stand in escaped text.
  ///
  /// For a long post's text nobody documents it; where the text alone does not settle it, the beginning of the short
  /// text, which is known to be escaped, does: `sample`.
  static func isEscaped(_ text: [Unicode.Scalar], sample: [Unicode.Scalar]? = nil) -> Bool {
    var first: Int?
    for (index, scalar) in text.enumerated() {
      if scalar == "<" || scalar == ">" { return false }
      guard scalar == "&" else { continue }
      guard escape(in: text[...], at: index) != nil else { return false }
      first = first ?? index
    }
    guard let first, let sample else { return true }
    // The same beginning in both, up to and with this escape: escaped. Only after unescaping the sample: not.
    let end = min(first + 5, text.count)
    if sample.starts(with: text[..<end]) { return true }
    return !unescape(sample[...]).starts(with: text[..<end])
  }
}
