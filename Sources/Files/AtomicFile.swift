#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is either the old one or the new one, whatever happens in between.
package enum AtomicFile {
  /// Writes beside the file, flushes to the disk, renames, and flushes the folder, so that the name lasts, too.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    let temporary = "\(path[..<cut]).\(path[cut...]).\(getpid()).tmp"
    // What a crashed run with the same process id left.
    try FileSystem.remove(temporary)
    do throws(FileError) {
      guard try FileSystem.writeNew(bytes, to: temporary) else {
        throw FileError(
          operation: "create the file", path: temporary, reason: "another program made one of that name")
      }
      try flush(temporary)
      try FileSystem.check("put the file in place", path) { rename(temporary, path) }
      try flushFolder(cut > path.startIndex ? String(path[..<cut]) : ".")
    } catch {
      try FileSystem.remove(temporary)
      throw error
    }
  }

  /// Makes the names in a folder last. Some network file systems cannot, and say EINVAL.
  package static func flushFolder(_ path: String) throws(FileError) {
    let descriptor = try FileSystem.check("flush the folder", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    try FileSystem.check("flush the folder", path) { fsync(descriptor) == 0 || errno == EINVAL ? 0 : -1 }
  }

  private static func flush(_ path: String) throws(FileError) {
    let descriptor = try FileSystem.check("flush the file", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    try FileSystem.check("flush the file", path) { fsync(descriptor) }
  }
}
