#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileSystem {
  /// Puts bytes into a file that is there, before the byte at `offset`; what stands behind moves on.
  ///
  /// Only the end of the file is read and written again. A machine that stops in the middle leaves it broken, so this is
  /// for files that nobody sees yet.
  package static func insert(_ bytes: [UInt8], at offset: Int, of path: String) throws(FileError) {
    let descriptor = try open(path, O_RDWR, for: "open the file")
    defer { close(descriptor) }
    var information = stat()
    try check("read the file", path) { fstat(descriptor, &information) }
    let rest = Int(information.st_size) - offset
    guard offset >= 0, rest >= 0 else {
      throw FileError(operation: "write the file", path: path, reason: "it is shorter than it was")
    }
    var end = bytes
    end.append(contentsOf: repeatElement(0, count: rest))
    let count = end.count
    try each("read the file", path, rest) { done in
      end.withUnsafeMutableBytes { buffer in
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[(bytes.count + done)...])
        return pread(descriptor, part.baseAddress, part.count, off_t(offset + done))
      }
    }
    try each("write the file", path, count) { done in
      end.withUnsafeBytes { buffer in
        let part = UnsafeRawBufferPointer(rebasing: buffer[done...])
        return pwrite(descriptor, part.baseAddress, part.count, off_t(offset + done))
      }
    }
  }

  /// Calls until `count` bytes are done; the call says how many it did.
  private static func each(
    _ operation: String, _ path: String, _ count: Int, _ call: (Int) -> Int
  ) throws(FileError) {
    var done = 0
    while done < count {
      let part = call(done)
      if part < 0, errno == EINTR { continue }
      guard part > 0 else {
        throw FileError(
          operation: operation, path: path, reason: part < 0 ? reason(errno) : "it is shorter than it was")
      }
      done += part
    }
  }
}
