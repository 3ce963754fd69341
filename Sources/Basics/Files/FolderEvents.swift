import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Notifications of the system about changes in folders (inotify of Linux). They only show when and where to compare files. The comparison
/// finds the changes, so nothing depends on the order or the number of events.
package struct FolderEvents: ~Copyable {
  /// The folders with events.
  package enum Changes: Equatable, Sendable {
    case none
    case folders(Set<String>)
    /// Any folder may have changed, because the system lost events.
    case unknown

    /// Returns the folders of both.
    package func union(_ other: Changes) -> Changes {
      switch (self, other) {
      case (.none, let one), (let one, .none): one
      case (.folders(let first), .folders(let second)): .folders(first.union(second))
      default: .unknown
      }
    }
  }

  private let descriptor: Int32
  /// The watched folders by the system's numbers. Several paths may lead to the same folder.
  private var folders: [Int32: Set<String>] = [:]

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
  package mutating func watch(_ folder: String) throws(FileError) {
    let number = cfiles_events_add(descriptor, folder)
    guard number < 0 else {
      folders[number, default: []].insert(folder)
      return
    }
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

  /// The maximum number of events of one wait whose folders are distinguished.
  private static let capacity = 1024

  /// Waits for an event, at most this number of milliseconds.
  ///
  /// - Returns: the folders with events since the last call.
  package func wait(milliseconds: Int) -> Changes {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.capacity) { numbers in
      let count = Int(
        cfiles_events_wait(
          descriptor, Int32(milliseconds), numbers.baseAddress, Int32(Self.capacity)))
      guard count != 0 else { return .none }
      guard (1...Self.capacity).contains(count) else { return .unknown }
      var changed: Set<String> = []
      for number in numbers[..<count] {
        guard let paths = folders[number] else { return .unknown }
        changed.formUnion(paths)
      }
      return .folders(changed)
    }
  }
}
