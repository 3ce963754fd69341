#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files as bytes.
package enum FileBytes {
  /// All of a regular file.
  package static func read(_ path: String) throws(SiteOutputError) -> [UInt8] {
    let descriptor = try POSIXFile.check("open the file", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    var information = stat()
    try POSIXFile.check("read the file", path) { fstat(descriptor, &information) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw .file(operation: "read the file", path: path, reason: "it is not a regular file")
    }
    var failure: Int32 = 0
    let size = Int(information.st_size)
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
      throw .file(operation: "read the file", path: path, reason: POSIXFile.reason(failure))
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
