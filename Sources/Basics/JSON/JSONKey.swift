/// The key of an object's member, as a view of the bytes being read: comparing it with a known key builds no
/// `String`.
///
/// It points into the input, or into memory that the reader owns, so it is good only inside the closure that was given the
/// reader; keep `string`.
///
/// Public, unlike all else here, because of `~=`: the compiler inlines no `package` function into another module, be it
/// marked as inlinable or not.
@frozen
public struct JSONKey {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  /// The first eight bytes, the first of them in the lowest bits; zeros where there are fewer.
  @usableFromInline let head: UInt64
  /// Where the key begins, in bytes from the beginning of the input.
  package let offset: Int

  /// - Parameter word: The eight bytes from `start` on, whatever follows the key among them.
  @inline(__always)
  init(start: UnsafePointer<UInt8>, count: Int, offset: Int, word: UInt64) {
    self.start = start
    self.count = count
    self.offset = offset
    head = count >= 8 ? word : word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
  }

  init(start: UnsafePointer<UInt8>, count: Int, offset: Int) {
    var word: UInt64 = 0
    for index in 0..<min(count, 8) { word |= UInt64(start[index]) &<< UInt64(index * 8) }
    self.init(start: start, count: count, offset: offset, word: word)
  }

  /// The key itself. The reader has checked that the bytes are UTF-8.
  package var string: String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package static func == (key: JSONKey, known: StaticString) -> Bool { known ~= key }

  /// For `switch key { case "id": … }`. Inlined into the callers, where the known key's length and first bytes are
  /// constants: a comparison with them tells nearly all keys apart.
  @inlinable @inline(__always)
  public static func ~= (known: StaticString, key: JSONKey) -> Bool {
    let length = known.utf8CodeUnitCount
    guard key.count == length else { return false }
    let knownStart = known.utf8Start
    var head: UInt64 = 0
    var index = 0
    while index < 8, index < length {
      head |= UInt64(knownStart[index]) &<< UInt64(truncatingIfNeeded: index &* 8)
      index &+= 1
    }
    guard key.head == head else { return false }
    while index < length {
      if key.start[index] != knownStart[index] { return false }
      index &+= 1
    }
    return true
  }
}
