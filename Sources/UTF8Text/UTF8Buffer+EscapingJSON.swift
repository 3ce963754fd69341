extension UTF8Buffer {
  /// Appends `text` as a JSON string (RFC 8259), quotes included.
  ///
  /// With `forScript` also `< > &`, U+2028 and U+2029 are written as `\u003c` and so on, so that the JSON can stand in an
  /// HTML `<script type="application/ld+json">`, where no text may end the element or open a comment; and so are the scalars that no HTML
  /// document should hold, C1 controls and noncharacters.
  package mutating func appendEscapingJSON(_ text: String, forScript: Bool = false) {
    text.withUTF8Bytes { input in
      bytes.append(UInt8(ascii: "\""))
      appendRuns(of: input, classes: forScript ? JSONClass.scriptTable : JSONClass.table) {
        output, input, index, byteClass in
        switch byteClass {
        case JSONClass.backslashed:
          output.append(UInt8(ascii: "\\"))
          output.append(JSONClass.letter(of: input[index]))
        case JSONClass.leadOfLineSeparators:
          return output.appendEscapingLineSeparator(input, at: index)
        case JSONClass.leadOfUnfit:
          return output.appendEscapingUnfitScalar(input, at: index)
        default:
          output.appendUnicodeEscape(of: input[index])
        }
        return 1
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Appends `\u00` and two hexadecimal digits.
  private mutating func appendUnicodeEscape(of byte: UInt8) {
    append("\\u00" as StaticString)
    append(hexDigit(byte >> 4))
    append(hexDigit(byte & 15))
  }

  /// Appends a C1 control or noncharacter escaped, any other scalar's first byte as it is; returns the number of bytes taken.
  private mutating func appendEscapingUnfitScalar(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let length = lengthOfUnfitScalar(input, at: index)
    guard length > 0 else {
      append(input[index])
      return 1
    }
    for unit in String(decoding: input[index..<(index + length)], as: UTF8.self).utf16 {
      append("\\u" as StaticString)
      for shift in [12, 8, 4, 0] { append(hexDigit(UInt8(truncatingIfNeeded: unit >> shift) & 15)) }
    }
    return length
  }

  /// Appends U+2028 and U+2029 (E2 80 A8, E2 80 A9) escaped, any other scalar's first byte as it is.
  private mutating func appendEscapingLineSeparator(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int
  {
    guard index + 2 < input.count, input[index + 1] == 0x80, input[index + 2] | 1 == 0xA9 else {
      append(input[index])
      return 1
    }
    append("\\u202" as StaticString)
    append(input[index + 2] == 0xA8 ? UInt8(ascii: "8") : UInt8(ascii: "9"))
    return 3
  }
}

/// The lowercase hexadecimal digit of a value below 16.
private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

/// What bytes mean to the JSON escaper.
private enum JSONClass {
  static let backslashed: UInt8 = 1
  static let control: UInt8 = 2
  static let leadOfLineSeparators: UInt8 = 3
  static let leadOfUnfit: UInt8 = 4

  static let table = ByteClasses(classify)

  static let scriptTable = ByteClasses { byte in
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): control
    case 0xE2: leadOfLineSeparators
    case Byte.delete: control
    case _ where Byte.mayLeadUnfit(byte): leadOfUnfit
    default: classify(byte)
    }
  }

  private static func classify(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 8, 9, 10, 12, 13: backslashed
    case 0..<0x20: control
    default: 0
    }
  }

  /// What follows the backslash.
  static func letter(of byte: UInt8) -> UInt8 {
    switch byte {
    case 8: UInt8(ascii: "b")
    case 9: UInt8(ascii: "t")
    case 10: UInt8(ascii: "n")
    case 12: UInt8(ascii: "f")
    case 13: UInt8(ascii: "r")
    default: byte
    }
  }
}
