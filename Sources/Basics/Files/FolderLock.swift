#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The sole right to a folder, for as long as this lives: the system takes it back from a process that ends, however it ends.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Closing alone would not do: a child that is just being started shares what is open until it becomes another program, and with it
    // the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Makes the folder if it is missing, and takes it.
  ///
  /// - Returns: `nil` where another process has it.
  package static func take(_ folder: String) throws(FileError) -> FolderLock? {
    // Whoever had it may remove it between our opening it and our taking it; then there is a new one to take.
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
      // A file system without locks (some network ones) says so, and then there is none to take.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
      if FileSystem.isStill(folder, descriptor) { return lock }
    }
    return nil
  }
}

extension FileSystem {
  /// Whether what is open still has this name.
  static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
    var named = stat()
    var opened = stat()
    return lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
  }
}
