import Basics

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Functions that read a file piece by piece.
enum FilePieces {
  private static let size = 256 << 10

  /// - Parameter path: a regular file; a symbolic link is refused.
  static func read(
    _ path: String, _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Void
  ) throws(MediaError) {
    let file: OpenFile
    do {
      file = try OpenFile(path)
    } catch {
      throw .file(error)
    }
    try read(file.descriptor, expecting: file.count, path, body)
  }

  /// - Parameters:
  ///   - descriptor: an open file, which is read from its current position to its end.
  ///   - count: the expected size of the file in bytes; the buffer for a small file is small.
  ///   - path: the file's path for error messages.
  static func read(
    _ descriptor: Int32, expecting count: Int, _ path: String,
    _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Void
  ) throws(MediaError) {
    let room = max(1, min(size, count))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = readBytes(descriptor, buffer)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .file(FileError(operation: "read the file", path: path, code: errno))
      }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}

/// Outside of the type, whose functions have the same name as the system's.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
