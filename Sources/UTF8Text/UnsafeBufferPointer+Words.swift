extension UnsafeBufferPointer<UInt8> {
  /// How many bytes from `index` on are ASCII for certain, eight at a time: the rest, and a last word that is not whole, is for
  /// the caller to look at.
  package func wordsOfASCII(from index: Int) -> Int {
    var end = index
    while end + 8 <= count, word(at: end) & Self.highBits == 0 { end += 8 }
    return end - index
  }

  /// The same for printable ASCII without the space: U+0021 to U+007E.
  func wordsOfVisibleASCII() -> Int {
    var end = 0
    while end + 8 <= count {
      let word = word(at: end)
      // No byte can carry into the next: adding is to seven bits, and what has the eighth ends the loop anyway.
      let aboveSpace = (word & ~Self.highBits) &+ Self.inEveryByte(0x7F - 0x20)
      let isDelete = (word & ~Self.highBits) &+ Self.inEveryByte(1)
      guard (word | ~aboveSpace | isDelete) & Self.highBits == 0 else { break }
      end += 8
    }
    return end
  }

  private func word(at index: Int) -> UInt64 {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  private static var highBits: UInt64 { inEveryByte(0x80) }

  private static func inEveryByte(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
}
