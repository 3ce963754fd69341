#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is written piece by piece, for content that is too large for memory. The file is replaced atomically, as by ``AtomicFile``.
///
/// An unfinished file is removed with this value. Standard output can be used instead of a file; bytes written there cannot be removed.
package struct OutgoingFile: ~Copyable {
  private let file: NewFile
  /// The path of the finished file; `nil` for standard output.
  private let place: String?
  private var isFinished = false

  /// Creates a temporary file in the folder of the finished file.
  ///
  /// - Parameter path: the path of the finished file; `nil` for standard output.
  package init(_ path: String?) throws(FileError) {
    guard let path else {
      let descriptor = dup(STDOUT_FILENO)
      guard descriptor >= 0 else {
        throw FileError(operation: "write", path: "standard output", code: errno)
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
    // If the file cannot be removed now, the next write in this folder removes it.
    if !isFinished, place != nil { try? FileSystem.remove(file.path) }
  }

  /// The path of the unfinished file, for a library that writes to a path.
  package var temporaryPath: String { file.path }

  package func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  /// Flushes the file to the disk, and renames it to its path.
  package mutating func finish() throws(FileError) {
    if let place {
      try file.flush()
      try FileSystem.rename(file.path, place, for: "put the file in place")
      try AtomicFile.flushFolder(FileSystem.parts(of: place).folder)
    }
    isFinished = true
  }
}
