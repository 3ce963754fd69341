import Basics

/// The kind of digest by which files are compared without sending them.
package enum FileDigest: String, Sendable {
  case sha256
  case sha1
  /// Git's id of a file: SHA-1 of `blob`, the size, a zero byte, and the file's bytes.
  case gitSHA1 = "git-sha1"
  /// Git's id of a file in repositories that use SHA-256.
  case gitSHA256 = "git-sha256"

  /// Computes the digest of a file, which is read in pieces.
  ///
  /// - Returns: hexadecimal digits.
  func digits(of file: borrowing OpenFile) throws(FileError) -> String {
    switch self {
    case .sha256: try Self.digits(SHA256(), file)
    case .sha1: try Self.digits(SHA1(), file)
    case .gitSHA1: try Self.digits(Blob<SHA1>(size: file.count).digest, file)
    case .gitSHA256: try Self.digits(Blob<SHA256>(size: file.count).digest, file)
    }
  }

  /// Computes git's id of a file piece by piece.
  struct Blob<Function: MessageDigest> {
    fileprivate private(set) var digest = Function()

    /// - Parameter size: the number of bytes that will follow.
    init(size: Int) { digest.update("blob \(size)\0".utf8) }

    mutating func update(_ bytes: [UInt8]) { digest.update(bytes) }

    var digits: String { Hexadecimal.digits(digest.finalize()) }
  }

  private static func digits(
    _ function: some MessageDigest, _ file: borrowing OpenFile
  ) throws(FileError) -> String {
    var function = function
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
