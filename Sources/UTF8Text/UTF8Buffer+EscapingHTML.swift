extension UTF8Buffer {
  /// Appends `text` for an HTML text node or a quoted attribute value, in double or single quotes.
  ///
  /// `& < > " '` become references, CR LF and CR become LF, and what no HTML document should hold (controls but tab and
  /// newline, noncharacters) becomes U+FFFD.
  package mutating func appendEscapingHTML(_ text: String) {
    text.withUTF8Bytes { appendEscapingMarkup($0) }
  }

  /// The same for text that already is UTF-8.
  package mutating func appendEscapingHTML(_ text: UTF8Buffer) {
    text.bytes.withUnsafeBufferPointer { appendEscapingMarkup($0) }
  }

  /// Appends `text` for an XML 1.0 text node or a quoted attribute value: the same rules, as every reference that is
  /// written for HTML is one that XML knows without a DTD.
  package mutating func appendEscapingXML(_ text: String) {
    text.withUTF8Bytes { appendEscapingMarkup($0) }
  }

  /// The same for text that already is UTF-8.
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

/// What bytes mean to the HTML and XML escapers.
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
