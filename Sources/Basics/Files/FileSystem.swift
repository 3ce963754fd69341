import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file system operations of the store and the site. Every return code is checked.
///
/// No part of a path may be a symbolic link: stores, themes and whole sites may come from untrusted authors, and a link in them could cause
/// any file of the user to be published or overwritten. In a path specified by the user, links are resolved first (``withoutLinks(_:)``).
/// So home folders and checkouts may be reached through links, but files in them may not.
///
/// The operations use POSIX calls, which take a third of the time of Foundation's.
package enum FileSystem {
  /// Repeats a system call while it is interrupted (EINTR).
  ///
  /// - Throws: `FileError` for a negative result, from `errno`.
  @discardableResult
  package static func check(
    _ operation: String, _ path: String, _ call: () -> Int32
  ) throws(FileError) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno == EINTR { continue }
      throw FileError(operation: operation, path: path, code: errno)
    }
  }

  /// Returns a description of an `errno` for the user.
  package static func reason(_ code: Int32) -> String {
    switch code {
    case ENOSPC, EDQUOT: "the disk is full"
    case EFBIG: "the file would be larger than the system allows"
    case EACCES, EPERM: "you have no permission"
    case EROFS: "the file system is read-only"
    case ELOOP: "it is a symbolic link"
    default: String(cString: strerror(code))
    }
  }

  /// Opens a path with the flags of `open`. A new file gets the permissions that the umask allows.
  ///
  /// - Returns: a descriptor that the caller closes.
  package static func open(
    _ path: String, _ flags: Int32, for operation: String
  ) throws(FileError) -> Int32 {
    try check(operation, path) { cfiles_open(path, flags, 0o666) }
  }

  // MARK: Links

  /// Returns the path with all symbolic links in its existing part resolved; for paths specified by the user, on the command line or in
  /// site.yml.
  package static func withoutLinks(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let path = PathText.withoutTrailingSlashes(path)
    guard let folder = PathText.folder(of: path) else {
      return path.isEmpty ? "." : withoutLinks(".") + "/" + path
    }
    return folder.isEmpty ? path : withoutLinks(String(folder)) + "/" + String(PathText.name(of: path))
  }

  /// Returns a path specified by the user unchanged, unless a part of it is a symbolic link. Then all links in it are resolved.
  package static func named(_ path: String) -> String {
    kind(of: path) == .link ? withoutLinks(path) : path
  }

  /// Returns the beginning of a path up to its first symbolic link; `nil` if it has no link.
  static func firstLink(in path: String) -> String? {
    var end = path.startIndex
    while end < path.endIndex {
      end = path.utf8[end...].dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      var information = stat()
      let part = String(path[..<end])
      if lstat(part, &information) == 0, information.st_mode & S_IFMT == S_IFLNK { return part }
    }
    return nil
  }

  // MARK: Inspecting

  /// The kind of a file system entry.
  package enum Kind: Sendable {
    case nothing
    /// The path, or a part of it, is a symbolic link.
    case link
    case folder, file
    /// A pipe, a socket or a device.
    case other

    init(_ mode: mode_t) {
      switch mode & S_IFMT {
      case S_IFDIR: self = .folder
      case S_IFLNK: self = .link
      case S_IFREG: self = .file
      default: self = .other
      }
    }
  }

  package static func kind(of path: String) -> Kind {
    do throws(FileError) {
      return try information(on: path).map { Kind($0.st_mode) } ?? .nothing
    } catch {
      return error.kind == .link ? .link : .nothing
    }
  }

  package static func isFolder(_ path: String) -> Bool { kind(of: path) == .folder }

  /// Returns the size of a regular file in bytes; `nil` if the path is missing or not a regular file.
  package static func size(of path: String) -> Int? {
    guard let information = try? information(on: path), information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(information.st_size)
  }

  /// Whether a file belongs to the user of this process.
  package static func belongsToUser(_ path: String) -> Bool {
    (try? information(on: path)).flatMap { $0 }?.st_uid == geteuid()
  }

  /// Returns the `stat` of a path, without following links; `nil` if the path is missing.
  static func information(on path: String) throws(FileError) -> stat? {
    do throws(FileError) {
      let place = try Place(path, for: "look at")
      var information = stat()
      try check("look at", path) { fstatat(place.folder, place.name, &information, AT_SYMLINK_NOFOLLOW) }
      return information
    } catch {
      if error.kind == .missing { return nil }
      throw error
    }
  }

  /// An entry of a folder.
  package struct Entry: Sendable {
    package let name: String
    package let kind: Kind
    package let signature: FileSignature
  }

  /// Returns the entries of a folder, without `.` and `..`, sorted by the bytes of the names.
  package static func entries(of path: String) throws(FileError) -> [Entry] {
    let descriptor = try open(path, O_RDONLY | O_DIRECTORY, for: "list the folder")
    guard let folder = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw FileError(operation: "list the folder", path: path, code: code)
    }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw FileError(operation: "list the folder", path: path, code: errno) }
        break
      }
      let name = name(of: entry)
      guard name != ".", name != ".." else { continue }
      var information = stat()
      // The entry has been removed meanwhile.
      guard fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      entries.append(
        Entry(name: name, kind: Kind(information.st_mode), signature: FileSignature(information)))
    }
    return entries.sorted { $0.name.precedesInBytes($1.name) }
  }

  /// Returns the names in a folder, without `.` and `..`, sorted by bytes.
  package static func names(in path: String) throws(FileError) -> [String] {
    try entries(of: path).map(\.name)
  }

  static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    return String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
  }

  // MARK: Changing

  /// Writes a new file and creates missing folders. The umask determines the permissions.
  ///
  /// - Returns: `false`, without writing, if the path exists.
  package static func writeNew(_ bytes: [UInt8], to path: String) throws(FileError) -> Bool {
    guard let file = try NewFile(path) else { return false }
    try file.write(bytes)
    try file.close()
    return true
  }

  /// Copies an open file to a new file, which is created as in `writeNew`.
  ///
  /// - Returns: `false`, without copying, if the path exists.
  package static func copy(_ source: borrowing OpenFile, to path: String) throws(FileError) -> Bool {
    guard let file = try NewFile(path) else { return false }
    var offset = 0
    while true {
      let piece = try source.bytes(min(256 << 10, max(1, source.count - offset)), at: offset)
      guard !piece.isEmpty else { break }
      try file.write(piece)
      offset += piece.count
    }
    try file.close()
    return true
  }

  /// Creates a folder and its parent folders, unless they exist.
  package static func makeFolders(_ path: String) throws(FileError) {
    let operation = "make the folder"
    let descriptor = cfiles_open_folder(path)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    guard errno == ENOENT else { throw FileError(operation: operation, path: path, code: errno) }
    let above = parts(of: path).folder
    if above != path { try makeFolders(above) }
    let place = try Place(path, for: operation)
    if mkdirat(place.folder, place.name, 0o777) == 0 { return }
    guard errno == EEXIST else { throw FileError(operation: operation, path: path, code: errno) }
    // Either another program has created the folder, or the path is not a folder, which is an error.
    close(try check(operation, path) { cfiles_open_folder(path) })
  }

  /// Removes a file, or a folder with everything in it, if it exists. A symbolic link is removed and never followed.
  package static func remove(_ path: String) throws(FileError) {
    do throws(FileError) {
      try removePresent(path)
    } catch {
      guard error.kind == .missing else { throw error }
    }
  }

  private static func removePresent(_ path: String) throws(FileError) {
    let place = try Place(path, for: "remove the file")
    if unlinkat(place.folder, place.name, 0) == 0 { return }
    let code = errno
    // If files cannot be inspected, for example without free file descriptors, listing the folder reports the reason.
    guard code == EISDIR || kind(of: path) == .folder else {
      throw FileError(operation: "remove the file", path: path, code: code)
    }
    for name in try names(in: path) { try remove(path + "/" + name) }
    try check("remove the folder", path) { unlinkat(place.folder, place.name, AT_REMOVEDIR) }
  }

  /// Renames a file or folder, and replaces an existing file of the new name.
  package static func move(_ path: String, to target: String) throws(FileError) {
    try rename(path, target, for: "put the folder in place")
  }

  static func rename(_ path: String, _ target: String, for operation: String) throws(FileError) {
    let source = try Place(path, for: operation)
    let place = try Place(target, for: operation)
    try check(operation, target) { renameat(source.folder, source.name, place.folder, place.name) }
  }

  /// Moves a file to a path in the folder `top`. It replaces an existing file or folder, and files at the paths of its folders. Missing
  /// folders are created.
  ///
  /// At any time, the path contains the old or the new file, even if it is on a different disk.
  package static func put(_ file: String, at place: String, below top: String) throws(FileError) {
    if (try? rename(file, place, for: "put the file in place")) != nil { return }
    try clearWay(to: place, below: top)
    do throws(FileError) {
      try rename(file, place, for: "put the file in place")
    } catch {
      guard error.kind == .otherDisk else { throw error }
      let (folder, name) = parts(of: place)
      let copy = "\(folder)/.\(name).tmp"
      try remove(copy)
      _ = try self.copy(try OpenFile(file), to: copy)
      try rename(copy, place, for: "put the file in place")
      try remove(file)
    }
  }

  /// Removes a folder at the path of a new file, and files at the paths of its folders, and creates the folders.
  private static func clearWay(to place: String, below top: String) throws(FileError) {
    var end = place.utf8.index(place.startIndex, offsetBy: top.utf8.count)
    while end < place.endIndex {
      end = place.utf8[end...].dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? place.endIndex
      let part = String(place[..<end])
      switch kind(of: part) {
      case .nothing: break
      case .folder: if end == place.endIndex { try remove(part) }
      case .link, .file, .other: if end < place.endIndex { try remove(part) }
      }
    }
    try makeFolders(parts(of: place).folder)
  }

  /// Removes a file, a link or an empty folder. Does nothing if the path is missing or a non-empty folder.
  package static func removeOne(_ path: String) throws(FileError) {
    do throws(FileError) {
      let place = try Place(path, for: "remove the file")
      if unlinkat(place.folder, place.name, 0) == 0 || errno == ENOENT { return }
      let code = errno
      guard kind(of: path) == .folder else {
        throw FileError(operation: "remove the file", path: path, code: code)
      }
      if unlinkat(place.folder, place.name, AT_REMOVEDIR) == 0 || errno == ENOTEMPTY || errno == EEXIST {
        return
      }
      throw FileError(operation: "remove the folder", path: path, code: errno)
    } catch {
      guard error.kind != .missing, !isBelowAFile(path) else { return }
      throw error
    }
  }

  /// Returns whether a part of the path is a file, so that the path cannot exist.
  private static func isBelowAFile(_ path: String) -> Bool {
    let above = parts(of: path).folder
    guard above != path, above != "." else { return false }
    return switch kind(of: above) {
    case .file, .other: true
    case .folder, .link: false
    case .nothing: isBelowAFile(above)
    }
  }

  // MARK: Comparing

  /// Returns whether a path is a file with exactly these bytes.
  package static func isFile(_ path: String, of bytes: [UInt8]) -> Bool {
    do throws(FileError) {
      let file = try OpenFile(path)
      return file.count == bytes.count ? try file.bytes() == bytes : false
    } catch {
      // A file that cannot be read counts as different, so that it is replaced.
      return false
    }
  }

  /// Returns whether a path is a file with the same bytes as an open file.
  ///
  /// - Throws: `FileError` if the open file cannot be read.
  package static func isFile(_ path: String, like other: borrowing OpenFile) throws(FileError) -> Bool {
    guard let size = size(of: path), size == other.count, let file = try? OpenFile(path) else { return false }
    var offset = 0
    while offset < size {
      let piece = try other.bytes(min(256 << 10, size - offset), at: offset)
      guard !piece.isEmpty, let own = try? file.bytes(piece.count, at: offset), own == piece else {
        return false
      }
      offset += piece.count
    }
    return true
  }

  /// Returns the folder of a path, `.` if the path has only a name, and the last name.
  static func parts(of path: String) -> (folder: String, name: String) {
    let path = PathText.withoutTrailingSlashes(path)
    guard let folder = PathText.folder(of: path) else { return (".", path) }
    let name = PathText.name(of: path)
    if name.isEmpty { return ("/", ".") }
    return (folder.isEmpty ? "/" : String(folder), String(name))
  }

  /// A name in an open folder, so that the folder cannot be replaced between operations on the name.
  struct Place: ~Copyable {
    let folder: Int32
    let name: String

    init(_ path: String, for operation: String) throws(FileError) {
      let (above, name) = FileSystem.parts(of: path)
      folder = try FileSystem.check(operation, path) { cfiles_open_folder(above) }
      self.name = name
    }

    deinit { close(folder) }
  }
}

/// A file that did not exist before, open for writing.
struct NewFile: ~Copyable {
  let path: String
  private(set) var descriptor: Int32

  /// Creates a file and its missing folders.
  ///
  /// - Returns: `nil` if the path exists.
  init?(_ path: String) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL
    var descriptor = cfiles_open(path, flags, 0o666)
    if descriptor < 0, errno == ENOENT {
      try FileSystem.makeFolders(FileSystem.parts(of: path).folder)
      descriptor = cfiles_open(path, flags, 0o666)
    }
    if descriptor < 0, errno == EEXIST { return nil }
    guard descriptor >= 0 else { throw FileError(operation: "create the file", path: path, code: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  /// Creates a value from an open file, which is closed with the value.
  ///
  /// - Parameter name: the name of the file in messages.
  init(taking descriptor: Int32, named name: String) {
    path = name
    self.descriptor = descriptor
  }

  deinit { if descriptor >= 0 { closeFile(descriptor) } }

  func write(_ bytes: [UInt8]) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(operation: "write the file", path: path, code: errno) }
      written += count
    }
  }

  func flush() throws(FileError) {
    try FileSystem.check("flush the file", path) { fsync(descriptor) }
  }

  /// Closes the file. A full disk may cause an error only at this point.
  consuming func close() throws(FileError) {
    let open = descriptor
    descriptor = -1
    guard closeFile(open) == 0 || errno == EINTR else {
      throw FileError(operation: "write the file", path: path, code: errno)
    }
  }
}

@discardableResult
private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// `write` of the C library, whose name methods hide.
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
