import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is either the old one or the new one, whatever happens in between.
///
/// The new one is written beside it, as `.<name>.<process>-<number>.tmp`, locked until it has its name: so what a killed program left can
/// be told from what a living one is writing, on whatever machine that is.
package enum AtomicFile {
  /// Writes beside the file, flushes to the disk, renames, and flushes the folder, so that the name lasts, too.
  ///
  /// - Parameter keepsMode: whether who may read and write the file stays as it was: for files that belong to the user.
  package static func write(_ bytes: [UInt8], to path: String, keepsMode: Bool = false) throws(FileError) {
    let (folder, name) = FileSystem.parts(of: path)
    let mode = keepsMode ? try FileSystem.information(on: path)?.st_mode : nil
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

  /// A new file that is locked.
  ///
  /// Its name is free unless a program with the same process id was killed here, or lives on another machine.
  static func begin(_ stem: String) throws(FileError) -> NewFile {
    for attempt in 0..<100 {
      guard let file = try NewFile("\(stem)-\(attempt)\(ending)") else { continue }
      // Between its making and its locking, another program may take it for one that was left, and remove it.
      if flock(file.descriptor, LOCK_EX) != 0 { return file }  // No locks here: then nobody removes anything.
      var information = stat()
      if fstat(file.descriptor, &information) == 0, information.st_nlink > 0 { return file }
    }
    throw FileError(
      operation: "create the file", path: stem + ending, reason: "other programs have left files of that name"
    )
  }

  /// Removes the files that killed programs left half-written in a folder: those whose lock nobody holds.
  ///
  /// One that cannot be looked at stays, as in a folder that is read-only: it does no harm.
  package static func removeAbandoned(in folder: String) {
    // A folder that is missing, or cannot be listed, has nothing to tidy up for us.
    guard let entries = try? FileSystem.entries(of: folder) else { return }
    for entry in entries where entry.kind == .file && isTemporary(entry.name) {
      let path = "\(folder)/\(entry.name)"
      let descriptor = cfiles_open(path, O_RDONLY | O_NONBLOCK, 0)
      guard descriptor >= 0 else { continue }
      // Still locked while it is removed, so that whoever has just made it sees that it is gone.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileSystem.isStill(path, descriptor) {
        try? FileSystem.remove(path)
      }
      close(descriptor)
    }
  }

  /// `.<name>.<process>-<number>.tmp`
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

  /// Makes the names in a folder last. Some network file systems cannot, and say EINVAL.
  package static func flushFolder(_ path: String) throws(FileError) {
    let descriptor = try FileSystem.open(path, O_RDONLY | O_DIRECTORY, for: "flush the folder")
    defer { close(descriptor) }
    try FileSystem.check("flush the folder", path) { fsync(descriptor) == 0 || errno == EINVAL ? 0 : -1 }
  }
}
