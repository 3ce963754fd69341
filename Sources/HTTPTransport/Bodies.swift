#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is the body of a request, read while it is sent.
final class BodySource {
  private let path: String
  private var descriptor: Int32 = -1
  private var offset = 0
  /// The size in bytes when the file was opened.
  private(set) var count = 0

  init(_ path: String) { self.path = path }

  deinit { end() }

  /// - Returns: the reason for a failure, for messages; `nil` on success.
  func begin() -> String? {
    guard descriptor < 0 else { return nil }
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var information = stat()
    guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
      return "could not open the file \(path): \(String(cString: strerror(errno)))"
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      return "could not send \(path): it is not a regular file"
    }
    count = Int(information.st_size)
    return nil
  }

  /// Reads as many bytes as are available into a buffer.
  ///
  /// - Returns: the number of bytes; 0 at the end, `nil` if reading failed.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      // Never more than the announced length, even if the file grows.
      let part = pread(descriptor, buffer.baseAddress, min(buffer.count, count - offset), off_t(offset))
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { return nil }
      offset += part
      return part
    }
  }

  /// Moves to an offset. This is needed when a connection is dead and the request is sent again.
  func seek(to place: Int) -> Bool {
    guard (0...count).contains(place) else { return false }
    offset = place
    return true
  }

  func end() {
    if descriptor >= 0 { _ = close(descriptor) }
    descriptor = -1
  }
}

/// The destination of a body as it arrives: memory or a file.
final class BodySink {
  private let path: String?
  private var descriptor: Int32 = -1
  private(set) var bytes: [UInt8] = []

  /// - Parameter path: the file, created or emptied by `begin`; `nil` for memory.
  init(_ path: String?) { self.path = path }

  deinit { end() }

  /// - Returns: the reason for a failure, for messages; `nil` on success.
  func begin() -> String? {
    guard let path, descriptor < 0 else { return nil }
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
    return descriptor < 0 ? "could not create the file \(path): \(Self.reason())" : nil
  }

  /// - Returns: the reason for a failure, for messages; `nil` on success.
  func append(_ part: UnsafeRawBufferPointer) -> String? {
    guard let path else {
      bytes.append(contentsOf: part)
      return nil
    }
    var rest = part
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return "could not write the file \(path): \(Self.reason())" }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
  }

  /// - Returns: the reason why the file may be incomplete, for messages; `nil` on success.
  @discardableResult
  func end() -> String? {
    guard let path, descriptor >= 0 else { return nil }
    defer { descriptor = -1 }
    let code = close(descriptor)
    return code != 0 && errno != EINTR ? "could not write the file \(path): \(Self.reason())" : nil
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
