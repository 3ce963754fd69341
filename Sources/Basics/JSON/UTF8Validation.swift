/// Returns the offset of the first byte that is not part of valid UTF-8 (Unicode 15, table 3-7); `nil` if all bytes are valid.
///
/// `String(validating:)` could also check this, but takes more time than the rest of reading a string.
package func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  guard let start = bytes.baseAddress else { return nil }
  let count = bytes.count
  var index = 0
  while index < count {
    let lead = bytes[index]
    if lead < 0x80 {
      index &+= 1
      while index &+ 8 <= count,
        UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 8
      }
      continue
    }
    // The bounds of the second byte exclude overlong forms, surrogates and values above U+10FFFF.
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return index
    }
    guard index &+ length <= count, second.contains(bytes[index &+ 1]) else { return index }
    for next in index &+ 2..<index &+ length where bytes[next] & 0xC0 != 0x80 { return index }
    index &+= length
  }
  return nil
}
