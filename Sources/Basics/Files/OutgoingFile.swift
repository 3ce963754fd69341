#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is written piece by piece, for what is too large to be in memory: either the old one or the new one, as with ``AtomicFile``.
///
/// What is not finished is removed with the value. Standard output can stand in a file's place; what was written there stays.
package struct OutgoingFile: ~Copyable {
  private let file: NewFile
  /// Where it goes; `nil` for standard output.
  private let place: String?
  private var isFinished = false

  /// Begins the file beside its place.
  ///
  /// - Parameter path: `nil` for standard output.
  package init(_ path: String?) throws(FileError) {
    guard let path else {
      let descriptor = dup(STDOUT_FILENO)
      guard descriptor >= 0 else {
        throw FileError(operation: "write to", path: "standard output", code: errno)
      }
      file = NewFile(taking: descriptor, named: "standard output")
      place = nil
      return
    }
    let (folder, name) = FileSystem.parts(of: path)
    AtomicFile.removeAbandoned(in: folder)
    file = try AtomicFile.begin("\(folder)/.\(name).\(getpid())")
    place = path
  }

  deinit {
    // A file that cannot be removed is removed by whoever writes here next.
    if !isFinished, place != nil { try? FileSystem.remove(file.path) }
  }

  /// Where the file is until it is finished, for a library that writes by name.
  package var temporaryPath: String { file.path }

  package func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  /// Flushes it to the disk, and puts it in its place.
  package mutating func finish() throws(FileError) {
    if let place {
      try file.flush()
      try FileSystem.rename(file.path, place, for: "put the file in place")
      try AtomicFile.flushFolder(FileSystem.parts(of: place).folder)
    }
    isFinished = true
  }
}
