import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A regular file that is open for reading, and closed with this.
///
/// What is found out about it holds for what is read later, even if something else takes its name in between.
package struct OpenFile: ~Copyable {
  package let path: String
  /// Borrowed by those who read from it.
  package let descriptor: Int32
  /// Bytes, as of its opening.
  package let count: Int

  /// Opens a file; a symbolic link in any part of the path, a pipe, a socket, a device and a folder are errors, and none of them
  /// is waited for.
  package init(_ path: String) throws(FileError) {
    self.path = path
    (descriptor, count) = try Self.open(path)
  }

  private static func open(_ path: String) throws(FileError) -> (descriptor: Int32, count: Int) {
    // Without waiting: a pipe would wait for its other end.
    let descriptor = cfiles_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
    guard descriptor >= 0 else {
      let code = errno
      // A socket, or a device that nobody serves.
      if code == ENXIO || code == ENODEV { throw .notRegular(path) }
      throw FileError(operation: "open the file", path: path, code: code)
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notRegular(path)
    }
    return (descriptor, Int(information.st_size))
  }

  deinit { close(descriptor) }

  /// What tells this version of the file from the next; `nil` where the system does not say.
  package var signature: FileSignature? {
    var information = stat()
    return fstat(descriptor, &information) == 0 ? FileSignature(information) : nil
  }

  /// All of it.
  ///
  /// - Parameter limit: the most bytes that are read: a longer file is an error, found before it is read.
  package func bytes(atMost limit: Int = .max) throws(FileError) -> [UInt8] {
    guard count <= limit else {
      throw FileError(
        operation: "read the file", path: path,
        reason: "its \(count) bytes are more than the \(limit) it may have", kind: .tooLarge)
    }
    return try bytes(count, at: 0)
  }

  /// So many bytes from a place on; fewer where the file ends before.
  package func bytes(_ length: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try FileSystem.read(length, at: offset, from: descriptor, path)
  }
}

extension FileSystem {
  /// So many bytes of an open file from a place on; fewer where it ends before.
  package static func read(
    _ length: Int, at offset: Int, from descriptor: Int32, _ path: String
  ) throws(FileError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      while filled < length, let base = buffer.baseAddress {
        let part = pread(descriptor, base + filled, length - filled, off_t(offset + filled))
        if part < 0, errno == EINTR { continue }
        if part < 0 { failure = errno }
        if part <= 0 { break }
        filled += part
      }
    }
    guard failure == 0 else { throw FileError(operation: "read the file", path: path, code: failure) }
    return bytes
  }
}

/// Files as bytes.
package enum FileBytes {
  /// All of a regular file, by the rules of ``OpenFile``.
  ///
  /// - Parameter limit: the most bytes that are read: a longer file is an error, found before it is read.
  package static func read(_ path: String, atMost limit: Int = .max) throws(FileError) -> [UInt8] {
    try OpenFile(path).bytes(atMost: limit)
  }
}
