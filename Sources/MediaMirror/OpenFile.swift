import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A regular file that is open for reading, and closed with this; a symbolic link is refused.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  let count: Int

  init(_ path: String) throws(FileError) {
    (descriptor, count) = try Self.opened(path)
  }

  private static func opened(_ path: String) throws(FileError) -> (descriptor: Int32, count: Int) {
    // Without waiting: a pipe of that name would wait for its other end.
    let descriptor = try FileSystem.check("open the file", path) {
      open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FileError(operation: "read the file", path: path, reason: "it is not a regular file")
    }
    return (descriptor, Int(information.st_size))
  }

  deinit { close(descriptor) }
}
