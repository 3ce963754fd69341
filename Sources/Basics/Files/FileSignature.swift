#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the system says of a file without reading it: as long as none of this changes, its content has not changed either.
///
/// The time of the last change (`ctime`) cannot be set by anybody, unlike that of the last writing. It has grains, though: a file that is
/// changed twice within one looks the same after the second time, so a signature is only good once its grain is over (``isSettled(at:)``).
package struct FileSignature: Hashable, Sendable {
  package let inode: UInt64
  package let size: Int64
  /// Nanoseconds since 1970.
  package let modified: Int64
  /// Nanoseconds since 1970.
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

  /// Nanoseconds of a file system's grain: those of Linux are ticks of its clock, at most 10 ms.
  package static let grain: Int64 = 25_000_000

  /// Whether whatever happens to the file from a moment on will show.
  ///
  /// - Parameter moment: as `now` gives it.
  package func isSettled(at moment: Int64) -> Bool {
    // Whole seconds are a file system that has no finer time (2 s on FAT).
    let grain = changed % 1_000_000_000 == 0 ? 2_100_000_000 : Self.grain
    return changed + grain < moment
  }

  /// Nanoseconds since 1970.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }
}

extension FileSystem {
  /// The signature of what stands at a path; `nil` where there is nothing that could be looked at. A link's is its own.
  package static func signature(of path: String) -> FileSignature? {
    guard let information = try? information(on: path) else { return nil }
    return FileSignature(information)
  }
}
