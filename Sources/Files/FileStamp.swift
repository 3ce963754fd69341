#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What tells one version of a file from the next without reading it: which file it is, its size, and when it was last written.
package struct FileStamp: Hashable, Sendable {
  package let inode: UInt64
  /// Bytes.
  package let size: Int64
  /// When it was last written, since 1970.
  package let seconds: Int64
  package let nanoseconds: Int64

  init(_ information: stat) {
    #if canImport(Darwin)
      let written = information.st_mtimespec
    #else
      let written = information.st_mtim
    #endif
    inode = UInt64(information.st_ino)
    size = Int64(information.st_size)
    seconds = Int64(written.tv_sec)
    nanoseconds = Int64(written.tv_nsec)
  }
}
