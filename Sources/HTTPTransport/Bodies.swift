#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is the body of a request, read as it is sent.
final class BodySource {
  private let path: String
  private var descriptor: Int32 = -1
  private var offset = 0
  /// Bytes, as of its opening.
  private(set) var count = 0

  init(_ path: String) { self.path = path }

  deinit { close() }

  /// - Returns: why not, in words.
  func open() -> String? {
    guard descriptor < 0 else { return nil }
    #if canImport(Darwin)
      descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    #else
      descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    #endif
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

  /// Fills as much of a buffer as there is.
  ///
  /// - Returns: how many bytes; 0 at the end, `nil` where it cannot be read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      // No more than was announced, even if the file grows.
      let part = pread(descriptor, buffer.baseAddress, min(buffer.count, count - offset), off_t(offset))
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { return nil }
      offset += part
      return part
    }
  }

  /// Goes to a place, as when a connection turns out to be dead and the request is sent once more.
  func seek(to place: Int) -> Bool {
    guard (0...count).contains(place) else { return false }
    offset = place
    return true
  }

  func close() {
    #if canImport(Darwin)
      if descriptor >= 0 { _ = Darwin.close(descriptor) }
    #else
      if descriptor >= 0 { _ = Glibc.close(descriptor) }
    #endif
    descriptor = -1
  }
}

/// Where a body goes as it arrives: to memory, or to a file.
final class BodySink {
  private let path: String?
  private var descriptor: Int32 = -1
  private(set) var bytes: [UInt8] = []

  /// - Parameter path: the file, made or emptied by `open`; `nil` for memory.
  init(_ path: String?) { self.path = path }

  deinit { close() }

  /// - Returns: why not, in words.
  func open() -> String? {
    guard let path, descriptor < 0 else { return nil }
    #if canImport(Darwin)
      descriptor = Darwin.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
    #else
      descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
    #endif
    return descriptor < 0 ? "could not create the file \(path): \(Self.reason())" : nil
  }

  /// - Returns: why not, in words.
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

  /// - Returns: why the file may lack what was written, in words.
  @discardableResult
  func close() -> String? {
    guard let path, descriptor >= 0 else { return nil }
    defer { descriptor = -1 }
    #if canImport(Darwin)
      let code = Darwin.close(descriptor)
    #else
      let code = Glibc.close(descriptor)
    #endif
    return code != 0 && errno != EINTR ? "could not write the file \(path): \(Self.reason())" : nil
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
