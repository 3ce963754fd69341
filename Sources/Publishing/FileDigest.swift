import Digests
import Files
import UTF8Text

/// What is computed of a file's bytes, to tell it from others without sending it.
package enum FileDigest: String, Sendable {
  case sha256
  /// What git calls a file: SHA-1 of `blob`, its size, a zero byte, and its bytes.
  case gitSHA1 = "git-sha1"
  /// The same in repositories whose names are SHA-256.
  case gitSHA256 = "git-sha256"

  /// Reads a file in pieces.
  ///
  /// - Returns: hexadecimal digits.
  func digits(of file: borrowing OpenFile) throws(FileError) -> String {
    switch self {
    case .sha256: try Self.digits(SHA256(), prefix: [], file)
    case .gitSHA1: try Self.digits(SHA1(), prefix: Self.blob(file.count), file)
    case .gitSHA256: try Self.digits(SHA256(), prefix: Self.blob(file.count), file)
    }
  }

  private static func blob(_ count: Int) -> [UInt8] { Array("blob \(count)\0".utf8) }

  private static func digits(
    _ function: some MessageDigest, prefix: [UInt8], _ file: borrowing OpenFile
  ) throws(FileError) -> String {
    var function = function
    function.update(prefix)
    var offset = 0
    while offset < file.count {
      let piece = try file.bytes(min(256 << 10, file.count - offset), at: offset)
      guard !piece.isEmpty else {
        throw FileError(
          operation: "read the file", path: file.path, reason: "it became shorter while it was read")
      }
      function.update(piece)
      offset += piece.count
    }
    return Hexadecimal.digits(function.finalize())
  }
}
