extension HTMLTokenizer {
  /// The few references that a generator writes; all others of the two thousand names are errors.
  static let namedReferences: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "hellip": "…",
    "middot": "·", "ndash": "–", "mdash": "—", "larr": "←", "rarr": "→", "laquo": "«", "raquo": "»",
    "times": "×",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "shy": "\u{AD}", "zwj": "\u{200D}",
    "zwnj": "\u{200C}",
    "lrm": "\u{200E}", "rlm": "\u{200F}", "bull": "•", "thinsp": "\u{2009}",
  ]

  /// Reads the reference `&…;` at the position and returns its text.
  mutating func readReference() throws(HTMLTokenError) -> String.UTF8View {
    let start = position
    position += 1
    var name: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: ";"), name.count < 32 {
      name.append(byte)
      position += 1
    }
    let reference = String(decoding: name, as: UTF8.self)
    guard peek() == UInt8(ascii: ";"), let decoded = Self.decoded(reference) else {
      position = start
      throw failure("a bare &, or a character reference that is not allowed")
    }
    position += 1
    return decoded.utf8
  }

  /// Decodes the text between `&` and `;`; returns `nil` for unknown names and for numbers that a browser would replace.
  private static func decoded(_ reference: String) -> String? {
    guard reference.hasPrefix("#") else { return namedReferences[reference] }
    let digits = reference.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    // The initializer of `UInt32` would also accept a sign.
    let number = isHexadecimal ? digits.dropFirst() : digits
    guard number.utf8.allSatisfy({ isDigit($0) || (isHexadecimal && isLetter($0)) }),
      let value = UInt32(number, radix: isHexadecimal ? 16 : 10),
      value != 0, value != 0x0D, !(0x80...0x9F).contains(value),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return String(Character(scalar))
  }
}
