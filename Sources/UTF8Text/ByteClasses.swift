/// A class for each of the 256 bytes: 0 for those that an escaper copies as they are, anything else for those that it
/// stops at.
struct ByteClasses: Sendable {
  let table: [UInt8]

  /// The classes as `classify` gives them.
  init(_ classify: (UInt8) -> UInt8) {
    table = (UInt8.min...UInt8.max).map(classify)
  }
}

/// The bytes that several escapers name.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// The first byte of U+FFFE and U+FFFF (EF BF BE, EF BF BF), and of every other scalar from U+F000 on.
  static let leadOfNoncharacters: UInt8 = 0xEF

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }
}

extension UTF8Buffer {
  /// Appends `input`, copying runs of class 0 whole. At each other byte it calls `special` with the buffer, the input,
  /// the byte's index and its class; `special` appends what it likes and returns how many bytes it took, at least 1.
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

  /// Appends U+FFFD, which stands for what no document can hold.
  mutating func appendReplacementCharacter() {
    append("\u{FFFD}" as StaticString)
  }

  /// Appends the scalar of three bytes that starts at `index`, or U+FFFD if it is U+FFFE or U+FFFF; returns the number of
  /// bytes taken.
  ///
  /// The other noncharacters (U+FDD0…, U+1FFFE…) are kept: XML 1.0 allows them, and HTML parsers keep them.
  mutating func appendScalarUnlessNoncharacter(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    if isNoncharacter(input, at: index) {
      appendReplacementCharacter()
      return 3
    }
    bytes.append(input[index])
    return 1
  }

  /// Appends a newline for the CR at `index`; returns 2 where a LF follows, which belongs to it.
  mutating func appendNewlineForCarriageReturn(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    bytes.append(Byte.newline)
    return index + 1 < input.count && input[index + 1] == Byte.newline ? 2 : 1
  }
}

/// Whether U+FFFE or U+FFFF, which neither HTML nor XML can hold, starts at `index`.
func isNoncharacter(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
  index + 2 < input.count && input[index] == Byte.leadOfNoncharacters && input[index + 1] == 0xBF
    && input[index + 2] >= 0xBE
}
