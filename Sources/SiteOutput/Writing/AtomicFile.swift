#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is either the old one or the new one, whatever happens in between.
package enum AtomicFile {
  /// Writes beside the file, flushes to the disk, and renames.
  package static func write(_ bytes: [UInt8], to path: String) throws(SiteOutputError) {
    let temporary = path + ".tmp"
    try POSIXFile.remove(temporary)
    try POSIXFile.write(bytes, to: temporary)
    let descriptor = try POSIXFile.check("flush the file", temporary) { open(temporary, O_RDONLY | O_CLOEXEC) }
    let flushed = fsync(descriptor)
    close(descriptor)
    guard flushed == 0 else {
      throw .file(operation: "flush the file", path: temporary, reason: POSIXFile.reason(errno))
    }
    try POSIXFile.check("put the file in place", path) { rename(temporary, path) }
  }
}
