/// The units in which a text is folded: each scalar, together with a following voicing mark of half-width kana (ｶﾞ, ﾊﾟ), because these
/// marks are separate scalars.
struct FoldingUnits: Sequence, IteratorProtocol {
  private var scalars: String.UnicodeScalarView.Iterator
  private var following: Unicode.Scalar?

  init(_ text: String) {
    scalars = text.unicodeScalars.makeIterator()
    following = scalars.next()
  }

  mutating func next() -> (scalar: Unicode.Scalar, mark: Unicode.Scalar?)? {
    guard let scalar = following else { return nil }
    following = scalars.next()
    guard let mark = following, mark.value == 0xFF9E || mark.value == 0xFF9F else { return (scalar, nil) }
    following = scalars.next()
    return (scalar, mark)
  }
}
