import Basics
import Synchronization
import ThreadStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file on its way into the store: open, digested as its bytes pass, and removed unless it is put in place.
struct IncomingFile: ~Copyable {
  let path: String
  let descriptor: Int32
  private(set) var count = 0
  /// The first bytes, by which the type is known.
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

  /// A file that is there already, such as a download; it counts as new and is removed with this, too.
  init(existing path: String) throws(FileError) {
    try self.init(path: path, flags: 0)
  }

  deinit {
    close(descriptor)
    // Whatever stays behind is removed by the next run.
    if !isPlaced { unlink(path) }
  }

  /// Takes note of bytes that are in the file, or about to be.
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
      let written = writeBytes(part)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        throw FileError(operation: "write the file", path: path, code: errno)
      }
      rest = rest.dropFirst(written)
    }
  }

  mutating func write(_ bytes: [UInt8]) throws(FileError) {
    // `withUnsafeBytes` forgets the type of what is thrown in it, so the failure comes out as a value.
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

  /// Copies bytes of another file.
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

  private func writeBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    #if canImport(Darwin)
      return Darwin.write(descriptor, base, bytes.count)
    #else
      return Glibc.write(descriptor, base, bytes.count)
    #endif
  }

  /// The name that the content gives: 128 bits of its SHA-256 as 32 hexadecimal digits, which nobody can find a second file for.
  func name(_ type: MediaType) -> String {
    Hexadecimal.digits(digest.finalize().prefix(16)) + "." + type.fileExtension
  }

  func window() -> ByteWindow { ByteWindow(descriptor: descriptor, count: count) }

  /// Moves the file to where it stays, flushed to the disk before, so that a name never leads to half a file.
  mutating func place(at target: String) throws(FileError) {
    try FileSystem.check("flush the file", path) { fsync(descriptor) }
    try FileSystem.move(path, to: target)
    isPlaced = true
  }
}

/// A place within the media folder for files that are not whole yet: `media/.incoming/<process>-<number>/`.
///
/// Within, so that putting a file in place is one step on one file system; hidden, so that nobody takes it for media; a folder
/// for each user of it, locked, so that what a crashed run left can be told from what another run is writing.
final class IncomingFolder: Sendable {
  static let name = ".incoming"

  let path: String
  private let lock: FolderLock
  private let next = Atomic(0)
  private static let made = Atomic(0)

  /// - Parameter media: the store's media folder, which is made where it is missing.
  init(in media: String) throws(MediaError) {
    let top = media + "/" + Self.name
    do throws(FileError) {
      let number = Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
      let path = "\(top)/\(getpid())-\(number)"
      guard let lock = try FolderLock.take(path) else {
        throw FileError(operation: "lock the folder", path: path, reason: "another program has it")
      }
      self.path = path
      self.lock = lock
      // Stores are kept in git; what is here is nobody's property.
      _ = try FileSystem.writeNew(Array("*\n".utf8), to: top + "/.gitignore")
      try Self.removeAbandoned(in: top, except: path)
    } catch {
      throw .file(error)
    }
  }

  // Whatever stays behind is removed by the next run.
  deinit { try? FileSystem.remove(path) }

  /// Removes what killed runs left in a store's media folder.
  static func removeAbandoned(in media: String) throws(FileError) {
    let top = media + "/" + name
    guard FileSystem.kind(of: top) != .nothing else { return }
    try removeAbandoned(in: top, except: nil)
  }

  /// Removes what killed runs left: folders whose lock nobody holds.
  private static func removeAbandoned(in top: String, except own: String?) throws(FileError) {
    for entry in try FileSystem.entries(of: top) {
      let path = top + "/" + entry.name
      guard path != own, entry.kind == .folder, let lock = try FolderLock.take(path) else { continue }
      try withExtendedLifetime(lock) { () throws(FileError) in try FileSystem.remove(path) }
    }
  }

  /// A path where nothing is.
  func newPath() -> String { "\(path)/\(next.wrappingAdd(1, ordering: .relaxed).oldValue)" }
}
