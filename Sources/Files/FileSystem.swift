import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The few things that the store and the site ask of the file system; every return code is looked at.
///
/// POSIX calls, as they are a third of the cost of Foundation's, and say what a path is without following links.
package enum FileSystem {
  /// Runs a call until it is not interrupted; a negative result becomes a typed error.
  @discardableResult
  package static func check(
    _ operation: String, _ path: String, _ call: () -> Int32
  ) throws(FileError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno == EINTR { continue }
      throw FileError(operation: operation, path: path, reason: reason(errno))
    }
  }

  /// What an `errno` says to the user.
  package static func reason(_ code: Int32) -> String {
    switch code {
    case ENOSPC, EDQUOT: "the disk is full"
    case EACCES, EPERM: "you have no permission"
    case EROFS: "the file system is read-only"
    default: String(cString: strerror(code))
    }
  }

  /// Writes a whole new file, making the folders on its way where they are missing; who may read it is the umask's to say.
  ///
  /// - Returns: `false`, with nothing written, where there is something of that name.
  package static func writeNew(_ bytes: [UInt8], to path: String) throws(FileError) -> Bool {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    var descriptor = open(path, flags, 0o666)
    if descriptor < 0, errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try makeFolders(String(path[..<slash]))
      descriptor = open(path, flags, 0o666)
    }
    if descriptor < 0, errno == EEXIST { return false }
    guard descriptor >= 0 else {
      throw FileError(operation: "create the file", path: path, reason: reason(errno))
    }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { writeBytes(descriptor, $0 + written, bytes.count - written) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        close(descriptor)
        throw FileError(operation: "write the file", path: path, reason: reason(code))
      }
      written += count
    }
    // A full disk may only show here.
    guard close(descriptor) == 0 || errno == EINTR else {
      throw FileError(operation: "write the file", path: path, reason: reason(errno))
    }
    return true
  }

  private static func writeBytes(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, start, count)
    #else
      Glibc.write(descriptor, start, count)
    #endif
  }

  /// Makes a folder and those above it; one that is there already is fine.
  package static func makeFolders(_ path: String) throws(FileError) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex
    else {
      throw FileError(operation: "make the folder", path: path, reason: reason(errno))
    }
    try makeFolders(String(path[..<slash]))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw FileError(operation: "make the folder", path: path, reason: reason(errno))
    }
  }

  /// What stands at a path, symbolic links not followed.
  package enum Kind: Sendable { case nothing, link, folder, file, other }

  package static func kind(of path: String) -> Kind {
    var information = stat()
    guard lstat(path, &information) == 0 else { return .nothing }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    case S_IFREG: return .file
    default: return .other
    }
  }

  /// Whether there is a folder, perhaps at the end of a symbolic link.
  package static func isFolder(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }

  /// Names in a folder, without `.` and `..`, sorted by bytes.
  package static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else {
      throw FileError(operation: "list the folder", path: path, reason: reason(errno))
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = name(of: entry)
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    return String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
  }

  /// Removes a file or a folder with all that it holds; symbolic links are removed, never followed.
  package static func remove(_ path: String) throws(FileError) {
    if unlink(path) == 0 || errno == ENOENT { return }
    let code = errno
    guard kind(of: path) == .folder else {
      throw FileError(operation: "remove the file", path: path, reason: reason(code))
    }
    for name in try names(in: path) { try remove(path + "/" + name) }
    try check("remove the folder", path) { rmdir(path) }
  }

  package static func move(_ path: String, to target: String) throws(FileError) {
    try check("put the folder in place", target) { rename(path, target) }
  }

  /// Puts the folder `new` where `folder` is, at once where the system can; otherwise `folder` goes to `aside` first.
  ///
  /// What was there before is then at `new` or at `aside`.
  package static func replace(_ folder: String, with new: String, aside: String) throws(FileError) {
    if cfiles_exchange(new, folder) == 0 { return }
    guard kind(of: folder) != .nothing else { return try move(new, to: folder) }
    try move(folder, to: aside)
    do {
      try move(new, to: folder)
    } catch {
      try move(aside, to: folder)
      throw error
    }
  }
}
