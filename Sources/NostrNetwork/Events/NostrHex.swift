/// Hexadecimal digits of Nostr: ids, keys and signatures in lower case (NIP-01).
package enum NostrHex {
  /// Returns whether a text is an id or a public key: 32 bytes as lower-case digits.
  package static func isKey(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { digit($0) != nil }
  }

  /// Returns the bytes of lower-case digits; `nil` for any other text.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for byte in text.utf8 {
      guard let digit = digit(byte) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    if byte &- UInt8(ascii: "0") < 10 { return byte - UInt8(ascii: "0") }
    if byte &- UInt8(ascii: "a") < 6 { return byte - UInt8(ascii: "a") + 10 }
    return nil
  }
}
