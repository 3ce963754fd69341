package import Basics

/// A file of the site that is being sent. It stays open until it is sent, even if it is meanwhile renamed or replaced.
package final class ServedFile: Sendable {
  private let file: OpenFile

  /// - Throws: `FileError` if the path is not a regular file or contains a symbolic link.
  init(_ path: String) throws(FileError) { file = try OpenFile(path) }

  package var count: Int { file.count }

  /// The entity tag, which identifies this version of the file.
  var tag: String? {
    file.signature.map { signature in
      let parts = [signature.inode, UInt64(bitPattern: signature.modified)]
      return "\"" + (parts + [UInt64(file.count)]).map { String($0, radix: 36) }.joined(separator: "-") + "\""
    }
  }

  package func bytes(_ length: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try file.bytes(length, at: offset)
  }
}
