extension UTF8Buffer {
  /// Appends `text` for an HTML text node or a quoted attribute value, in double or single quotes.
  ///
  /// `& < > " '` become references, CR LF and CR become LF, and scalars that HTML documents should not contain (controls except tab and
  /// newline, noncharacters) become U+FFFD.
  package mutating func appendEscapingHTML(_ text: String) {
    text.withUTF8Bytes { appendEscapingMarkup($0) }
  }

  /// Appends UTF-8 text as the function for a `String` does.
  package mutating func appendEscapingHTML(_ text: UTF8Buffer) {
    text.bytes.withUnsafeBufferPointer { appendEscapingMarkup($0) }
  }

  /// Appends `text` for an XML 1.0 text node or a quoted attribute value. The rules are those for HTML, whose references here are
  /// all valid in XML without a DTD.
  package mutating func appendEscapingXML(_ text: String) {
    text.withUTF8Bytes { appendEscapingMarkup($0) }
  }

  /// Appends UTF-8 text as the function for a `String` does.
  package mutating func appendEscapingXML(_ text: UTF8Buffer) {
    text.bytes.withUnsafeBufferPointer { appendEscapingMarkup($0) }
  }

  private mutating func appendEscapingMarkup(_ input: UnsafeBufferPointer<UInt8>) {
    appendRuns(of: input, classes: MarkupClass.table) { output, input, index, byteClass in
      switch byteClass {
      case MarkupClass.ampersand: output.append("&amp;" as StaticString)
      case MarkupClass.less: output.append("&lt;" as StaticString)
      case MarkupClass.greater: output.append("&gt;" as StaticString)
      case MarkupClass.quote: output.append("&quot;" as StaticString)
      case MarkupClass.apostrophe: output.append("&#39;" as StaticString)
      case MarkupClass.carriageReturn:
        return output.appendNewlineForCarriageReturn(input, at: index)
      case MarkupClass.leadOfUnfit:
        return output.appendScalarUnlessUnfit(input, at: index)
      default: output.appendReplacementCharacter()
      }
      return 1
    }
  }
}

/// The classes of bytes for the HTML and XML escapers.
private enum MarkupClass {
  static let ampersand: UInt8 = 1
  static let less: UInt8 = 2
  static let greater: UInt8 = 3
  static let quote: UInt8 = 4
  static let apostrophe: UInt8 = 5
  static let carriageReturn: UInt8 = 6
  static let leadOfUnfit: UInt8 = 7
  static let control: UInt8 = 8

  static let table = ByteClasses { byte in
    switch byte {
    case UInt8(ascii: "&"): ampersand
    case UInt8(ascii: "<"): less
    case UInt8(ascii: ">"): greater
    case UInt8(ascii: "\""): quote
    case UInt8(ascii: "'"): apostrophe
    case Byte.carriageReturn: carriageReturn
    case _ where Byte.mayLeadUnfit(byte): leadOfUnfit
    case Byte.tab, Byte.newline: 0
    case 0..<0x20, Byte.delete: control
    default: 0
    }
  }
}

extension UTF8Buffer {
  /// Appends `text` as a JSON string (RFC 8259), quotes included.
  ///
  /// With `forScript`, `< > &`, U+2028 and U+2029 are also written as `\u003c` and so on. Then the JSON can be put into an HTML `<script
  /// type="application/ld+json">`, where text must not end the element or open a comment. DEL, C1 controls and noncharacters are also
  /// escaped, because HTML documents should not contain them.
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
    append(Hexadecimal.digit(byte >> 4))
    append(Hexadecimal.digit(byte & 15))
  }

  /// Appends a C1 control or noncharacter escaped, or the first byte of another scalar unchanged; returns the number of bytes read.
  private mutating func appendEscapingUnfitScalar(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let length = lengthOfUnfitScalar(input, at: index)
    guard length > 0 else {
      append(input[index])
      return 1
    }
    for unit in String(decoding: input[index..<(index + length)], as: UTF8.self).utf16 {
      append("\\u" as StaticString)
      for shift in [12, 8, 4, 0] { append(Hexadecimal.digit(UInt8(truncatingIfNeeded: unit >> shift) & 15)) }
    }
    return length
  }

  /// Appends U+2028 or U+2029 (E2 80 A8, E2 80 A9) escaped, or the first byte of another scalar unchanged; returns the number of bytes read.
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

/// The classes of bytes for the JSON escaper.
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

  /// Returns the character after the backslash.
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

extension UTF8Buffer {
  /// Appends `url` as a CommonMark link destination (the form without `<…>`). The parsed destination is `url` with only spaces,
  /// controls, `<`, `>` and noncharacters percent-encoded, which valid URLs do not contain.
  ///
  /// This function does not check whether the URL is safe to link; use `WebAddress` for that.
  package mutating func appendLinkDestination(_ url: String) {
    url.withUTF8Bytes { input in
      appendRuns(of: input, classes: DestinationClass.table) { output, input, index, byteClass in
        let byte = input[index]
        switch byteClass {
        case DestinationClass.backslashed:
          output.append(UInt8(ascii: "\\"))
          output.append(byte)
        case DestinationClass.ampersand:
          // `\&` would be wrong, because libcmark replaces entities in a destination before it handles backslashes.
          if couldStartEntity(input, at: index) {
            output.append("&amp;" as StaticString)
          } else {
            output.append(byte)
          }
        case DestinationClass.leadOfUnfit:
          let length = lengthOfUnfitScalar(input, at: index)
          guard length > 0 else {
            output.append(byte)
            return 1
          }
          for offset in 0..<length { output.appendPercentEncoded(input[index + offset]) }
          return length
        default:
          output.appendPercentEncoded(byte)
        }
        return 1
      }
    }
  }

}

/// Returns whether the `&` at `index` could be parsed as a character reference: `&[A-Za-z0-9#]+;`, or such characters up to the input's
/// end, where the next chunk of text may begin with the semicolon.
func couldStartEntity(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
  // CommonMark's longest name, CounterClockwiseContourIntegral, has 31 letters.
  let limit = index + 34
  var next = index + 1
  while next < input.count, next < limit {
    let byte = input[next]
    if byte == UInt8(ascii: ";") { return next > index + 1 }
    guard Byte.isAlphanumeric(byte) || byte == UInt8(ascii: "#") else { return false }
    next += 1
  }
  return next == input.count
}

/// The classes of bytes in a link destination.
private enum DestinationClass {
  static let backslashed: UInt8 = 1
  static let ampersand: UInt8 = 2
  static let percentEncoded: UInt8 = 3
  static let leadOfUnfit: UInt8 = 4

  static let table = ByteClasses { byte in
    switch byte {
    // The number of brackets without a backslash is limited (`MarkdownLimits`).
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "\\"): backslashed
    case UInt8(ascii: "&"): ampersand
    case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"): percentEncoded
    case _ where Byte.mayLeadUnfit(byte): leadOfUnfit
    default: 0
    }
  }
}
