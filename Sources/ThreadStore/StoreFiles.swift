#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The few things that the store asks of the file system, each with an error that names the file.
///
/// POSIX calls, as they are a third of the cost of Foundation's, and say what a path is without following links.
enum StoreFiles {
  enum Kind { case file, folder, link, other }

  // MARK: Looking

  /// The entries of a folder, unsorted, those that begin with a dot left out; `nil` where there is no folder.
  static func entries(of path: String) throws(ThreadStoreError) -> [(name: String, kind: Kind)]? {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return nil }
      throw failure("list", path)
    }
    defer { closedir(folder) }
    var entries: [(name: String, kind: Kind)] = []
    errno = 0
    while let entry = readdir(folder) {
      let name = name(of: entry)
      if !name.hasPrefix(".") { entries.append((name, kind(of: path + "/" + name))) }
      errno = 0
    }
    if errno != 0 { throw failure("list", path) }
    return entries
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    return String(cString: start)
  }

  /// What a path is, links not followed; `other` where there is nothing.
  static func kind(of path: String) -> Kind {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .other }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// Whether a link leads, in the end, to a folder.
  static func leadsToFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  // MARK: Reading

  /// The bytes of a file which is no link; `nil` where there is none.
  static func read(_ path: String, atMost limit: Int) throws(ThreadStoreError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw .symbolicLink(path) }
      throw failure("read", path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .system(action: "read", file: path, reason: "this is no file")
    }
    let size = Int(status.st_size)
    guard size <= limit else { throw .tooLarge(file: path, bytes: size) }
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = Self.read(file, into: buffer, at: count)
        if got < 0 { problem = errno }
        if got <= 0 { break }
        count += got
      }
    }
    guard problem == 0 else {
      errno = problem
      throw failure("read", path)
    }
    return bytes
  }

  /// One `read`, again where a signal came between.
  private static func read(_ file: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int)
    -> Int
  {
    var got: Int
    repeat {
      got = systemRead(file, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
    } while got < 0 && errno == EINTR
    return got
  }

  // MARK: Writing

  /// Makes the folder and those above it, where they are missing.
  static func makeFolders(_ path: String) throws(ThreadStoreError) {
    if kind(of: path) == .folder || mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw failure("make the folder", path)
    }
    try makeFolders(String(path[..<slash]))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure("make the folder", path) }
  }

  /// Puts the bytes at `folder/name` so that there is, at any moment and after any crash, either the file as it was
  /// or the whole new one.
  static func write(_ bytes: [UInt8], to name: String, in folder: String) throws(ThreadStoreError) {
    let path = folder + "/" + name
    let temporary = folder + "/.\(name).\(getpid()).tmp"
    unlink(temporary)  // what a crashed run with the same process id left
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure("write", path) }
    do throws(ThreadStoreError) {
      try writeAll(bytes, to: file, path)
      guard fsync(file) == 0 else { throw failure("write", path) }
    } catch {
      close(file)
      unlink(temporary)
      throw error
    }
    guard close(file) == 0, rename(temporary, path) == 0 else {
      let error = failure("write", path)
      unlink(temporary)
      throw error
    }
    try syncFolder(folder)
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32, _ path: String) throws(ThreadStoreError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemWrite(file, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("write", path) }
      written += count
    }
  }

  /// Makes a rename last through a power failure.
  private static func syncFolder(_ folder: String) throws(ThreadStoreError) {
    let file = open(folder, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("write", folder) }
    defer { close(file) }
    // Some network file systems cannot sync a folder, and say EINVAL.
    guard fsync(file) == 0 || errno == EINVAL else { throw failure("write", folder) }
  }

  /// The error for the system call that just failed.
  private static func failure(_ action: String, _ path: String) -> ThreadStoreError {
    .system(action: action, file: path, reason: String(cString: strerror(errno)))
  }
}

// `read` and `write` of the C library, which the names above hide.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  read(file, buffer, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
