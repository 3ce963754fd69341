import ThreadModel

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
