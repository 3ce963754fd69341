/// Text that grows, as UTF-8 bytes: what every stage that writes text writes to.
///
/// Whoever appends bytes answers for their being UTF-8; nothing here checks them. Appending a `String` always keeps
/// the buffer valid.
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
}

extension UTF8Buffer: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension String {
  /// Calls `body` with the string's UTF-8, without a copy where the string already is UTF-8 (always on Linux).
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
