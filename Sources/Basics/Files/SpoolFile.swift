import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Pieces of bytes on the disk, for what is made now, is needed once more, and would take too much memory meanwhile.
///
/// Written and read from many threads at once.
package final class SpoolFile: Sendable {
  private let path: String
  private let descriptor: Int32
  private let end: Atomic<Int>
  /// Whether pieces can be added.
  package let isWritable: Bool

  /// Makes the file, which nothing may stand in the place of.
  package init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = try FileSystem.open(path, O_RDWR | O_CREAT | O_EXCL, for: "create the file")
    end = Atomic(0)
    isWritable = true
  }

  /// Opens one that was made before: to read from and, where it may be written to, to add to.
  package init(existing path: String) throws(FileError) {
    self.path = path
    // What may not be written to can still be read.
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

  /// Bytes in it.
  package var count: Int { end.load(ordering: .relaxed) }

  deinit { close(descriptor) }

  /// Puts the file in a place below `top`, in which it replaces whatever is there, also on another disk; to be called when all of it is written.
  package func move(to place: String, below top: String) throws(FileError) {
    try FileSystem.put(path, at: place, below: top)
  }

  /// Adds a piece.
  ///
  /// - Returns: what `read` finds it by.
  package func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    let start = end.wrappingAdd(bytes.count, ordering: .relaxed).oldValue
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
    return start..<start + bytes.count
  }

  /// A piece.
  package func read(_ piece: Range<Int>) throws(FileError) -> [UInt8] {
    let bytes = try FileSystem.read(piece.count, at: piece.lowerBound, from: descriptor, path)
    guard bytes.count == piece.count else {
      throw FileError(operation: "read the file", path: path, reason: "it is shorter than it was")
    }
    return bytes
  }
}
