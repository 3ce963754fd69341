/// A list of large values in arrays of limited length.
///
/// A single array would copy all values whenever it grows or is merged with another one. Chunks are never copied. A value keeps its index, and a
/// merge adds the same number to all indices of the other list.
package struct Chunks<Element: Sendable>: Sendable {
  /// The number of bits of an index within a chunk.
  @usableFromInline package static var bits: UInt32 { 10 }

  @usableFromInline package private(set) var chunks: [[Element]] = []

  package init() {}

  /// The value is accessed in place: a getter would copy all of it to return a single property.
  @inlinable package subscript(index: UInt32) -> Element {
    _read { yield chunks[Int(index >> Self.bits)][Int(index & (1 << Self.bits - 1))] }
  }

  /// Replaces a value.
  package mutating func replace(_ index: UInt32, with element: Element) {
    chunks[Int(index >> Self.bits)][Int(index & (1 << Self.bits - 1))] = element
  }

  /// Adds a value, and returns its index.
  package mutating func append(_ element: Element) -> UInt32 {
    let size = 1 << Int(Self.bits)
    if chunks.last.map({ $0.count == size }) ?? true {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(size)
    }
    let last = chunks.count - 1
    chunks[last].append(element)
    return UInt32(last) << Self.bits | UInt32(chunks[last].count - 1)
  }

  /// Adds the values of another list, and returns the number that their indices increase by.
  package mutating func append(_ other: Chunks) -> UInt32 {
    defer { chunks += other.chunks }
    return UInt32(chunks.count) << Self.bits
  }
}
