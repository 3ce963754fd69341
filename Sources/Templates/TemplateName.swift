/// A name in a form that is quickly compared: what it starts with and how long it is fit into two words, and nearly all
/// names fit into them whole.
package struct TemplateName: Sendable, Hashable {
  let string: String
  /// The first eight bytes.
  private let head: UInt64
  /// The next seven bytes, and the number of bytes up to 255 in the lowest byte.
  private let tail: UInt64

  init(_ string: String) {
    self.string = string
    (head, tail) =
      string.utf8.withContiguousStorageIfAvailable(Self.digest)
      ?? Array(string.utf8).withUnsafeBufferPointer(Self.digest)
  }

  private static func digest(of utf8: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    for index in 0..<min(utf8.count, 8) { head = head << 8 | UInt64(utf8[index]) }
    if utf8.count > 8 {
      for index in 8..<min(utf8.count, 15) { tail = tail << 8 | UInt64(utf8[index]) }
    }
    return (head, tail << 8 | UInt64(min(utf8.count, 255)))
  }

  package static func == (first: TemplateName, second: TemplateName) -> Bool {
    guard first.head == second.head, first.tail == second.tail else { return false }
    return first.tail & 0xFF <= 15 || first.string == second.string
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(head)
    hasher.combine(tail)
  }
}

extension TemplateName: ExpressibleByStringLiteral {
  package init(stringLiteral name: String) { self.init(name) }
}
