/// A growing text as UTF-8 bytes, the output of every stage that writes text.
///
/// Appended bytes are not checked: the caller must ensure that they are valid UTF-8. Appending a `String` always keeps the buffer valid.
package struct UTF8Buffer: Sendable, Equatable {
  /// The text so far.
  package var bytes: [UInt8]

  package init() {
    bytes = []
  }

  /// An empty buffer with room for `capacity` bytes.
  package init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  package init(_ string: String) {
    bytes = Array(string.utf8)
  }

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// The number of bytes.
  package var count: Int { bytes.count }

  /// The text as a `String`; bytes that are not UTF-8 become U+FFFD.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func append(_ string: String) {
    string.withUTF8Bytes { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ string: StaticString) {
    string.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  package mutating func append(_ other: UTF8Buffer) {
    other.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ slice: ArraySlice<UInt8>) {
    bytes.append(contentsOf: slice)
  }

  package mutating func append(_ slice: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: slice)
  }

  package mutating func append(contentsOf other: some Sequence<UInt8>) {
    bytes.append(contentsOf: other)
  }

  package mutating func removeAll(keepingCapacity: Bool = false) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Appends `integer` in decimal digits, without creating a `String`.
  package mutating func append(integer: Int) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    // 64 bits have at most 20 digits; they are computed from the last to the first.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      // The magnitude, because the smallest Int has no positive counterpart.
      var rest = integer.magnitude
      repeat {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest != 0
      append(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Returns the text with `prefix` before every line: `"> "` turns the text into a Markdown block quote.
  ///
  /// An empty line gets the prefix without its trailing spaces. A newline at the end ends the last line and does not begin a new one.
  package func prefixingLines(with prefix: String) -> UTF8Buffer {
    let whole = Array(prefix.utf8)
    let bare = whole[..<((whole.lastIndex { $0 != Byte.space } ?? -1) + 1)]
    var output = UTF8Buffer(capacity: count + count / 16 + whole.count * 4)
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: Byte.newline).map { $0 + 1 } ?? bytes.count
      output.append(bytes[start] == Byte.newline ? bare : whole[...])
      output.append(bytes[start..<end])
      start = end
    }
    return output
  }
}

extension UTF8Buffer: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension String {
  /// Calls `body` with the string's UTF-8 bytes, without a copy if the string's storage is UTF-8 (always on Linux).
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
