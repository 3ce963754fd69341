#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An exclusive lock of a folder, held as long as this object exists. The system also releases the lock when the process crashes or is killed.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Closing the descriptor is not enough: a child process that is being started shares open descriptors, and thus the lock, until it
    // executes its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Creates the folder if it is missing, and locks it.
  ///
  /// - Returns: `nil` if another process has the lock.
  package static func take(_ folder: String) throws(FileError) -> FolderLock? {
    // The previous owner may remove the folder after it is opened here and before it is locked. Then a new folder is locked.
    for _ in 0..<100 {
      try FileSystem.makeFolders(folder)
      let descriptor: Int32
      do throws(FileError) {
        descriptor = try FileSystem.open(folder, O_RDONLY | O_DIRECTORY, for: "open the folder")
      } catch {
        if error.kind == .missing { continue }
        throw error
      }
      let lock = FolderLock(descriptor: descriptor)
      // Other errors mean that the file system has no locks (some network file systems). The folder is then used without a lock.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
      if FileSystem.isStill(folder, descriptor) { return lock }
    }
    return nil
  }
}

extension FileSystem {
  /// Returns whether an open file or folder still has this path.
  static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
    var named = stat()
    var opened = stat()
    return lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
  }
}
