/// The key of an object's member, as a view of the bytes being read: comparing it with a known key builds no
/// `String`.
///
/// It points into the input, so it is good only inside the closure that was given the reader; keep `string`.
package struct JSONKey {
  let start: UnsafePointer<UInt8>
  let count: Int
  /// Set where the key is written with escapes, which is legal and never seen.
  let unescaped: String?
  /// Where the key begins, in bytes from the beginning of the input.
  package let offset: Int

  /// The key itself. The reader has checked that the bytes are UTF-8.
  package var string: String {
    unescaped ?? String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package static func == (key: JSONKey, known: StaticString) -> Bool { known ~= key }

  /// For `switch key { case "id": … }`.
  package static func ~= (known: StaticString, key: JSONKey) -> Bool {
    if let unescaped = key.unescaped { return unescaped == known.description }
    let length = known.utf8CodeUnitCount
    guard key.count == length else { return false }
    let knownStart = known.utf8Start
    var index = 0
    while index < length {
      if key.start[index] != knownStart[index] { return false }
      index += 1
    }
    return true
  }
}
