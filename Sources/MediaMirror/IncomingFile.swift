import Basics
import Synchronization
import ThreadStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file on its way into the media folder. It is digested while its bytes are written or read, and is removed unless `place(at:)` is
/// called.
struct IncomingFile: ~Copyable {
  let path: String
  let descriptor: Int32
  private(set) var count = 0
  /// The first bytes, at most `MediaType.headLength`, by which the type is detected.
  private(set) var head: [UInt8] = []
  private var digest = SHA256()
  private var isPlaced = false

  private init(path: String, flags: Int32) throws(FileError) {
    self.path = path
    descriptor = try FileSystem.open(path, flags | O_RDWR, for: "create the file")
  }

  init(new path: String) throws(FileError) {
    try self.init(path: path, flags: O_CREAT | O_EXCL)
  }

  /// Opens an existing file, such as a download. The file is treated like a new one: it is removed unless it is put in place.
  init(existing path: String) throws(FileError) {
    try self.init(path: path, flags: 0)
  }

  deinit {
    close(descriptor)
    // If the file cannot be removed here, the next run removes it.
    if !isPlaced { unlink(path) }
  }

  /// Adds bytes to the digest and the count. The caller has written them to the file or is about to.
  mutating func pass(_ bytes: UnsafeRawBufferPointer) {
    digest.update(bytes)
    if head.count < MediaType.headLength {
      head.append(contentsOf: bytes.prefix(MediaType.headLength - head.count))
    }
    count += bytes.count
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    pass(bytes)
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let written = writeBytes(descriptor, part)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        throw FileError(operation: "write the file", path: path, code: errno)
      }
      rest = rest.dropFirst(written)
    }
  }

  mutating func write(_ bytes: [UInt8]) throws(FileError) {
    // The closure of `withUnsafeBytes` cannot throw a typed error, so the closure returns the error.
    let failure: FileError? = bytes.withUnsafeBytes { buffer in
      do throws(FileError) {
        try write(buffer)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Appends the bytes of a range of another file.
  mutating func write(_ range: Range<Int>, of other: borrowing IncomingFile) throws(FileError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let bytes = try FileSystem.read(
        min(256 << 10, range.upperBound - offset), at: offset, from: other.descriptor, other.path)
      guard !bytes.isEmpty else {
        throw FileError(operation: "read the file", path: other.path, reason: "it became shorter")
      }
      try write(bytes)
      offset += bytes.count
    }
  }

  /// Returns the name by content: the first 128 bits of the SHA-256 as 32 hexadecimal digits, and the file extension. Finding a second file
  /// with the same name is infeasible.
  func name(_ type: MediaType) -> String {
    Hexadecimal.digits(digest.finalize().prefix(16)) + "." + type.fileExtension
  }

  func window() -> ByteWindow { ByteWindow(descriptor: descriptor, count: count) }

  /// Moves the file to its final path. The file is flushed to the disk first, so that a file with a final name is always complete.
  mutating func place(at target: String) throws(FileError) {
    try FileSystem.check("flush the file", path) { fsync(descriptor) }
    try FileSystem.move(path, to: target)
    isPlaced = true
  }
}

/// A folder for incomplete files: `media/.incoming/<process>-<number>/`.
///
/// It is in the media folder so that a file is put in place with one rename within one file system. It is hidden so that its files do not
/// count as media. Each instance has a separate, locked folder. A folder without a lock was left by a crashed run and can be removed.
final class IncomingFolder: Sendable {
  static let name = ".incoming"

  let path: String
  private let lock: FolderLock
  private let next = Atomic(0)
  private static let made = Atomic(0)

  /// - Parameter media: the store's media folder, which is created if it is missing.
  init(in media: String) throws(MediaError) {
    let top = media + "/" + Self.name
    do throws(FileError) {
      let number = Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
      let path = "\(top)/\(getpid())-\(number)"
      guard let lock = try FolderLock.take(path) else {
        throw FileError(operation: "lock the folder", path: path, reason: "another program is using it")
      }
      self.path = path
      self.lock = lock
      // Many stores are kept in git; incomplete files must not be committed.
      _ = try FileSystem.writeNew(Array("*\n".utf8), to: top + "/.gitignore")
      try Self.removeAbandoned(in: top, except: path)
    } catch {
      throw .file(error)
    }
  }

  // If the file cannot be removed here, the next run removes it.
  deinit { try? FileSystem.remove(path) }

  /// Removes the folders that killed runs left in a store's media folder.
  static func removeAbandoned(in media: String) throws(FileError) {
    let top = media + "/" + name
    guard FileSystem.kind(of: top) != .nothing else { return }
    try removeAbandoned(in: top, except: nil)
  }

  /// Removes the folders left by killed runs, which are those that no program has locked.
  private static func removeAbandoned(in top: String, except own: String?) throws(FileError) {
    for entry in try FileSystem.entries(of: top) {
      let path = top + "/" + entry.name
      guard path != own, entry.kind == .folder, let lock = try FolderLock.take(path) else { continue }
      try withExtendedLifetime(lock) { () throws(FileError) in try FileSystem.remove(path) }
    }
  }

  /// Returns the path of a file that does not exist yet.
  func newPath() -> String { "\(path)/\(next.wrappingAdd(1, ordering: .relaxed).oldValue)" }
}

/// Outside of the type, whose functions have the same name as the system's.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
