import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file of byte pieces that are needed again later and would meanwhile take too much memory.
///
/// Threads may write and read concurrently.
package final class SpoolFile: Sendable {
  private let path: String
  private let descriptor: Int32
  private let end: Atomic<Int>
  /// Whether pieces can be added.
  package let isWritable: Bool

  /// Creates the file.
  ///
  /// - Throws: `FileError` if the path exists or the file cannot be created.
  package init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = try FileSystem.open(path, O_RDWR | O_CREAT | O_EXCL, for: "create the file")
    end = Atomic(0)
    isWritable = true
  }

  /// Creates a file without a name in a folder. It disappears with this value, even if the program is killed.
  package convenience init(unnamedIn folder: String) throws(FileError) {
    // Named like the files of `AtomicFile`, which removes them if the program is killed before the next line.
    try self.init("\(folder)/.spool.\(getpid())-\(UInt64.random(in: 0 ... .max)).tmp")
    try FileSystem.remove(path)
  }

  /// Opens an existing file for reading and, if it is writable, for adding pieces.
  package init(existing path: String) throws(FileError) {
    self.path = path
    // A file that is not writable can still be read.
    if let writable = try? FileSystem.open(path, O_RDWR | O_NOFOLLOW, for: "open the file") {
      descriptor = writable
      isWritable = true
    } else {
      descriptor = try FileSystem.open(path, O_RDONLY | O_NOFOLLOW, for: "read the file")
      isWritable = false
    }
    let size = lseek(descriptor, 0, SEEK_END)
    end = Atomic(max(0, Int(size)))
  }

  /// The number of bytes.
  package var count: Int { end.load(ordering: .relaxed) }

  deinit { close(descriptor) }

  /// Moves the file to a path in the folder `top`, even on a different disk, where it replaces an existing file or folder. Must be called
  /// after all writes.
  package func move(to place: String, below top: String) throws(FileError) {
    try FileSystem.put(path, at: place, below: top)
  }

  /// Adds a piece.
  ///
  /// - Returns: the byte range of the piece, for `read`.
  package func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    let start = end.wrappingAdd(bytes.count, ordering: .relaxed).oldValue
    try write(bytes, at: start)
    return start..<start + bytes.count
  }

  /// Overwrites everything except these pieces with zeros, so that no byte of other pieces remains on disk.
  ///
  /// Bytes that are already zero are not written again. Must not be called while another thread uses the file.
  package func erase(except pieces: [Range<Int>]) throws(FileError) {
    var start = 0
    for piece in pieces.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      try erase(start..<max(start, piece.lowerBound))
      start = max(start, piece.upperBound)
    }
    try erase(start..<max(start, count))
  }

  /// Overwrites a range with zeros.
  package func erase(_ range: Range<Int>) throws(FileError) {
    let size = 1 << 16
    for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let bytes = try read(start..<min(start + size, range.upperBound))
      if bytes.contains(where: { $0 != 0 }) {
        try write([UInt8](repeating: 0, count: bytes.count), at: start)
      }
    }
  }

  private func write(_ bytes: [UInt8], at start: Int) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written,
          off_t(start + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(operation: "write the file", path: path, code: errno) }
      written += count
    }
  }

  /// Reads a piece.
  ///
  /// - Throws: `FileError` if the file cannot be read, or ends before the end of the piece.
  package func read(_ piece: Range<Int>) throws(FileError) -> [UInt8] {
    let bytes = try FileSystem.read(piece.count, at: piece.lowerBound, from: descriptor, path)
    guard bytes.count == piece.count else {
      throw FileError(operation: "read the file", path: path, reason: "it is shorter than it was")
    }
    return bytes
  }
}
