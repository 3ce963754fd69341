/// A name in a form that is quickly compared: what it starts with and how long it is fit into one word, and most names
/// fit into it whole.
struct TemplateName: Sendable, Hashable {
  let string: String
  /// The first seven bytes, and the number of bytes up to 255 in the lowest byte.
  private let digest: UInt64

  init(_ string: String) {
    self.string = string
    digest =
      string.utf8.withContiguousStorageIfAvailable { Self.digest(of: $0) }
      ?? Self.digest(of: Array(string.utf8))
  }

  private static func digest(of utf8: some RandomAccessCollection<UInt8>) -> UInt64 {
    var digest: UInt64 = 0
    for byte in utf8.prefix(7) { digest = digest << 8 | UInt64(byte) }
    return digest << 8 | UInt64(min(utf8.count, 255))
  }

  static func == (first: TemplateName, second: TemplateName) -> Bool {
    guard first.digest == second.digest else { return false }
    return first.digest & 0xFF <= 7 || first.string == second.string
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}
