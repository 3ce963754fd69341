import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system's word that something changed in folders (inotify of Linux), which only tells that it is time to look: what changed is
/// found by looking, so that nothing depends on the order, the number or the completeness of events.
package struct FolderEvents: ~Copyable {
  private let descriptor: Int32

  /// - Throws: where the system has no such thing, or no more of it for this user (EMFILE).
  package init() throws(FileError) {
    descriptor = cfiles_events_open()
    guard descriptor >= 0 else {
      throw FileError(operation: "watch folders", path: "inotify", code: errno)
    }
  }

  deinit { close(descriptor) }

  /// Watches what happens in a folder, but not in the folders below it.
  ///
  /// - Throws: where the user may watch no more folders (ENOSPC); a folder that is gone by now is no error.
  package func watch(_ folder: String) throws(FileError) {
    guard cfiles_events_add(descriptor, folder) < 0 else { return }
    let code = errno
    switch code {
    // Gone, replaced by something else, or closed to us: looking at it tells the same.
    case ENOENT, ENOTDIR, ELOOP, EACCES: return
    // Not the disk: https://man7.org/linux/man-pages/man2/inotify_add_watch.2.html
    case ENOSPC:
      throw FileError(
        operation: "watch the folder", path: folder,
        reason: "the system allows you no more watched folders (fs.inotify.max_user_watches)")
    default: throw FileError(operation: "watch the folder", path: folder, code: code)
    }
  }

  /// Waits until something has happened, or so many milliseconds have passed.
  ///
  /// - Returns: whether something has happened since the last time; what is not known counts as that.
  package func wait(milliseconds: Int) -> Bool { cfiles_events_wait(descriptor, Int32(milliseconds)) != 0 }
}
