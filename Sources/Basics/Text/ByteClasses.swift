/// The class of each of the 256 bytes: 0 for bytes that an escaper copies unchanged, other values for bytes that it handles separately.
struct ByteClasses: Sendable {
  let table: [UInt8]

  /// Creates the table from `classify`.
  init(_ classify: (UInt8) -> UInt8) {
    table = (UInt8.min...UInt8.max).map(classify)
  }
}

/// The bytes that several escapers use.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  static let delete: UInt8 = 0x7F

  /// Returns whether a scalar that starts with the byte may be a C1 control (U+0080 to U+009F: C2 80 to C2 9F) or a noncharacter (U+FDD0 to
  /// U+FDEF, and the last two of every plane, which all start with EF or F0 to F4).
  static func mayLeadUnfit(_ byte: UInt8) -> Bool { byte == 0xC2 || byte == 0xEF || byte &- 0xF0 < 5 }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }
}

extension UTF8Buffer {
  /// Appends `input`; runs of class 0 are copied. For each other byte, it calls `special` with the buffer, the input, the byte's index and
  /// its class. `special` appends a replacement and returns the number of bytes that it has read, at least 1.
  @inline(__always)
  mutating func appendRuns(
    of input: UnsafeBufferPointer<UInt8>, classes: ByteClasses,
    special: (inout UTF8Buffer, UnsafeBufferPointer<UInt8>, Int, UInt8) -> Int
  ) {
    classes.table.withUnsafeBufferPointer { table in
      var index = 0
      while index < input.count {
        let start = index
        while index < input.count, table[Int(input[index])] == 0 { index += 1 }
        if index > start { append(UnsafeBufferPointer(rebasing: input[start..<index])) }
        guard index < input.count else { return }
        index += special(&self, input, index, table[Int(input[index])])
      }
    }
  }

  /// Appends U+FFFD, the replacement for scalars that a document must not contain.
  mutating func appendReplacementCharacter() {
    append("\u{FFFD}" as StaticString)
  }

  /// Appends U+FFFD if the scalar at `index` is a C1 control or a noncharacter; otherwise appends the scalar's first byte. Returns the
  /// number of bytes read.
  ///
  /// XML 1.0 allows most of these scalars and discourages all (2.2). In HTML they are errors (13.2.3.5), and a terminal that shows a page's
  /// source executes the controls.
  mutating func appendScalarUnlessUnfit(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let length = lengthOfUnfitScalar(input, at: index)
    if length > 0 {
      appendReplacementCharacter()
      return length
    }
    bytes.append(input[index])
    return 1
  }

  /// Appends a newline for the CR at `index`; returns the number of bytes read, which is 2 if an LF follows.
  mutating func appendNewlineForCarriageReturn(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    bytes.append(Byte.newline)
    return index + 1 < input.count && input[index + 1] == Byte.newline ? 2 : 1
  }
}

/// Returns the length in bytes of the C1 control or noncharacter that starts at `index`; 0 for any other scalar.
func lengthOfUnfitScalar(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  func byte(_ offset: Int) -> UInt8 { index + offset < input.count ? input[index + offset] : 0 }
  switch input[index] {
  case 0xC2: return byte(1) &- 0x80 < 0x20 ? 2 : 0
  case 0xEF:
    let isLastOfPlane = byte(1) == 0xBF && byte(2) >= 0xBE
    let isOfBlock = byte(1) == 0xB7 && byte(2) &- 0x90 < 0x20
    return isLastOfPlane || isOfBlock ? 3 : 0
  case 0xF0...0xF4: return byte(1) & 0x0F == 0x0F && byte(2) == 0xBF && byte(3) >= 0xBE ? 4 : 0
  default: return 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the number of bytes from the beginning that are known to be U+0021 to U+007E, printable ASCII without the space; a multiple of eight.
  func wordsOfVisibleASCII() -> Int {
    var end = 0
    while end + 8 <= count {
      let word = word(at: end)
      // No byte carries into the next one: the additions are to seven bits, and a byte with the eighth bit ends the loop anyway.
      let aboveSpace = (word & ~Self.highBits) &+ Self.inEveryByte(0x7F - 0x20)
      let isDelete = (word & ~Self.highBits) &+ Self.inEveryByte(1)
      guard (word | ~aboveSpace | isDelete) & Self.highBits == 0 else { break }
      end += 8
    }
    return end
  }

  private func word(at index: Int) -> UInt64 {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  private static var highBits: UInt64 { inEveryByte(0x80) }

  private static func inEveryByte(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
}
