import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Notifications of the system about changes in folders (inotify of Linux). They only show when to compare files. The comparison finds the
/// changes, so nothing depends on the order, the number or the completeness of events.
package struct FolderEvents: ~Copyable {
  private let descriptor: Int32

  /// - Throws: `FileError` if the system has no such notifications, or the user's limit is reached (EMFILE).
  package init() throws(FileError) {
    descriptor = cfiles_events_open()
    guard descriptor >= 0 else {
      throw FileError(operation: "watch folders", path: "inotify", code: errno)
    }
  }

  deinit { close(descriptor) }

  /// Watches a folder, but not its subfolders.
  ///
  /// - Throws: `FileError` if the user may not watch more folders (ENOSPC), or for other errors. A folder that no longer exists is not an
  ///   error.
  package func watch(_ folder: String) throws(FileError) {
    guard cfiles_events_add(descriptor, folder) < 0 else { return }
    let code = errno
    switch code {
    // The folder was removed, replaced or made unreadable, which the comparison of files also detects.
    case ENOENT, ENOTDIR, ELOOP, EACCES: return
    // ENOSPC does not mean a full disk here: https://man7.org/linux/man-pages/man2/inotify_add_watch.2.html
    case ENOSPC:
      throw FileError(
        operation: "watch the folder", path: folder,
        reason: "the system's limit of watched folders is reached (fs.inotify.max_user_watches)")
    default: throw FileError(operation: "watch the folder", path: folder, code: code)
    }
  }

  /// Waits for an event, at most this number of milliseconds.
  ///
  /// - Returns: whether there was an event since the last call; `true` if this is unknown.
  package func wait(milliseconds: Int) -> Bool { cfiles_events_wait(descriptor, Int32(milliseconds)) != 0 }
}
