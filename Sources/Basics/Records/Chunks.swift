/// A list of large values in arrays of limited length.
///
/// A single array would copy all values whenever it grows or is merged with another one. Chunks are never copied. A value keeps its index, and a
/// merge adds the same number to all indices of the other list.
package struct Chunks<Element: Sendable>: Sendable {
  /// The number of bits of an index within a chunk.
  @usableFromInline package static var bits: UInt32 { 10 }

  @usableFromInline package private(set) var chunks: [[Element]] = []

  package init() {}

  /// Returns the chunk of an index, and the place in the chunk.
  @inlinable package static func place(of index: UInt32) -> (chunk: Int, place: Int) {
    (Int(index >> bits), Int(index & (1 << bits - 1)))
  }

  package subscript(index: UInt32) -> Element {
    let (chunk, place) = Self.place(of: index)
    return chunks[chunk][place]
  }

  /// Replaces a value.
  package mutating func replace(_ index: UInt32, with element: Element) {
    let (chunk, place) = Self.place(of: index)
    chunks[chunk][place] = element
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
