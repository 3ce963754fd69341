import Files
import Synchronization
import ThreadStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
