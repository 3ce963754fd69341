#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The metadata of a file that identify its content: as long as the signature is unchanged, the content is unchanged.
///
/// Programs can set the modification time, but not the time of the last change (`ctime`). The resolution of `ctime` is limited: two changes
/// within one grain of the clock have the same signature. So a signature is only reliable after that grain (``isSettled(at:)``).
package struct FileSignature: Hashable, Sendable {
  package let inode: UInt64
  package let size: Int64
  /// The modification time (`mtime`), in nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last change (`ctime`), in nanoseconds since 1970.
  package let changed: Int64

  package init(inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  init(_ information: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (information.st_mtimespec, information.st_ctimespec)
    #else
      let (modified, changed) = (information.st_mtim, information.st_ctim)
    #endif
    self.init(
      inode: UInt64(information.st_ino), size: Int64(information.st_size),
      modified: Self.nanoseconds(modified), changed: Self.nanoseconds(changed))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The resolution of file times, in nanoseconds, with a margin. On Linux, it is a tick of the kernel's clock, at most 10 ms.
  package static let grain: Int64 = 25_000_000

  /// Returns whether every change of the file after a moment will change the signature.
  ///
  /// - Parameter moment: the moment in nanoseconds since 1970, as in `now`.
  package func isSettled(at moment: Int64) -> Bool { settles < moment }

  /// The moment after which every change of the file will change the signature.
  package var settles: Int64 {
    // Whole seconds mean that the file system has no finer times (2 s on FAT).
    changed + (changed % 1_000_000_000 == 0 ? Self.longestGrain : Self.grain)
  }

  /// The coarsest resolution of file times, in nanoseconds, with a margin.
  package static let longestGrain: Int64 = 2_100_000_000

  /// The current time, in nanoseconds since 1970.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }
}

extension FileSystem {
  /// Returns the signature of a file or folder; `nil` if it is missing or cannot be inspected. A symbolic link is not followed.
  package static func signature(of path: String) -> FileSignature? {
    guard let information = try? information(on: path) else { return nil }
    return FileSignature(information)
  }
}
