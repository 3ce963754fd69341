#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The sole right to a folder, for as long as this lives: the system takes it back from a process that ends, however it ends.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Makes the folder if it is missing, and takes it.
  ///
  /// - Returns: `nil` where another process has it.
  package static func take(_ folder: String) throws(FileError) -> FolderLock? {
    // Whoever had it may remove it between our opening it and our taking it; then there is a new one to take.
    for _ in 0..<100 {
      try FileSystem.makeFolders(folder)
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else {
        throw FileError(operation: "open the folder", path: folder, reason: FileSystem.reason(errno))
      }
      let lock = FolderLock(descriptor: descriptor)
      // A file system without locks (some network ones) says so, and then there is none to take.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
      if isStill(folder, descriptor) { return lock }
    }
    return nil
  }

  private static func isStill(_ folder: String, _ descriptor: Int32) -> Bool {
    var named = stat()
    var opened = stat()
    return lstat(folder, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
  }
}
