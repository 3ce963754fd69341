/// Where a string, an object or an array stands that was read: what `JSONReader.skip(repeated:)` looks for again.
///
/// Good for the document it was read from only.
package struct JSONSpan: Sendable {
  var start: Int
  var count: Int

  /// Nothing yet: no value repeats it.
  package static var none: JSONSpan { JSONSpan(start: 0, count: 0) }
}

extension JSONReader {
  /// Where the next value begins, in bytes.
  package mutating func nextStart() -> Int {
    skipWhitespace()
    return position
  }

  /// The value that began at `start` and has just been read.
  ///
  /// Empty for a number or a literal: these do not show their own ends, so that no later bytes are known to repeat them.
  package func span(from start: Int) -> JSONSpan {
    switch base[position &- 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"):
      JSONSpan(start: start, count: position &- start)
    default: .none
    }
  }

  /// Passes over the next value where it is, byte for byte, one that was read before: then it means the same.
  ///
  /// In a conversation's file one id, time or set of flags mostly stands in every post. Comparing costs a fraction of
  /// reading, and the callers keep one value where there would be many.
  package mutating func skip(repeated span: JSONSpan) -> Bool {
    skipWhitespace()
    guard span.count > 0, span.count <= end &- position,
      // What differs, differs at the end most often: ids and times begin alike.
      base[position &+ span.count &- 2] == base[span.start &+ span.count &- 2],
      Self.isSame(base + position, as: base + span.start, count: span.count)
    else { return false }
    lastStart = position
    position &+= span.count
    return true
  }
}
