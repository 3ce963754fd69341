/// The key of an object's member, as a view of the bytes being read: comparing it with a known key builds no
/// `String`.
///
/// It points into the input, or into memory that the reader owns, so it is good only inside the closure that was given the
/// reader; keep `string`.
@frozen
package struct JSONKey {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  /// Where the key begins, in bytes from the beginning of the input.
  package let offset: Int

  init(start: UnsafePointer<UInt8>, count: Int, offset: Int) {
    self.start = start
    self.count = count
    self.offset = offset
  }

  /// The key itself. The reader has checked that the bytes are UTF-8.
  package var string: String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package static func == (key: JSONKey, known: StaticString) -> Bool { known ~= key }

  /// For `switch key { case "id": … }`. Inlined into the callers, where the known key's length is a constant: most keys are
  /// told apart by that alone.
  @inlinable @inline(__always)
  package static func ~= (known: StaticString, key: JSONKey) -> Bool {
    let length = known.utf8CodeUnitCount
    guard key.count == length else { return false }
    let knownStart = known.utf8Start
    var index = 0
    while index < length {
      if key.start[index] != knownStart[index] { return false }
      index &+= 1
    }
    return true
  }
}
