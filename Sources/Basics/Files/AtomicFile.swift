import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Atomic writing: at any time, the file has either its old or its new content, even after a crash.
///
/// The new content is written to a temporary file in the same folder, `.<name>.<process>-<number>.tmp`, which is locked until it is
/// renamed. The lock distinguishes files of running programs, even on other machines, from files left by killed programs.
package enum AtomicFile {
  /// Writes a temporary file, flushes it to the disk, renames it, and flushes the folder, so that the name is also on the disk.
  ///
  /// - Parameter keepsMode: whether the permissions of the file stay unchanged, for files that belong to the user.
  package static func write(_ bytes: [UInt8], to path: String, keepsMode: Bool = false) throws(FileError) {
    let (folder, name) = FileSystem.parts(of: path)
    let mode = keepsMode ? try FileSystem.information(on: path)?.st_mode : nil
    // Putting a new file in place needs only a writable folder, but a user who makes a file read-only wants to keep it.
    if mode != nil { try FileSystem.check("change the file", path) { access(path, W_OK) } }
    let file = try begin("\(folder)/.\(name).\(getpid())")
    do throws(FileError) {
      if let mode {
        try FileSystem.check("set the mode of the file", path) { fchmod(file.descriptor, mode & 0o7777) }
      }
      try file.write(bytes)
      try file.flush()
      try FileSystem.rename(file.path, path, for: "put the file in place")
      try flushFolder(folder)
    } catch {
      try FileSystem.remove(file.path)
      throw error
    }
  }

  private static let ending = ".tmp"

  /// Creates a new, locked file with a free name.
  ///
  /// A name is taken only if a program with the same process ID was killed, or runs on another machine.
  ///
  /// - Throws: `FileError` if 100 names are taken.
  static func begin(_ stem: String) throws(FileError) -> NewFile {
    for attempt in 0..<100 {
      guard let file = try NewFile("\(stem)-\(attempt)\(ending)") else { continue }
      // Before the new file is locked, another program may consider it abandoned and remove it.
      if flock(file.descriptor, LOCK_EX) != 0 { return file }  // Without locks, no program removes files.
      var information = stat()
      if fstat(file.descriptor, &information) == 0, information.st_nlink > 0 { return file }
    }
    throw FileError(
      operation: "create the file", path: stem + ending, reason: "other programs have left files of that name"
    )
  }

  /// Removes temporary files left by killed programs in a folder, which are the files without a lock.
  ///
  /// A file that cannot be opened or removed, as in a read-only folder, stays and does no harm.
  package static func removeAbandoned(in folder: String) {
    // In a folder that is missing, or cannot be listed, nothing can be removed.
    guard let entries = try? FileSystem.entries(of: folder) else { return }
    for entry in entries where entry.kind == .file && isTemporary(entry.name) {
      let path = "\(folder)/\(entry.name)"
      let descriptor = cfiles_open(path, O_RDONLY | O_NONBLOCK, 0)
      guard descriptor >= 0 else { continue }
      // The file is locked while it is removed, so that a program that has just created it waits, and then detects the removal.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileSystem.isStill(path, descriptor) {
        try? FileSystem.remove(path)
      }
      close(descriptor)
    }
  }

  /// Returns whether a name has the form `.<name>.<process>-<number>.tmp`.
  private static func isTemporary(_ name: String) -> Bool {
    guard name.hasPrefix("."), name.hasSuffix(ending) else { return false }
    let stem = name.utf8.dropFirst().dropLast(ending.utf8.count)
    guard let dot = stem.lastIndex(of: UInt8(ascii: ".")), dot > stem.startIndex else { return false }
    let process = stem[stem.index(after: dot)...]
    return !process.isEmpty
      && process.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
      }
  }

  /// Flushes the names in a folder to the disk. Some network file systems do not support this and return EINVAL, which is ignored.
  package static func flushFolder(_ path: String) throws(FileError) {
    let descriptor = try FileSystem.open(path, O_RDONLY | O_DIRECTORY, for: "flush the folder")
    defer { close(descriptor) }
    try FileSystem.check("flush the folder", path) { fsync(descriptor) == 0 || errno == EINVAL ? 0 : -1 }
  }
}
