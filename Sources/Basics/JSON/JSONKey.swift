/// The key of an object's member, as a view of the input bytes, so that comparing it with a known key does not create a `String`.
///
/// It points into the input, or into memory of the reader. So it is only valid inside the closure that receives the reader; to keep a key,
/// store its `string`.
///
/// The type is public, unlike all others here, because of `~=`: the compiler does not inline `package` functions into other modules, even
/// if they are marked as inlinable.
@frozen
public struct JSONKey {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  /// The first eight bytes, the first of them in the lowest bits; shorter keys are padded with zeros.
  @usableFromInline let head: UInt64
  /// The byte offset of the key in the input, from 0.
  package let offset: Int

  /// - Parameter word: The eight bytes from `start` on, which may include bytes after the key.
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

  /// The key as a string. The reader has checked that the bytes are UTF-8.
  package var string: String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package static func == (key: JSONKey, known: StaticString) -> Bool { known ~= key }

  /// Compares keys in `switch key { case "id": … }`. It is inlined into the callers, where the known key's length and first bytes are
  /// constants. Comparing these distinguishes nearly all keys.
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
