import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileSystem {
  /// Bytes of a regular file; `nil` where there is none, or something else.
  static func size(of path: String) -> Int? {
    var information = stat()
    guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(information.st_size)
  }
}
