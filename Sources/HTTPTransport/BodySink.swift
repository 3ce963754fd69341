#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
