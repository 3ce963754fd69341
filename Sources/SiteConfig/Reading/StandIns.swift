/// Characters that stand for some of YAML's signs while Yams has the text; none of them occurs in the text itself.
///
/// Why that is done is told at ``YAMLDocument``.
struct StandIns: Sendable {
  /// For each `*`, the sign of an alias.
  let star: Unicode.Scalar
  /// For each `?`, the sign of a key that may be anything, of any size.
  let question: Unicode.Scalar
  /// For each `:` after a closing bracket or brace, which then is a key.
  let colon: Unicode.Scalar

  /// Stand-ins for a text, and more characters of their kind; `nil` for a text that holds nearly all of them.
  static func unused(in source: SourceText, andSpare count: Int) -> (StandIns, spare: [Unicode.Scalar])? {
    var used: Set<UInt32> = []
    // All of the private-use characters U+E000…U+F8FF begin with the byte EE or EF.
    if source.bytes.contains(where: { $0 == 0xEE || $0 == 0xEF }) {
      for scalar in String(decoding: source.bytes, as: UTF8.self).unicodeScalars {
        if (0xE000...0xF8FF).contains(scalar.value) { used.insert(scalar.value) }
      }
    }
    let unused = (0xE000...0xF8FF).lazy.filter { !used.contains($0) }.compactMap(Unicode.Scalar.init)
    let taken = Array(unused.prefix(3 + count))
    guard taken.count >= 3 else { return nil }
    return (StandIns(star: taken[0], question: taken[1], colon: taken[2]), Array(taken.dropFirst(3)))
  }

  /// The text for Yams: as many scalars on as many lines.
  func replacingSigns(in bytes: [UInt8]) -> [UInt8] {
    let (star, question, colon) = (Array(star.utf8), Array(question.utf8), Array(colon.utf8))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 4)
    // The last byte that is no blank.
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "*"): result += star
      case UInt8(ascii: "?"): result += question
      case UInt8(ascii: ":") where last == UInt8(ascii: "]") || last == UInt8(ascii: "}"): result += colon
      default: result.append(byte)
      }
      if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { last = byte }
    }
    return result
  }

  /// Text from Yams as it was written.
  func restored(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 == star || $0 == question || $0 == colon }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case star: result.append("*")
      case question: result.append("?")
      case colon: result.append(":")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  fileprivate var utf8: String.UTF8View { String(self).utf8 }
}
