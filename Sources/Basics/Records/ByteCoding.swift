/// A value that a build keeps for the next build, as bytes.
///
/// The same bytes are the input of digests, so equal values have equal bytes. Most types conform as a `Record`, with a list of their
/// fields.
package protocol ByteCodable: SendableMetatype {
  init(from reader: inout ByteReader) throws(ByteReader.Truncated)
  func write(to writer: inout ByteWriter)

  // Lists of bytes are read and written as a whole.
  static func list(from reader: inout ByteReader) throws(ByteReader.Truncated) -> [Self]
  static func write(_ list: [Self], to writer: inout ByteWriter)
}

extension ByteCodable {
  package static func list(from reader: inout ByteReader) throws(ByteReader.Truncated) -> [Self] {
    let count = try reader.count()
    var list: [Self] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try Self(from: &reader)) }
    return list
  }

  package static func write(_ list: [Self], to writer: inout ByteWriter) {
    writer.write(list.count)
    for element in list { element.write(to: &writer) }
  }

  /// Reads a value that was written alone.
  package init(byteCoding bytes: [UInt8]) throws(ByteReader.Truncated) {
    var reader = ByteReader(bytes)
    try self.init(from: &reader)
  }

  /// The value as bytes, for a `ByteReader` or a digest.
  package var byteCoding: [UInt8] {
    var writer = ByteWriter(capacity: 1024)
    write(to: &writer)
    return writer.bytes
  }
}

/// Writes values as bytes, for a `ByteReader` of the same program: the format is private.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []
  private var words: [String] = []

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func write(_ value: some ByteCodable) { value.write(to: &self) }

  /// Writes bytes without their number.
  package mutating func append(_ bytes: some Collection<UInt8>) { self.bytes += bytes }

  /// Returns all bytes, and removes them from the writer.
  package mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Writes seven bits per byte, lowest first, so that small non-negative numbers are short.
  package mutating func write(_ number: Int) {
    var rest = UInt(bitPattern: number)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func write(_ part: [UInt8]) {
    write(part.count)
    bytes += part
  }

  package mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes += text.utf8
  }

  /// Writes a text that many values share, such as a host. The first few of these texts are written only once.
  package mutating func write(word: String) {
    if let position = words.firstIndex(of: word) { return write(position + 1) }
    write(0)
    write(word)
    if words.count < Self.mostWords { words.append(word) }
  }

  fileprivate static let mostWords = 8

  package mutating func write<Element>(
    _ list: [Element], _ write: (inout ByteWriter, Element) -> Void
  ) {
    self.write(list.count)
    for element in list { write(&self, element) }
  }
}

/// Reads values that `ByteWriter` wrote.
package struct ByteReader {
  /// The bytes were not written by a `ByteWriter`: a value ends too early or is invalid.
  package struct Truncated: Error {
    package init() {}
  }

  private let all: [UInt8]
  private var offset: Int
  private var words: [String] = []

  /// - Parameter start: the index of the first byte.
  package init(_ bytes: [UInt8], from start: Int = 0) {
    all = bytes
    offset = start
  }

  package mutating func integer() throws(Truncated) -> Int {
    var number: UInt = 0
    var shift: UInt = 0
    while offset < all.count, shift < 64 {
      let byte = all[offset]
      offset += 1
      number |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(bitPattern: number) }
      shift += 7
    }
    throw Truncated()
  }

  /// Reads the number of the following bytes or elements. Each element has at least one byte.
  package mutating func count() throws(Truncated) -> Int {
    let count = try integer()
    guard count >= 0, count <= all.count - offset else { throw Truncated() }
    return count
  }

  private mutating func take() throws(Truncated) -> ArraySlice<UInt8> {
    let count = try count()
    defer { offset += count }
    return all[offset..<offset + count]
  }

  package mutating func bytes() throws(Truncated) -> [UInt8] { Array(try take()) }

  package mutating func string() throws(Truncated) -> String { String(decoding: try take(), as: UTF8.self) }

  /// Reads a text that was written by `write(word:)`.
  package mutating func word() throws(Truncated) -> String {
    let position = try integer() - 1
    if words.indices.contains(position) { return words[position] }
    guard position == -1 else { throw Truncated() }
    let word = try string()
    if words.count < ByteWriter.mostWords { words.append(word) }
    return word
  }

  package mutating func value<Value: ByteCodable>() throws(Truncated) -> Value { try Value(from: &self) }
}

// MARK: Common values

extension Int: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) { self = try reader.integer() }
  package func write(to writer: inout ByteWriter) { writer.write(self) }
}

extension Int64: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(try reader.integer())
  }
  package func write(to writer: inout ByteWriter) { writer.write(Int(self)) }
}

extension UInt64: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(bitPattern: Int64(try reader.integer()))
  }
  package func write(to writer: inout ByteWriter) { writer.write(Int(Int64(bitPattern: self))) }
}

extension UInt32: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(truncatingIfNeeded: try reader.integer())
  }
  package func write(to writer: inout ByteWriter) { writer.write(Int(self)) }
}

extension UInt8: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(truncatingIfNeeded: try reader.integer())
  }
  package func write(to writer: inout ByteWriter) { writer.write(Int(self)) }
  package static func list(from reader: inout ByteReader) throws(ByteReader.Truncated) -> [UInt8] {
    try reader.bytes()
  }
  package static func write(_ list: [UInt8], to writer: inout ByteWriter) { writer.write(list) }
}

extension Bool: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self = try reader.integer() == 1
  }
  package func write(to writer: inout ByteWriter) { writer.write(self ? 1 : 0) }
}

extension String: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) { self = try reader.string() }
  package func write(to writer: inout ByteWriter) { writer.write(self) }
}

extension UTF8Buffer: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(bytes: try reader.bytes())
  }
  package func write(to writer: inout ByteWriter) { writer.write(bytes) }
}

/// Has no list of fields, for speed: a build reads a signature for every file of the site.
extension FileSignature: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(
      inode: UInt64(truncatingIfNeeded: try reader.integer()), size: Int64(try reader.integer()),
      modified: Int64(try reader.integer()), changed: Int64(try reader.integer()))
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(Int(truncatingIfNeeded: inode))
    for number in [size, modified, changed] { writer.write(Int(number)) }
  }
}

extension Optional: ByteCodable where Wrapped: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    switch try reader.integer() {
    case 0: self = nil
    case 1: self = try Wrapped(from: &reader)
    default: throw ByteReader.Truncated()
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(self == nil ? 0 : 1)
    self?.write(to: &writer)
  }
}

extension Array: ByteCodable where Element: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self = try Element.list(from: &reader)
  }
  package func write(to writer: inout ByteWriter) { Element.write(self, to: &writer) }
}

/// A set is written in the order of its elements, and a dictionary in the order of its keys.
extension Set: ByteCodable where Element: ByteCodable & Comparable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(try Element.list(from: &reader))
  }
  package func write(to writer: inout ByteWriter) { Element.write(sorted(), to: &writer) }
}

extension Dictionary: ByteCodable where Key: ByteCodable & Comparable, Value: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    let count = try reader.count()
    self.init(minimumCapacity: count)
    for _ in 0..<count {
      let key = try Key(from: &reader)
      self[key] = try Value(from: &reader)
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(count)
    for (key, value) in count > 1 ? sorted(by: { $0.key < $1.key }) : Array(self) {
      key.write(to: &writer)
      value.write(to: &writer)
    }
  }
}

extension Range: ByteCodable where Bound == Int {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    let (start, count) = (try reader.integer(), try reader.integer())
    guard start >= 0, count >= 0, start <= .max - count else { throw ByteReader.Truncated() }
    self = start..<start + count
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(lowerBound)
    writer.write(count)
  }
}
