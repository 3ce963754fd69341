/// Writes values as bytes, for a `ByteReader` of the same program: the format is private.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Writes seven bits in each byte, the lowest first; small numbers from 0 on are short.
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

  package mutating func write<Element>(_ list: [Element], _ write: (inout ByteWriter, Element) -> Void) {
    self.write(list.count)
    for element in list { write(&self, element) }
  }

  /// Writes a list with one element, or an empty list for `nil`.
  package mutating func write(_ text: String?) {
    write(text.map { [$0] } ?? []) { $0.write($1) }
  }
}

/// Reads values that `ByteWriter` wrote.
package struct ByteReader {
  /// There are fewer bytes than the values need: they were not written by a `ByteWriter`.
  package struct Truncated: Error {
    package init() {}
  }

  private let all: [UInt8]
  private var offset = 0

  package init(_ bytes: [UInt8]) { all = bytes }

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

  private mutating func take() throws(Truncated) -> ArraySlice<UInt8> {
    let count = try integer()
    guard count >= 0, count <= all.count - offset else { throw Truncated() }
    defer { offset += count }
    return all[offset..<offset + count]
  }

  package mutating func bytes() throws(Truncated) -> [UInt8] { Array(try take()) }

  package mutating func string() throws(Truncated) -> String { String(decoding: try take(), as: UTF8.self) }

  package mutating func list<Element>(
    _ read: (inout ByteReader) throws(Truncated) -> Element
  ) throws(Truncated) -> [Element] {
    let count = try integer()
    // Each element has at least one byte.
    guard count >= 0, count <= all.count - offset else { throw Truncated() }
    var list: [Element] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try read(&self)) }
    return list
  }

  /// Reads a value that was written as a list with one element or as an empty list.
  package mutating func optional<Element>(
    _ read: (inout ByteReader) throws(Truncated) -> Element
  ) throws(Truncated) -> Element? {
    switch try integer() {
    case 0: return nil
    case 1: return try read(&self)
    default: throw Truncated()
    }
  }

  package mutating func optionalString() throws(Truncated) -> String? {
    try optional { (bytes) throws(Truncated) in try bytes.string() }
  }
}

/// The signature of a file.
extension ByteWriter {
  package mutating func write(_ signature: FileSignature) {
    write(Int(truncatingIfNeeded: signature.inode))
    write(Int(signature.size))
    write(Int(signature.modified))
    write(Int(signature.changed))
  }
}

extension ByteReader {
  package mutating func signature() throws(Truncated) -> FileSignature {
    FileSignature(
      inode: UInt64(truncatingIfNeeded: try integer()), size: Int64(try integer()),
      modified: Int64(try integer()), changed: Int64(try integer()))
  }
}
