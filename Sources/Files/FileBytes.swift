#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files as bytes.
package enum FileBytes {
  /// All of a regular file.
  ///
  /// - Parameters:
  ///   - limit: the most bytes that are read: a longer file is an error, found before it is read.
  ///   - followsLink: whether the path may be a symbolic link.
  package static func read(
    _ path: String, atMost limit: Int = .max, followsLink: Bool = true
  ) throws(FileError) -> [UInt8] {
    let flags = O_RDONLY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = try FileSystem.check("open the file", path) { open(path, flags) }
    defer { close(descriptor) }
    var information = stat()
    try FileSystem.check("read the file", path) { fstat(descriptor, &information) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw FileError(operation: "read the file", path: path, reason: "it is not a regular file")
    }
    var failure: Int32 = 0
    let size = Int(information.st_size)
    guard size <= limit else {
      throw FileError(
        operation: "read the file", path: path,
        reason: "its \(size) bytes are more than the \(limit) it may have")
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let base = buffer.baseAddress {
        let part = readBytes(descriptor, base + count, size - count)
        if part < 0, errno == EINTR { continue }
        if part < 0 { failure = errno }
        if part <= 0 { break }
        count += part
      }
    }
    guard failure == 0 else {
      throw FileError(operation: "read the file", path: path, reason: FileSystem.reason(failure))
    }
    return bytes
  }

  private static func readBytes(_ descriptor: Int32, _ start: UnsafeMutableRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, start, count)
    #else
      Glibc.read(descriptor, start, count)
    #endif
  }
}
