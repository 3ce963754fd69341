import Digests
import UTF8Text

/// The name of a block: what kind of bytes it is, and their SHA-256 digest (CID, version 1, as repositories have it).
struct ContentID: Hashable, Sendable {
  /// 0x71 for DAG-CBOR, 0x55 for bytes as they are.
  let codec: UInt8
  /// Four words instead of an array, as a file has many.
  private let digest: (UInt64, UInt64, UInt64, UInt64)

  static let length = 36

  /// `nil` for names of another version, codec or hash.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    let head = Array(bytes.prefix(4))
    guard head[0] == 1, head[1] == 0x71 || head[1] == 0x55, head[2] == 0x12, head[3] == 0x20 else {
      return nil
    }
    codec = head[1]
    digest = Self.words(bytes.dropFirst(4))
  }

  private static func words(_ bytes: some Sequence<UInt8>) -> (UInt64, UInt64, UInt64, UInt64) {
    var words: [UInt64] = [0, 0, 0, 0]
    for (place, byte) in bytes.enumerated() where place < 32 {
      words[place / 8] = words[place / 8] << 8 | UInt64(byte)
    }
    return (words[0], words[1], words[2], words[3])
  }

  /// Whether a block is the one that the name is of.
  func names(_ block: ArraySlice<UInt8>) -> Bool {
    Self.words(SHA256.hash(block)) == digest
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.codec == rhs.codec && lhs.digest == rhs.digest }

  func hash(into hasher: inout Hasher) {
    hasher.combine(digest.0)
    hasher.combine(digest.1)
  }

  /// In base 32, as addresses have it: `bafyrei…`.
  var text: String {
    var bytes: [UInt8] = [1, codec, 0x12, 0x20]
    for word in [digest.0, digest.1, digest.2, digest.3] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    var result: [UInt8] = [UInt8(ascii: "b")]
    var (rest, count) = (0, 0)
    for byte in bytes {
      rest = (rest << 8 | Int(byte)) & 0xFFFF
      count += 8
      while count >= 5 {
        count -= 5
        result.append(digits[rest >> count & 31])
      }
    }
    if count > 0 { result.append(digits[rest << (5 - count) & 31]) }
    return String(decoding: result, as: UTF8.self)
  }
}
