import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file read a piece at a time.
enum FilePieces {
  private static let size = 256 << 10

  /// - Parameter path: a regular file; a symbolic link is refused.
  static func read(
    _ path: String, _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Void
  ) throws(MediaError) {
    let descriptor = try opened(path)
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = readBytes(descriptor, buffer)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .file(FileError(operation: "read the file", path: path, reason: FileSystem.reason(errno)))
      }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func opened(_ path: String) throws(MediaError) -> Int32 {
    do throws(FileError) {
      // Without waiting: a pipe of that name would wait for its other end.
      let descriptor = try FileSystem.check("open the file", path) {
        open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      }
      var information = stat()
      guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw FileError(operation: "read the file", path: path, reason: "it is not a regular file")
      }
      return descriptor
    } catch {
      throw .file(error)
    }
  }

  private static func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }
}
