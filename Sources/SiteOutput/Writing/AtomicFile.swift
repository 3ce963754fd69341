#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is either the old one or the new one, whatever happens in between.
package enum AtomicFile {
  /// Writes beside the file, flushes to the disk, and renames.
  package static func write(_ bytes: [UInt8], to path: String) throws(SiteOutputError) {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    let temporary = "\(path[..<cut]).\(path[cut...]).\(getpid()).tmp"
    // What a crashed run with the same process id left.
    try POSIXFile.remove(temporary)
    do throws(SiteOutputError) {
      guard try POSIXFile.writeNew(bytes, to: temporary) else {
        throw .file(
          operation: "create the file", path: temporary, reason: "another program made one of that name")
      }
      try flush(temporary)
      try POSIXFile.check("put the file in place", path) { rename(temporary, path) }
    } catch {
      try POSIXFile.remove(temporary)
      throw error
    }
  }

  private static func flush(_ path: String) throws(SiteOutputError) {
    let descriptor = try POSIXFile.check("flush the file", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    try POSIXFile.check("flush the file", path) { fsync(descriptor) }
  }
}
