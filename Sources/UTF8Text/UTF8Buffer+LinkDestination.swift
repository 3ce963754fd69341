extension UTF8Buffer {
  /// Appends `url` as a CommonMark link destination (the form without `<…>`), so that the parsed destination is `url`
  /// with nothing but spaces, controls, `<`, `>` and noncharacters percent-encoded, which no address holds as they are.
  ///
  /// This is syntax, not safety: whether the address may be linked at all is for `WebAddress` to say.
  package mutating func appendLinkDestination(_ url: String) {
    url.withUTF8Bytes { input in
      appendRuns(of: input, classes: DestinationClass.table) { output, input, index, byteClass in
        let byte = input[index]
        switch byteClass {
        case DestinationClass.backslashed:
          output.append(UInt8(ascii: "\\"))
          output.append(byte)
        case DestinationClass.ampersand:
          // Not `\&`: libcmark replaces entities in a destination before it looks at backslashes.
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

  private mutating func appendPercentEncoded(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    for digit in [byte >> 4, byte & 15] {
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
  }
}

/// Whether the `&` at `index` could be read as a character reference: `&[A-Za-z0-9#]+;`, or letters up to the input's
/// end, where another chunk of text may bring the semicolon.
func couldStartEntity(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
  // CommonMark's longest name, CounterClockwiseContourIntegral, has 31 letters: no need to look further.
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

/// What bytes mean in a link destination.
private enum DestinationClass {
  static let backslashed: UInt8 = 1
  static let ampersand: UInt8 = 2
  static let percentEncoded: UInt8 = 3
  static let leadOfUnfit: UInt8 = 4

  static let table = ByteClasses { byte in
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): backslashed
    case UInt8(ascii: "&"): ampersand
    case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"): percentEncoded
    case _ where Byte.mayLeadUnfit(byte): leadOfUnfit
    default: 0
    }
  }
}
