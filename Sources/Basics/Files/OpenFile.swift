import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A regular file that is open for reading, and closed with this value.
///
/// Facts about the file remain true of the bytes that are read later, even if another file replaces it meanwhile.
package struct OpenFile: ~Copyable {
  package let path: String
  /// The descriptor. Callers may read from it but not close it.
  package let descriptor: Int32
  /// The size in bytes when the file was opened.
  package let count: Int

  /// Opens a file without blocking.
  ///
  /// - Throws: `FileError` if the file cannot be opened, if a part of the path is a symbolic link, or for a pipe, a socket, a device or a folder.
  package init(_ path: String) throws(FileError) {
    self.path = path
    (descriptor, count) = try Self.open(path)
  }

  private static func open(_ path: String) throws(FileError) -> (descriptor: Int32, count: Int) {
    // O_NONBLOCK, because opening a pipe would wait for its other end.
    let descriptor = cfiles_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
    guard descriptor >= 0 else {
      let code = errno
      // A socket, or a device without a driver.
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

  /// The current signature of the file; `nil` if the system does not provide it.
  package var signature: FileSignature? {
    var information = stat()
    return fstat(descriptor, &information) == 0 ? FileSignature(information) : nil
  }

  /// Reads all bytes.
  ///
  /// - Parameter limit: the maximum size in bytes. A longer file is an error, which is thrown before reading.
  package func bytes(atMost limit: Int = .max) throws(FileError) -> [UInt8] {
    guard count <= limit else {
      throw FileError(
        operation: "read the file", path: path,
        reason: "its \(count) bytes are more than the \(limit) it may have", kind: .tooLarge)
    }
    return try bytes(count, at: 0)
  }

  /// Reads bytes from an offset; fewer than `length` if the file ends before.
  package func bytes(_ length: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try FileSystem.read(length, at: offset, from: descriptor, path)
  }
}

extension FileSystem {
  /// Reads bytes of an open file from an offset; fewer than `length` if the file ends before.
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

/// Reading of whole files.
package enum FileBytes {
  /// Reads a whole regular file by the rules of ``OpenFile``.
  ///
  /// - Parameter limit: the maximum size in bytes. A longer file is an error, which is thrown before reading.
  package static func read(_ path: String, atMost limit: Int = .max) throws(FileError) -> [UInt8] {
    try OpenFile(path).bytes(atMost: limit)
  }
}
