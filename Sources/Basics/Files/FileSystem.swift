import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The few things that the store and the site ask of the file system; every return code is looked at.
///
/// No part of a path may be a symbolic link: stores, themes and whole sites are cloned from anybody, and a link in them leads to
/// what its author would like to see published or written over. A path that a person named is freed of links first
/// (``withoutLinks(_:)``), so that home folders and checkouts may be reached through links, and what lies below them may not.
///
/// POSIX calls, as they are a third of the cost of Foundation's.
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
      throw FileError(operation: operation, path: path, code: errno)
    }
  }

  /// What an `errno` says to the user.
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

  /// Opens a path by the flags of `open`; what is made gets the mode that the umask allows.
  ///
  /// - Returns: a descriptor that the caller closes.
  package static func open(
    _ path: String, _ flags: Int32, for operation: String
  ) throws(FileError) -> Int32 {
    try check(operation, path) { cfiles_open(path, flags, 0o666) }
  }

  // MARK: Links

  /// The path with all symbolic links of what exists of it followed: for what a person named, on the command line or in site.yml.
  package static func withoutLinks(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path = path[..<path.utf8.index(before: path.endIndex)]
    }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return path.isEmpty ? "." : withoutLinks(".") + "/" + path
    }
    let name = path[path.utf8.index(after: slash)...]
    guard slash > path.startIndex else { return String(path) }
    return withoutLinks(String(path[..<slash])) + "/" + name
  }

  /// A path that a person named: as it is, unless a part of it is a link, which is followed.
  package static func named(_ path: String) -> String {
    kind(of: path) == .link ? withoutLinks(path) : path
  }

  /// The first part of a path that is a symbolic link.
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

  // MARK: Looking

  /// What stands at a path.
  package enum Kind: Sendable {
    case nothing
    /// The path, or a part of it, is a symbolic link.
    case link
    case folder, file
    /// A pipe, a socket, a device.
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

  /// Bytes of a regular file; `nil` where there is none, or something else.
  package static func size(of path: String) -> Int? {
    guard let information = try? information(on: path), information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(information.st_size)
  }

  /// `nil` where there is nothing.
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

  /// Something in a folder.
  package struct Entry: Sendable {
    package let name: String
    package let kind: Kind
    package let signature: FileSignature
  }

  /// What is in a folder, without `.` and `..`, sorted by the bytes of the names.
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
      // What has gone in between is not in the folder.
      guard fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      entries.append(
        Entry(name: name, kind: Kind(information.st_mode), signature: FileSignature(information)))
    }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Names in a folder, without `.` and `..`, sorted by bytes.
  package static func names(in path: String) throws(FileError) -> [String] {
    try entries(of: path).map(\.name)
  }

  static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    return String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
  }

  // MARK: Changing

  /// Writes a whole new file, making the folders on its way where they are missing; who may read it is the umask's to say.
  ///
  /// - Returns: `false`, with nothing written, where there is something of that name.
  package static func writeNew(_ bytes: [UInt8], to path: String) throws(FileError) -> Bool {
    guard let file = try NewFile(path) else { return false }
    try file.write(bytes)
    try file.close()
    return true
  }

  /// Copies an open file to a new one; as `writeNew`.
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

  /// Makes a folder and those above it; one that is there already is fine.
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
    // Another program was faster, or it is no folder.
    close(try check(operation, path) { cfiles_open_folder(path) })
  }

  /// Removes a file or a folder with all that it holds; a symbolic link is removed, never followed. What is not there is fine.
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
    guard kind(of: path) == .folder else {
      throw FileError(operation: "remove the file", path: path, code: code)
    }
    for name in try names(in: path) { try remove(path + "/" + name) }
    try check("remove the folder", path) { unlinkat(place.folder, place.name, AT_REMOVEDIR) }
  }

  /// Gives a file or folder another name, where a file of that name is replaced.
  package static func move(_ path: String, to target: String) throws(FileError) {
    try rename(path, target, for: "put the folder in place")
  }

  static func rename(_ path: String, _ target: String, for operation: String) throws(FileError) {
    let source = try Place(path, for: operation)
    let place = try Place(target, for: operation)
    try check(operation, target) { renameat(source.folder, source.name, place.folder, place.name) }
  }

  /// Puts a file in a place below `top`, in which it replaces whatever is there or in its way; folders are made where they are missing.
  ///
  /// The place holds the old file or the new one at any time, even if it is on another disk.
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

  /// Removes what stands where a file goes and is none, and what stands where its folders go.
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

  /// Removes a file, a link or an empty folder; what is not there, or is a folder that holds something, is fine.
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

  /// Whether the path leads through a file, so that there is nothing there.
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

  /// Whether a path is that of a file of these bytes.
  package static func isFile(_ path: String, of bytes: [UInt8]) -> Bool {
    do throws(FileError) {
      let file = try OpenFile(path)
      return file.count == bytes.count ? try file.bytes() == bytes : false
    } catch {
      // What cannot be read is to be replaced.
      return false
    }
  }

  /// Whether a path is that of a file of the same bytes as an open one.
  ///
  /// - Throws: `FileError` if the open one cannot be read.
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

  /// The folder that holds what a path names, `.` where the path has none, and the name in it.
  static func parts(of path: String) -> (folder: String, name: String) {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path = path[..<path.utf8.index(before: path.endIndex)]
    }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", String(path)) }
    let name = path[path.utf8.index(after: slash)...]
    if name.isEmpty { return ("/", ".") }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(name))
  }

  /// A name in a folder that is open, so that nothing can be put in the folder's place while the name is worked with.
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

  /// - Returns: `nil` where there is something of that name. Folders on its way are made.
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

  /// A file that is open already, and closed with this.
  ///
  /// - Parameter name: what messages call it.
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

  /// Closes it, where a full disk may show last.
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

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
