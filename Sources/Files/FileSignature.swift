import CFiles

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

/// All files below a folder with their signatures, in no particular order.
///
/// Paths are from the folder on. What cannot be looked at is left out: whoever needs it says what is wrong.
package struct FileTree: Sendable {
  package private(set) var files: [(path: String, signature: FileSignature)] = []
  /// Folders; the top one is the empty path.
  package private(set) var folders: [(path: String, signature: FileSignature)] = []

  /// - Parameter top: without links; nothing below a link is looked at.
  package init(_ top: String) {
    guard let descriptor = try? FileSystem.open(top, O_RDONLY | O_DIRECTORY, for: "list the folder") else {
      return
    }
    walk(descriptor, "")
  }

  /// Takes the descriptor.
  private mutating func walk(_ descriptor: Int32, _ path: String) {
    guard let folder = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(folder) }
    var information = stat()
    if fstat(descriptor, &information) == 0 { folders.append((path, FileSignature(information))) }
    while let entry = readdir(folder) {
      let name = FileSystem.name(of: entry)
      guard name != ".", name != "..", fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0
      else {
        continue
      }
      let inner = path.isEmpty ? name : path + "/" + name
      if information.st_mode & S_IFMT == S_IFDIR {
        let next = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if next >= 0 { walk(next, inner) }
      } else {
        files.append((inner, FileSignature(information)))
      }
    }
  }
}

/// A folder that is open, for looking at many files below it.
package final class OpenFolder: Sendable {
  private let descriptor: Int32

  /// - Returns: `nil` where there is no folder that can be opened.
  package init?(_ path: String) {
    let descriptor = cfiles_open_folder(path)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The signature of what stands at a path from the folder on, the empty one being the folder's own; `nil` where there is nothing.
  ///
  /// Only the last part is looked at without following links: whoever compares signatures has those of the folders on the way, too.
  package func signature(of path: String) -> FileSignature? {
    var information = stat()
    guard fstatat(descriptor, path.isEmpty ? "." : path, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return FileSignature(information)
  }
}
