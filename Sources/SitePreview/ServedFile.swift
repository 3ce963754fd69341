package import Basics

/// A file of the site that is being sent: open as long as that takes, whatever becomes of its name in between.
package final class ServedFile: Sendable {
  private let file: OpenFile

  /// - Throws: `FileError` where there is no regular file at the path, or a link on the way to it.
  init(_ path: String) throws(FileError) { file = try OpenFile(path) }

  package var count: Int { file.count }

  /// What tells this version of the file from the next.
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
