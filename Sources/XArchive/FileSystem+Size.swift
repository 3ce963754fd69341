import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileSystem {
  /// Bytes of a regular file, perhaps at the end of a symbolic link; `nil` where there is none.
  static func size(of path: String) -> Int? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(information.st_size)
  }
}
